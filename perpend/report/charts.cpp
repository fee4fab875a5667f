#include "perpend/report/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "perpend/base/message.h"

namespace perpend {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "https://vega.github.io/schema/vega-lite/v6.json";
constexpr std::size_t kColours = 8;  // of the page's palette

std::string text_of(const Json& spec) { return spec.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json start(double height) { return {{"$schema", kSchema}, {"data", {{"name", "table"}}}, {"height", height}}; }

Json quantity(const char* field, const char* title, const char* format = nullptr) {
  Json channel = {{"field", field}, {"type", "quantitative"}, {"title", title}};
  if (format != nullptr) channel["axis"] = {{"format", format}};
  return channel;
}

Json share(const char* field, const char* title) {
  Json channel = quantity(field, title, ".0%");
  channel["scale"] = {{"domain", {0, 1}}};
  channel["axis"]["tickCount"] = 5;
  return channel;
}

Json shown(const char* field, const char* title, const char* format = nullptr) {
  Json channel = {{"field", field}, {"title", title}};
  channel["type"] = format == nullptr ? "nominal" : "quantitative";
  if (format != nullptr) channel["format"] = format;
  return channel;
}

// One hue a name while there are hues for all; more names share the first.
Json hues(const char* field, const std::vector<std::string>& names) {
  if (names.size() > kColours) return {{"value", "var(--m1)"}};
  return {{"field", field},
          {"type", "nominal"},
          {"scale", {{"domain", names}}},
          {"legend", names.size() > 1 ? Json{{"symbolType", "stroke"}} : Json(nullptr)}};
}

Json reference(std::initializer_list<CurvePoint> points) {
  Json values = Json::array();
  for (const auto& p : points) values.push_back({{"x", p.x}, {"y", p.y}});
  return {{"data", {{"values", values}}},
          {"mark", {{"type", "line"}, {"style", "reference"}}},
          {"encoding",
           {{"x", {{"field", "x"}, {"type", "quantitative"}}}, {"y", {{"field", "y"}, {"type", "quantitative"}}}}}};
}

// The nearest point under the pointer shows itself and its numbers.
Json hover_points(Json encoding, Json tooltip) {
  encoding["opacity"] = {{"condition", {{"param", "near"}, {"empty", false}, {"value", 1}}}, {"value", 0}};
  encoding["tooltip"] = std::move(tooltip);
  return {{"params",
           {{{"name", "near"},
             {"select", {{"type", "point"}, {"on", "pointerover"}, {"nearest", true}, {"clear", "pointerout"}}}}}},
          {"mark", {{"type", "point"}, {"filled", true}, {"size", 60}}},
          {"encoding", std::move(encoding)}};
}

Json only(const char* test, Json layer) {
  Json filtered = {{"transform", {{{"filter", test}}}}};
  filtered.update(layer);
  return filtered;
}

Cell cell(const Metric& metric) { return metric ? Cell(*metric) : Cell(); }

std::vector<std::string> member_names(std::size_t members) {
  std::vector<std::string> names;
  for (std::size_t m = 0; m < members; ++m) names.push_back(member_name(m));
  return names;
}

std::string number(const Metric& metric, int digits = 3) {
  return metric ? fmt::format("{:.{}f}", *metric, digits) : "undefined";
}

// Thick ink for the ensemble, a hue a member; or a hue a class.
Json curve_layers(const Json& x, const Json& y, const std::vector<std::string>& names, bool with_ensemble) {
  Json coloured = {{"x", x}, {"y", y}, {"color", hues("curve", names)}, {"detail", {{"field", "curve"}}}};
  const char* members = with_ensemble ? "datum.curve !== 'ensemble'" : "true";
  Json layers = Json::array();
  layers.push_back(only(
      members, {{"mark", {{"type", "line"}, {"strokeWidth", with_ensemble ? 1.75 : 2.5}}}, {"encoding", coloured}}));
  if (with_ensemble) {
    layers.push_back(only("datum.curve === 'ensemble'",
                          {{"mark", {{"type", "line"}, {"style", "ensemble"}}}, {"encoding", {{"x", x}, {"y", y}}}}));
  }
  return layers;
}

}  // namespace

std::string member_name(std::size_t member) { return fmt::format("member {}", member + 1); }

Chart roc_chart(const RowsView& rows, const std::vector<std::string>& classes) {
  const bool binary = classes.size() == 2;
  Chart chart{.id = "roc", .data = {{"curve", "false_positive_rate", "true_positive_rate", "auc"}, {}}};
  std::vector<std::string> names;
  double worst = 1, best = 0;
  for (const auto& curve : rows.roc) {
    if (!binary || curve.name != "ensemble") {
      names.push_back(curve.name);
      worst = std::min(worst, curve.area.value_or(1));
      best = std::max(best, curve.area.value_or(0));
    }
    for (const auto& p : curve.points) chart.data.rows.push_back({curve.name, p.x, p.y, cell(curve.area)});
  }
  const Metric area = rows.roc.empty() ? Metric() : rows.roc[0].area;
  chart.title =
      binary ? fmt::format("ROC: the ensemble's AUC is {}", number(area)) : "ROC of each class against the rest";
  chart.reading =
      binary ? fmt::format(
                   "Share of {} found against share of false alarms, {} rows. Thick: the ensemble. "
                   "Thin: its members (AUC {:.3f} to {:.3f}). The dashed line is guessing.",
                   quote(classes[1]), rows.judged, worst, best)
             : fmt::format("The ensemble on {} rows; {}. The dashed line is guessing.", rows.judged,
                           names.size() < classes.size() ? fmt::format("the {} most frequent classes", names.size())
                                                         : "all classes");
  chart.alt = binary ? fmt::format("ROC curves; AUC of the ensemble {}, of the members {:.3f} to {:.3f}.", number(area),
                                   worst, best)
                     : fmt::format("ROC curves of {} classes; AUC {:.3f} to {:.3f}.", names.size(), worst, best);
  const Json x = share("false_positive_rate", "false-positive rate");
  const Json y = share("true_positive_rate", "true-positive rate");
  Json spec = start(320);
  spec["layer"] = {reference({{0, 0}, {1, 1}})};
  for (auto& layer : curve_layers(x, y, names, binary)) spec["layer"].push_back(layer);
  spec["layer"].push_back(hover_points({{"x", x}, {"y", y}}, {shown("curve", "curve"), shown("auc", "AUC", ".3f"),
                                                              shown("false_positive_rate", "false alarms", ".1%"),
                                                              shown("true_positive_rate", "found", ".1%")}));
  chart.spec = text_of(spec);
  return chart;
}

Chart calibration_chart(const RowsView& rows, const std::vector<std::string>& classes) {
  Chart chart{.id = "calibration", .data = {{"curve", "probability", "frequency", "rows"}, {}}};
  std::vector<std::string> names;
  for (const auto& curve : rows.calibration) {
    if (curve.name != "ensemble") names.push_back(curve.name);
    for (const auto& p : curve.points) {
      chart.data.rows.push_back({curve.name, p.probability, p.frequency, static_cast<double>(p.rows)});
    }
  }
  chart.title = "Do probabilities keep their word?";
  chart.reading =
      classes.size() == 2
          ? fmt::format(
                "Of the rows given some probability of {}, how many are it. On the dashed line, words "
                "and facts agree. A larger dot holds more rows.",
                quote(classes[1]))
          : "Of the rows predicted with some probability, how many are right. On the dashed line, words and "
            "facts agree. A larger dot holds more rows.";
  chart.alt = fmt::format("Calibration curves of the ensemble and {} members in 15 bins of probability, {} rows.",
                          names.size(), rows.judged);
  const Json x = share("probability", "predicted probability");
  const Json y = share("frequency", "observed frequency");
  Json spec = start(320);
  spec["layer"] = {reference({{0, 0}, {1, 1}})};
  for (auto& layer : curve_layers(x, y, names, true)) spec["layer"].push_back(layer);
  Json size = {{"field", "rows"}, {"type", "quantitative"}, {"legend", nullptr}, {"scale", {{"range", {30, 260}}}}};
  spec["layer"].push_back(
      only("datum.curve === 'ensemble'",
           {{"mark", {{"type", "point"}, {"filled", true}, {"opacity", 1}, {"style", "ensembleDot"}}},
            {"encoding", {{"x", x}, {"y", y}, {"size", size}}}}));
  spec["layer"].push_back(
      hover_points({{"x", x}, {"y", y}}, {shown("curve", "curve"), shown("probability", "predicted", ".1%"),
                                          shown("frequency", "observed", ".1%"), shown("rows", "rows", ",d")}));
  chart.spec = text_of(spec);
  return chart;
}

namespace {

struct Measure {
  const char* name;
  Metric Scores::*value;
  bool share;  // at most 1
};
constexpr Measure kMeasures[] = {{"AUC", &Scores::auc, true},
                                 {"accuracy", &Scores::accuracy, true},
                                 {"log-loss", &Scores::log_loss, false},
                                 {"calibration error", &Scores::ece, true}};

// A domain that does not blow up small differences: at least 0.1 wide.
Json domain_of(std::span<const NamedEvaluation> parts, const Measure& measure) {
  double low = 1e300, high = -1e300;
  const auto see = [&](const Scores& scores) {
    const Metric& value = scores.*measure.value;
    if (!value) return;
    low = std::min(low, *value);
    high = std::max(high, *value);
  };
  for (const auto& [name, evaluation] : parts) {
    see(evaluation);
    for (const auto& member : evaluation.members) see(member);
  }
  if (low > high) return {0, 1};
  const double least = 0.1;
  if (high - low < least) low = std::max(0.0, (low + high - least) / 2), high = low + least;
  if (measure.share && high > 1) low -= high - 1, high = 1;
  low = std::max(0.0, std::floor(low * 50) / 50);
  high = std::ceil(high * 50 - 1e-9) / 50;
  return {low, measure.share ? std::min(high, 1.0) : high};
}

Json measure_panel(std::span<const NamedEvaluation> parts, const Measure& measure, const std::vector<std::string>& who,
                   const std::vector<std::string>& sets) {
  const Json x = {{"field", "value"},
                  {"type", "quantitative"},
                  {"title", nullptr},
                  {"scale", {{"domain", domain_of(parts, measure)}, {"nice", false}}},
                  {"axis", {{"tickCount", 3}, {"labelFlush", true}}}};
  const Json y = {{"field", "who"},
                  {"type", "nominal"},
                  {"sort", who},
                  {"title", nullptr},
                  {"axis", {{"grid", true}, {"labelLimit", 110}}}};
  Json color = {{"field", "rows"},
                {"type", "nominal"},
                {"scale", {{"domain", sets}}},
                {"legend", sets.size() > 1 ? Json{{"symbolType", "circle"}, {"symbolStrokeWidth", 0}} : Json(nullptr)}};
  const Json tooltip = {shown("who", "who"), shown("rows", "rows"), shown("measure", "measure"),
                        shown("value", "value", ".4f")};
  Json panel = {
      {"title",
       {{"text", measure.name}, {"anchor", "start"}, {"fontSize", 13}, {"color", "var(--ink)"}, {"offset", 6}}},
      {"transform", {{{"filter", fmt::format("datum.measure === '{}'", measure.name)}}}},
      {"height", {{"step", 24}}}};
  panel["layer"] = {
      only("datum.who !== 'ensemble'", {{"mark", {{"type", "point"}, {"filled", true}, {"size", 90}, {"opacity", 0.9}}},
                                        {"encoding", {{"x", x}, {"y", y}, {"color", color}, {"tooltip", tooltip}}}}),
      only("datum.who === 'ensemble'",
           {{"mark", {{"type", "point"}, {"filled", true}, {"size", 190}, {"shape", "diamond"}, {"opacity", 1}}},
            {"encoding", {{"x", x}, {"y", y}, {"color", color}, {"tooltip", tooltip}}}})};
  return panel;
}

}  // namespace

Chart members_chart(std::span<const NamedEvaluation> parts) {
  Chart chart{.id = "members", .data = {{"rows", "who", "measure", "value"}, {}}, .full = true};
  std::vector<std::string> sets;
  std::size_t members = 0;
  for (const auto& [name, evaluation] : parts) {
    sets.push_back(name);
    members = std::max(members, evaluation.members.size());
    for (const auto& measure : kMeasures) {
      chart.data.rows.push_back(
          {name, std::string("ensemble"), std::string(measure.name), cell(evaluation.*measure.value)});
      for (std::size_t m = 0; m < evaluation.members.size(); ++m) {
        chart.data.rows.push_back(
            {name, member_name(m), std::string(measure.name), cell(evaluation.members[m].*measure.value)});
      }
    }
  }
  std::vector<std::string> who = {"ensemble"};
  for (auto& name : member_names(members)) who.push_back(std::move(name));
  chart.title = "Members against the ensemble";
  chart.reading =
      "Diamond: the ensemble. Dots: its members. Left is better for log-loss and calibration error, right for the "
      "others.";
  if (!parts.empty()) {
    const Evaluation& first = parts[0].second;
    chart.alt =
        fmt::format("On {} rows the ensemble has AUC {}, accuracy {}, log-loss {}, calibration error {}.", sets[0],
                    number(first.auc), number(first.accuracy), number(first.log_loss), number(first.ece));
  }
  Json spec = {{"$schema", kSchema}, {"data", {{"name", "table"}}}, {"columns", 4},
               {"spacing", 24},      {"concat", Json::array()},     {"usermeta", {{"cells", 4}, {"least", 210}}}};
  for (const auto& measure : kMeasures) spec["concat"].push_back(measure_panel(parts, measure, who, sets));
  chart.spec = text_of(spec);
  return chart;
}

Chart disagreement_chart(std::span<const PartView> parts) {
  Chart chart{.id = "disagreement", .data = {{"part", "low", "high", "rows", "share"}, {}}};
  for (const auto& part : parts) {
    const Histogram& h = part.disagreement;
    const double width = (h.high - h.low) / static_cast<double>(h.counts.size());
    for (std::size_t i = 0; i < h.counts.size(); ++i) {
      const double low = h.low + width * static_cast<double>(i);
      chart.data.rows.push_back({fmt::format("{} ({} rows)", part.name, thousands(part.rows)), low, low + width,
                                 static_cast<double>(h.counts[i]),
                                 static_cast<double>(h.counts[i]) / static_cast<double>(part.rows)});
    }
  }
  chart.title = "How much do members disagree?";
  chart.reading =
      "Standard deviation of the members' probabilities on a row: 0 where all say the same, 0.5 where half say yes and "
      "half no, each being sure.";
  chart.alt = "Histograms of the members' disagreement";
  for (const auto& part : parts) {
    chart.alt += fmt::format("; {}: {} rows", part.name, thousands(part.rows));
    if (part.spotted) {
      chart.reading += fmt::format(" Disagreement tells {} from {} rows with AUROC {}.", quote(part.name),
                                   parts[0].name == part.name ? "other" : "familiar", number(part.spotted));
      chart.alt += fmt::format(" (AUROC {} against familiar rows)", number(part.spotted));
    }
  }
  Json x = quantity("low", "disagreement");
  x["scale"] = {{"nice", false}};
  Json spec = {{"$schema", kSchema},
               {"data", {{"name", "table"}}},
               {"facet",
                {{"row",
                  {{"field", "part"},
                   {"type", "nominal"},
                   {"sort", nullptr},
                   {"header", {{"labelOrient", "top"}, {"labelAnchor", "start"}, {"labelPadding", 4}}}}}}},
               {"spacing", 14},
               {"spec",
                {{"height", parts.size() > 2 ? 84 : 116},
                 {"mark", {{"type", "bar"}, {"style", "accent"}, {"binSpacing", 1}}},
                 {"encoding",
                  {{"x", x},
                   {"x2", {{"field", "high"}}},
                   {"y",
                    {{"field", "share"},
                     {"type", "quantitative"},
                     {"title", nullptr},
                     {"axis", {{"format", ".0%"}, {"tickCount", 3}}}}},
                   {"tooltip",
                    {shown("part", "rows"), shown("low", "from", ".3f"), shown("high", "to", ".3f"),
                     shown("rows", "count", ",d"), shown("share", "share", ".1%")}}}}}},
               {"usermeta", {{"cells", 1}, {"least", 1}}}};
  chart.spec = text_of(spec);
  return chart;
}

Chart familiar_chart(std::span<const double> percentiles) {
  Chart chart{.id = "familiar", .data = {{"percent_of_rows", "disagreement"}, {}}};
  for (std::size_t i = 0; i < percentiles.size(); ++i) {
    chart.data.rows.push_back({static_cast<double>(i) / static_cast<double>(percentiles.size() - 1), percentiles[i]});
  }
  const double median = percentiles[percentiles.size() / 2];
  const double high = percentiles[(percentiles.size() - 1) * 95 / 100];
  chart.title = "How much do members disagree on familiar rows?";
  chart.reading = fmt::format(
      "Percentiles over held-out rows of the standard deviation of the members' probabilities: half of the rows below "
      "{:.3f}, 95 % below {:.3f}. predict --abstain compares new rows with these.",
      median, high);
  chart.alt = fmt::format("Disagreement on familiar rows: median {:.3f}, 95th percentile {:.3f}.", median, high);
  const Json x = quantity("percent_of_rows", "share of familiar rows that disagree less", ".0%");
  const Json y = quantity("disagreement", "disagreement");
  Json spec = start(260);
  spec["layer"] = {{{"mark", {{"type", "line"}, {"style", "ensemble"}}}, {"encoding", {{"x", x}, {"y", y}}}},
                   hover_points({{"x", x}, {"y", y}}, {shown("percent_of_rows", "rows below", ".0%"),
                                                       shown("disagreement", "disagreement", ".3f")})};
  chart.spec = text_of(spec);
  return chart;
}

Chart risk_coverage_chart(const RowsView& rows) {
  Chart chart{.id = "risk-coverage", .data = {{"curve", "coverage", "risk"}, {}}};
  std::vector<std::string> names;
  chart.alt = "Share of errors against share of rows answered";
  for (const auto& curve : rows.risk_coverage) {
    names.push_back(curve.name);
    chart.alt += fmt::format("; by {}: mean {}", curve.name, number(curve.area));
    for (const auto& p : curve.points) chart.data.rows.push_back({curve.name, p.x, p.y});
  }
  const double all =
      rows.risk_coverage.empty() || rows.risk_coverage[0].points.empty() ? 0 : rows.risk_coverage[0].points.back().y;
  chart.title = fmt::format("Answering every row errs on {:.1f} %", 100 * all);
  chart.reading =
      "Answer only the surest rows and refuse the rest: errors among those answered. The faster a line falls to the "
      "left, the better that signal knows where the ensemble is wrong.";
  Json x = share("coverage", "share of rows answered");
  Json y = quantity("risk", "errors among them", ".1~%");
  y["scale"] = {{"domainMin", 0}};
  Json spec = start(260);
  spec["layer"] = Json::array();
  for (auto& layer : curve_layers(x, y, names, false)) spec["layer"].push_back(layer);
  spec["layer"].push_back(hover_points(
      {{"x", x}, {"y", y}},
      {shown("curve", "surest by"), shown("coverage", "answered", ".1%"), shown("risk", "errors", ".2%")}));
  chart.spec = text_of(spec);
  return chart;
}

Chart gradients_chart(const RowsView& rows, const std::vector<std::string>& classes) {
  Chart chart{.id = "gradients",
              .data = {{"feature", "member", "number", "gradient", "density", "relative_density"}, {}},
              .full = true};
  const std::size_t members = rows.features.empty() ? 0 : rows.features[0].members.size();
  double lane_height = members > 5 ? 9 : 13;
  Json middles = Json::array();
  for (const auto& feature : rows.features) {
    for (std::size_t m = 0; m < members; ++m) {
      const GradientView& gradient = feature.members[m];
      double most = 0;
      for (const auto& p : gradient.density) most = std::max(most, p.y);
      for (const auto& p : gradient.density) {
        chart.data.rows.push_back({feature.name, member_name(m), static_cast<double>(m + 1), p.x, p.y, p.y / most});
      }
      middles.push_back({{"feature", feature.name},
                         {"member", member_name(m)},
                         {"number", m + 1},
                         {"median", gradient.quantiles[2]},
                         {"low", gradient.quantiles[1]},
                         {"high", gradient.quantiles[3]},
                         {"mean", gradient.mean},
                         {"sd", gradient.sd}});
    }
  }
  chart.title = "What each member leans on";
  const std::string score =
      classes.size() == 2 ? "the log-odds of " + quote(classes[1]) : "the log-odds of the predicted class";
  chart.reading = fmt::format(
      "Input gradients over {} rows: how {} move with each feature, in steps of one sd of a number or of the whole "
      "level. Mass right of zero: more of it, more likely. A violin holds the middle 99 % of rows, the tick its "
      "median; a member whose violin sits on zero does not look there.",
      rows.judged, score);
  chart.alt = "Distributions of input gradients per feature and member";
  for (std::size_t i = 0; i < std::min<std::size_t>(rows.features.size(), 3); ++i) {
    chart.alt += fmt::format("; {}: medians", printable(rows.features[i].name));
    for (const auto& gradient : rows.features[i].members) chart.alt += fmt::format(" {:.2f}", gradient.quantiles[2]);
  }
  const Json x = quantity("gradient", "input gradient");
  const auto lane = [](const char* field) {
    return Json{{"field", field}, {"type", "quantitative"}, {"axis", nullptr}};
  };
  Json y = lane("lower");
  y["scale"] = {{"domain", {static_cast<double>(members) + 0.5, 0.5}}, {"nice", false}, {"zero", false}};
  const auto names = member_names(members);
  Json color = hues("member", names);
  if (color.contains("legend") && !color["legend"].is_null())
    color["legend"] = {{"symbolType", "square"}, {"symbolStrokeWidth", 0}};
  Json violins = {{"transform",
                   {{{"calculate", "datum.number - 0.46 * datum.relative_density"}, {"as", "lower"}},
                    {{"calculate", "datum.number + 0.46 * datum.relative_density"}, {"as", "upper"}}}},
                  {"mark", {{"type", "area"}, {"opacity", 0.8}, {"orient", "vertical"}, {"line", false}}},
                  {"encoding",
                   {{"x", x},
                    {"y", y},
                    {"y2", {{"field", "upper"}}},
                    {"color", color},
                    {"tooltip", {shown("feature", "feature"), shown("member", "member")}}}}};
  Json zero = {{"data", {{"values", {{{"zero", 0}}}}}},
               {"mark", {{"type", "rule"}, {"style", "reference"}}},
               {"encoding", {{"x", {{"field", "zero"}, {"type", "quantitative"}}}}}};
  Json spec = {
      {"$schema", kSchema},
      {"data", {{"name", "table"}}},
      {"facet",
       {{"row",
         {{"field", "feature"},
          {"type", "nominal"},
          {"sort", nullptr},
          {"header", {{"labelAngle", 0}, {"labelAlign", "left"}, {"labelPadding", 8}}}}}}},
      {"spacing", 6},
      {"spec", {{"height", std::max(22.0, lane_height * static_cast<double>(members))}, {"layer", {zero, violins}}}},
      {"usermeta", {{"cells", 1}, {"least", 1}}}};
  chart.spec = text_of(spec);
  return chart;
}

Chart cosine_chart(std::span<const PairView> pairs, std::size_t members) {
  Chart chart{.id = "cosine", .data = {{"first", "second", "cos2", "cosine", "same_prediction"}, {}}};
  double sum = 0;
  std::size_t known = 0;
  for (const auto& pair : pairs) {
    if (pair.cos2) sum += *pair.cos2, ++known;
    for (const auto& [a, b] : {std::pair(pair.first, pair.second), std::pair(pair.second, pair.first)}) {
      chart.data.rows.push_back({member_name(a), member_name(b), cell(pair.cos2), cell(pair.cosine), pair.same});
    }
  }
  const double mean = known > 0 ? sum / static_cast<double>(known) : 0;
  chart.title = fmt::format("Input gradients: mean cos² {:.3f}", mean);
  chart.reading =
      "How alike two members' gradients are on a row, averaged over rows: 0 at right angles (independent), 1 the same "
      "direction. Small figures: the mean cosine, whose sign tells whether they pull the same way.";
  chart.alt = fmt::format("Matrix of mean squared cosines between {} members' input gradients; mean over pairs {:.3f}.",
                          members, mean);
  const auto names = member_names(members);
  const auto axis = [&](const char* field, bool top) {
    Json channel = {{"field", field},
                    {"type", "nominal"},
                    {"sort", names},
                    {"title", nullptr},
                    {"scale", {{"domain", names}, {"padding", 0.04}}},
                    {"axis", {{"domain", false}, {"ticks", false}, {"grid", false}}}};
    if (top)
      channel["axis"]["orient"] = "top", channel["axis"]["labelAngle"] = 0, channel["axis"]["labelOverlap"] = true;
    return channel;
  };
  const Json x = axis("second", true), y = axis("first", false);
  const Json tooltip = {shown("first", "first"), shown("second", "second"), shown("cos2", "mean cos²", ".4f"),
                        shown("cosine", "mean cosine", "+.3f"), shown("same_prediction", "same prediction", ".1%")};
  const Json strong = {{"condition", {{"test", "datum.cos2 > 0.5"}, {"value", "var(--on-accent)"}}},
                       {"value", "var(--ink)"}};
  Json spec = start(std::max<double>(120, std::min<double>(420, 64 * static_cast<double>(members))));
  spec["layer"] = {{{"mark", {{"type", "rect"}, {"style", "accent"}, {"cornerRadius", 3}}},
                    {"encoding",
                     {{"x", x},
                      {"y", y},
                      {"opacity",
                       {{"field", "cos2"},
                        {"type", "quantitative"},
                        {"scale", {{"domain", {0, 1}}, {"range", {0.06, 1}}}},
                        {"legend", nullptr}}},
                      {"tooltip", tooltip}}}}};
  if (members <= 8) {
    spec["layer"].push_back({{"mark", {{"type", "text"}, {"dy", members <= 5 ? -6 : 0}, {"style", "number"}}},
                             {"encoding",
                              {{"x", x},
                               {"y", y},
                               {"text", {{"field", "cos2"}, {"type", "quantitative"}, {"format", ".2f"}}},
                               {"color", strong}}}});
  }
  if (members <= 5) {
    spec["layer"].push_back({{"mark", {{"type", "text"}, {"dy", 11}, {"fontSize", 11}, {"style", "number"}}},
                             {"encoding",
                              {{"x", x},
                               {"y", y},
                               {"text", {{"field", "cosine"}, {"type", "quantitative"}, {"format", "+.2f"}}},
                               {"color", strong}}}});
  }
  chart.spec = text_of(spec);
  return chart;
}

namespace {

// Boosting counts epochs anew for each learner: then steps tell the time.
bool is_boosting(const TrainLog& log) { return !log.epochs.empty() && log.epochs.front().round > 0; }

Json training_spec(const char* y_field, const char* y_title, bool boosting, const std::vector<std::string>& names,
                   bool logarithmic) {
  const Json x = quantity(boosting ? "steps" : "epoch", boosting ? "steps" : "epoch", "~s");
  Json y = quantity(y_field, y_title, "~g");
  if (logarithmic) y["scale"] = {{"type", "log"}};
  y["axis"]["tickCount"] = 5;
  Json spec = start(260);
  spec["layer"] = Json::array();
  for (auto& layer : curve_layers(x, y, names, true)) spec["layer"].push_back(layer);
  spec["layer"].push_back(
      hover_points({{"x", x}, {"y", y}}, {shown("curve", "curve"), shown("epoch", "epoch", ",d"),
                                          shown("steps", "steps", ",d"), shown(y_field, y_title, ".4~g")}));
  return spec;
}

}  // namespace

Chart loss_chart(const TrainLog& log) {
  Chart chart{.id = "loss", .data = {{"curve", "epoch", "steps", "log_loss"}, {}}};
  const bool boosting = is_boosting(log);
  std::size_t members = 0;
  bool validated = false;
  double least = 1e300;
  for (const auto& record : log.epochs) {
    const auto add = [&](std::string name, double loss) {
      least = std::min(least, loss);
      chart.data.rows.push_back(
          {std::move(name), static_cast<double>(record.epoch), static_cast<double>(record.steps), loss});
    };
    for (std::size_t m = 0; m < record.fit.size(); ++m) {
      const std::size_t member = boosting ? static_cast<std::size_t>(record.round) - 1 : m;
      members = std::max(members, member + 1);
      add(member_name(member), record.fit[m]);
    }
    if (record.validation_log_loss && !boosting) validated = true, add("ensemble", *record.validation_log_loss);
  }
  chart.title = "Training loss";
  chart.reading = std::string("Cross-entropy of each member on its training rows, drop-out included") +
                  (validated ? "; thick: the ensemble's log-loss on validation rows." : ".");
  chart.alt = fmt::format("Training loss of {} members over {} records", members, log.epochs.size());
  if (!log.epochs.empty() && !log.epochs.back().fit.empty())
    chart.alt += fmt::format("; member 1 ends at {:.4f}", log.epochs.back().fit[0]);
  chart.spec = text_of(training_spec("log_loss", "log-loss", boosting, member_names(members), least > 0));
  return chart;
}

Chart penalty_chart(const TrainLog& log, const std::string& method) {
  Chart chart{.id = "penalty", .data = {{"curve", "epoch", "steps", "penalty"}, {}}};
  double least = 1e300;
  for (const auto& record : log.epochs) {
    least = std::min(least, record.penalty);
    chart.data.rows.push_back({std::string("ensemble"), static_cast<double>(record.epoch),
                               static_cast<double>(record.steps), record.penalty});
  }
  const double first = log.epochs.empty() ? 0 : log.epochs.front().penalty;
  const double last = log.epochs.empty() ? 0 : log.epochs.back().penalty;
  chart.title = fmt::format("The penalty went from {:.3g} to {:.3g}", first, last);
  chart.reading =
      method == "lit"
          ? "The price of pointing the same way: squared cosines between members' input gradients, summed over pairs."
          : "The method's penalty, averaged over the steps of an epoch.";
  chart.alt = fmt::format("Penalty over epochs, from {:.4g} to {:.4g}.", first, last);
  chart.spec = text_of(training_spec("penalty", "penalty", false, {}, least > 0));
  return chart;
}

}  // namespace perpend
