// THE table of methods. Everything the program knows about a method stands in its entry in methods.cpp, and nothing
// about a single method stands anywhere else. Words, titles, defaults, grids, charts, validation and the training
// itself read the entries. Code that asks "which method is this" asks for the property that it depends on.
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
inline constexpr Method kBaseline = Method::restarts;  // the others are compared with it

// What makes the members differ, and so how a result is read: only chance and the rows they see; their errors; or the
// explanations of their answers, which are their input gradients.
enum class Apart { by_chance, in_errors, in_explanations };

// What an objective may use of a training, besides its options.
struct ObjectiveInputs {
  const Tangents* tangents = nullptr;  // nullptr: the whole input space
  const Dataset* train = nullptr;      // the labelled rows; nullptr: nothing will be trained
};

struct MethodInfo {
  Method id;
  const char* word;        // as the option spells it: "restarts"
  const char* title;       // in a sentence: "random restarts"
  const char* short_name;  // in narrow tables, as the paper spells it: "RRs"
  const char* help;        // a sentence in the help of the option
  MethodStyle style;       // its name is the one in charts and tables: "Restarts"
  Apart apart = Apart::by_chance;

  // Only for methods with a penalty.
  std::optional<double> lambda = {};           // the default (methods.cpp has its reason); nothing: no penalty
  std::optional<double> lambda_of_views = {};  // the same for members with views
  bool lambda_auto = false;                    // with views, lambda is chosen by validation unless it is given
  const char* lambda_help = "";                // a sentence in the help of lambda
  std::vector<double> lambdas = {};            // those that a study tries
  std::vector<double> lambdas_of_sum = {};     // those that it tries with penalty_reduction sum; empty: the same
  const char* curve = "";                      // what the penalty's curve shows, unless it is that of options.penalty
  std::vector<std::string_view> options = {};  // that it uses and others may not; others refuse them
  std::vector<std::string_view> ignores = {};  // that others use and it does not; it refuses them

  // Whether compare and studies include it when no methods are named. The others must be named.
  bool usual = true;

  // How it trains.
  double weight_decay = 1e-4;      // the default
  double step_cost = 1;            // of a member's step, relative to one of restarts
  bool bootstrap = false;          // each member sees its own bootstrap sample of the rows (bagging.h)
  bool one_after_another = false;  // members are trained in turn, on weighted rows, and may be fewer than asked for
  bool in_turn = false;            // members are trained in turn, each for as long as it needs
  bool weighs_members = false;     // its decision gives each network a weight of its own
  bool needs_unlabeled = false;    // it is about rows without labels, and needs them to train
  std::unique_ptr<Objective<float>> (*objective)(const TrainOptions& options, const ObjectiveInputs& inputs) = nullptr;
  TrainResult (*train)(const TrainingTask& task, const Threads& threads) = nullptr;

  bool takes(std::string_view option) const;
  // Whether a logistic regression and boosted trees may be members besides its networks.
  bool has_single_members() const { return !bootstrap && !one_after_another && !weighs_members; }
};

// Methods are in the order in which tables and help show them.
std::span<const MethodInfo> methods();
const std::vector<Method>& all_methods();

// The methods that compare and studies include when none are named: the usual ones that need only a table with labels.
const std::vector<Method>& usual_methods();

const MethodInfo& method_info(Method method);
const MethodInfo* find_method(std::string_view word);  // nullptr: there is no such method

// The objective to minimise. It is the plain fit if the penalty has no effect, because lambda is 0 or there is one
// member.
std::unique_ptr<Objective<float>> objective_for(const TrainOptions& options, const ObjectiveInputs& inputs = {});

// What the method with its penalty supports, even if lambda is 0.
ObjectiveSupport support_of(const TrainOptions& options);

// A sentence that says what the curve of the penalty shows.
std::string penalty_curve(const TrainOptions& options);

// Whether the entry of the method, or of the penalty that it is trained with, has the option.
bool takes_option(Method method, Penalty penalty, std::string_view option);

// Whether the method uses the option, with one penalty or another. All methods use an option that no entry has.
bool may_take_option(Method method, std::string_view option);

}  // namespace perpend
