#include "perpend/api/compare_summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "perpend/base/message.h"
#include "perpend/run/option_table.h"
#include "perpend/run/supported.h"

namespace perpend {

namespace {

// The test figures of one model, by restart; undefined where it has none.
struct ByRestart {
  std::vector<Metric> auc, log_loss, ece;

  void add(std::size_t restart, const Scores& test) {
    if (auc.size() <= restart) {
      for (auto* figures : {&auc, &log_loss, &ece}) figures->resize(restart + 1);
    }
    auc[restart] = test.merit();
    log_loss[restart] = test.regression ? test.rmse : test.log_loss;
    ece[restart] = test.ece;
  }
};

// A split while it is summarised: figures[i] are those of split.models[i].
struct Summarized {
  ComparedSplit split;
  std::vector<ByRestart> figures;
};

ComparedModel model_of(const MethodSummary& method) {
  return {.name = name_of(method.method),
          .method = method.method,
          .auc = method.auc,
          .log_loss = method.log_loss,
          .ece = method.ece,
          .rho_av = method.rho_av,
          .grad_cos2 = method.grad_cos2,
          .members = method.members,
          .lambda = method.lambda,
          .best = false,
          .problem = {}};
}

void add_methods(const SplitSummary& methods, std::span<const TrialResult> selected, Summarized& to) {
  for (const auto& method : methods.methods) {
    to.split.models.push_back(model_of(method));
    to.figures.emplace_back();
    for (const auto& result : selected) {
      if (result.trial.split != methods.split || result.trial.method != method.method) continue;
      to.figures.back().add(static_cast<std::size_t>(result.trial.restart), result.test);
    }
  }
}

void add_others(std::span<const OtherResult> others, Summarized& to) {
  const auto first = static_cast<std::ptrdiff_t>(to.split.models.size());
  for (const auto& result : others) {
    if (result.split != to.split.split) continue;
    auto& models = to.split.models;
    auto found = std::find_if(models.begin() + first, models.end(),
                              [&](const ComparedModel& model) { return model.name == result.name; });
    if (found == models.end()) {
      found = models.insert(models.end(), ComparedModel());
      found->name = result.name;
      to.figures.emplace_back();
    }
    if (found->problem.empty()) found->problem = result.problem;
    to.figures[static_cast<std::size_t>(found - models.begin())].add(static_cast<std::size_t>(result.restart),
                                                                     result.test);
  }
  for (auto i = static_cast<std::size_t>(first); i < to.split.models.size(); ++i) {
    to.split.models[i].auc = summarize(to.figures[i].auc);
    to.split.models[i].log_loss = summarize(to.figures[i].log_loss);
    to.split.models[i].ece = summarize(to.figures[i].ece);
  }
}

ComparedLead difference(const Summarized& of, std::size_t model, std::size_t over,
                        std::vector<Metric> ByRestart::*figure) {
  const auto& one = of.figures[model].*figure;
  const auto& other = of.figures[over].*figure;
  std::vector<Metric> differences;
  for (std::size_t r = 0; r < std::min(one.size(), other.size()); ++r) {
    differences.push_back(one[r] && other[r] ? Metric(*one[r] - *other[r]) : Metric());
  }
  ComparedLead found;
  static_cast<PairedDifference&>(found) = paired_difference(differences);
  found.over = of.split.models[over].name;
  return found;
}

// The place of a model that has a mean AUC.
template <class Is>
std::optional<std::size_t> first_of(const std::vector<std::size_t>& order, const std::vector<ComparedModel>& models,
                                    Is is) {
  const auto found = std::ranges::find_if(order, [&](std::size_t i) { return is(models[i]); });
  return found == order.end() ? std::nullopt : std::optional(*found);
}

void judge(Summarized& of) {
  ComparedSplit& split = of.split;
  const auto order = ranking(split.models);
  if (order.empty()) return;
  mark_best(split.models[order[0]].auc, split.models);
  split.winner = order[0];
  const auto is_method = [](const ComparedModel& model) { return model.method.has_value(); };
  split.best_method = first_of(order, split.models, is_method);
  const auto second = is_method(split.models[order[0]]) && order.size() > 1 ? std::optional(order[1]) : std::nullopt;
  const auto rival = split.best_method == split.winner ? second : split.best_method;
  if (rival) split.lead = difference(of, *split.winner, *rival, &ByRestart::auc);
  if (!split.best_method) return;
  const std::size_t best = *split.best_method;
  const auto baseline = first_of(order, split.models, [](const ComparedModel& m) { return m.method == kBaseline; });
  if (baseline && *baseline != best) split.over_restarts = difference(of, best, *baseline, &ByRestart::auc);
  const auto logistic =
      first_of(order, split.models, [](const ComparedModel& m) { return m.name == kLogistic || m.name == kLinear; });
  if (!logistic) return;
  split.over_logistic = difference(of, best, *logistic, &ByRestart::auc);
  split.log_loss_above_logistic = difference(of, best, *logistic, &ByRestart::log_loss);
}

std::string three_digits(const Metric& metric) { return metric ? fmt::format("{:.3f}", *metric) : "-"; }

// "0.041 (0.020 to 0.062)".
std::string size_of(const ComparedLead& lead) {
  if (!lead.interval) return three_digits(lead.difference.mean);
  return fmt::format("{:.3f} ({:.3f} to {:.3f})", *lead.difference.mean, lead.interval->low, lead.interval->high);
}

std::string verdict(const ComparedLead& lead) {
  if (!lead.interval) return "which one restart cannot tell from noise";
  return lead.more_than_noise() ? "more than noise" : "no more than noise";
}

// "0.041 (0.020 to 0.062) over bagging, more than noise".
std::string lead_words(const ComparedLead& lead) {
  return fmt::format("{} over {}, {}", size_of(lead), printable(lead.over), verdict(lead));
}

// The models whose mean AUC equals the winner's.
std::vector<std::string> sharing_the_lead(const ComparedSplit& split) {
  std::vector<std::string> names;
  for (const auto& model : split.models) {
    if (model.auc.mean == split.models[*split.winner].auc.mean) names.push_back(printable(model.name));
  }
  return names;
}

// What models are ranked by, and the plain regression beside them.
std::string figure_of(const ComparedSplit& split) { return split.regression ? "R²" : "AUC"; }
std::string line_of(const ComparedSplit& split) { return split.regression ? kLinear : kLogistic; }

bool beats_logistic(const ComparedSplit& split) {
  return !split.over_logistic || (split.over_logistic->more_than_noise() && split.over_logistic->interval->low > 0);
}

// What is said of a best method that does not beat logistic regression. A colon or a full stop follows.
std::string doubt(const ComparedSplit& split) {
  return split.over_logistic->interval ? "No method is better than " + line_of(split) + " by more than noise"
                                       : "One restart cannot tell whether a method is better than " + line_of(split);
}

// The same behind a sentence that does not speak of logistic regression.
std::string doubt_behind(const ComparedSplit& split) { return beats_logistic(split) ? "" : " " + doubt(split) + "."; }

// Empty where the log-loss of the best method is not worse than that of logistic regression, or so little worse that it
// matters to nobody.
std::string reading_of_log_loss(const ComparedSplit& split) {
  const auto& above = split.log_loss_above_logistic;
  if (split.regression || !above || !(above->difference.mean > kFreeLogLoss) ||
      (above->interval && !above->more_than_noise()))
    return "";
  const auto logistic = std::ranges::find(split.models, line_of(split), &ComparedModel::name);
  const ComparedModel& best = split.models[*split.best_method];
  return fmt::format(" The log-loss of {} is worse than that of logistic regression ({} against {}).", best.name,
                     three_digits(best.log_loss.mean), three_digits(logistic->log_loss.mean));
}

std::string reading_of_lead(const ComparedSplit& split) {
  const ComparedModel& winner = split.models[*split.winner];
  if (const auto sharing = sharing_the_lead(split); sharing.size() > 1) {
    const bool with_logistic = std::ranges::find(sharing, line_of(split)) != sharing.end();
    return fmt::format("{} have the same mean {}: it does not tell them apart here.{}", fmt::join(sharing, ", "),
                       figure_of(split), with_logistic ? "" : doubt_behind(split));
  }
  if (!split.lead) return fmt::format("{} has the only test {}.", printable(winner.name), figure_of(split));
  if (!winner.method) {
    return fmt::format("{} has the best mean {}; {}, the best method, is behind it by {}, {}.{}",
                       printable(winner.name), figure_of(split), split.lead->over, size_of(*split.lead),
                       verdict(*split.lead), winner.name == line_of(split) ? "" : doubt_behind(split));
  }
  if (!beats_logistic(split)) {
    return fmt::format("{}: the best mean {} is that of {}, {} above it.", doubt(split), figure_of(split), winner.name,
                       size_of(*split.over_logistic));
  }
  std::string text =
      fmt::format("{} has the best mean {}; its lead is {}", winner.name, figure_of(split), lead_words(*split.lead));
  for (const auto* other : {&split.over_restarts, &split.over_logistic}) {
    if (*other && (*other)->over != split.lead->over) text += ", and " + lead_words(**other);
  }
  return text + ".";
}

}  // namespace

std::vector<ComparedSplit> summarize(std::span<const TrialResult> results, std::span<const OtherResult> others) {
  const auto selected = select_by_validation(results);
  std::vector<ComparedSplit> splits;
  for (const auto& methods : summarize_splits(selected)) {
    Summarized one;
    one.split.split = methods.split;
    one.split.regression = std::ranges::any_of(selected, [](const TrialResult& r) { return r.test.regression; });
    add_methods(methods, selected, one);
    add_others(others, one);
    judge(one);
    splits.push_back(std::move(one.split));
  }
  return splits;
}

std::string reading(const ComparedSplit& split) {
  if (!split.winner) return fmt::format("No model has a test {}.\n", figure_of(split));
  return reading_of_lead(split) + reading_of_log_loss(split) + "\n";
}

std::vector<OptionGiven> options_to_give(const RunOptions& options) {
  RunOptions usual;
  if (options.train.published) apply_preset("published", usual);
  usual.train.method = options.train.method;  // has defaults of its own
  std::vector<OptionGiven> given;
  for (const auto& option : option_table()) {
    if (!option.belongs_to(options.train.method) || ignores(options.train.method, option, options)) continue;
    const bool is_told = option.name == "target" || option.name == "split" || option.name == "seed" ||
                         option.name == "method" || option.name == "members" ||
                         (option.name == "lambda" && has_lambda(options.train.method));
    const std::string value = option.json(options);
    const bool differs = option.name != "threads" && option.name != "lambda" && value != option.json(usual);
    if (is_told || differs) given.push_back({option.name, value});
  }
  return given;
}

}  // namespace perpend
