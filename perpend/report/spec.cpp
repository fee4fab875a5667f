#include "perpend/report/spec.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "perpend/report/charts.h"

namespace perpend {

namespace {

std::string dump(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string fill_spec(std::string_view text, const std::map<std::string, std::string, std::less<>>& slots) {
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t open = text.find('<', at);
    out += text.substr(at, open - at);
    if (open == text.npos) return out;
    const std::size_t close = text.find('>', open);
    out += slots.at(std::string(text.substr(open + 1, close - open - 1)));
    at = close + 1;
  }
}

std::string json_string(std::string_view text) { return dump(text); }
std::string json_strings(const std::vector<std::string>& texts) { return dump(texts); }

std::string spec_start() {
  return R"spec("$schema":"https://vega.github.io/schema/vega-lite/v6.json","data":{"name":"table"})spec";
}

std::string quantity(std::string_view field, std::string_view title, std::string_view more) {
  return fmt::format(R"spec({{"field":"{}","type":"quantitative","title":"{}"{}{}}})spec", field, title,
                     more.empty() ? "" : ",", more);
}

std::string share(std::string_view field, std::string_view title) {
  return quantity(field, title, R"spec("scale":{"domain":[0,1]},"axis":{"format":".0%","tickCount":5})spec");
}

std::string shown(std::string_view field, std::string_view title, std::string_view format) {
  if (format.empty()) return fmt::format(R"spec({{"field":"{}","type":"nominal","title":"{}"}})spec", field, title);
  return fmt::format(R"spec({{"field":"{}","type":"quantitative","title":"{}","format":"{}"}})spec", field, title,
                     format);
}

std::string hues(std::string_view field, const std::vector<std::string>& names, std::string_view symbol, int offset) {
  if (names.size() > kHues) return R"spec({"value":"var(--m1)"})spec";
  const std::string legend = fmt::format(R"spec({{"symbolType":"{}","symbolStrokeWidth":{},"offset":{}}})spec", symbol,
                                         symbol == "stroke" ? 3 : 0, offset);
  return fmt::format(R"spec({{"field":"{}","type":"nominal","scale":{{"domain":{}}},"legend":{}}})spec", field,
                     json_strings(names), names.size() > 1 ? legend : "null");
}

std::string curve_layers(const std::string& x, const std::string& y, const std::vector<std::string>& names,
                         bool ensemble, const std::string& tooltip) {
  std::string layers;
  if (!names.empty()) {
    layers += fill_spec(R"spec({"transform":[{"filter":"<whose>"}],
      "mark":{"type":"line","strokeWidth":<width>},
      "encoding":{"x":<x>,"y":<y>,"color":<hues>,"detail":{"field":"curve"}}},)spec",
                        {{"whose", ensemble ? "datum.curve !== 'ensemble'" : "true"},
                         {"width", ensemble ? "1.75" : "2.5"},
                         {"x", x},
                         {"y", y},
                         {"hues", hues("curve", names, "stroke", kAboveTitle)}});
  }
  if (ensemble) {
    layers += fill_spec(R"spec({"transform":[{"filter":"datum.curve === 'ensemble'"}],
      "mark":{"type":"line","style":"ensemble"},"encoding":{"x":<x>,"y":<y>}},)spec",
                        {{"x", x}, {"y", y}});
  }
  return layers + fill_spec(R"spec({
    "params":[{"name":"near","select":{"type":"point","on":"pointerover","nearest":true,"clear":"pointerout"}}],
    "mark":{"type":"point","filled":true,"size":60,"color":"var(--ink)"},
    "encoding":{"x":<x>,"y":<y>,"opacity":{"condition":{"param":"near","empty":false,"value":1},"value":0},
                "tooltip":[<tooltip>]}})spec",
                            {{"x", x}, {"y", y}, {"tooltip", tooltip}});
}

std::string diagonal() {
  return R"spec({"data":{"values":[{"x":0,"y":0},{"x":1,"y":1}]},"mark":{"type":"line","style":"reference"},
    "encoding":{"x":{"field":"x","type":"quantitative"},"y":{"field":"y","type":"quantitative"}}})spec";
}

Cell cell_of(const Metric& metric) { return metric ? Cell(*metric) : Cell(); }

std::string number_text(const Metric& metric, int digits) {
  return metric ? fmt::format("{:.{}f}", *metric, digits) : "undefined";
}

std::string member_name(std::size_t member) { return fmt::format("member {}", member + 1); }

std::vector<std::string> member_names(std::size_t members) {
  std::vector<std::string> names;
  for (std::size_t m = 0; m < members; ++m) names.push_back(member_name(m));
  return names;
}

}  // namespace perpend
