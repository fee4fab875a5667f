// THE table of methods: everything the program knows about one stands in its entry in methods.cpp, and nothing about a
// single method stands anywhere else. Words, titles, defaults, grids, charts, validation and the training itself read
// the entries; code that asks "which method is this" asks for the property that it depends on.
//
//   method_info(options.method).bootstrap      and not      options.method == Method::bagging
//
// How to add one: CONTRIBUTING.md, "Adding a method".
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/base/tangents.h"
#include "perpend/objective/objective.h"
#include "perpend/objective/penalties.h"
#include "perpend/records/method_style.h"

namespace perpend {

class Threads;
struct Dataset;
struct TrainOptions;
struct TrainResult;
struct TrainingTask;

enum class Method {
  restarts,
  bagging,
  adaboost,
  ncl,
  ace,
  lit,
  divdis,
  dbat,
  subspaces,
  snapshot,
  experts,
  adp,
  forde,
  dive
};

inline constexpr Method kDefaultMethod = Method::lit;
inline constexpr Method kBaseline = Method::restarts;  // what the others are compared with

// What sets the members apart, and so how a result is read: nothing but chance and the rows they see; their errors; or
// the explanations of their answers, that is their input gradients.
enum class Apart { by_chance, in_errors, in_explanations };

// What an objective may take from a training, beside its options.
struct ObjectiveInputs {
  const Tangents* tangents = nullptr;  // nullptr: the whole input space
  const Dataset* train = nullptr;      // the labelled rows; nullptr: nothing is to be trained
};

struct MethodInfo {
  Method id;
  const char* word;        // as the option has it: "restarts"
  const char* title;       // in a sentence: "random restarts"
  const char* short_name;  // in narrow tables, as the paper has it: "RRs"
  const char* help;        // a sentence in the help of the option
  MethodStyle style;       // its name is the one in charts and tables: "Restarts"
  Apart apart = Apart::by_chance;

  // Methods with a penalty.
  std::optional<double> lambda = {};           // the default, with its reason in methods.cpp; nothing: no penalty
  std::optional<double> lambda_of_views = {};  // the same where members have views
  bool lambda_auto = false;                    // with views, lambda is chosen by validation unless it is given
  const char* lambda_help = "";                // a sentence in the help of lambda
  std::vector<double> lambdas = {};            // tried by a study
  std::vector<double> lambdas_of_sum = {};     // tried where penalty_reduction is sum; empty: the same
  const char* curve = "";                      // what the penalty's curve shows, if it is not that of options.penalty
  std::vector<std::string_view> options = {};  // that it uses and others may not; given with others, they are refused

  // Whether compare and studies take it where nobody names methods. The others are asked for by name.
  bool usual = true;

  // How it trains.
  double weight_decay = 1e-4;      // the default
  double step_cost = 1;            // of a member's step, beside one of restarts
  bool bootstrap = false;          // each member sees its own bootstrap sample of the rows (bagging.h)
  bool one_after_another = false;  // members are trained in turn, on weighted rows, and may be fewer than asked for
  bool in_turn = false;            // members are trained in turn, each for as long as it needs
  bool weighs_members = false;     // its decision gives each network a weight of its own
  bool needs_unlabeled = false;    // it is about rows without labels, and trains nothing without them
  std::unique_ptr<Objective<float>> (*objective)(const TrainOptions& options, const ObjectiveInputs& inputs) = nullptr;
  TrainResult (*train)(const TrainingTask& task, const Threads& threads) = nullptr;

  bool takes(std::string_view option) const;
  // Whether a logistic regression and boosted trees may be members beside its networks.
  bool has_single_members() const { return !bootstrap && !one_after_another && !weighs_members; }
};

// In the order in which tables and help show them.
std::span<const MethodInfo> methods();
const std::vector<Method>& all_methods();

// What compare and studies take where nobody names methods: the usual ones that need a table with labels and nothing
// else.
const std::vector<Method>& usual_methods();

const MethodInfo& method_info(Method method);
const MethodInfo* find_method(std::string_view word);  // nullptr: there is none

// What to minimise. Where the penalty has no say, because lambda is 0 or there is one member, this is the plain fit.
std::unique_ptr<Objective<float>> objective_for(const TrainOptions& options, const ObjectiveInputs& inputs = {});

// What the method with its penalty supports, whether or not lambda silences it.
ObjectiveSupport support_of(const TrainOptions& options);

// What the curve of the penalty shows, in a sentence.
std::string penalty_curve(const TrainOptions& options);

// Whether the method, or the penalty that it is trained with, has the option in its entry.
bool takes_option(Method method, Penalty penalty, std::string_view option);

// Whether the method uses the option, with one penalty or another. An option that stands in no entry is used by all.
bool may_take_option(Method method, std::string_view option);

}  // namespace perpend
