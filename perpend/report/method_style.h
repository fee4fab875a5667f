// How a method looks in every chart: a colour, a dash and a shape, so that no chart depends on colour alone.
//
// Colours are those of Okabe and Ito, darkened where white paper asks for it (web/report.css): they are told apart with
// every kind of colour vision. LIT is green, as in the paper's figures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perpend {

struct MethodStyle {
  std::string_view name;      // of StudyView::methods
  std::string_view variable;  // of the style sheet
  std::string_view colour;    // the same on white paper
  std::string_view dash;      // of SVG; empty: a line without gaps
  std::string_view shape;     // of Vega
};
const MethodStyle& method_style(std::string_view name);

// Channels of Vega-Lite by column "method"; `legend`: JSON.
std::string method_colours(const std::vector<std::string>& methods, std::string_view legend);
std::string method_shapes(const std::vector<std::string>& methods, std::string_view legend);

}  // namespace perpend
