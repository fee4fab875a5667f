// Independence at a distance: what a member does on another's way up.
#include <fmt/format.h>

#include <algorithm>

#include "perpend/base/message.h"
#include "perpend/report/charts.h"
#include "perpend/report/spec.h"

namespace perpend {

namespace {

constexpr const char* kAll = "all members";

// Returns the step that titles tell: the last epsilon up to 1, a whole sd, or else the first.
const FiniteIndependence& told(const DistanceView& view) {
  const auto above = std::ranges::find_if(view.epsilons, [](const FiniteIndependence& e) { return e.epsilon > 1; });
  return above == view.epsilons.begin() ? view.epsilons.front() : *std::prev(above);
}

double mean_own(const FiniteIndependence& at) {
  double sum = 0;
  for (const double own : at.own) sum += own;
  return sum / static_cast<double>(at.own.size());
}

// The figures of one member, over the other members along whose ways up they were measured.
struct OfMember {
  double indep_err = 0;
  Metric relative;
};
OfMember of_member(const FiniteIndependence& at, std::size_t member) {
  OfMember mean;
  const auto others = static_cast<double>(at.own.size() - 1);
  for (const auto& pair : at.pairs) {
    if (pair.of != member) continue;
    mean.indep_err += pair.indep_err / others;
    if (pair.relative) mean.relative = mean.relative.value_or(0) + *pair.relative / others;
  }
  return mean;
}

std::string distance_axis(const DistanceView& view) {
  std::string ticks;
  for (const auto& at : view.epsilons) ticks += fmt::format("{}{}", ticks.empty() ? "" : ",", at.epsilon);
  return quantity(
      "epsilon", "epsilon",
      fmt::format(R"spec("scale":{{"type":"log","nice":false}},"axis":{{"values":[{}],"format":"~g"}})spec", ticks));
}

std::string measured_on(const DistanceView& view, const std::string& judged) {
  const bool all = view.rows == view.of;
  return fmt::format("Measured on {} {} rows, {} ball, {} steps of ascent{}.",
                     all ? "all " + thousands(view.of) : thousands(view.rows) + " of " + thousands(view.of), judged,
                     view.norm == "l2" ? "l2" : "l∞", view.steps, all ? "" : "; perpend evaluate --epsilon takes all");
}

std::string share_title(const FiniteIndependence& at) {
  if (!at.relative) return fmt::format("No member moves at all within epsilon {:g}", at.epsilon);
  return fmt::format("Within epsilon {:g} a member moves {:.1f} % as much on another's way up as on its own",
                     at.epsilon, 100 * *at.relative);
}

}  // namespace

Chart distance_chart(const DistanceView& view, const std::string& judged) {
  Chart chart{.id = "distance", .data = {{"curve", "epsilon", "relative", "indep_err", "own_change"}, {}}};
  const std::size_t members = view.epsilons.front().own.size();
  double most = 1;
  for (const auto& at : view.epsilons) {
    for (std::size_t m = 0; m < members; ++m) {
      const OfMember one = of_member(at, m);
      most = std::max(most, one.relative.value_or(0));
      chart.data.rows.push_back({member_name(m), at.epsilon, cell_of(one.relative), one.indep_err, at.own[m]});
    }
    chart.data.rows.push_back({kAll, at.epsilon, cell_of(at.relative), cell_of(at.indep_err), mean_own(at)});
  }
  chart.title = share_title(told(view));
  chart.reading =
      "The way from a row to the point within epsilon (in standard deviations of a number) where a member's log-odds "
      "are largest is its way up. The chart shows how much a member changes on another's way up, as a share of its "
      "change on its own. 0 means that it stays as it is, and 1 that it moves along. If a line stays at the dashed one "
      "(the gradients' cos²), what the gradients say at a row holds around it. If a line climbs, the members are "
      "independent only near the rows. " +
      measured_on(view, judged);
  chart.alt = "Change of members on another member's way up, as a share of the change on their own";
  for (const auto& at : view.epsilons)
    chart.alt += fmt::format("; epsilon {:g}: {}", at.epsilon, number_text(at.relative));
  const std::string y =
      quantity("relative", "share of its own change",
               fmt::format(R"spec("scale":{{"domain":[0,{}]}},"axis":{{"format":".0%","tickCount":5}})spec", most));
  chart.spec = fill_spec(
      R"spec({<start>,"height":260,"layer":[
          {"data":{"values":[{"cos2":<cos2>}]},"mark":{"type":"rule","style":"reference"},
           "encoding":{"y":{"field":"cos2","type":"quantitative"}}},
          {"transform":[{"filter":"datum.curve !== 'all members'"}],
           "mark":{"type":"line","strokeWidth":1.75,"point":{"size":24}},
           "encoding":{"x":<x>,"y":<y>,"color":<hues>,"detail":{"field":"curve"}}},
          {"transform":[{"filter":"datum.curve === 'all members'"}],
           "mark":{"type":"line","style":"ensemble"},"encoding":{"x":<x>,"y":<y>}},
          {"params":[{"name":"near","select":{"type":"point","on":"pointerover","nearest":true,"clear":"pointerout"}}],
           "mark":{"type":"point","filled":true,"size":60,"color":"var(--ink)"},
           "encoding":{"x":<x>,"y":<y>,"opacity":{"condition":{"param":"near","empty":false,"value":1},"value":0},
                       "tooltip":[<tooltip>]}}]})spec",
      {{"start", spec_start()},
       {"cos2", view.cos2 ? fmt::format("{}", *view.cos2) : "null"},
       {"x", distance_axis(view)},
       {"y", y},
       {"hues", hues("curve", member_names(members), "stroke", kAboveTitle)},
       {"tooltip", shown("curve", "whose change") + "," + shown("epsilon", "epsilon", "~g") + "," +
                       shown("relative", "share", ".1%") + "," + shown("indep_err", "IndepErr", ".3g") + "," +
                       shown("own_change", "on its own way", ".3g")}});
  return chart;
}

Chart distance_change_chart(const DistanceView& view, const std::string& judged) {
  const std::vector<std::string> names = {"on its own way up", "on another's way up"};
  Chart chart{.id = "distance-change", .data = {{"curve", "epsilon", "mean_squared_change"}, {}}};
  // The axis is logarithmic and has no 0, so a member that does not move at all has no point there.
  const auto add = [&](std::size_t which, double epsilon, double change) {
    if (change > 0) chart.data.rows.push_back({names[which], epsilon, change});
  };
  chart.alt = "Mean squared change of a member's log-odds on its own way up and on another's";
  for (const auto& at : view.epsilons) {
    add(0, at.epsilon, mean_own(at));
    add(1, at.epsilon, at.indep_err.value_or(0));
    chart.alt += fmt::format("; epsilon {:g}: {:.3g} and {:.3g}", at.epsilon, mean_own(at), at.indep_err.value_or(0));
  }
  chart.title = fmt::format("IndepErr: {:.3g} against {:.3g} at epsilon {:g}", told(view).indep_err.value_or(0),
                            mean_own(told(view)), told(view).epsilon);
  chart.reading =
      "The mean squared change of a member's log-odds on another's way up (the paper's IndepErr) and on its own. If "
      "the gap stays wide, the members are independent at every distance shown. If it closes to the right, they are "
      "independent only near the rows. " +
      measured_on(view, judged);
  chart.spec = fill_spec(
      R"spec({<start>,"height":260,"layer":[
          {"mark":{"type":"line","strokeWidth":2.5,"point":{"size":30}},
           "encoding":{"x":<x>,"y":<y>,"color":<hues>,"tooltip":[<tooltip>]}}]})spec",
      {{"start", spec_start()},
       {"x", distance_axis(view)},
       {"y", quantity("mean_squared_change", "mean squared change",
                      R"spec("scale":{"type":"log","nice":false},"axis":{"format":"~g","tickCount":5})spec")},
       {"hues", hues("curve", names, "stroke", kAboveTitle)},
       {"tooltip", shown("curve", "a member's change") + "," + shown("epsilon", "epsilon", "~g") + "," +
                       shown("mean_squared_change", "mean squared", ".4g")}});
  return chart;
}

}  // namespace perpend
