#include "perpend/train/methods.h"

#include <algorithm>
#include <string>

#include "perpend/base/error.h"
#include "perpend/data/dataset.h"
#include "perpend/objective/ace.h"
#include "perpend/objective/adp.h"
#include "perpend/objective/cross_entropy.h"
#include "perpend/objective/dbat.h"
#include "perpend/objective/divdis.h"
#include "perpend/objective/experts.h"
#include "perpend/objective/forde.h"
#include "perpend/objective/ncl.h"
#include "perpend/train/adaboost.h"
#include "perpend/train/dbat.h"
#include "perpend/train/dive.h"
#include "perpend/train/experts.h"
#include "perpend/train/options.h"
#include "perpend/train/snapshot.h"
#include "perpend/train/subspaces.h"
#include "perpend/train/training.h"

namespace perpend {

namespace {

using MadeObjective = std::unique_ptr<Objective<float>>;

// One member cannot differ from another, and at lambda 0 the penalty has no effect. The plain step then gives the same
// weights at a lower cost: with LIT, two products instead of three.
bool penalty_acts(const TrainOptions& options) { return lambda_of(options) > 0 && options.members > 1; }

MadeObjective plain_objective(const TrainOptions& /*options*/, const ObjectiveInputs& /*inputs*/) {
  return std::make_unique<Restarts<float>>();
}

// NCL's fit is not cross-entropy, so the objective is NCL's at lambda 0 too.
MadeObjective ncl_objective(const TrainOptions& options, const ObjectiveInputs& /*inputs*/) {
  return std::make_unique<Ncl<float>>(lambda_of(options));
}

MadeObjective ace_objective(const TrainOptions& options, const ObjectiveInputs& inputs) {
  if (!penalty_acts(options)) return plain_objective(options, inputs);
  return std::make_unique<Ace<float>>(lambda_of(options));
}

MadeObjective lit_objective(const TrainOptions& options, const ObjectiveInputs& inputs) {
  if (!penalty_acts(options)) return plain_objective(options, inputs);
  return penalty_info(options.penalty)
      .make<float>({.lambda = lambda_of(options), .reduction = options.penalty_reduction, .tangents = inputs.tangents});
}

// The shares of the classes, with the weights of the rows if they have some.
std::vector<double> class_shares(const Dataset* train) {
  if (train == nullptr) return {};
  std::vector<double> shares(train->classes.size(), 0);
  for (std::size_t r = 0; r < train->labels.size(); ++r) {
    shares[static_cast<std::size_t>(train->labels[r])] += train->weights.empty() ? 1 : train->weights[r];
  }
  return shares;
}

MadeObjective divdis_objective(const TrainOptions& options, const ObjectiveInputs& inputs) {
  if (!penalty_acts(options)) return plain_objective(options, inputs);
  return std::make_unique<DivDis<float>>(lambda_of(options), class_shares(inputs.train));
}

// The objective of the first member, which has no other to disagree with; train_dbat makes those of the others.
MadeObjective dbat_objective(const TrainOptions& options, const ObjectiveInputs& inputs) {
  static const std::vector<EarlierAnswers> nobody;
  if (!penalty_acts(options)) return plain_objective(options, inputs);
  return std::make_unique<Dbat<float>>(lambda_of(options), nobody, 0);
}

MadeObjective experts_objective(const TrainOptions& /*options*/, const ObjectiveInputs& /*inputs*/) {
  return std::make_unique<Experts<float>>();
}

// The objective of the last round; train_dive makes those of the other rounds.
MadeObjective dive_objective(const TrainOptions& options, const ObjectiveInputs& /*inputs*/) {
  return std::make_unique<Experts<float>>((static_cast<std::size_t>(options.members) + 2) / 3);
}

MadeObjective adp_objective(const TrainOptions& options, const ObjectiveInputs& inputs) {
  if (!penalty_acts(options)) return plain_objective(options, inputs);
  return std::make_unique<Adp<float>>(lambda_of(options));
}

MadeObjective forde_objective(const TrainOptions& options, const ObjectiveInputs& inputs) {
  if (!penalty_acts(options)) return plain_objective(options, inputs);
  return std::make_unique<Forde<float>>(lambda_of(options));
}

// Grids of lambda are a few values on both sides of the default.
std::vector<MethodInfo> make_table() {
  return {
      {.id = Method::restarts,
       .word = "restarts",
       .title = "random restarts",
       .short_name = "RRs",
       .help = "restarts trains each member alone, from its own random initial weights.",
       .style = {"Restarts", "var(--m7)", "#6b6f76", "7 4", "circle"},
       .objective = plain_objective,
       .train = train_together},
      {.id = Method::bagging,
       .word = "bagging",
       .title = "bagging",
       .short_name = "Bag",
       .help = "bagging trains each member alone, on its own bootstrap sample of the rows.",
       .style = {"Bagging", "var(--m5)", "#8a6d00", "2 3", "square"},
       .bootstrap = true,
       .objective = plain_objective,
       .train = train_together},
      {.id = Method::adaboost,
       .word = "adaboost",
       .title = "AdaBoost",
       .short_name = "Ada",
       .help = "adaboost trains one member after another, each mostly on the rows that those before it get wrong.",
       .style = {"AdaBoost", "var(--m4)", "#b0478f", "9 3 2 3", "diamond"},
       .options = {"boosting"},
       .ignores = {"aggregate"},  // it weighs its members itself
       .one_after_another = true,
       .objective = plain_objective,
       .train = train_adaboost},
      // lambda 0.5: from 1 on, no member needs to fit the labels (objective/ncl.h). No weight decay, as published.
      {.id = Method::ncl,
       .word = "ncl",
       .title = "NCL",
       .short_name = "NCL",
       .help = "ncl (negative correlation learning) trains the members together to differ in their predictions.",
       .style = {"NCL", "var(--m1)", "#0072b2", "", "triangle-up"},
       .apart = Apart::in_errors,
       .lambda = 0.5,
       .lambda_help = "From 1 on, ncl fits only the mean of the members.",
       .lambdas = {0.1, 0.3, 0.5, 0.9},
       .curve = "The penalty for similar predictions: minus half the squared distance of each member's probability "
                "from the members' mean, summed over members and rows.",
       .options = {"lambda"},
       .weight_decay = 0,
       .objective = ncl_objective,
       .train = train_together},
      // lambda 0.1: members still share a side when all five fit the rows exactly (objective/ace.h).
      {.id = Method::ace,
       .word = "ace",
       .title = "ACE",
       .short_name = "ACE",
       .help = "ace (amended cross-entropy) also trains the members together to differ in their predictions.",
       .style = {"ACE", "var(--m2)", "#d55e00", "", "triangle-down"},
       .apart = Apart::in_errors,
       .lambda = 0.1,
       .lambda_help = "With a large value, the members of ace take opposite sides.",
       .lambdas = {0.03, 0.1, 0.3, 1},
       .curve = "The penalty for similar predictions: minus twice the mean cross-entropy between two members' "
                "probabilities.",
       .options = {"lambda"},
       .objective = ace_objective,
       .train = train_together},
      // If the penalty is a sum over a batch of 256, lambdas are nearly the same: lambda_mean = lambda_sum B / 2.
      {.id = Method::lit,
       .word = "lit",
       .title = "LIT",
       .short_name = "LIT",
       .help = "lit (local independence training) trains the members together to differ in their explanations: it "
               "keeps the input gradients of their log-odds orthogonal (with more than two classes, the log-odds of "
               "the predicted class against the rest).",
       .style = {"LIT", "var(--m3)", "#00855f", "", "circle"},
       .apart = Apart::in_explanations,
       .lambda = 1,
       .lambda_of_views = 0.3,  // the best of five fixed ones on held-out domains (docs/benchmarks.md)
       .lambda_auto = true,
       .lambdas = {0.1, 0.3, 1, 3},
       .lambdas_of_sum = {0.001, 0.003, 0.01, 0.03},
       .options = {"lambda", "penalty", "manifold"},
       .step_cost = 1.4,
       .objective = lit_objective,
       .train = train_together},
      // lambda 10 is that of the published experiments (objective/divdis.h).
      {.id = Method::divdis,
       .word = "divdis",
       .title = "DivDis",
       .short_name = "DivDis",
       .help = "divdis trains the members together to answer independently of one another on rows without labels, and "
               "it needs such rows.",
       .style = {"DivDis", "var(--m6)", "#3b8fd0", "5 2 1 2", "square"},
       .apart = Apart::in_errors,
       .lambda = 10,
       .lambdas = {1, 3, 10, 30},
       .curve = "The penalty for similar answers on the rows without labels: the mutual information of two members' "
                "answers, plus how far their shares of the classes are from those of the training rows.",
       .options = {"lambda"},
       .step_cost = 2,
       .needs_unlabeled = true,
       .objective = divdis_objective,
       .train = train_together},
      // lambda 0.01 is the largest of five whose log-loss in held-out training domains is within 0.01 of the least
      // (docs/unlabeled.md).
      {.id = Method::dbat,
       .word = "dbat",
       .title = "D-BAT",
       .short_name = "D-BAT",
       .help = "dbat trains one member after another, each to disagree with those before it on rows without labels, "
               "and it needs such rows.",
       .style = {"D-BAT", "var(--m8)", "#8c3b1f", "1 3", "diamond"},
       .apart = Apart::in_errors,
       .lambda = 0.01,
       .lambda_help = "With a large value, the members of dbat answer against the labels.",
       .lambdas = {0.001, 0.01, 0.1, 1},
       .curve = "The penalty for similar answers on the rows without labels: minus the logarithm of the probability "
                "that a member and one before it answer differently.",
       .options = {"lambda"},
       .step_cost = 2,
       .in_turn = true,
       .needs_unlabeled = true,
       .objective = dbat_objective,
       .train = train_dbat},
      {.id = Method::subspaces,
       .word = "subspaces",
       .title = "random subspaces",
       .short_name = "Sub",
       .help = "subspaces trains each member alone, on its own random half of the columns.",
       .style = {"Subspaces", "var(--m5)", "#8a6d00", "6 2", "triangle-up"},
       .usual = false,
       .step_cost = 0.6,
       .in_turn = true,
       .objective = plain_objective,
       .train = train_subspaces},
      {.id = Method::snapshot,
       .word = "snapshot",
       .title = "snapshots",
       .short_name = "Snap",
       .help = "snapshot trains one network per view and copies it at the end of each cycle of the learning rate; the "
               "copies are the members.",
       .style = {"Snapshots", "var(--m4)", "#b0478f", "4 4", "circle"},
       .ignores = {"early_stopping", "rate_drops"},
       .usual = false,
       .in_turn = true,
       .objective = plain_objective,
       .train = train_snapshots},
      {.id = Method::experts,
       .word = "experts",
       .title = "competing experts",
       .short_name = "CoE",
       .help = "experts lets the members compete: only the member with the lowest loss on a row trains on it.",
       .style = {"Experts", "var(--m6)", "#3b8fd0", "1 4", "triangle-down"},
       .apart = Apart::in_errors,
       .usual = false,
       .step_cost = 2,
       .weighs_members = true,
       .objective = experts_objective,
       .train = train_experts},
      // lambda 2 is the published weight of the entropy. The weight of the determinant is a quarter of it
      // (objective/adp.h).
      {.id = Method::adp,
       .word = "adp",
       .title = "ADP",
       .short_name = "ADP",
       .help = "adp (adaptive diversity promoting) trains the members together to spread their doubt over different "
               "wrong classes, and it needs more than two classes.",
       .style = {"ADP", "var(--m2)", "#d55e00", "8 2 1 2", "square"},
       .apart = Apart::in_errors,
       .lambda = 2,
       .lambdas = {0.3, 1, 2, 4},
       .curve = "The penalty for similar doubt: minus the entropy of the mean answer, and minus a quarter of the "
                "log-determinant of the members' probabilities of the wrong classes.",
       .options = {"lambda"},
       .usual = false,
       .step_cost = 1.5,
       .objective = adp_objective,
       .train = train_together},
      // lambda 0.3 is that of lit where members have views.
      {.id = Method::forde,
       .word = "forde",
       .title = "FoRDE",
       .short_name = "FoRDE",
       .help = "forde trains the members together, and a kernel of their input gradients pushes them apart.",
       .style = {"FoRDE", "var(--m1)", "#0072b2", "3 2", "diamond"},
       .apart = Apart::in_explanations,
       .lambda = 0.3,
       .lambdas = {0.1, 0.3, 1, 3},
       .curve = "The penalty for similar input gradients: half the logarithm of how near the others' gradients are, "
                "summed over members.",
       .options = {"lambda"},
       .usual = false,
       .step_cost = 2,
       .objective = forde_objective,
       .train = train_together},
      {.id = Method::dive,
       .word = "dive",
       .title = "DivE2",
       .short_name = "DivE2",
       .help = "dive (diverse ensemble evolution) assigns rows to members round by round: at first each member gets "
               "the rows that are easy for it, and in the end each row goes to the members that are best at it.",
       .style = {"DivE2", "var(--m8)", "#8c3b1f", "6 2 2 2", "triangle-up"},
       .apart = Apart::in_errors,
       .usual = false,
       .objective = dive_objective,
       .train = train_dive},
  };
}

bool has(const std::vector<std::string_view>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

bool MethodInfo::takes(std::string_view option) const { return has(options, option); }

std::span<const MethodInfo> methods() {
  static const std::vector<MethodInfo> table = make_table();
  return table;
}

const std::vector<Method>& all_methods() {
  static const std::vector<Method> ids = [] {
    std::vector<Method> all;
    for (const auto& info : methods()) all.push_back(info.id);
    return all;
  }();
  return ids;
}

const std::vector<Method>& usual_methods() {
  static const std::vector<Method> ids = [] {
    std::vector<Method> some = all_methods();
    std::erase_if(some,
                  [](Method method) { return method_info(method).needs_unlabeled || !method_info(method).usual; });
    return some;
  }();
  return ids;
}

const MethodInfo& method_info(Method method) {
  const auto found = std::ranges::find(methods(), method, &MethodInfo::id);
  PERPEND_CHECK(found != methods().end());
  return *found;
}

const MethodInfo* find_method(std::string_view word) {
  const auto found = std::ranges::find_if(methods(), [&](const MethodInfo& info) { return info.word == word; });
  return found == methods().end() ? nullptr : &*found;
}

MadeObjective objective_for(const TrainOptions& options, const ObjectiveInputs& inputs) {
  return method_info(options.method).objective(options, inputs);
}

ObjectiveSupport support_of(const TrainOptions& options) {
  TrainOptions acting = options;
  acting.lambda = 1;
  acting.members = 2;
  return objective_for(acting)->supports();
}

std::string penalty_curve(const TrainOptions& options) {
  const MethodInfo& info = method_info(options.method);
  return info.takes("penalty") ? penalty_info(options.penalty).curve : info.curve;
}

bool takes_option(Method method, Penalty penalty, std::string_view option) {
  const MethodInfo& info = method_info(method);
  return info.takes(option) || (info.takes("penalty") && has(penalty_info(penalty).options, option));
}

bool may_take_option(Method method, std::string_view option) {
  const auto with_some_penalty = [&](Method one) {
    return std::ranges::any_of(penalties(),
                               [&](const PenaltyInfo& penalty) { return takes_option(one, penalty.id, option); });
  };
  return with_some_penalty(method) || std::ranges::none_of(all_methods(), with_some_penalty);
}

}  // namespace perpend
