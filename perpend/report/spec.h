// Vega-Lite specifications as text: JSON with slots, so that a chart reads as its specification.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/records/model_view.h"
#include "perpend/report/page.h"

namespace perpend {

// Replaces each <name> by the JSON text of that name, in one pass.
std::string fill_spec(std::string_view text, const std::map<std::string, std::string, std::less<>>& slots);

std::string json_string(std::string_view text);
std::string json_strings(const std::vector<std::string>& texts);

// "$schema" and "data", with which every specification begins.
std::string spec_start();

// A position channel: "field":..., "type":"quantitative", "title":..., and `more` members of the channel.
std::string quantity(std::string_view field, std::string_view title, std::string_view more = "");
// The same from 0 to 1, in percent.
std::string share(std::string_view field, std::string_view title);
// One line of a tooltip. It shows a number when it has a format.
std::string shown(std::string_view field, std::string_view title, std::string_view format = "");

// Colour by name: one hue each for up to eight names, otherwise one hue for all. The legend's symbol is a shape or
// stroke.
constexpr std::size_t kHues = 8;  // of the page's palette
constexpr int kAboveTitle = 26;   // offset of a legend above the title of the vertical axis
std::string hues(std::string_view field, const std::vector<std::string>& names, std::string_view symbol,
                 int offset = 8);

// Layers of lines over (x, y) by column `curve`, one hue per name. With `ensemble`, its curve lies above them in thick
// ink. The point nearest to the pointer is shown, with `tooltip`.
std::string curve_layers(const std::string& x, const std::string& y, const std::vector<std::string>& names,
                         bool ensemble, const std::string& tooltip);
// The dashed diagonal from (0, 0) to (1, 1).
std::string diagonal();

Cell cell_of(const Metric& metric);
std::string number_text(const Metric& metric, int digits = 3);  // "undefined" where the metric is
std::vector<std::string> member_names(std::size_t members);

}  // namespace perpend
