#include "perpend/report/study_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "perpend/base/message.h"
#include "perpend/report/method_style.h"
#include "perpend/report/spec.h"

namespace perpend {

namespace {

constexpr const char* kAuc =
    R"spec({"field":"auc","type":"quantitative","title":null,"scale":{"zero":false},"axis":{"tickCount":4,"format":".3~f","labelFlush":true}})spec";
// Keeps a panel's AUC axis from exaggerating small differences: it is at least 0.02 wide.
constexpr const char* kLeastRange = R"spec({"transform":[
      {"aggregate":[{"op":"min","field":"auc","as":"least"},{"op":"max","field":"auc","as":"most"}]},
      {"calculate":"(datum.least + datum.most) / 2 - max((datum.most - datum.least) / 2, 0.01)","as":"floor"},
      {"calculate":"(datum.least + datum.most) / 2 + max((datum.most - datum.least) / 2, 0.01)","as":"ceiling"}],
    "mark":{"type":"rule","opacity":0},
    "encoding":{"y":{"field":"floor","type":"quantitative","title":null,"scale":{"zero":false}},"y2":{"field":"ceiling"}}})spec";
constexpr const char* kPointLegend = R"spec({"symbolStrokeWidth":0,"symbolOpacity":1,"symbolSize":70})spec";
// Above the title of the vertical axis.
constexpr const char* kHighLegend = R"spec({"symbolStrokeWidth":0,"symbolOpacity":1,"symbolSize":70,"offset":26})spec";

// Numbers have six digits, so that thousands of rows stay small.
Cell short_cell(const Metric& metric) { return metric ? Cell(std::stod(fmt::format("{:.6g}", *metric))) : Cell(); }
Cell number_cell(std::size_t count) { return static_cast<double>(count); }

DataTable cells_table(const StudyView& view) {
  DataTable table{
      {"place", "method", "members", "lambda", "restarts", "auc", "auc_sd", "rho_av", "q_av", "grad_cos2", "order"},
      {}};
  const std::size_t places = drawn_places(view);
  for (const auto& cell : view.cells) {
    if (cell.place >= places || cell.auc.count == 0) continue;
    table.rows.push_back({place_name(view.places[cell.place]), view.methods[cell.method],
                          static_cast<double>(cell.members), short_cell(cell.lambda), number_cell(cell.auc.count),
                          short_cell(cell.auc.mean), short_cell(cell.auc.sd), short_cell(cell.rho_av.mean),
                          short_cell(cell.q_av.mean), short_cell(cell.grad_cos2.mean), number_cell(cell.place + 1)});
  }
  return table;
}

// Panels stand side by side. Those of one split share a row, as far as there is room.
std::string facet(const StudyView& view, std::string_view panel, std::string_view meta = "") {
  const std::size_t across =
      view.datasets > 1 ? std::min<std::size_t>(view.datasets, 5) : std::min<std::size_t>(view.places.size(), 3);
  return fill_spec(R"spec({<start>,"columns":<across>,"spacing":{"row":18,"column":18},
      "usermeta":{"cells":<across>,"least":180<meta>},
      "facet":{"field":"place","type":"nominal","sort":{"field":"order","op":"min"},
               "header":{"labelAnchor":"start","labelPadding":6}},
      "resolve":{"scale":{"y":"independent"},"axis":{"x":"independent"}},"spec":<panel>})spec",
                   {{"start", spec_start()},
                    {"across", std::to_string(across)},
                    {"meta", std::string(meta)},
                    {"panel", std::string(panel)}});
}

std::string common_tooltip() {
  return shown("method", "method") + "," + shown("members", "networks", "d") + "," + shown("lambda", "lambda", ".3~g");
}

std::string metrics_tooltip() {
  return shown("place", "where") + "," + common_tooltip() + "," + shown("grad_cos2", "gradients' cos²", ".3f") + "," +
         shown("rho_av", "error correlation", ".3f") + "," + shown("q_av", "Q statistic", ".3f") + "," +
         shown("auc", "AUC", ".3f") + "," + shown("restarts", "restarts", "d");
}

std::string points(const StudyView& view, const std::string& x, const std::string& y, std::string_view legend,
                   int size) {
  return fill_spec(R"spec("mark":{"type":"point","filled":true,"opacity":0.55,"size":<size>},
      "encoding":{"x":<x>,"y":<y>,"color":<colours>,"shape":<shapes>,"tooltip":[<tooltip>]})spec",
                   {{"size", std::to_string(size)},
                    {"x", x},
                    {"y", y},
                    {"colours", method_colours(view.styles, legend)},
                    {"shapes", method_shapes(view.styles, legend)},
                    {"tooltip", metrics_tooltip()}});
}

std::string domain(double low, double high) {
  return fmt::format(R"spec("scale":{{"domain":[{},{}],"nice":false}},"axis":{{"tickCount":5,"format":"~g"}})spec", low,
                     high);
}

// "Over restarts; of M and lambda each is a marker."
std::string marker_words(const StudyView& view) {
  return fmt::format("Each marker is one method with one number of networks and one lambda, averaged over {}.",
                     counted(view.restarts, "restart"));
}

Chart scatter(const StudyView& view, const char* id, const char* field, const char* title, const char* measure) {
  Chart chart{.id = id, .data_of = "lambda"};
  chart.title = title;
  chart.reading =
      fmt::format("Vertical: {}. Horizontal: the squared cosine of the members' input gradients, on test rows. {}",
                  measure, marker_words(view));
  chart.alt = fmt::format("Scatter of {} against gradients' cos² for {} settings, by method.", measure,
                          thousands(view.cells.size()));
  chart.spec = fill_spec(R"spec({<start>,"height":320,"transform":[{"filter":<defined>}],<points>})spec",
                         {{"start", spec_start()},
                          {"defined", json_string(fmt::format("datum.{} !== null && datum.grad_cos2 !== null", field))},
                          {"points", points(view, quantity("grad_cos2", "gradients' cos²", domain(0, 1)),
                                            quantity(field, measure, domain(-1, 1)), kHighLegend, 34)}});
  return chart;
}

Chart auc_against(const StudyView& view, const char* id, const char* field, const char* title, const char* measure,
                  double low) {
  Chart chart{.id = id, .data_of = "lambda", .full = true};
  chart.title = title;
  chart.reading =
      fmt::format("Test AUC against {}, a panel for each data set and split; each has an AUC axis of its own. {}",
                  measure, marker_words(view));
  chart.alt =
      fmt::format("Scatter of test AUC against {}, by method, in {}.", measure, counted(drawn_places(view), "panel"));
  chart.spec = facet(
      view, fill_spec(R"spec({"height":150,"transform":[{"filter":<defined>}],<points>})spec",
                      {{"defined", json_string(fmt::format("datum.{} !== null", field))},
                       {"points", points(view, quantity(field, measure, domain(low, 1)), kAuc, kPointLegend, 26)}}));
  return chart;
}

// The decades from the smallest lambda to the largest.
std::string lambda_axis(const StudyView& view) {
  double low = 1e300;
  double high = 0;
  for (const auto& cell : view.cells) {
    low = std::min(low, cell.lambda.value_or(low));
    high = std::max(high, cell.lambda.value_or(high));
  }
  std::string ticks;
  for (double power = std::floor(std::log10(low)); power <= std::ceil(std::log10(high)); ++power) {
    ticks += fmt::format("{}1e{}", ticks.empty() ? "" : ",", power);
  }
  return fmt::format(R"spec("scale":{{"type":"log","nice":false}},)spec"
                     R"spec("axis":{{"values":[{}],"format":"~g","labelOverlap":true,"grid":true}})spec",
                     ticks);
}

std::string choice_of_members(const StudyView& view) {
  if (view.members.size() < 2) return "";
  const bool five = std::ranges::find(view.members, 5) != view.members.end();
  return fmt::format(
      R"spec(,"choice":{{"field":"members","title":"Networks in an ensemble","values":[{}],"first":{}}})spec",
      fmt::join(view.members, ","), five ? 5 : view.members[view.members.size() / 2]);
}

double longest_of(const StudyView& view) {
  double longest = 0;
  for (const auto& time : view.methods_time) longest = std::max(longest, time.seconds);
  return longest;
}

bool any_lambda(const StudyView& view) {
  return std::ranges::any_of(view.cells, [](const StudyCell& cell) { return cell.lambda.has_value(); });
}

}  // namespace

std::string place_name(const StudyPlace& place) { return place.dataset + ", " + place.split; }

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::size_t>(std::lround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", thousands(whole / 3600), whole % 3600 / 60);
}

std::size_t drawn_places(const StudyView& view) {
  std::size_t places = 0;
  std::size_t cells = 0;
  for (std::size_t i = 0; i < view.cells.size(); ++i) {
    if (++cells > kMostCells) return std::max<std::size_t>(places, 1);
    const bool last = i + 1 == view.cells.size() || view.cells[i + 1].place != view.cells[i].place;
    if (last) places = view.cells[i].place + 1;
  }
  return view.places.size();
}

Chart lambda_chart(const StudyView& view) {
  Chart chart{.id = "lambda", .data = cells_table(view), .full = true};
  const bool weighed = any_lambda(view);
  chart.title = weighed ? "AUC against lambda" : "AUC of each method";
  chart.reading = fmt::format(
      "Test AUC of the ensemble, mean over {}; the band is one standard deviation. Dashed: methods without a "
      "lambda. Each panel has an AUC axis of its own.",
      counted(view.restarts, "restart"));
  chart.alt = fmt::format("Test AUC against lambda by method, in {}.", counted(drawn_places(view), "panel"));
  const std::string x = quantity("lambda", "lambda", lambda_axis(view));
  const std::string colours = method_colours(view.styles, kPointLegend);
  std::string layers =
      fill_spec(R"spec({"transform":[{"filter":"datum.lambda === null"}],
      "mark":{"type":"rule","strokeDash":[6,4],"strokeWidth":1.5},
      "encoding":{"y":<y>,"color":<colours>,"tooltip":[<tooltip>]}})spec",
                {{"y", kAuc},
                 {"colours", colours},
                 {"tooltip", common_tooltip() + "," + shown("auc", "AUC", ".3f") + "," + shown("auc_sd", "sd", ".3f") +
                                 "," + shown("restarts", "restarts", "d")}});
  if (weighed) {
    layers +=
        "," +
        fill_spec(R"spec({"transform":[{"filter":"datum.lambda !== null"},
           {"calculate":"datum.auc - datum.auc_sd","as":"low"},{"calculate":"datum.auc + datum.auc_sd","as":"high"}],
       "layer":[
        {"mark":{"type":"area","opacity":0.14,"clip":true},"encoding":{"x":<x>,"y":<low>,"y2":{"field":"high"},"color":<colours>}},
        {"mark":{"type":"line","strokeWidth":2},"encoding":{"x":<x>,"y":<y>,"color":<colours>}},
        {"mark":{"type":"point","filled":true,"size":28,"opacity":1},
         "encoding":{"x":<x>,"y":<y>,"color":<colours>,"shape":<shapes>,"tooltip":[<tooltip>]}}]})spec",
                  {{"x", x},
                   {"y", kAuc},
                   {"low", R"spec({"field":"low","type":"quantitative","title":null,"scale":{"zero":false}})spec"},
                   {"colours", colours},
                   {"shapes", method_shapes(view.styles, kPointLegend)},
                   {"tooltip", common_tooltip() + "," + shown("auc", "AUC", ".3f") + "," +
                                   shown("auc_sd", "sd", ".3f") + "," + shown("grad_cos2", "gradients' cos²", ".3f") +
                                   "," + shown("restarts", "restarts", "d")}});
  }
  chart.spec = facet(view, R"spec({"height":170,"layer":[)spec" + layers + "]}", choice_of_members(view));
  return chart;
}

Chart similarity_chart(const StudyView& view) {
  return scatter(view, "similarity", "rho_av", "Error correlation against gradient similarity", "error correlation");
}

Chart q_chart(const StudyView& view) {
  return scatter(view, "q-statistic", "q_av", "Yule's Q against gradient similarity", "Q statistic");
}

Chart auc_cos2_chart(const StudyView& view) {
  return auc_against(view, "auc-cos2", "grad_cos2", "AUC against gradient similarity", "gradients' cos²", 0);
}

Chart auc_rho_chart(const StudyView& view) {
  return auc_against(view, "auc-rho", "rho_av", "AUC against error correlation", "error correlation", -1);
}

Chart size_chart(const StudyView& view) {
  Chart chart{.id = "size",
              .data = {{"place", "method", "members", "restarts", "auc", "auc_sd", "accuracy", "order"}, {}},
              .full = true};
  const std::size_t places = drawn_places(view);
  for (const auto& size : view.sizes) {
    if (size.place >= places || size.auc.count == 0) continue;
    chart.data.rows.push_back({place_name(view.places[size.place]), view.methods[size.method],
                               static_cast<double>(size.members), number_cell(size.auc.count),
                               short_cell(size.auc.mean), short_cell(size.auc.sd), short_cell(size.accuracy.mean),
                               number_cell(size.place + 1)});
  }
  chart.title = "AUC against the number of networks";
  chart.reading = fmt::format(
      "Test AUC, mean over {}, each at the lambda that its validation rows chose among trials of that size. "
      "Each panel has an AUC axis of its own.",
      counted(view.restarts, "restart"));
  chart.alt = fmt::format("Test AUC against ensemble size by method, in {}.", counted(places, "panel"));
  const std::string x = fmt::format(
      R"spec({{"field":"members","type":"quantitative","title":"networks","scale":{{"type":"log","nice":false}},)spec"
      R"spec("axis":{{"values":[{}],"format":"d","labelOverlap":true}}}})spec",
      fmt::join(view.members, ","));
  chart.spec = facet(
      view,
      fill_spec(R"spec({"height":170,"layer":[<range>,
        {"mark":{"type":"line","strokeWidth":2},"encoding":{"x":<x>,"y":<y>,"color":<colours>}},
        {"mark":{"type":"point","filled":true,"size":42,"opacity":1},
         "encoding":{"x":<x>,"y":<y>,"color":<colours>,"shape":<shapes>,"tooltip":[<tooltip>]}}]})spec",
                {{"range", kLeastRange},
                 {"x", x},
                 {"y", kAuc},
                 {"colours", method_colours(view.styles, kPointLegend)},
                 {"shapes", method_shapes(view.styles, kPointLegend)},
                 {"tooltip", shown("method", "method") + "," + shown("members", "networks", "d") + "," +
                                 shown("auc", "AUC", ".3f") + "," + shown("auc_sd", "sd", ".3f") + "," +
                                 shown("accuracy", "accuracy", ".1%") + "," + shown("restarts", "restarts", "d")}}));
  return chart;
}

Chart time_chart(const StudyView& view) {
  Chart chart{.id = "time",
              .data = {{"method", "trials", "networks", "seconds", "seconds_a_network", "share", "label"}, {}},
              .full = true};
  double all = 0;
  std::vector<MethodStyle> timed;
  for (const auto& time : view.methods_time) all += time.seconds;
  for (const auto& time : view.methods_time) {
    timed.push_back(*std::ranges::find(view.styles, time.who, &MethodStyle::name));
    chart.data.rows.push_back({time.who, number_cell(time.trials), number_cell(time.networks), short_cell(time.seconds),
                               short_cell(time.seconds / static_cast<double>(time.networks)),
                               short_cell(all > 0 ? time.seconds / all : 0), duration_text(time.seconds)});
  }
  chart.title = "Where the time went: " + duration_text(all);
  chart.reading =
      fmt::format("Training and testing, summed over trials, each of which runs on one thread; {}.",
                  view.processes_time.size() == 1 ? "all by one process"
                                                  : fmt::format("by {} processes", view.processes_time.size()));
  chart.alt = "Bars of the time each method took";
  for (const auto& time : view.methods_time) chart.alt += fmt::format("; {} {}", time.who, duration_text(time.seconds));
  chart.spec = fill_spec(
      R"spec({<start>,"height":<height>,"encoding":{"y":{"field":"method","type":"nominal","sort":null,"title":null}},"layer":[
        {"mark":{"type":"bar","height":18},"encoding":{"x":<x>,"color":<colours>,"tooltip":[<tooltip>]}},
        {"mark":{"type":"text","align":"left","dx":6,"color":"var(--ink)"},"encoding":{"x":<x>,"text":{"field":"label","type":"nominal"}}}]})spec",
      {{"start", spec_start()},
       {"height", std::to_string(30 * timed.size())},
       {"x", quantity("seconds", "seconds",
                      fmt::format(R"spec("scale":{{"domainMax":{}}},"axis":{{"tickCount":5,"format":"~s"}})spec",
                                  std::max(1.25 * longest_of(view), 1e-3)))},
       {"colours", method_colours(timed, "null")},
       {"tooltip", shown("method", "method") + "," + shown("trials", "trials", ",d") + "," +
                       shown("networks", "networks", ",d") + "," + shown("label", "time") + "," +
                       shown("share", "share", ".1%") + "," +
                       shown("seconds_a_network", "seconds a network", ".3~g")}});
  return chart;
}

}  // namespace perpend
