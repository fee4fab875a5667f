#include "perpend/report/capacity_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "perpend/base/message.h"
#include "perpend/report/escape.h"
#include "perpend/report/spec.h"

namespace perpend {

namespace {

double least_good(const Capacity& found) { return found.guess + found.keep * (found.alone - found.guess); }

std::string networks_axis(const Capacity& found) {
  std::vector<int> values;
  for (const auto& row : found.rows) values.push_back(row.members);
  return quantity(
      "networks", "networks trained together",
      fmt::format(R"spec("scale":{{"nice":false}},"axis":{{"values":[{}],"format":"d"}})spec", fmt::join(values, ",")));
}

Chart accuracy_chart(const Capacity& found) {
  Chart chart{.id = "accuracy", .data = {{"networks", "curve", "measure", "cos2"}, {}}, .full = true};
  for (const auto& row : found.rows) {
    const auto networks = static_cast<double>(row.members);
    const Cell cos2 = cell_of(row.members > 1 ? Metric(row.cos2) : Metric());
    chart.data.rows.push_back({networks, std::string("best network"), found.alone - row.best_loss, cos2});
    chart.data.rows.push_back({networks, std::string("weakest network"), found.alone - row.weakest_loss, cos2});
    chart.data.rows.push_back({networks, std::string("good enough"), least_good(found), Cell()});
  }
  chart.title = fmt::format("{} of the best and of the weakest network", found.measure);
  chart.reading = fmt::format(
      "Horizontal: how many networks are trained together; a penalty with lambda {:g} keeps them independent. "
      "Vertical: the {} on {} held-out rows, mean over {}. As long as the weakest network stays above the line of what "
      "is good enough, the data hold one explanation per network.",
      found.lambda, found.measure, thousands(found.held_out_rows), counted(found.found.size(), "restart"));
  chart.alt = fmt::format("{} of the weakest network:", found.measure);
  for (const auto& row : found.rows) {
    chart.alt += fmt::format(" {:.3f} with {};", found.alone - row.weakest_loss,
                             counted(static_cast<std::size_t>(row.members), "network"));
  }
  chart.spec = fill_spec(
      R"spec({<start>,"height":260,"layer":[<curves>]})spec",
      {{"start", spec_start()},
       {"curves", curve_layers(networks_axis(found), quantity("measure", found.measure, R"("scale":{"zero":false})"),
                               {"best network", "weakest network", "good enough"}, false,
                               shown("curve", "curve") + "," + shown("networks", "networks", "d") + "," +
                                   shown("measure", found.measure, ".3f") + "," + shown("cos2", "mean cos²", ".3f"))}});
  return chart;
}

Chart count_chart(const Capacity& found) {
  Chart chart{.id = "count", .data = {{"networks", "counted", "restarts"}, {}}, .full = true};
  for (const auto& row : found.rows) {
    for (std::size_t counted_here = 0; counted_here <= static_cast<std::size_t>(row.members); ++counted_here) {
      const auto restarts = std::ranges::count(row.counts, counted_here);
      if (restarts == 0) continue;
      chart.data.rows.push_back(
          {static_cast<double>(row.members), static_cast<double>(counted_here), static_cast<double>(restarts)});
    }
  }
  chart.title = "How many of them are good and independent";
  chart.reading =
      "A dot says how many networks are good and independent of one another; a larger dot stands for more restarts. Up "
      "to the capacity all networks are, so the dots follow the dashed diagonal. Beyond it, some are not.";
  chart.alt = "Networks that are good and independent, by networks trained:";
  for (const auto& row : found.rows) chart.alt += fmt::format(" {}: {};", row.members, fmt::join(row.counts, ", "));
  const int most = found.rows.empty() ? 1 : found.rows.back().members;
  chart.spec = fill_spec(
      R"spec({<start>,"height":200,"layer":[
          {"data":{"values":[{"x":0,"y":0},{"x":<most>,"y":<most>}]},"mark":{"type":"line","style":"reference"},
           "encoding":{"x":{"field":"x","type":"quantitative"},"y":{"field":"y","type":"quantitative"}}},
          {"mark":{"type":"point","filled":true,"opacity":1,"color":"var(--m1)"},
           "encoding":{"x":<x>,"y":<y>,"tooltip":[<tooltip>],
             "size":{"field":"restarts","type":"quantitative","legend":null,"scale":{"range":[40,300],"zero":false}}}}]})spec",
      {{"start", spec_start()},
       {"most", std::to_string(most)},
       {"x", networks_axis(found)},
       {"y", quantity("counted", "good and independent", R"("axis":{"format":"d","tickMinStep":1})")},
       {"tooltip", shown("networks", "networks", "d") + "," + shown("counted", "good and independent", "d") + "," +
                       shown("restarts", "restarts", "d")}});
  return chart;
}

Chart ridge_chart(const Capacity& found) {
  Chart chart{
      .id = "ridge", .data = {{"networks", "lambda", "loss", "above_best", "cos2", "best", "order"}, {}}, .full = true};
  for (const auto& row : found.rows) {
    double least = INFINITY;
    for (const auto& cell : found.ridge) least = cell.members == row.members ? std::min(least, cell.loss) : least;
    double order = 0;
    for (const auto& cell : found.ridge) {
      if (cell.members != row.members || row.members < 2) continue;
      const bool best = best_lambda(found, row.members) == cell.lambda;
      chart.data.rows.push_back({static_cast<double>(cell.members), fmt::format("{:g}", cell.lambda), cell.loss,
                                 cell.loss - least, cell_of(cell.cos2), std::string(best ? "best" : "no"), ++order});
    }
  }
  chart.title = "The best lambda by the number of networks";
  chart.reading =
      "A paler field is a larger held-out loss of the ensemble, compared with the best lambda for as many networks. "
      "The dots mark the best lambdas. These do not tell the capacity. The documentation says why on the page \"How "
      "many models the data hold\".";
  chart.alt = "The lambda of the least held-out loss:";
  for (const auto& row : found.rows) {
    if (row.members < 2) continue;
    if (const auto lambda = best_lambda(found, row.members))
      chart.alt += fmt::format(" {} for {};", *lambda, row.members);
  }
  chart.spec = fill_spec(
      R"spec({<start>,"height":200,"encoding":{
          "x":{"field":"networks","type":"ordinal","title":"networks trained together","axis":{"labelAngle":0}},
          "y":{"field":"lambda","type":"ordinal","title":"lambda","sort":{"field":"order","op":"min","order":"descending"}},
          "tooltip":[<tooltip>]},"layer":[
          {"mark":{"type":"rect","color":"var(--m1)"},
           "encoding":{"opacity":{"field":"above_best","type":"quantitative","legend":null,
             "scale":{"type":"sqrt","range":[0.85,0.05]}}}},
          {"transform":[{"filter":"datum.best === 'best'"}],
           "mark":{"type":"point","filled":true,"size":90,"opacity":1,"color":"var(--ink)"}}]})spec",
      {{"start", spec_start()},
       {"tooltip", shown("networks", "networks", "d") + "," + shown("lambda", "lambda") + "," +
                       shown("loss", "held-out loss", ".4f") + "," + shown("above_best", "above the best", ".4f") +
                       "," + shown("cos2", "mean cos²", ".3f")}});
  return chart;
}

Markup preformatted(const std::string& text) {
  std::string html = "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><pre>";
  std::string line;
  for (const char c : text) {
    if (c != '\n') {
      line += c;
      continue;
    }
    html += html_text(line) + "\n";
    line.clear();
  }
  return {html + html_text(line) + "</pre></div>"};
}

std::string capacity_headline(const Capacity& found) {
  if (found.number == 0) return "There is no explanation to count";
  if (found.number == 1)
    return found.high == 1 ? "One explanation: the data determine the boundary" : "One explanation";
  return fmt::format("{}{} independent explanations", found.at_least ? "At least " : "", found.number);
}

}  // namespace

Page capacity_page(const Capacity& found, const CapacityWords& words) {
  Page page;
  page.title = words.name + " – perpend capacity";
  page.kicker = words.name + " · how many locally independent models the data hold";
  page.headline = capacity_headline(found);
  page.lede = {words.reading};
  page.facts = {{"Capacity", (found.at_least ? "≥ " : "") + std::to_string(found.number),
                 fmt::format("95 % interval {} to {}", found.low, found.high)},
                {"One network", fmt::format("{:.3f}", found.alone), found.measure + " on held-out rows"},
                {"Rows", thousands(found.training_rows),
                 fmt::format("to train on, {} held out", thousands(found.held_out_rows))}};
  Section curve{.id = "capacity",
                .name = "Capacity",
                .heading = "How many can be good and independent?",
                .text = {},
                .blocks = {}};
  curve.blocks.emplace_back(accuracy_chart(found));
  curve.blocks.emplace_back(count_chart(found));
  page.sections.push_back(std::move(curve));
  if (!words.ridge_reading.empty()) {
    Section ridge{.id = "ridge-section",
                  .name = "Lambda",
                  .heading = "Which lambda is best for so many?",
                  .text = {},
                  .blocks = {}};
    ridge.text.push_back(words.ridge_reading);
    ridge.blocks.emplace_back(ridge_chart(found));
    page.sections.push_back(std::move(ridge));
  }
  Section table{.id = "table", .name = "Table", .heading = "The figures", .text = {}, .blocks = {}};
  table.blocks.emplace_back(preformatted(words.table));
  page.sections.push_back(std::move(table));
  page.footer = {fmt::format("Made by perpend {} from {}.", words.version, words.name),
                 "No network was trained on the held-out rows. CSV saves all that is drawn. This page needs no "
                 "internet and sends nothing."};
  return page;
}

}  // namespace perpend
