// What the numbers of a summary say, in a few sentences.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "perpend/api/fit.h"
#include "perpend/base/option_mention.h"

namespace perpend {

namespace {

// What tells a model's worth, and what it is compared with: for classes the log-loss, for numbers the error that the
// loss measures.
struct Worth {
  std::string measure;   // "log-loss"
  std::string line;      // "one logistic regression"
  std::string constant;  // "the majority class"
  std::optional<double> (*of)(const Scores&);

  double value(const Scores& scores) const { return of(scores).value_or(0); }
  std::string shown(const Scores& scores) const {
    return measure == "log-loss" ? fmt::format("{:.3f}", value(scores)) : fmt::format("{:.4g}", value(scores));
  }
};

Worth worth_in(const RunSummary& summary, const RunOptions& options) {
  const JudgedPart judged = summary.judged();
  if (judged.evaluation == nullptr || !judged.evaluation->regression) {
    return {"log-loss", "one logistic regression", "the majority class", [](const Scores& s) { return s.log_loss; }};
  }
  const std::string line = "one linear regression";
  switch (options.schema.loss.kind) {
    case RegressionLoss::Kind::squared:
      return {"RMSE", line, "the mean of the target", [](const Scores& s) { return s.rmse; }};
    case RegressionLoss::Kind::absolute:
      return {"mean absolute error", line, "the median of the target", [](const Scores& s) { return s.mae; }};
    case RegressionLoss::Kind::quantile:
      break;
  }
  return {"pinball loss", line, "the quantile of the target", [](const Scores& s) { return s.loss; }};
}

// Some methods ask for errors that differ, so the reading begins with errors.
std::string reading_of_errors(const Evaluation& seen, bool lambda_was_chosen) {
  if (!seen.rho_av) return "The members make too few errors to say how they correlate";
  std::string text = fmt::format("The members' errors have a mean correlation of {:.2f}", *seen.rho_av);
  if (*seen.rho_av < -0.3) {
    text += ": each is made to err where the others do not";
    if (!lambda_was_chosen) text += "; a smaller " + option_mention("lambda") + " helps";
  }
  return text;
}

std::string default_method_mention() { return option_mention("method", method_info(kDefaultMethod).word); }

// Where members have learned nothing, their gradients have directions but no meaning. Only directions are spoken of.
// `chosen`: the lambda that validation chose. It refused the larger ones, so none of them is advised.
std::string reading_of_gradients(double cos2, Method method, bool all_useful, std::optional<double> chosen) {
  const bool by_lambda = method_info(method).apart == Apart::in_explanations;
  const std::string at =
      fmt::format(" at the {} that validation chose ({:g})", option_mention("lambda"), chosen.value_or(0));
  switch (independence(cos2)) {
    case Independence::independent:
      return all_useful ? "they are locally independent explanations." : "they point in different directions.";
    case Independence::partly:
      if (chosen) return "they are partly independent" + at + ".";
      return by_lambda ? "they are partly independent; a larger " + option_mention("lambda") + " makes them more so."
                       : "they are partly independent.";
    case Independence::copies:
      break;
  }
  if (chosen) return "they mostly share one explanation" + at + "; fewer members may help.";
  if (by_lambda) {
    return "they mostly share one explanation; a larger " + option_mention("lambda") + " or fewer members may help.";
  }
  return "they are copies of one explanation; " + default_method_mention() + " makes them differ.";
}

std::string reading_of_numbers(const Evaluation& seen, std::size_t others) {
  double worst = 0;
  double best = INFINITY;
  for (std::size_t m = 0; m + others < seen.members.size(); ++m) {
    worst = std::max(worst, seen.members[m].rmse.value_or(0));
    best = std::min(best, seen.members[m].rmse.value_or(INFINITY));
  }
  if (!(worst > 1.5 * best)) return "";
  return fmt::format(" The networks are not equally good (RMSE {:.4g} to {:.4g}): the data may not support so many.",
                     best, worst);
}

// Empty where the networks are about equally good. A logistic regression and trees come behind them, and may well be
// better or worse.
std::string reading_of_worth(const Evaluation& seen, const RunOptions& options) {
  const auto views = with_views(options).train.views;
  const auto others =
      static_cast<std::size_t>(std::ranges::count_if(views, [](View v) { return !is_for_networks(v); }));
  if (seen.regression) return reading_of_numbers(seen, others);
  double worst = 1;
  double best = 0;
  for (std::size_t m = 0; m + others < seen.members.size(); ++m) {
    worst = std::min(worst, seen.members[m].auc.value_or(1));
    best = std::max(best, seen.members[m].auc.value_or(0));
  }
  if (best - worst <= 0.1) return "";
  return fmt::format(" The networks are not equally good (AUC {:.3f} to {:.3f}): the data may not support so many.",
                     worst, best);
}

// Returns members that cost more than the classes' shares, or than one number for all rows.
std::vector<std::size_t> useless_members(const RunSummary& summary) {
  std::vector<std::size_t> useless;
  if (!summary.baselines) return useless;
  const auto& members = summary.judged().evaluation->members;
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (members[m].trained_for() > summary.baselines->majority.trained_for()) useless.push_back(m);
  }
  return useless;
}

// "members 1, 2 and 4 are"
std::string members_who_are(const std::vector<std::size_t>& members) {
  std::string text = members.size() == 1 ? "member" : "members";
  for (std::size_t i = 0; i < members.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? " " : i + 1 == members.size() ? " and " : ", ", members[i] + 1);
  }
  return text + (members.size() == 1 ? " is" : " are");
}

// Empty where there are none. Also empty for an ensemble of one member, because all else says it already.
std::string reading_of_useless_members(const RunSummary& summary, const Worth& worth) {
  const auto useless = useless_members(summary);
  const std::size_t members = summary.judged().evaluation->members.size();
  if (useless.empty() || members == 1) return "";
  return fmt::format(" Alone, {} worse than {} ({} above {}).",
                     useless.size() == members ? "every member is" : members_who_are(useless), worth.constant,
                     worth.measure, worth.shown(summary.baselines->majority));
}

// Whether the test rows were drawn from another place, time or range than the training rows.
bool tests_elsewhere(const RunSummary& summary, const RunOptions& options) {
  const SplitKind kind = options.split.kind;
  return summary.test &&
         (kind == SplitKind::domain || kind == SplitKind::by_column || kind == SplitKind::extrapolation);
}

// Says what to try when the ensemble is weak. If it fits its training rows it needs less freedom, otherwise more.
std::string advice(const RunSummary& summary, const RunOptions& options, const Worth& worth, bool lambda_was_chosen) {
  const JudgedPart judged = summary.judged();
  const Scores in_training = summary.train ? static_cast<const Scores&>(*summary.train) : Scores();
  const bool by_other_rows = !summary.train || judged.evaluation != &*summary.train;
  if (by_other_rows && worth.value(in_training) < worth.value(summary.baselines->logistic)) {
    std::string text = fmt::format(" It fits its training rows ({} {}) and not the {} rows", worth.measure,
                                   worth.shown(in_training), judged.name);
    if (tests_elsewhere(summary, options)) {
      return text +
             ", which are unlike them by the choice of the split. monitor says how rows like these differ from the "
             "training rows. ask chooses some of them for labels, and adapt learns from those labels.";
    }
    const bool stops_early = options.train.early_stopping > 0 && summary.validation;
    text += stops_early ? ": a larger " : ": early stopping (" + option_mention("early_stopping") + "), a larger ";
    return text + option_mention("weight_decay") + " or a smaller network (" + option_mention("hidden") + ") may help.";
  }
  const bool is_penalised = !lambda_was_chosen && has_lambda(options.train.method) && lambda_of(options.train) > 0;
  return fmt::format(" It is no better on its training rows ({} {}): {}more {} may help.", worth.measure,
                     worth.shown(in_training), is_penalised ? "a smaller " + option_mention("lambda") + " or " : "",
                     option_mention("epochs"));
}

std::string subject(const Evaluation& seen) { return seen.members.size() == 1 ? "The model" : "The ensemble"; }

// Says what is wrong with the ensemble, and nothing about its members' independence.
std::string reading_of_weakness(const RunSummary& summary, const RunOptions& options, const Worth& worth,
                                bool lambda_was_chosen) {
  const JudgedPart judged = summary.judged();
  const Evaluation& seen = *judged.evaluation;
  const Baselines& beside = *summary.baselines;
  std::string text = subject(seen) + " is worse than ";
  if (standing(summary) == Standing::below_majority) {
    text += fmt::format("{} ({} {} against {}, and {} of {})", worth.constant, worth.measure, worth.shown(seen),
                        worth.shown(beside.majority), worth.shown(beside.logistic), worth.line);
  } else {
    text += fmt::format("{} ({} {} against {})", worth.line, worth.measure, worth.shown(seen),
                        worth.shown(beside.logistic));
  }
  text += seen.members.size() == 1 ? "." : ", so do not read anything into its members' independence.";
  if (seen.auc > beside.logistic.auc) {
    text += fmt::format(
        " It ranks the {} rows better (AUC {:.3f} against {:.3f}), so it is its probabilities that are worse.",
        judged.name, seen.auc.value_or(0), beside.logistic.auc.value_or(0));
  }
  return text + advice(summary, options, worth, lambda_was_chosen) + reading_of_useless_members(summary, worth);
}

// Says by how much the ensemble is better. Empty where there is nothing to compare with.
std::string reading_of_strength(const RunSummary& summary, const Worth& worth) {
  if (!summary.baselines) return "";
  const Evaluation& seen = *summary.judged().evaluation;
  // With classes the figures of training, validation and test stand above the reading.
  const std::string rows = seen.regression ? " on the " + summary.judged().name + " rows" : "";
  return fmt::format(" {} is {} {}{} ({} {} against {}).{}", subject(seen),
                     standing(summary) == Standing::above_logistic ? "better than" : "about as good as", worth.line,
                     rows, worth.measure, worth.shown(seen), worth.shown(summary.baselines->logistic),
                     reading_of_useless_members(summary, worth));
}

std::string reading_of_members(const RunSummary& summary, const RunOptions& options, bool lambda_was_chosen) {
  const Evaluation& seen = *summary.judged().evaluation;
  if (seen.members.size() == 1)
    return "One member has nothing to disagree with; train more members to see independence.";
  const bool trees = has_view(with_views(options).train.views, View::trees);
  if (!seen.grad_cos2) {
    return trees ? "Fewer than two members have input gradients, so independence cannot be measured."
                 : "Input gradients vanish, so independence cannot be measured.";
  }
  const double cos2 = seen.tangent_cos2.value_or(*seen.grad_cos2);
  if (method_info(options.train.method).apart == Apart::in_errors) {
    return fmt::format("{}. Their input gradients have a mean cos² of {:.3f}{}",
                       reading_of_errors(seen, lambda_was_chosen), cos2,
                       independence(cos2) != Independence::copies
                           ? std::string(".")
                           : ": they share one explanation, which " + default_method_mention() + " keeps apart.");
  }
  const auto chosen = lambda_was_chosen ? std::optional(lambda_of(options.train)) : std::nullopt;
  std::string text =
      fmt::format("The members' input gradients {}have a mean cos² of {:.3f}: {}",
                  seen.tangent_cos2 ? "along the manifold "
                  : trees           ? "(trees have none) "
                                    : "",
                  cos2, reading_of_gradients(cos2, options.train.method, useless_members(summary).empty(), chosen));
  if (summary.unlabeled_cos2 && !seen.tangent_cos2) {
    text += fmt::format(" At the rows without labels cos² is {:.3f}.", *summary.unlabeled_cos2);
  }
  return text + reading_of_worth(seen, options);
}

}  // namespace

std::string reading(const RunSummary& summary, const RunOptions& options, bool lambda_was_chosen) {
  if (summary.judged().evaluation == nullptr) return "The model was never measured.";
  const Worth worth = worth_in(summary, options);
  if (is_weak(standing(summary))) return reading_of_weakness(summary, options, worth, lambda_was_chosen);
  return reading_of_members(summary, options, lambda_was_chosen) + reading_of_strength(summary, worth);
}

}  // namespace perpend
