#include "perpend/api/fit.h"

#include <fmt/format.h>

#include <algorithm>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/option_mention.h"
#include "perpend/run/saved_model.h"
#include "perpend/run/supported.h"

namespace perpend {

namespace {

std::vector<std::string> warnings_of(const Prepared& data) {
  auto warnings = data.fit.warnings;
  const auto more = data.encoded.warnings();
  warnings.insert(warnings.end(), more.begin(), more.end());
  return warnings;
}

void refuse_divergence(const TrainResult& trained) {
  if (trained.status != TrainStatus::diverged) return;
  throw DivergedError(fmt::format("training diverged at step {} in its {}; lower {} or {}", trained.divergence->step,
                                  trained.divergence->term, option_mention("learning_rate"), option_mention("lambda")));
}

// Some methods ask for errors that differ, so that is what is read first.
std::string reading_of_errors(const Evaluation& seen) {
  if (!seen.rho_av) return "The members make too few errors to say how they correlate";
  std::string text = fmt::format("The members' errors have a mean correlation of {:.2f}", *seen.rho_av);
  if (*seen.rho_av < -0.3)
    text += ": they err on purpose, each where others do not; a smaller " + option_mention("lambda") + " helps";
  return text;
}

std::string default_method_mention() { return option_mention("method", method_info(kDefaultMethod).word); }

std::string reading_of_gradients(double cos2, Method method) {
  switch (independence(cos2)) {
    case Independence::independent:
      return "they are locally independent explanations.";
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

// Empty where the members are about equally good.
std::string reading_of_worth(const Evaluation& seen) {
  double worst = 1;
  double best = 0;
  for (const auto& member : seen.members) {
    worst = std::min(worst, member.auc.value_or(1));
    best = std::max(best, member.auc.value_or(0));
  }
  if (best - worst <= 0.1) return "";
  return fmt::format(" Members differ in worth (AUC {:.3f} to {:.3f}): the data may not support so many.", worst, best);
}

}  // namespace

Fitted fit(const Table& table, const RunOptions& given, const FitInputs& inputs) {
  refuse_problems(given);
  refuse_unsupported(unsupported_in_training(given, inputs.unlabeled != nullptr));
  FitCallback silent;
  FitCallback& callback = inputs.callback == nullptr ? silent : *inputs.callback;
  const Prepared data = prepare(
      table, given, {.encoding = inputs.encoding, .validation = inputs.validation, .unlabeled = inputs.unlabeled});
  if (inputs.start != nullptr) check_start(inputs.start->schema, data.schema);
  check_savable(data, given);
  Fitted fitted;
  fitted.remarks = size_remarks(data, given);
  callback.on_prepared(data, fitted.remarks);

  fitted.options = given;
  if (given.lambda_auto) {
    fitted.lambda = choose_lambda(data, given, &callback);
    fitted.options.train.lambda = fitted.lambda->lambda;
    fitted.options.lambda_auto = false;
    callback.on_lambda_choice(*fitted.lambda);
  }
  const Ensemble* start = inputs.start == nullptr ? nullptr : &inputs.start->ensemble;
  RunResult result = run(data, fitted.options, start, &callback);
  refuse_divergence(result.trained);
  fitted.model = model_of(data, fitted.options, result);
  fitted.split = data.split;
  fitted.log = std::move(result.trained.log);
  fitted.warnings = warnings_of(data);
  fitted.reading = reading(fitted.model.summary, fitted.options);
  return fitted;
}

Split split(const Table& table, const RunOptions& options) {
  refuse_problems(options);
  return prepare(table, options).split;
}

std::vector<std::string> size_remarks(const Prepared& data, const RunOptions& options) {
  std::vector<std::string> remarks;
  if (data.train.rows() < static_cast<std::size_t>(options.train.batch_size)) {
    remarks.push_back(fmt::format("there are only {} to train on, fewer than a batch of {}",
                                  counted(data.train.rows(), "row"), options.train.batch_size));
  }
  const auto members = static_cast<std::size_t>(options.train.members);
  if (members > data.schema.features.size()) {
    remarks.push_back(fmt::format("there are {} for {}, but only as many gradients as columns can be orthogonal",
                                  counted(members, "member"), counted(data.schema.features.size(), "encoded column")));
  }
  return remarks;
}

std::string reading(const RunSummary& summary, const RunOptions& options) {
  const JudgedPart judged = summary.judged();
  if (judged.evaluation == nullptr) return "The model was never measured.";
  const Evaluation& seen = *judged.evaluation;
  if (seen.members.size() == 1) return "One member has nobody to disagree with; ask for more to see independence.";
  if (!seen.grad_cos2) return "Input gradients vanish, so independence cannot be measured.";
  const double cos2 = seen.tangent_cos2.value_or(*seen.grad_cos2);
  if (method_info(options.train.method).apart == Apart::in_errors) {
    return fmt::format("{}. Their input gradients have a mean cos² of {:.3f}{}", reading_of_errors(seen), cos2,
                       independence(cos2) != Independence::copies
                           ? std::string(".")
                           : ": they share one explanation, which " + default_method_mention() + " keeps apart.");
  }
  std::string text = fmt::format("The members' input gradients {}have a mean cos² of {:.3f}: {}",
                                 seen.tangent_cos2 ? "along the manifold " : "", cos2,
                                 reading_of_gradients(cos2, options.train.method));
  if (summary.unlabeled_cos2 && !seen.tangent_cos2) {
    text += fmt::format(" At the rows without labels cos² is {:.3f}.", *summary.unlabeled_cos2);
  }
  return text + reading_of_worth(seen);
}

}  // namespace perpend
