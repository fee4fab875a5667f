#include "apps/perpend/explain_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/message.h"
#include "perpend/data/table.h"

namespace perpend::app {

namespace {

constexpr std::size_t kNameWidth = 24;
constexpr double kWorthNaming = 0.05;  // of a member's gradient on one row

std::string bar(double share, int cells) {
  const long full = std::lround(share * cells);
  const char* cell = speaks_utf8() ? "█" : "#";
  std::string text;
  for (long i = 0; i < full; ++i) text += cell;
  return text;
}

std::vector<std::size_t> by_share(const std::vector<double>& shares) {
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return shares[a] > shares[b]; });
  return order;
}

std::vector<std::size_t> features_of(const Schema& schema, std::size_t column) {
  std::vector<std::size_t> features;
  for (std::size_t f = 0; f < schema.features.size(); ++f) {
    if (schema.features[f].column == column) features.push_back(f);
  }
  return features;
}

std::string distribution_text(const GradientSummary& gradient) {
  std::string text = fmt::format("{:>8.3f} {:>7.3f} ", gradient.mean, gradient.sd);
  for (const double q : gradient.quantiles) text += fmt::format(" {:>7.3f}", q);
  return text;
}

// How far a level moves the score, compared with the mean of the column's levels.
struct Contrast {
  std::string level;
  double size = 0;
};

// For plain features: one encoded feature per level.
std::vector<Contrast> plain_contrasts(const MemberExplanation& member, const Schema& schema,
                                      const std::vector<std::size_t>& features) {
  const auto gradient = [&](std::size_t f) { return member.features[f].mean / schema.features[f].sd; };
  double common = 0;
  for (const std::size_t f : features) common += gradient(f) / static_cast<double>(features.size());
  std::vector<Contrast> contrasts;
  for (const std::size_t f : features) {
    const Feature& feature = schema.features[f];
    contrasts.push_back({feature.name.substr(schema.columns[feature.column].name.size() + 1), gradient(f) - common});
  }
  return contrasts;
}

std::vector<Contrast> column_contrasts(const std::vector<LevelSummary>& levels, const InputColumn& column) {
  std::vector<Contrast> contrasts;
  for (const auto& level : levels) contrasts.push_back({level_name(column, level.level), level.contrast.mean});
  return contrasts;
}

// The three levels that move the score most.
std::string levels_text(std::vector<Contrast> contrasts) {
  std::ranges::stable_sort(contrasts,
                           [](const Contrast& a, const Contrast& b) { return std::abs(a.size) > std::abs(b.size); });
  std::string text = "   ";
  for (std::size_t i = 0; i < std::min<std::size_t>(contrasts.size(), 3); ++i) {
    text += fmt::format("{} {} {:+.3f}", i == 0 ? "" : ",", printable(contrasts[i].level), contrasts[i].size);
  }
  return text + (contrasts.size() > 3 ? ", ..." : "");
}

// Says what moves the score in a column: the distribution of its gradient, or its levels.
std::string column_text(const MemberExplanation& member, const Schema& schema, std::size_t column,
                        const std::vector<std::size_t>& features) {
  const bool category = schema.columns[column].kind == ColumnKind::categorical;
  if (category && schema.by_column) return levels_text(column_contrasts(member.levels[column], schema.columns[column]));
  if (category && features.size() > 1) return levels_text(plain_contrasts(member, schema, features));
  return distribution_text(member.features[features[0]]);
}

std::string member_text(const MemberExplanation& member, const Schema& schema, std::size_t top, std::size_t width) {
  std::string text;
  const auto order = by_share(member.shares);
  double rest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t c = order[i];
    if (i >= top) {
      rest += member.shares[c];
      continue;
    }
    const auto features = features_of(schema, c);
    const bool levels = features.size() > 1 && schema.columns[c].kind == ColumnKind::categorical;
    const std::string& name = levels ? schema.columns[c].name : schema.features[features[0]].name;
    text += fmt::format("  {:<{}}  {:<20} {:>3.0f} % {}\n", printable(name), width, bar(member.shares[c], 20),
                        100 * member.shares[c], column_text(member, schema, c, features));
  }
  if (order.size() > top) {
    text += fmt::format("  {:<{}}  {:<20} {:>3.0f} %\n", counted(order.size() - top, "other column"), width,
                        bar(rest, 20), 100 * rest);
  }
  return text;
}

// Says what the member looks at along the data's tangents, where they are known.
std::string along_text(const MemberExplanation& member, const Schema& schema, std::size_t top) {
  if (member.tangent_shares.empty()) return "";
  std::string text = "  along the manifold";
  const auto order = by_share(member.tangent_shares);
  for (std::size_t i = 0; i < std::min(top, order.size()); ++i) {
    text += fmt::format("{} {} {:.0f} %", i == 0 ? "" : ",", printable(schema.columns[order[i]].name),
                        100 * member.tangent_shares[order[i]]);
  }
  return text + "\n";
}

std::string names_of(const std::vector<std::size_t>& columns, const Schema& schema) {
  std::string text;
  for (const std::size_t c : columns) text += (text.empty() ? "" : ", ") + printable(schema.columns[c].name);
  return columns.size() == 1 ? text : "{" + text + "}";
}

std::string members_named(const std::vector<std::size_t>& members) {
  std::string text = members.size() == 1 ? "member" : "members";
  for (std::size_t i = 0; i < members.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? " " : i + 1 == members.size() ? " and " : ", ", members[i] + 1);
  }
  return text;
}

// "member 2, piecewise, weight 0.10"
std::string member_title(const TrainedModel& model, std::size_t m) {
  const std::string view = model.schema.by_column ? ", " + member_views(model)[m] : "";
  return fmt::format("member {}{}, weight {:.2f}", m + 1, view, member_says(model.decision)[m]);
}

// Says what the ensemble looks at: its members' shares by their weights.
std::string importances_text(const Explanation& explanation, const TrainedModel& model, std::size_t top,
                             std::size_t width) {
  const auto all = importances(explanation, member_shares(model.decision));
  std::string text =
      fmt::format("{:<{}}  {:<26} {:>8} {:>7}\n", "the ensemble", width + 2, "share by weight", "least", "most");
  double rest = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i >= top) {
      rest += all[i].share;
      continue;
    }
    text += fmt::format("  {:<{}}  {:<20} {:>3.0f} % {:>6.0f} % {:>5.0f} %\n",
                        printable(model.schema.columns[all[i].column].name), width, bar(all[i].share, 20),
                        100 * all[i].share, 100 * all[i].least, 100 * all[i].most);
  }
  if (all.size() > top) {
    text += fmt::format("  {:<{}}  {:<20} {:>3.0f} %\n", counted(all.size() - top, "other column"), width,
                        bar(rest, 20), 100 * rest);
  }
  return text + "\n";
}

}  // namespace

std::string explanation_text(const Explanation& explanation, const TrainedModel& model, std::size_t top) {
  const Schema& schema = model.schema;
  std::size_t width = schema.by_column ? 31 : 15;
  for (const auto& column : schema.columns) width = std::max(width, std::min(kNameWidth, column.name.size()));
  std::string text = explanation.members.size() > 1 ? importances_text(explanation, model, top, width) : "";
  for (std::size_t m = 0; m < explanation.members.size(); ++m) {
    text +=
        fmt::format("{:<{}}  {:<26} {:>8} {:>7}  {:>7} {:>7} {:>7} {:>7} {:>7}\n", member_title(model, m), width + 2,
                    explanation.members[m].is_contribution ? "share of contributions" : "share of its gradient", "mean",
                    "sd", "5 %", "25 %", "50 %", "75 %", "95 %");
    text += member_text(explanation.members[m], schema, top, width);
    text += along_text(explanation.members[m], schema, top) + "\n";
  }
  if (explanation.members.back().is_contribution) {
    text += fmt::format(
        "Trees have no gradients. They have contributions instead, at {}: what a cell adds to the log-odds, compared "
        "with the mean over the training rows.\n"
        "\n",
        counted(explanation.members.back().rows, "row"));
  }
  if (explanation.pairs.empty()) return text;
  const bool along = explanation.pairs[0].tangent_cos2.has_value();
  text += fmt::format("{:<14} {:>9} {:>12} {:>16}{}\n", "members", "mean cos²", "mean cosine", "same prediction",
                      along ? "   cos² along the manifold" : "");
  for (const auto& pair : explanation.pairs) {
    text += fmt::format("{:<14} {:>9} {:>12} {:>14.1f} %{}\n",
                        fmt::format("{} and {}", pair.first + 1, pair.second + 1), shown(pair.cos2), shown(pair.cosine),
                        100 * pair.same, along ? fmt::format("{:>26}", shown(pair.tangent_cos2)) : "");
  }
  return text + "\n";
}

std::string substitutes_text(const Explanation& explanation, const Schema& schema, std::size_t top) {
  const auto& found = explanation.substitutes;
  if (found.empty()) {
    return explanation.members.size() == 1
               ? "No substitutes found: there is only one member, so nothing to compare it with.\n"
               : "No substitutes found: no two members reach the same answers here from different columns.\n";
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(found.size(), top); ++i) {
    text += fmt::format(
        "Substitutes found: {} {} {}: {} (left) and {} (right) reach the same answers from different "
        "columns.\n",
        names_of(found[i].columns[0], schema), speaks_utf8() ? "↔" : "<->", names_of(found[i].columns[1], schema),
        members_named(found[i].members[0]), members_named(found[i].members[1]));
  }
  if (found.size() > top) text += fmt::format("... and {} more; --top or --json shows them.\n", found.size() - top);
  return text;
}

std::string looked_at_text(const std::vector<MemberExplanation>& of_row, const Schema& schema, std::size_t top) {
  std::string text;
  for (std::size_t m = 0; m < of_row.size(); ++m) {
    const auto& shares = of_row[m].shares;
    text += fmt::format("member {} looked at ", m + 1);
    const auto order = by_share(shares);
    for (std::size_t i = 0; i < std::min(top, order.size()); ++i) {
      const double share = shares[order[i]];
      if (i > 0 && share < kWorthNaming) break;
      text += fmt::format("  {} {} {:.0f} %", printable(schema.columns[order[i]].name), bar(share, 10), 100 * share);
    }
    text += "\n";
  }
  return text;
}

std::string worth_text(const ColumnsWorth& worth, std::size_t top) {
  std::vector<ColumnWorth> columns = worth.columns;
  std::ranges::stable_sort(columns, std::ranges::greater(), &ColumnWorth::increase);
  std::size_t width = 31;
  for (const auto& column : columns) width = std::max(width, std::min(kNameWidth, column.name.size()));
  std::string text = fmt::format("{:<{}}  {:>10}   {:<10}  {:>10}  {:>10}\n", "when a column is shuffled", width + 2,
                                 worth.loss_name, "se", "least", "most");
  for (std::size_t i = 0; i < std::min(top, columns.size()); ++i) {
    const ColumnWorth& column = columns[i];
    text += fmt::format("  {:<{}}  {:>+10.4g} ± {:<10.2g}  {:>+10.4g}  {:>+10.4g}{}\n", printable(column.name), width,
                        column.increase, column.standard_error, column.least(), column.most(),
                        column.is_seen() ? "" : "  no effect seen");
  }
  if (columns.size() > top) {
    const auto seen = std::count_if(columns.begin() + static_cast<std::ptrdiff_t>(top), columns.end(),
                                    [](const ColumnWorth& column) { return column.is_seen(); });
    text += fmt::format("  {}, of which {} a visible effect\n", counted(columns.size() - top, "other column"),
                        seen == 0   ? "none has"
                        : seen == 1 ? "1 has"
                                    : thousands(static_cast<std::size_t>(seen)) + " have");
  }
  return text + fmt::format(
                    "The ensemble's {} is {:.4g} on {}{}. It grows by this much when a column is shuffled (mean of {} "
                    "shuffles). Least and most are those of the members.\n"
                    "\n",
                    worth.loss_name, worth.loss, counted(worth.rows, "row"),
                    worth.rows < worth.of ? " of " + thousands(worth.of) : "", worth.repeats);
}

std::string dependence_text(const Dependence& found, const Schema& schema) {
  std::string text;
  std::size_t width = 12;
  for (const auto& level : found.levels) {
    width = std::max(width, std::min<std::size_t>(kNameWidth, level.value_or("missing").size()));
  }
  for (const auto& curve : found.curves) {
    text += fmt::format("{} of {}, when {} is set to a value in {}{}: the mean over these rows\n",
                        curve.of_class.empty() ? "The prediction" : "The probability",
                        quote(curve.of_class.empty() ? schema.target : curve.of_class), quote(found.column),
                        counted(found.rows, "row"), found.rows < found.of ? " of " + thousands(found.of) : "");
    text += fmt::format("  {:>{}} {:>10} ", "", width, "ensemble");
    for (std::size_t m = 0; m < curve.members.size(); ++m)
      text += fmt::format(" {:>9}", fmt::format("member {}", m + 1));
    text += "\n";
    for (std::size_t i = 0; i < found.points(); ++i) {
      const std::string name = found.is_number ? number_name(found.numbers[i]) : found.levels[i].value_or("missing");
      text += fmt::format("  {:>{}} {:>10.4g} ", printable(name), width, curve.ensemble[i]);
      for (const auto& member : curve.members) text += fmt::format(" {:>9.4g}", member[i]);
      text += "\n";
    }
  }
  return text;
}

}  // namespace perpend::app
