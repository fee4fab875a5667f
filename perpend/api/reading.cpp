// What the numbers of a summary say, in a few sentences.
#include <fmt/format.h>

#include <algorithm>

#include "perpend/api/fit.h"
#include "perpend/base/option_mention.h"

namespace perpend {

namespace {

// Some methods ask for errors that differ, so that is what is read first.
std::string reading_of_errors(const Evaluation& seen) {
  if (!seen.rho_av) return "The members make too few errors to say how they correlate";
  std::string text = fmt::format("The members' errors have a mean correlation of {:.2f}", *seen.rho_av);
  if (*seen.rho_av < -0.3)
    text += ": they err on purpose, each where others do not; a smaller " + option_mention("lambda") + " helps";
  return text;
}

std::string default_method_mention() { return option_mention("method", method_info(kDefaultMethod).word); }

// Directions are all that is said of gradients of members that have learned nothing.
std::string reading_of_gradients(double cos2, Method method, bool all_useful) {
  switch (independence(cos2)) {
    case Independence::independent:
      return all_useful ? "they are locally independent explanations." : "they point in different directions.";
    case Independence::partly:
      return "they are partly independent; a larger " + option_mention("lambda") + " makes them more so.";
    case Independence::copies:
      break;
  }
  if (method_info(method).apart == Apart::in_explanations) {
    return "they mostly share one explanation; a larger " + option_mention("lambda") + " or fewer members may help.";
  }
  return "they are copies of one explanation; " + default_method_mention() + " makes them differ.";
}

// Empty where the networks are about equally good. A logistic regression and trees, which come behind them, may well be
// better or worse.
std::string reading_of_worth(const Evaluation& seen, const RunOptions& options) {
  const auto views = with_views(options).train.views;
  const auto others =
      static_cast<std::size_t>(std::ranges::count_if(views, [](View v) { return !is_for_networks(v); }));
  double worst = 1;
  double best = 0;
  for (std::size_t m = 0; m + others < seen.members.size(); ++m) {
    worst = std::min(worst, seen.members[m].auc.value_or(1));
    best = std::max(best, seen.members[m].auc.value_or(0));
  }
  if (best - worst <= 0.1) return "";
  return fmt::format(" The networks differ in worth (AUC {:.3f} to {:.3f}): the data may not support so many.", worst,
                     best);
}

// Members whose log-loss is worse than that of the classes' shares.
std::vector<std::size_t> useless_members(const RunSummary& summary) {
  std::vector<std::size_t> useless;
  if (!summary.baselines) return useless;
  const auto& members = summary.judged().evaluation->members;
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (members[m].log_loss > summary.baselines->majority.log_loss) useless.push_back(m);
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

// Empty where there are none, and of one member, of which all else is said already.
std::string reading_of_useless_members(const RunSummary& summary) {
  const auto useless = useless_members(summary);
  const std::size_t members = summary.judged().evaluation->members.size();
  if (useless.empty() || members == 1) return "";
  return fmt::format(" Alone, {} worse than the majority class (log-loss above {:.3f}).",
                     useless.size() == members ? "every member is" : members_who_are(useless),
                     summary.baselines->majority.log_loss.value_or(0));
}

// What to try when the ensemble is weak. If it fits its training rows it needs less freedom, and otherwise more.
std::string advice(const RunSummary& summary, const RunOptions& options) {
  const JudgedPart judged = summary.judged();
  const double in_training = summary.train ? summary.train->log_loss.value_or(0) : 0;
  const bool by_other_rows = !summary.train || judged.evaluation != &*summary.train;
  if (by_other_rows && in_training < summary.baselines->logistic.log_loss) {
    return fmt::format(
               " It fits its training rows (log-loss {:.3f}) and not the {} rows: early stopping ({}), a larger ",
               in_training, judged.name, option_mention("early_stopping")) +
           option_mention("weight_decay") + " or a smaller network (" + option_mention("hidden") + ") may help.";
  }
  const bool is_penalised = has_lambda(options.train.method) && lambda_of(options.train) > 0;
  return fmt::format(" It is no better on its training rows (log-loss {:.3f}): {}more {} may help.", in_training,
                     is_penalised ? "a smaller " + option_mention("lambda") + " or " : "", option_mention("epochs"));
}

std::string subject(const Evaluation& seen) { return seen.members.size() == 1 ? "The model" : "The ensemble"; }

// What is wrong with the ensemble, and nothing of its members' independence.
std::string reading_of_weakness(const RunSummary& summary, const RunOptions& options) {
  const JudgedPart judged = summary.judged();
  const Evaluation& seen = *judged.evaluation;
  const Baselines& beside = *summary.baselines;
  const double loss = seen.log_loss.value_or(0);
  const double of_logistic = beside.logistic.log_loss.value_or(0);
  std::string text = subject(seen) + " is worse than ";
  if (standing(summary) == Standing::below_majority) {
    text += fmt::format("the majority class (log-loss {:.3f} against {:.3f}, and {:.3f} of one logistic regression)",
                        loss, beside.majority.log_loss.value_or(0), of_logistic);
  } else {
    text += fmt::format("one logistic regression (log-loss {:.3f} against {:.3f})", loss, of_logistic);
  }
  text += seen.members.size() == 1 ? "." : ", so do not read anything into its members' independence.";
  if (seen.auc > beside.logistic.auc) {
    text += fmt::format(
        " It ranks the {} rows better (AUC {:.3f} against {:.3f}), so it is its probabilities that are worse.",
        judged.name, seen.auc.value_or(0), beside.logistic.auc.value_or(0));
  }
  return text + advice(summary, options) + reading_of_useless_members(summary);
}

// By how much the ensemble is better; empty where there is nothing to compare with.
std::string reading_of_strength(const RunSummary& summary) {
  if (!summary.baselines) return "";
  const Evaluation& seen = *summary.judged().evaluation;
  return fmt::format(" {} is {} one logistic regression (log-loss {:.3f} against {:.3f}).{}", subject(seen),
                     standing(summary) == Standing::above_logistic ? "better than" : "about as good as",
                     seen.log_loss.value_or(0), summary.baselines->logistic.log_loss.value_or(0),
                     reading_of_useless_members(summary));
}

std::string reading_of_members(const RunSummary& summary, const RunOptions& options) {
  const Evaluation& seen = *summary.judged().evaluation;
  if (seen.members.size() == 1) return "One member has nobody to disagree with; ask for more to see independence.";
  const bool trees = has_view(with_views(options).train.views, View::trees);
  if (!seen.grad_cos2) {
    return trees ? "Fewer than two members have input gradients, so independence cannot be measured."
                 : "Input gradients vanish, so independence cannot be measured.";
  }
  const double cos2 = seen.tangent_cos2.value_or(*seen.grad_cos2);
  if (method_info(options.train.method).apart == Apart::in_errors) {
    return fmt::format("{}. Their input gradients have a mean cos² of {:.3f}{}", reading_of_errors(seen), cos2,
                       independence(cos2) != Independence::copies
                           ? std::string(".")
                           : ": they share one explanation, which " + default_method_mention() + " keeps apart.");
  }
  std::string text =
      fmt::format("The members' input gradients {}have a mean cos² of {:.3f}: {}",
                  seen.tangent_cos2 ? "along the manifold "
                  : trees           ? "(trees have none) "
                                    : "",
                  cos2, reading_of_gradients(cos2, options.train.method, useless_members(summary).empty()));
  if (summary.unlabeled_cos2 && !seen.tangent_cos2) {
    text += fmt::format(" At the rows without labels cos² is {:.3f}.", *summary.unlabeled_cos2);
  }
  return text + reading_of_worth(seen, options);
}

}  // namespace

std::string reading(const RunSummary& summary, const RunOptions& options) {
  if (summary.judged().evaluation == nullptr) return "The model was never measured.";
  if (is_weak(standing(summary))) return reading_of_weakness(summary, options);
  return reading_of_members(summary, options) + reading_of_strength(summary);
}

}  // namespace perpend
