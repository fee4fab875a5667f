#include "perpend/report/standalone.h"

#include <nlohmann/json.hpp>

namespace perpend {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kWidth = 480;  // of a chart in a notebook, in pixels

// The look of web/report.js.
constexpr const char* kConfig = R"json({
  "view":{"stroke":null},
  "axis":{"labelColor":"var(--soft)","titleColor":"var(--soft)","labelFontSize":12,"titleFontSize":12,"titleFontWeight":500,
          "gridColor":"var(--grid)","domainColor":"var(--rule)","tickColor":"var(--rule)"},
  "axisY":{"domain":false,"ticks":false,"titleAngle":0,"titleAlign":"left","titleAnchor":"end","titleBaseline":"bottom",
           "titleX":0,"titleY":-9},
  "legend":{"orient":"top","direction":"horizontal","title":null,"labelColor":"var(--ink)","labelFontSize":12},
  "header":{"title":null,"labelColor":"var(--ink)","labelFontSize":12,"labelFontWeight":600},
  "range":{"category":["var(--m1)","var(--m2)","var(--m3)","var(--m4)","var(--m5)","var(--m6)","var(--m7)","var(--m8)"]},
  "style":{"ensemble":{"color":"var(--ink)","stroke":"var(--ink)","strokeWidth":3},
           "reference":{"color":"var(--rule)","stroke":"var(--rule)","strokeDash":[4,4]},
           "tick":{"color":"var(--ink)","stroke":"var(--ink)"},
           "accent":{"color":"var(--accent)","fill":"var(--accent)"},
           "bar":{"strokeWidth":0}}})json";

void replace_colours(Json& json) {
  if (json.is_string()) json = plain_colour(json.get<std::string>());
  if (!json.is_structured()) return;
  for (auto& inner : json) replace_colours(inner);
}

// A single view has the whole width. The cells of a small multiple share it.
void set_width(Json& spec) {
  if (!spec.contains("usermeta")) {
    spec["width"] = kWidth;
  } else if (spec.contains("spec")) {
    spec["spec"]["width"] = kWidth;
  } else {
    for (auto& cell : spec["concat"]) cell["width"] = kWidth / spec["concat"].size();
  }
}

Json values_of(const DataTable& data) {
  Json values = Json::array();
  for (const auto& row : data.rows) {
    Json value = Json::object();
    for (std::size_t c = 0; c < row.size(); ++c) {
      Json& cell = value[data.columns[c]];  // null where the cell is empty
      if (const auto* number = std::get_if<double>(&row[c])) cell = *number;
      if (const auto* text = std::get_if<std::string>(&row[c])) cell = *text;
    }
    values.push_back(std::move(value));
  }
  return values;
}

std::string standalone(const Chart& chart, const DataTable& data) {
  Json spec = Json::parse(chart.spec);
  Json config = Json::parse(kConfig);
  replace_colours(spec);
  replace_colours(config);
  set_width(spec);
  spec.erase("$schema");  // whoever draws it decides about the version
  spec.erase("usermeta");
  spec["title"] = chart.title;
  spec["description"] = chart.alt;
  spec["data"] = {{"values", values_of(data)}};
  spec["config"] = std::move(config);
  return spec.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string plain_colour(const std::string& text) {
  static const std::map<std::string, std::string> colours = {
      {"paper", "#ffffff"},     {"ink", "#16202a"}, {"soft", "#55606b"}, {"rule", "#b4bbc2"}, {"grid", "#e6e9ec"},
      {"accent", "#0b5c92"},    {"m1", "#0072b2"},  {"m2", "#d55e00"},   {"m3", "#00855f"},   {"m4", "#b0478f"},
      {"on-accent", "#ffffff"}, {"m5", "#8a6d00"},  {"m6", "#3b8fd0"},   {"m7", "#6b6f76"},   {"m8", "#8c3b1f"}};
  if (!text.starts_with("var(--") || !text.ends_with(")")) return text;
  const auto found = colours.find(text.substr(6, text.size() - 7));
  return found == colours.end() ? text : found->second;
}

std::map<std::string, std::string> standalone_charts(const Page& page) {
  std::map<std::string, DataTable> data;
  std::map<std::string, std::string> specs;
  for (const auto& section : page.sections) {
    for (const Chart* chart : section.charts()) {
      if (chart->data_of.empty()) data[chart->id] = chart->data;
      specs[chart->id] = standalone(*chart, data.at(chart->data_of.empty() ? chart->id : chart->data_of));
    }
  }
  return specs;
}

}  // namespace perpend
