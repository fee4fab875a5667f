// How different the members are: disagreement, input gradients, cosines.
#include <fmt/format.h>

#include <algorithm>

#include "perpend/base/message.h"
#include "perpend/report/charts.h"
#include "perpend/report/spec.h"

namespace perpend {

namespace {

void add_bins(const PartView& part, const std::string& name, double order, DataTable& data) {
  const Histogram& bins = part.disagreement;
  const double width = (bins.high - bins.low) / static_cast<double>(bins.counts.size());
  for (std::size_t i = 0; i < bins.counts.size(); ++i) {
    const double low = bins.low + width * static_cast<double>(i);
    const auto count = static_cast<double>(bins.counts[i]);
    data.rows.push_back({name, low, low + width, count, count / static_cast<double>(part.rows), order});
  }
}

}  // namespace

Chart disagreement_chart(std::span<const PartView> parts, bool regression) {
  Chart chart{.id = "disagreement", .data = {{"part", "low", "high", "rows", "share", "order"}, {}}};
  chart.title = "How much do members disagree?";
  chart.reading =
      regression
          ? "Standard deviation of the members' predictions on a row, in the target's units."
          : "Standard deviation of the members' probabilities on a row: 0 where all say the same, 0.5 where half "
            "are sure of one class and half of another.";
  chart.alt = "Histograms of the members' disagreement";
  std::vector<std::string> names;
  for (const auto& part : parts) {
    if (part.disagreement.counts.empty()) continue;
    names.push_back(fmt::format("{}, {}", part.name, counted(part.rows, "row")));
    add_bins(part, names.back(), static_cast<double>(names.size()), chart.data);
    chart.alt += "; " + names.back();
    if (!part.spotted) continue;
    chart.title = fmt::format("Disagreement {} the new rows: AUROC {}",
                              *part.spotted >= 0.6 ? "spots" : "does not spot", number_text(part.spotted));
    chart.alt += fmt::format(" (AUROC {} against familiar rows)", number_text(part.spotted));
  }
  chart.spec = fill_spec(
      R"spec({<start>,"spacing":16,"usermeta":{"cells":1,"least":1},
          "facet":{"row":{"field":"part","type":"nominal","sort":{"field":"order","op":"min"},
                          "header":{"labelOrient":"top","labelAnchor":"start","labelPadding":4,"labelLimit":420}}},
          "spec":{"height":<height>,"mark":{"type":"bar","style":"accent"},
                  "encoding":{"x":{"field":"low","bin":"binned","type":"quantitative","title":"disagreement",
                                   "axis":{"tickCount":6},"scale":{"nice":false}},
                              "x2":{"field":"high"},
                              "y":{"field":"share","type":"quantitative","title":null,
                                   "axis":{"format":".0%","tickCount":3}},
                              "tooltip":[<tooltip>]}}})spec",
      {{"start", spec_start()},
       {"height", parts.size() > 2 ? "84" : "120"},
       {"tooltip", shown("part", "rows") + "," + shown("low", "from", ".3~g") + "," + shown("high", "to", ".3~g") +
                       "," + shown("rows", "count", ",d") + "," + shown("share", "share", ".1%")}});
  return chart;
}

Chart familiar_chart(std::span<const double> percentiles) {
  Chart chart{.id = "familiar", .data = {{"curve", "share_of_rows", "disagreement"}, {}}};
  const auto last = static_cast<double>(percentiles.size() - 1);
  for (std::size_t i = 0; i < percentiles.size(); ++i) {
    chart.data.rows.push_back({std::string("ensemble"), static_cast<double>(i) / last, percentiles[i]});
  }
  const double median = percentiles[percentiles.size() / 2];
  const double high = percentiles[(percentiles.size() - 1) * 95 / 100];
  chart.title = fmt::format("On 95 % of familiar rows members disagree by less than {:.3g}", high);
  chart.reading = fmt::format(
      "Percentiles of the standard deviation of the members' answers over held-out rows; half of them are below "
      "{:.3g}. predict --abstain compares new rows with these.",
      median);
  chart.alt = fmt::format("Disagreement on familiar rows: median {:.3g}, 95th percentile {:.3g}.", median, high);
  chart.spec = fill_spec(R"spec({<start>,"height":260,"layer":[<curves>]})spec",
                         {{"start", spec_start()},
                          {"curves", curve_layers(share("share_of_rows", "share of familiar rows that disagree less"),
                                                  quantity("disagreement", "disagreement"), {}, true,
                                                  shown("share_of_rows", "rows below", ".0%") + "," +
                                                      shown("disagreement", "disagreement", ".3f"))}});
  return chart;
}

namespace {

void add_violin(const std::string& feature, std::size_t member, const GradientView& gradient, double order,
                DataTable& data) {
  double most = 0;
  for (const auto& p : gradient.density) most = std::max(most, p.y);
  for (const auto& p : gradient.density) {
    data.rows.push_back({feature, member_name(member), static_cast<double>(member + 1), p.x, p.y, p.y / most,
                         gradient.quantiles[2], order});
  }
}

// Adds the views of the members that the rows name as a column.
void add_views(const std::vector<std::string>& views, std::size_t member_number, DataTable& data) {
  if (views.empty()) return;
  data.columns.emplace_back("view");
  for (auto& row : data.rows) {
    row.emplace_back(views[static_cast<std::size_t>(std::get<double>(row[member_number])) - 1]);
  }
}

// Gives each member a hue, or each view where there are too many members.
std::string member_hues(std::size_t members, const std::vector<std::string>& views, std::string_view symbol) {
  if (views.empty() || members <= kHues) return hues("member", member_names(members), symbol);
  std::vector<std::string> words = views;
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return hues("view", words, symbol);
}

// "member 3", and its view where it has one.
std::string member_shown(const std::vector<std::string>& views) {
  return shown("member", "member") + (views.empty() ? "" : "," + shown("view", "view"));
}

// Names the score that the gradients are of.
std::string log_odds_of(const std::vector<std::string>& classes) {
  if (classes.empty()) return "the prediction (in standard deviations of the target)";
  return "the log-odds of " + (classes.size() == 2 ? quote(classes[1]) : std::string("the predicted class"));
}

bool has_trees(const RowsView& rows) { return !rows.views.empty() && rows.views.back() == "trees"; }

std::string violins_reading(const RowsView& rows, const std::vector<std::string>& classes) {
  return fmt::format(
      "Input gradients on {} rows: the change of {} per standard deviation of a number or, for a category, for the "
      "row's level compared with the mean level. Where a violin lies to the right of zero, a larger number (or that "
      "level) raises it. A violin spans the middle 99 % of the rows, and its tick is the median. A member whose violin "
      "sits on zero does not look at the column.{}{}",
      rows.judged, log_odds_of(classes),
      classes.empty() ? "" : " Log-odds of 0 are a probability of 0.5, and log-odds of 2 are 0.88.",
      has_trees(rows) ? " Trees have no gradients; they have contributions instead: how much the cell of a row moves "
                        "the log-odds, compared with the mean over the training rows."
                      : "");
}

std::string violins_alt(const std::vector<FeatureView>& features) {
  std::string alt = "Distributions of input gradients per feature and member";
  for (std::size_t i = 0; i < std::min<std::size_t>(features.size(), 3); ++i) {
    alt += fmt::format("; {}: medians", quote(features[i].name));
    for (const auto& gradient : features[i].members) alt += fmt::format(" {:.2f}", gradient.quantiles[2]);
  }
  return alt;
}

Chart violins(const std::vector<FeatureView>& features, const RowsView& rows, const std::vector<std::string>& classes) {
  Chart chart{
      .id = "gradients",
      .data = {{"feature", "member", "number", "gradient", "density", "relative_density", "median", "order"}, {}},
      .full = true};
  // Names from data never become part of an expression. A sorted list of them would be one, so the order is a column.
  double order = 0;
  const std::size_t members = features.empty() ? 0 : features[0].members.size();
  for (const auto& feature : features) {
    ++order;
    for (std::size_t m = 0; m < members; ++m) {
      add_violin(feature.name, m, feature.members[m], order, chart.data);
    }
  }
  chart.title = "What each member leans on";
  add_views(rows.views, 2, chart.data);
  chart.reading = violins_reading(rows, classes);
  chart.alt = violins_alt(features);
  const double lane = members > 5 ? 10 : 15;
  chart.spec = fill_spec(
      R"spec({<start>,"spacing":8,"usermeta":{"cells":1,"least":1},
          "facet":{"row":{"field":"feature","type":"nominal","sort":{"field":"order","op":"min"},
                          "header":{"labelAngle":0,"labelAlign":"left","labelPadding":10}}},
          "spec":{"height":<height>,"layer":[
            {"data":{"values":[{"zero":0}]},"mark":{"type":"rule","style":"reference"},
             "encoding":{"x":{"field":"zero","type":"quantitative"}}},
            {"transform":[{"calculate":"datum.number - 0.46 * datum.relative_density","as":"lower"},
                          {"calculate":"datum.number + 0.46 * datum.relative_density","as":"upper"}],
             "mark":{"type":"area","orient":"vertical","opacity":0.85},
             "encoding":{"x":<x>,"y":<lane>,"y2":{"field":"upper"},"color":<hues>,
                         "detail":{"field":"member","type":"nominal"},"tooltip":[<tooltip>]}},
            {"transform":[{"aggregate":[{"op":"min","field":"median","as":"median"},{"op":"min","field":"number","as":"number"}],
                           "groupby":[<groups>]},
                          {"calculate":"datum.number - 0.4","as":"lower"},{"calculate":"datum.number + 0.4","as":"upper"}],
             "mark":{"type":"rule","strokeWidth":2,"style":"tick"},
             "encoding":{"x":{"field":"median","type":"quantitative"},"y":<lane>,"y2":{"field":"upper"},
                         "tooltip":[<tooltip>,<median>]}}]}})spec",
      {{"start", spec_start()},
       {"height", fmt::format("{}", std::max(24.0, lane * static_cast<double>(members)))},
       {"x", quantity("gradient", has_trees(rows) ? "input gradient (trees: contribution)" : "input gradient")},
       {"lane", fmt::format(R"spec({{"field":"lower","type":"quantitative","axis":null,)spec"
                            R"spec("scale":{{"domain":[{},0.5],"nice":false,"zero":false}}}})spec",
                            static_cast<double>(members) + 0.5)},
       {"groups", rows.views.empty() ? R"("feature","member")" : R"("feature","member","view")"},
       {"hues", member_hues(members, rows.views, "square")},
       {"tooltip", shown("feature", "feature") + "," + member_shown(rows.views)},
       {"median", shown("median", "median", ".3f")}});
  return chart;
}

}  // namespace

Chart gradients_chart(const RowsView& rows, const std::vector<std::string>& classes) {
  return violins(rows.features, rows, classes);
}

Chart named_gradients_chart(const RowsView& rows, const std::vector<std::string>& classes) {
  Chart chart = violins(rows.named, rows, classes);
  chart.id = "named-gradients";
  chart.title = "What each member makes of these columns";
  return chart;
}

namespace {

constexpr std::size_t kMostLevelsShown = 32;

std::string levels_alt(const std::vector<FeatureView>& features) {
  std::string alt = "Mean contrasts of the levels of categories";
  for (const auto& feature : features) {
    if (feature.levels.empty()) continue;
    const LevelView& first = feature.levels.front();
    alt += fmt::format("; {}, {}:", quote(feature.name), quote(first.name));
    for (const double contrast : first.contrasts) alt += fmt::format(" {:+.2f}", contrast);
    break;
  }
  return alt;
}

}  // namespace

Chart levels_chart(const RowsView& rows, const std::vector<std::string>& classes) {
  Chart chart{.id = "levels",
              .data = {{"level_of_column", "column", "level", "rows", "member", "number", "contrast", "order"}, {}},
              .full = true};
  double order = 0;
  std::size_t members = 0;
  for (const auto& feature : rows.features) {
    if (order + static_cast<double>(feature.levels.size()) > kMostLevelsShown) break;
    for (const auto& level : feature.levels) {
      ++order;
      members = level.contrasts.size();
      for (std::size_t m = 0; m < members; ++m) {
        chart.data.rows.push_back({feature.name + " = " + level.name, feature.name, level.name,
                                   static_cast<double>(level.rows), member_name(m), static_cast<double>(m + 1),
                                   level.contrasts[m], order});
      }
    }
  }
  add_views(rows.views, 5, chart.data);
  chart.title = "Which way each level moves the members";
  chart.reading = fmt::format(
      "How much a level moves {}, compared with the mean level. Each dot is the mean of one member over the {} rows "
      "that have the level. To the right of zero, the level raises it. The levels are those of the categories that "
      "members look at most.",
      log_odds_of(classes), rows.judged);
  chart.alt = levels_alt(rows.features);
  chart.spec = fill_spec(
      R"spec({<start>,"height":<height>,"layer":[
          {"data":{"values":[{"zero":0}]},"mark":{"type":"rule","style":"reference"},
           "encoding":{"x":{"field":"zero","type":"quantitative"}}},
          {"mark":{"type":"point","filled":true,"size":60,"opacity":0.8},
           "encoding":{"x":<x>,"y":<y>,"color":<hues>,"tooltip":[<tooltip>]}}]})spec",
      {{"start", spec_start()},
       {"height", std::to_string(20 * static_cast<int>(order))},
       {"x", quantity("contrast", "contrast")},
       {"y", R"spec({"field":"level_of_column","type":"nominal","title":null,"sort":{"field":"order","op":"min"},)spec"
             R"spec("axis":{"grid":true,"labelLimit":240,"offset":6}})spec"},
       {"hues", member_hues(members, rows.views, "circle")},
       {"tooltip", shown("column", "column") + "," + shown("level", "level") + "," + shown("rows", "rows", ",d") + "," +
                       member_shown(rows.views) + "," + shown("contrast", "contrast", "+.3f")}});
  return chart;
}

namespace {

std::string cosine_text(const std::string& field, const std::string& format, int dy, int size) {
  return fill_spec(R"spec({"mark":{"type":"text","dy":<dy>,"fontSize":<size>},
      "encoding":{"x":<x>,"y":<y>,"text":{"field":<field>,"type":"quantitative","format":<format>},
                  "color":{"condition":{"test":"datum.cos2 > 0.5","value":"var(--on-accent)"},"value":"var(--ink)"},
                  "tooltip":[<tooltip>]}})spec",
                   {{"dy", std::to_string(dy)},
                    {"size", std::to_string(size)},
                    {"x", "<x>"},
                    {"y", "<y>"},
                    {"tooltip", "<tooltip>"},
                    {"field", json_string(field)},
                    {"format", json_string(format)}});
}

std::string member_axis(const char* field, const std::vector<std::string>& names, const char* more) {
  return fmt::format(R"spec({{"field":"{}","type":"nominal","title":null,"scale":{{"domain":{},"padding":0.04}},)spec"
                     R"spec("axis":{{"domain":false,"ticks":false,"grid":false{}}}}})spec",
                     field, json_strings(names), more);
}

}  // namespace

Chart cosine_chart(std::span<const PairView> pairs, std::size_t members) {
  Chart chart{.id = "cosine", .data = {{"first", "second", "cos2", "cosine", "same_prediction"}, {}}};
  double sum = 0;
  double known = 0;
  for (const auto& pair : pairs) {
    if (pair.second >= members) continue;
    sum += pair.cos2.value_or(0);
    known += pair.cos2 ? 1 : 0;
    for (const auto& [a, b] : {std::pair(pair.first, pair.second), std::pair(pair.second, pair.first)}) {
      chart.data.rows.push_back({member_name(a), member_name(b), cell_of(pair.cos2), cell_of(pair.cosine), pair.same});
    }
  }
  const Metric mean = known > 0 ? Metric(sum / known) : Metric();
  chart.title = fmt::format("How alike members react: {} of 1", number_text(mean));
  chart.reading =
      "A member's input gradient says how a small change of each column changes its answer on a row. The figure of two "
      "members is the squared cosine (cos²) of their gradients, averaged over rows: 0 at right angles (independent), 1 "
      "the same direction. Below it the mean cosine, whose sign tells whether they pull the same way.";
  chart.alt = fmt::format("Matrix of mean squared cosines between {} members' input gradients; mean over pairs {}.",
                          members, number_text(mean));
  std::string layers = R"spec({"mark":{"type":"rect","style":"accent","cornerRadius":3},"encoding":{"x":<x>,"y":<y>,
      "opacity":{"field":"cos2","type":"quantitative","scale":{"domain":[0,1],"range":[0.06,1]},"legend":null},
      "tooltip":[<tooltip>]}})spec";
  if (members <= 8) layers += "," + cosine_text("cos2", ".2f", members <= 5 ? -6 : 0, 14);
  if (members <= 5) layers += "," + cosine_text("cosine", "+.2f", 11, 11);
  const auto names = member_names(members);
  const std::size_t height = std::clamp<std::size_t>(70 * members, 150, 420);
  chart.spec =
      fill_spec("{<start>,\"height\":" + std::to_string(height) + ",\"layer\":[" + layers + "]}",
                {{"start", spec_start()},
                 {"x", member_axis("second", names, R"spec(,"orient":"top","labelAngle":0,"labelOverlap":true)spec")},
                 {"y", member_axis("first", names, "")},
                 {"tooltip", shown("first", "first") + "," + shown("second", "second") + "," +
                                 shown("cos2", "mean cos²", ".4f") + "," + shown("cosine", "mean cosine", "+.3f") +
                                 "," + shown("same_prediction", "same prediction", ".1%")}});
  return chart;
}

}  // namespace perpend
