#include "perpend/run/run.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <exception>

#include "core.h"
#include "perpend/base/error.h"
#include "perpend/records/json.h"
#include "perpend/run/option_table.h"
#include "perpend/run/saved_model.h"
#include "py_model.h"
#include "spelling.h"

namespace perpend::python {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Texts as a user types them, or lists of texts.
RunOptions options_of(const nb::dict& given) {
  RunOptions options;
  for (const auto& [key, value] : given) {
    const OptionInfo& option = find_option(nb::cast<std::string>(key));
    if (nb::isinstance<nb::list>(value)) {
      option.set(options, nb::cast<std::vector<std::string>>(value));
    } else {
      option.set(options, nb::cast<std::string>(value));
    }
  }
  std::string problems;
  for (const auto& problem : validate(options)) problems += (problems.empty() ? "" : "; ") + problem;
  if (!problems.empty()) throw ConfigError(problems);
  return options;
}

// Ctrl-C and the user's function while the interpreter's lock is free. An exception of either ends the training and is
// raised once the library has returned; a true answer of the function ends it too, keeping what is trained.
class PyCallback : public TrainCallback {
 public:
  explicit PyCallback(nb::object on_epoch) : on_epoch_(std::move(on_epoch)) {}

  void on_epoch(const EpochRecord& record, int epochs) override {
    if (on_epoch_.is_none()) return;
    const nb::gil_scoped_acquire with;
    try {
      stop_ = stop_ || nb::cast<bool>(nb::bool_(on_epoch_(dict_of(record, epochs))));
    } catch (...) {
      fail();
    }
  }

  bool stop_requested() override {
    if (!stop_ && seconds_since(looked_) > 0.05) look();
    return stop_;
  }

  void look() {
    looked_ = Clock::now();
    const nb::gil_scoped_acquire with;
    if (PyErr_CheckSignals() == 0) return;
    try {
      throw nb::python_error();
    } catch (...) {
      fail();
    }
  }

  void raise() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void fail() {
    if (!error_) error_ = std::current_exception();
    stop_ = true;
  }

  static nb::dict dict_of(const EpochRecord& record, int epochs) {
    nb::dict out;
    out["round"] = record.round;
    out["epoch"] = record.epoch;
    out["epochs"] = epochs;
    out["steps"] = record.steps;
    out["fit"] = record.fit;
    out["penalty"] = record.penalty;
    out["weight_decay"] = record.weight_decay;
    out["validation_log_loss"] = record.validation_log_loss;
    return out;
  }

  nb::object on_epoch_;
  std::exception_ptr error_;
  bool stop_ = false;
  Clock::time_point looked_ = Clock::now();
};

struct Fitted {
  std::optional<TrainedModel> model;
  std::vector<std::string> warnings;
  std::optional<LambdaChoice> lambda;
  TrainLog log;
  Split split;
  double seconds = 0;  // in the library: prepare, run, model_of
};

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// What `perpend train` does with a table; rows to validate on may come as a table of their own.
Fitted fit_table(const PyTable& table, RunOptions options, const MoreTables& more, const PyModel* initial,
                 PyCallback& callback) {
  const auto start = Clock::now();
  Fitted fitted;
  const Prepared data = prepare(table.table(), options, nullptr, more);
  if (initial != nullptr) check_start(initial->model.schema, data.schema);
  if (options.lambda_auto) {
    fitted.lambda = choose_lambda(data, options, &callback);
    options.train.lambda = fitted.lambda->lambda;
    options.lambda_auto = false;
  }
  const RunResult result = run(data, options, initial == nullptr ? nullptr : &initial->model.ensemble, &callback);
  callback.look();
  if (result.trained.status == TrainStatus::diverged) {
    throw DivergedError("training diverged at step " + std::to_string(result.trained.divergence->step) + " in its " +
                        result.trained.divergence->term + "; lower " + option_mention("learning_rate") + " or " +
                        option_mention("lambda"));
  }
  fitted.model = model_of(data, options, result);
  append(fitted.warnings, data.fit.warnings);
  append(fitted.warnings, data.encoded.warnings());
  fitted.log = result.trained.log;
  fitted.split = data.split;
  fitted.seconds = seconds_since(start);
  return fitted;
}

nb::dict details(const Fitted& fitted) {
  nb::dict out;
  out["warnings"] = spelled(fitted.warnings);
  out["log"] = to_json(fitted.log);
  out["seconds"] = fitted.seconds;
  nb::list trials;
  for (const auto& trial : fitted.lambda ? fitted.lambda->trials : std::vector<LambdaTrial>()) {
    nb::dict one;
    one["lambda"] = trial.lambda;
    one["log_loss"] = trial.log_loss;
    one["standard_error"] = trial.standard_error;
    one["grad_cos2"] = trial.grad_cos2;
    one["diverged"] = trial.diverged;
    trials.append(one);
  }
  out["lambda_trials"] = trials;
  return out;
}

nb::tuple fit(const PyTable& table, const nb::dict& given, const PyTable* validation, const PyTable* unlabeled,
              const PyModel* initial, nb::object on_epoch) {
  const auto table_of = [](const PyTable* given_table) {
    return given_table == nullptr ? nullptr : &given_table->table();
  };
  const MoreTables more{.validation = table_of(validation), .unlabeled = table_of(unlabeled)};
  const RunOptions options = options_of(given);
  PyCallback callback(std::move(on_epoch));
  Fitted fitted;
  std::exception_ptr failed;
  {
    const nb::gil_scoped_release without;
    try {
      fitted = fit_table(table, options, more, initial, callback);
    } catch (...) {
      failed = std::current_exception();
    }
  }
  callback.raise();
  if (failed) std::rethrow_exception(failed);
  return nb::make_tuple(PyModel{std::move(*fitted.model)}, details(fitted));
}

nb::tuple split(const PyTable& table, const nb::dict& given) {
  const RunOptions options = options_of(given);
  Split parts;
  {
    const nb::gil_scoped_release without;
    parts = prepare(table.table(), options).split;
  }
  const auto rows = [](const std::vector<std::uint32_t>& part) {
    return array_of(std::vector<std::int64_t>(part.begin(), part.end()), {part.size()});
  };
  return nb::make_tuple(rows(parts.train), rows(parts.validation), rows(parts.test));
}

}  // namespace

void bind_run(nb::module_& m) {
  m.def("fit", &fit, nb::arg("table"), nb::arg("options"), nb::arg("validation").none(), nb::arg("unlabeled").none(),
        nb::arg("initial").none(), nb::arg("on_epoch").none(),
        nb::sig(
            "def fit(table: Table, options: dict[str, typing.Any], validation: Table | None, unlabeled: Table | None, "
            "initial: Model | None, on_epoch: typing.Any) -> tuple[Model, dict[str, typing.Any]]"));
  m.def(
      "split", &split, nb::arg("table"), nb::arg("options"),
      nb::sig("def split(table: Table, options: dict[str, typing.Any]) -> tuple[typing.Any, typing.Any, typing.Any]"));
}

}  // namespace perpend::python
