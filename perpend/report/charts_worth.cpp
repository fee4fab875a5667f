// What columns are worth, and how the answers change with them.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "perpend/base/message.h"
#include "perpend/report/charts.h"
#include "perpend/report/spec.h"

namespace perpend {

namespace {

// Four digits are more than a reader can see, and take a third of the bytes of all digits.
double short_number(double x) {
  const std::string text = fmt::format("{:.4g}", x);
  double number = x;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string shuffled_rows(const ColumnsWorth& worth, const std::string& judged) {
  if (worth.rows == worth.of) return fmt::format("the {} {} rows", thousands(worth.rows), judged);
  return fmt::format("{} of the {} {} rows", thousands(worth.rows), thousands(worth.of), judged);
}

std::string points_of(const Dependence& found) {
  return found.is_number ? fmt::format("from {:.4g} to {:.4g}", found.numbers.front(), found.numbers.back())
                         : "over " + counted(found.levels.size(), "level");
}

// A curve that is drawn: that of the ensemble or a member, or with many classes only the ensemble's.
struct NamedCurve {
  std::string name;
  const std::vector<double>* means;
};
std::vector<NamedCurve> curves_of(const Dependence& found) {
  std::vector<NamedCurve> curves;
  if (found.curves.size() > 1) {
    for (const auto& curve : found.curves) curves.push_back({curve.of_class, &curve.ensemble});
    return curves;
  }
  curves.push_back({"ensemble", &found.curves[0].ensemble});
  const auto& members = found.curves[0].members;
  for (std::size_t m = 0; m < members.size(); ++m) curves.push_back({member_name(m), &members[m]});
  return curves;
}

std::string answer_named(const Dependence& found, const std::string& target) {
  if (found.curves.size() > 1) return "the probability of each class";
  const std::string& name = found.curves[0].of_class;
  return name.empty() ? "the prediction of " + quote(target) : "the probability of " + quote(name);
}

std::string number_spec(const std::vector<std::string>& names, bool members, const std::string& y,
                        const std::string& tooltip) {
  return fill_spec(R"spec({<start>,"height":260,"layer":[<curves>]})spec",
                   {{"start", spec_start()},
                    {"curves", curve_layers(quantity("number", "value of the column", R"("scale":{"zero":false})"), y,
                                            names, members, tooltip)}});
}

// Draws one line per level, one dot per member, and a bar for the ensemble.
std::string level_spec(const std::vector<std::string>& names, bool members, std::size_t levels, const std::string& x,
                       const std::string& tooltip) {
  return fill_spec(
      R"spec({<start>,"height":<height>,"layer":[
          {"transform":[{"filter":"<whose>"}],"mark":{"type":"point","filled":true,"size":60,"opacity":0.8},
           "encoding":{"x":<x>,"y":<y>,"color":<hues>,"tooltip":[<tooltip>]}},
          {"transform":[{"filter":"datum.curve === 'ensemble' && <members>"}],
           "mark":{"type":"tick","thickness":3,"size":18,"color":"var(--ink)"},
           "encoding":{"x":<x>,"y":<y>,"tooltip":[<tooltip>]}}]})spec",
      {{"start", spec_start()},
       {"height", std::to_string(std::max<std::size_t>(80, 24 * levels))},
       {"whose", members ? "datum.curve !== 'ensemble'" : "true"},
       {"members", members ? "true" : "false"},
       {"x", x},
       {"y", R"spec({"field":"level","type":"nominal","title":null,"sort":{"field":"order","op":"min"},)spec"
             R"spec("axis":{"grid":true,"labelLimit":160}})spec"},
       {"hues", hues("curve", names, "circle")},
       {"tooltip", tooltip}});
}

}  // namespace

Chart worth_chart(const RowsView& rows) {
  const ColumnsWorth& worth = *rows.worth;
  Chart chart{.id = "worth",
              .data = {{"column", "increase", "standard_error", "least", "most", "seen", "order"}, {}},
              .full = true};
  double order = 0;
  for (const auto& column : worth.columns) {
    chart.data.rows.push_back({column.name, short_number(column.increase), short_number(column.standard_error),
                               short_number(column.least()), short_number(column.most()),
                               std::string(column.is_seen() ? "yes" : "no effect seen"), ++order});
  }
  const ColumnWorth& first = worth.columns.front();
  chart.title = first.is_seen() && first.increase > 0 ? fmt::format("Without {} the {} would grow by {:.3g}",
                                                                    quote(first.name), worth.loss_name, first.increase)
                                                      : "No column is missed when it is shuffled";
  chart.reading = fmt::format(
      "How much the {} of the ensemble grows when the cells of a column are shuffled among {} (mean of {} shuffles). "
      "Before, it is {:.3g}. The thin line spans the members, each with its own {}. Where it is long, some members "
      "need the column and others do not. Columns that tell the same share their worth.",
      worth.loss_name, shuffled_rows(worth, rows.judged), worth.repeats, worth.loss, worth.loss_name);
  if (worth.columns.size() < rows.worth_of) {
    chart.reading +=
        fmt::format(" The {} columns of the largest gradients, of {}.", worth.columns.size(), thousands(rows.worth_of));
  }
  chart.alt = fmt::format("Growth of the {} when a column is shuffled", worth.loss_name);
  for (std::size_t i = 0; i < std::min<std::size_t>(worth.columns.size(), 3); ++i) {
    chart.alt += fmt::format("; {} {:+.3g}", quote(worth.columns[i].name), worth.columns[i].increase);
  }
  chart.spec = fill_spec(
      R"spec({<start>,"height":<height>,"encoding":{"y":<y>,"tooltip":[<tooltip>]},"layer":[
          {"mark":{"type":"bar","style":"accent","height":12},"encoding":{"x":<x>}},
          {"mark":{"type":"rule","strokeWidth":1.5,"color":"var(--ink)"},
           "encoding":{"x":{"field":"least","type":"quantitative"},"x2":{"field":"most"}}}]})spec",
      {{"start", spec_start()},
       {"height", std::to_string(22 * worth.columns.size())},
       {"x", quantity("increase", "growth of the " + worth.loss_name)},
       {"y", R"spec({"field":"column","type":"nominal","title":null,"sort":{"field":"order","op":"min"},)spec"
             R"spec("axis":{"labelLimit":200}})spec"},
       {"tooltip", shown("column", "column") + "," + shown("increase", "growth", "+.3g") + "," +
                       shown("standard_error", "standard error", ".2g") + "," +
                       shown("least", "least of members", "+.3g") + "," + shown("most", "most of members", "+.3g") +
                       "," + shown("seen", "effect")}});
  return chart;
}

Chart dependence_chart(const Dependence& found, const RowsView& rows, const std::string& target, std::size_t number) {
  Chart chart{.id = fmt::format("dependence-{}", number)};
  const bool members = found.curves.size() == 1;
  const bool probability = !found.curves[0].of_class.empty();
  chart.data.columns = found.is_number ? std::vector<std::string>{"curve", "number", "mean"}
                                       : std::vector<std::string>{"curve", "level", "mean", "order"};
  std::vector<std::string> names;
  for (const auto& [name, means] : curves_of(found)) {
    if (name != "ensemble" || !members) names.push_back(name);
    for (std::size_t i = 0; i < found.points(); ++i) {
      const double mean = short_number((*means)[i]);
      if (found.is_number) {
        chart.data.rows.push_back({name, found.numbers[i], mean});
      } else {
        chart.data.rows.push_back({name, found.levels[i].value_or("missing"), mean, static_cast<double>(i + 1)});
      }
    }
  }
  chart.title = fmt::format("How the answers change with {}", quote(found.column));
  chart.reading = fmt::format(
      "The mean of {} over {} {} rows, if all of them had the same value of {}.{} If this column depends on others, "
      "the mean includes rows that do not exist.",
      answer_named(found, target), thousands(found.rows), rows.judged, quote(found.column),
      members && names.size() > 1 ? " Each member has a colour, and the ensemble is black." : "");
  chart.alt = fmt::format("Mean answers by {}, {}; the ensemble's go from {:.3g} to {:.3g}.", quote(found.column),
                          points_of(found), found.curves[0].ensemble.front(), found.curves[0].ensemble.back());
  const std::string what = probability ? "probability" : "prediction";
  const std::string value = probability ? share("mean", what) : quantity("mean", what, R"("scale":{"zero":false})");
  const std::string tooltip = shown("curve", "curve") + "," +
                              (found.is_number ? shown("number", "value", ".4~g") : shown("level", "level")) + "," +
                              shown("mean", what, probability ? ".3f" : ".4~g");
  chart.spec = found.is_number ? number_spec(names, members, value, tooltip)
                               : level_spec(names, members, found.points(), value, tooltip);
  return chart;
}

}  // namespace perpend
