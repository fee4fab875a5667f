// How a method looks in every chart: a colour, a dash and a shape, so that no chart depends on colour alone.
//
// Colours are those of Okabe and Ito, which all kinds of colour vision can tell apart. They are darkened where white
// paper needs it (web/report.css). LIT is green, as in the paper's figures.
#pragma once

#include <string_view>

namespace perpend {

struct MethodStyle {
  std::string_view name;      // as charts call the method: "LIT"
  std::string_view variable;  // of the style sheet
  std::string_view colour;    // the same on white paper
  std::string_view dash;      // of SVG; empty: a line without gaps
  std::string_view shape;     // of Vega
};

}  // namespace perpend
