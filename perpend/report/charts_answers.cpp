// How good the answers are: ROC, calibration, members against the ensemble, risk against coverage.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perpend/base/message.h"
#include "perpend/report/charts.h"
#include "perpend/report/spec.h"

namespace perpend {

namespace {

struct AreaRange {
  double least = 1, most = 0;
};

AreaRange areas_of(std::span<const Curve> curves) {
  AreaRange range;
  for (const auto& curve : curves) {
    range.least = std::min(range.least, curve.area.value_or(1));
    range.most = std::max(range.most, curve.area.value_or(0));
  }
  return range;
}

void describe_binary_roc(const RowsView& rows, const std::string& positive, Chart& chart) {
  const AreaRange range = areas_of(std::span(rows.roc).subspan(1));
  chart.title = fmt::format("ROC: the ensemble's AUC is {}", number_text(rows.roc[0].area));
  chart.reading = fmt::format(
      "The share of {} found against the share of false alarms, on {} rows. The thick line is the ensemble, and the "
      "thin ones are its members (AUC {:.3f} to {:.3f}). The dashed line is guessing.",
      quote(positive), rows.judged, range.least, range.most);
  chart.alt = fmt::format("ROC curves; AUC of the ensemble {}, of the members {:.3f} to {:.3f}.",
                          number_text(rows.roc[0].area), range.least, range.most);
}

void describe_class_roc(const RowsView& rows, std::size_t classes, Chart& chart) {
  const AreaRange range = areas_of(rows.roc);
  chart.title = fmt::format("ROC of each class: AUC from {:.3f} to {:.3f}", range.least, range.most);
  chart.reading = fmt::format(
      "The ensemble on {} rows, {} against the rest. The dashed line is guessing.", rows.judged,
      rows.roc.size() < classes ? fmt::format("each of the {} most frequent classes", rows.roc.size()) : "each class");
  chart.alt = fmt::format("ROC curves of {} classes; AUC {:.3f} to {:.3f}.", rows.roc.size(), range.least, range.most);
}

}  // namespace

Chart roc_chart(const RowsView& rows, const std::vector<std::string>& classes) {
  const bool binary = classes.size() == 2;
  Chart chart{.id = "roc", .data = {{"curve", "false_positive_rate", "true_positive_rate", "auc"}, {}}};
  std::vector<std::string> names;
  for (const auto& curve : rows.roc) {
    if (!binary || &curve != &rows.roc.front()) names.push_back(curve.name);
    for (const auto& p : curve.points) chart.data.rows.push_back({curve.name, p.x, p.y, cell_of(curve.area)});
  }
  if (binary) {
    describe_binary_roc(rows, classes[1], chart);
  } else {
    describe_class_roc(rows, classes.size(), chart);
  }
  const std::string tooltip = shown("curve", "curve") + "," + shown("auc", "AUC", ".3f") + "," +
                              shown("false_positive_rate", "false alarms", ".1%") + "," +
                              shown("true_positive_rate", "found", ".1%");
  chart.spec =
      fill_spec(R"spec({<start>,"height":320,"layer":[<diagonal>,<curves>]})spec",
                {{"start", spec_start()},
                 {"diagonal", diagonal()},
                 {"curves", curve_layers(share("false_positive_rate", "false-positive rate"),
                                         share("true_positive_rate", "true-positive rate"), names, binary, tooltip)}});
  return chart;
}

Chart calibration_chart(const RowsView& rows, const std::vector<std::string>& classes) {
  Chart chart{.id = "calibration", .data = {{"curve", "probability", "frequency", "rows"}, {}}};
  std::vector<std::string> names;
  for (const auto& curve : rows.calibration) {
    if (&curve != &rows.calibration.front()) names.push_back(curve.name);
    for (const auto& p : curve.points) {
      chart.data.rows.push_back({curve.name, p.probability, p.frequency, static_cast<double>(p.rows)});
    }
  }
  chart.title = "Do the probabilities come true?";
  chart.reading =
      (classes.size() == 2
           ? fmt::format("How many rows with a given predicted probability of {} are of this class", quote(classes[1]))
           : std::string("How many rows predicted with a given probability are right")) +
      ", in 15 bins. On the dashed line, probabilities come true. A larger dot holds more rows; a dot of few rows is "
      "mostly chance.";
  chart.alt = fmt::format("Calibration of the ensemble and {} in 15 bins of probability, {} rows.",
                          counted(names.size(), "member"), rows.judged);
  chart.spec = fill_spec(
      R"spec({<start>,"height":320,"layer":[<diagonal>,
        {"transform":[{"filter":"datum.curve !== 'ensemble'"}],"mark":{"type":"point","filled":true,"opacity":0.55},
         "encoding":{"x":<x>,"y":<y>,"size":<size>,"color":<hues>,"tooltip":[<tooltip>]}},
        {"transform":[{"filter":"datum.curve === 'ensemble'"}],"mark":{"type":"line","style":"ensemble","strokeWidth":1.5},
         "encoding":{"x":<x>,"y":<y>}},
        {"transform":[{"filter":"datum.curve === 'ensemble'"}],
         "mark":{"type":"point","filled":true,"opacity":1,"color":"var(--ink)"},
         "encoding":{"x":<x>,"y":<y>,"size":<size>,"tooltip":[<tooltip>]}}]})spec",
      {{"start", spec_start()},
       {"diagonal", diagonal()},
       {"x", share("probability", "predicted probability")},
       {"y", share("frequency", "observed frequency")},
       {"size", R"spec({"field":"rows","type":"quantitative","legend":null,"scale":{"range":[24,300]}})spec"},
       {"hues", hues("curve", names, "circle", kAboveTitle)},
       {"tooltip", shown("curve", "curve") + "," + shown("probability", "predicted", ".1%") + "," +
                       shown("frequency", "observed", ".1%") + "," + shown("rows", "rows", ",d")}});
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
constexpr Measure kNumberMeasures[] = {
    {"R²", &Scores::r2, true}, {"RMSE", &Scores::rmse, false}, {"mean absolute error", &Scores::mae, false}};

// Returns a domain that does not exaggerate small differences: at least 0.1 wide.
std::string domain_of(std::span<const NamedEvaluation> parts, const Measure& measure) {
  double low = 1e300;
  double high = -1e300;
  const auto see = [&](const Scores& scores) {
    const Metric& value = scores.*measure.value;
    low = std::min(low, value.value_or(low));
    high = std::max(high, value.value_or(high));
  };
  for (const auto& [name, evaluation] : parts) {
    see(evaluation);
    for (const auto& member : evaluation.members) see(member);
  }
  if (low > high) return "[0,1]";
  if (!measure.share && measure.value != &Scores::log_loss) {  // in the target's units
    const double margin = 0.1 * (high > low ? high - low : std::max(high, 1e-12));
    return fmt::format("[{:.4g},{:.4g}]", std::max(0.0, low - margin), high + margin);
  }
  const double middle = (low + high) / 2;
  const double half = std::max((high - low) * 0.55, 0.05);
  const double most = measure.share ? 1 : 1e300;
  low = std::max(0.0, std::min(middle - half, most - 2 * half));
  high = std::min(most, low + 2 * half);
  return fmt::format("[{:.2f},{:.2f}]", std::floor(low * 100) / 100, std::ceil(high * 100 - 1e-9) / 100);
}

std::string measure_panel(const std::string& title, const std::string& filter, const std::string& domain,
                          const std::vector<std::string>& who, const std::string& colour) {
  return fill_spec(
      R"spec({"title":{"text":<title>,"anchor":"start","fontSize":13,"offset":6,"color":"var(--ink)"},
          "transform":[{"filter":<filter>}],"height":{"step":24},
          "layer":[
            {"transform":[{"filter":"datum.who !== 'ensemble'"}],"mark":{"type":"point","filled":true,"size":90,"opacity":0.9},
             "encoding":{"x":<x>,"y":<y>,"color":<colour>,"tooltip":[<tooltip>]}},
            {"transform":[{"filter":"datum.who === 'ensemble'"}],
             "mark":{"type":"point","filled":true,"size":200,"shape":"diamond","opacity":1},
             "encoding":{"x":<x>,"y":<y>,"color":<colour>,"tooltip":[<tooltip>]}}]})spec",
      {{"title", json_string(title)},
       {"filter", json_string(filter)},
       {"x",
        R"spec({"field":"value","type":"quantitative","title":null,"axis":{"tickCount":4},"scale":{"nice":false,"domain":)spec" +
            domain + "}}"},
       {"y",
        R"spec({"field":"who","type":"nominal","title":null,"axis":{"grid":true,"labelLimit":110,"offset":6},"sort":)spec" +
            json_strings(who) + "}"},
       {"colour", colour},
       {"tooltip", shown("who", "who") + "," + shown("rows", "rows") + "," + shown("measure", "measure") + "," +
                       shown("value", "value", ".4f")}});
}

void add_measures(const NamedEvaluation& part, std::span<const Measure> measures, DataTable& data) {
  const auto& [name, evaluation] = part;
  for (const auto& measure : measures) {
    data.rows.push_back({name, std::string("ensemble"), std::string(measure.name), cell_of(evaluation.*measure.value)});
    for (std::size_t m = 0; m < evaluation.members.size(); ++m) {
      data.rows.push_back(
          {name, member_name(m), std::string(measure.name), cell_of(evaluation.members[m].*measure.value)});
    }
  }
}

std::vector<std::string> everyone(std::span<const NamedEvaluation> parts) {
  std::size_t members = 0;
  for (const auto& [name, evaluation] : parts) members = std::max(members, evaluation.members.size());
  std::vector<std::string> who = {"ensemble"};
  for (auto& name : member_names(members)) who.push_back(std::move(name));
  return who;
}

std::vector<std::string> names_of(std::span<const NamedEvaluation> parts) {
  std::vector<std::string> names;
  for (const auto& [name, evaluation] : parts) names.push_back(name);
  return names;
}

std::string joined_panels(const std::vector<std::string>& panels, int least) {
  std::string list;
  for (const auto& panel : panels) list += (list.empty() ? "" : ",") + panel;
  return fill_spec(R"spec({<start>,"columns":<count>,"spacing":28,"concat":[<panels>],
                       "usermeta":{"cells":<count>,"least":<least>}})spec",
                   {{"start", spec_start()},
                    {"count", std::to_string(panels.size())},
                    {"panels", list},
                    {"least", std::to_string(least)}});
}

}  // namespace

namespace {

std::string members_spec(std::span<const NamedEvaluation> parts, std::span<const Measure> measures) {
  std::vector<std::string> panels;
  for (const auto& measure : measures) {
    panels.push_back(measure_panel(measure.name, fmt::format("datum.measure === '{}'", measure.name),
                                   domain_of(parts, measure), everyone(parts),
                                   hues("rows", names_of(parts), "circle")));
  }
  return joined_panels(panels, 210);
}

void describe_number_members(const NamedEvaluation& part, Chart& chart) {
  const auto& [name, first] = part;
  chart.reading =
      "Diamond: the ensemble. Dots: its members. Better is to the right for R², to the left for the errors, which are "
      "in the target's units.";
  chart.alt = fmt::format("On {} rows the ensemble has R² {}, RMSE {:.4g}, mean absolute error {:.4g}.", name,
                          number_text(first.r2), first.rmse.value_or(0), first.mae.value_or(0));
}

}  // namespace

Chart members_chart(std::span<const NamedEvaluation> parts) {
  Chart chart{.id = "members", .data = {{"rows", "who", "measure", "value"}, {}}, .full = true};
  const bool regression = parts[0].second.regression;
  const std::span<const Measure> measures =
      regression ? std::span<const Measure>(kNumberMeasures) : std::span<const Measure>(kMeasures);
  for (const auto& part : parts) add_measures(part, measures, chart.data);
  chart.title = "Members against the ensemble";
  chart.spec = members_spec(parts, measures);
  if (regression) {
    describe_number_members(parts[0], chart);
    return chart;
  }
  chart.reading =
      "Diamond: the ensemble. Dots: its members. Better is to the right for AUC and accuracy, to the left for log-loss "
      "and calibration error.";
  const auto& [name, first] = parts[0];
  chart.alt = fmt::format("On {} rows the ensemble has AUC {}, accuracy {}, log-loss {}, calibration error {}.", name,
                          number_text(first.auc), number_text(first.accuracy), number_text(first.log_loss),
                          number_text(first.ece));
  return chart;
}

Chart places_chart(std::span<const std::pair<std::string, std::vector<NamedEvaluation>>> ensembles) {
  Chart chart{.id = "places", .data = {{"panel", "trained_by", "rows", "who", "measure", "value"}, {}}, .full = true};
  std::vector<std::string> panels;
  for (std::size_t i = 0; i < ensembles.size(); ++i) {
    const auto& [title, parts] = ensembles[i];
    DataTable data;
    for (const auto& part : parts) add_measures(part, std::span(kMeasures).first(1), data);
    for (auto& row : data.rows) {
      row.insert(row.begin(), {static_cast<double>(i + 1), title});
      chart.data.rows.push_back(row);
    }
    panels.push_back(measure_panel(title, fmt::format("datum.panel === {}", i + 1), "[0,1]", everyone(parts),
                                   hues("rows", names_of(parts), "circle")));
  }
  chart.spec = joined_panels(panels, 320);
  return chart;
}

namespace {

// Returns the value for the surer half of the rows.
double at_half(std::span<const CurvePoint> points) {
  const auto nearest = std::ranges::min_element(points, {}, [](const CurvePoint& p) { return std::abs(p.x - 0.5); });
  return nearest->y;
}

// 12 %, 1.2 %.
std::string share_words(double share) { return fmt::format("{:.2g} %", 100 * share); }

std::string lowered(const std::string& what, double all, double half, const std::string& from, const std::string& to) {
  if (half >= all * 0.95) return "would not lower " + what + fmt::format(": {} of all, {} of these", from, to);
  if (half == 0) return "would leave no errors, where there are " + from + " now";
  const bool halves = half > 0.42 * all && half < 0.58 * all;
  return fmt::format("would {} {}, from {} to {}", halves ? "halve" : "lower", what, from, to);
}

// Names the signal that is best at half coverage, and says how the others compare. The standard error of a share of n
// rows, sqrt(p (1 - p) / n), tells a worse signal from chance.
std::string risk_conclusion(const RowsView& rows) {
  const auto& curves = rows.risk_coverage;
  const auto half = [&](const Curve& curve) { return at_half(curve.points); };
  const Curve& best = *std::ranges::min_element(curves, {}, half);
  const double all = best.points.back().y;
  std::string text = fmt::format("Answering the surer half of the rows {}",
                                 lowered("the errors", all, half(best), share_words(all), share_words(half(best))));
  if (curves.size() < 2) return text;
  const Curve& other = &best == &curves[0] ? curves[1] : curves[0];
  const auto judged = std::ranges::find(rows.parts, rows.judged, &PartView::name);
  const double answered = judged == rows.parts.end() ? 1 : std::max(1.0, static_cast<double>(judged->rows) / 2);
  const double p = (half(best) + half(other)) / 2;
  const bool worse = half(other) - half(best) > std::sqrt(2 * p * (1 - p) / answered);
  return text +
         (worse ? fmt::format("; refusing by the {} is worse here", other.name) : "; both signals do about as well");
}

}  // namespace

Chart risk_coverage_chart(const RowsView& rows) {
  Chart chart{.id = "risk-coverage", .data = {{"curve", "coverage", "risk"}, {}}};
  std::vector<std::string> names;
  chart.alt = "Share of errors against share of rows answered";
  for (const auto& curve : rows.risk_coverage) {
    names.push_back(curve.name);
    chart.alt += fmt::format("; by {}: mean {}", curve.name, number_text(curve.area));
    for (const auto& p : curve.points) chart.data.rows.push_back({curve.name, p.x, p.y});
  }
  chart.title = risk_conclusion(rows);
  chart.reading = fmt::format(
      "The share of errors if the ensemble answers only the surest of the {} rows and refuses the rest. The faster a "
      "line falls to the left, the better that signal knows where the ensemble is wrong.",
      rows.judged);
  const std::string tooltip =
      shown("curve", "surest by") + "," + shown("coverage", "answered", ".1%") + "," + shown("risk", "errors", ".2%");
  chart.spec = fill_spec(
      R"spec({<start>,"height":260,"layer":[<curves>]})spec",
      {{"start", spec_start()},
       {"curves", curve_layers(share("coverage", "share of rows answered"),
                               quantity("risk", "errors among them",
                                        R"spec("axis":{"format":".1~%","tickCount":5},"scale":{"domainMin":0})spec"),
                               names, false, tooltip)}});
  return chart;
}

Chart predicted_chart(const RowsView& rows, const std::string& target) {
  Chart chart{.id = "predicted", .data = {{"predicted", "actual"}, {}}};
  double low = 1e300;
  double high = -1e300;
  for (const auto& p : rows.predicted) {
    chart.data.rows.push_back({p.x, p.y});
    low = std::min({low, p.x, p.y});
    high = std::max({high, p.x, p.y});
  }
  chart.title = "Targets against predictions";
  chart.reading = fmt::format(
      "Each dot is one of {} {} rows. Horizontal: the ensemble's prediction. Vertical: the true value of {}. On the "
      "dashed line both are equal.",
      thousands(rows.predicted.size()), rows.judged, quote(target));
  chart.alt = fmt::format("Targets against predictions of {} rows, from {:.4g} to {:.4g}.",
                          thousands(rows.predicted.size()), low, high);
  const std::string scale = fmt::format(
      R"("axis":{{"tickCount":6,"format":"~g"}},"scale":{{"nice":true,"domain":[{:.6g},{:.6g}]}})", low, high);
  chart.spec = fill_spec(
      R"spec({<start>,"height":300,"layer":[
          {"mark":{"type":"circle","style":"accent","opacity":0.45,"size":28},"encoding":{"x":<x>,"y":<y>,"tooltip":[<tooltip>]}},
          {"data":{"values":[{"predicted":<low>,"actual":<low>},{"predicted":<high>,"actual":<high>}]},
           "mark":{"type":"line","style":"guide","strokeDash":[5,4]},"encoding":{"x":<x>,"y":<y>}}]})spec",
      {{"start", spec_start()},
       {"x", quantity("predicted", "prediction", scale)},
       {"y", quantity("actual", target, scale)},
       {"low", fmt::format("{:.6g}", low)},
       {"high", fmt::format("{:.6g}", high)},
       {"tooltip", shown("predicted", "predicted", ".4~g") + "," + shown("actual", "target", ".4~g")}});
  return chart;
}

Chart error_coverage_chart(const RowsView& rows) {
  Chart chart{.id = "error-coverage", .data = {{"curve", "coverage", "error"}, {}}};
  for (const auto& p : rows.error_by_coverage) chart.data.rows.push_back({std::string("ensemble"), p.x, p.y});
  const auto& all = rows.error_by_coverage.back();
  const double half = at_half(rows.error_by_coverage);
  chart.title = "Answering the half of the rows on which members agree most " +
                lowered("the mean error", all.y, half, fmt::format("{:.4g}", all.y), fmt::format("{:.4g}", half));
  chart.reading = fmt::format(
      "The mean absolute error if the ensemble answers only the {} rows on which its members agree most. A line that "
      "falls to the left shows that disagreement knows where the ensemble is wrong.",
      rows.judged);
  chart.alt = fmt::format("Mean absolute error against the share of rows answered, from {:.4g} to {:.4g}.",
                          rows.error_by_coverage.front().y, all.y);
  chart.spec = fill_spec(
      R"spec({<start>,"height":260,"layer":[<curves>]})spec",
      {{"start", spec_start()},
       {"curves",
        curve_layers(share("coverage", "share of rows answered"),
                     quantity("error", "mean absolute error",
                              R"spec("axis":{"format":"~g","tickCount":5},"scale":{"domainMin":0})spec"),
                     {}, true, shown("coverage", "answered", ".1%") + "," + shown("error", "error", ".4~g"))}});
  return chart;
}

}  // namespace perpend
