#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <exception>
#include <mutex>

#include "core.h"
#include "perpend/api/compare.h"
#include "perpend/api/fit.h"
#include "perpend/records/json.h"
#include "perpend/run/option_table.h"
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
  refuse_problems(options);
  return options;
}

// Ctrl-C and the user's function while the interpreter's lock is free. An exception of either ends the training and is
// raised once the library has returned; a true answer of the function ends it too, keeping what is trained.
class PyCallback : public FitCallback {
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

nb::dict details(const Fitted& fitted, double seconds) {
  nb::dict out;
  std::vector<std::string> warnings = fitted.warnings;
  warnings.insert(warnings.end(), fitted.about_size.begin(), fitted.about_size.end());
  if (!fitted.left_out.domains.empty()) warnings.push_back(left_out_line(fitted.left_out));
  out["warnings"] = spelled(std::move(warnings));
  out["log"] = to_json(fitted.log);
  out["seconds"] = seconds;  // in the library
  out["remarks"] = spelled(fitted.remarks);
  out["reading"] = perpend::spelled(fitted.reading, keyword_spelling);
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

const Table* table_or_null(const PyTable* table) { return table == nullptr ? nullptr : &table->table(); }

// Runs work without the interpreter's lock; what the callback met is raised before what the work threw.
template <class Work>
void run_unlocked(PyCallback& callback, const Work& work) {
  std::exception_ptr failed;
  {
    const nb::gil_scoped_release without;
    try {
      work();
      callback.look();
    } catch (...) {
      failed = std::current_exception();
    }
  }
  callback.raise();
  if (failed) std::rethrow_exception(failed);
}

nb::tuple fit_table(const PyTable& table, const nb::dict& given, const PyTable* validation, const PyTable* unlabeled,
                    const PyModel* initial, nb::object on_epoch) {
  const RunOptions options = options_of(given);
  PyCallback callback(std::move(on_epoch));
  const FitInputs inputs{.validation = table_or_null(validation),
                         .unlabeled = table_or_null(unlabeled),
                         .start = initial == nullptr ? nullptr : &initial->model,
                         .callback = &callback};
  const auto start = Clock::now();
  Fitted fitted;
  run_unlocked(callback, [&] { fitted = fit(table.table(), options, inputs); });
  const nb::dict about = details(fitted, seconds_since(start));
  return nb::make_tuple(PyModel{std::move(fitted.model)}, about);
}

nb::tuple split_table(const PyTable& table, const nb::dict& given) {
  const RunOptions options = options_of(given);
  Split parts;
  {
    const nb::gil_scoped_release without;
    parts = split(table.table(), options);
  }
  const auto rows = [](const std::vector<std::uint32_t>& part) {
    return array_of(std::vector<std::int64_t>(part.begin(), part.end()), {part.size()});
  };
  return nb::make_tuple(rows(parts.train), rows(parts.validation), rows(parts.test));
}

// Ctrl-C is looked at between trainings; it is asked for by all threads.
class PyCompare : public CompareCallback {
 public:
  explicit PyCompare(PyCallback& callback) : callback_(callback) {}
  void on_prepared(std::span<const TrialData> data, const std::vector<std::string>& remarks) override {
    const Prepared& first = data.front().prepared;
    for (const auto& lines : {first.fit.warnings, first.encoded.warnings(), remarks}) {
      warnings.insert(warnings.end(), lines.begin(), lines.end());
    }
  }
  bool stop_requested() override {
    const std::lock_guard alone(lock_);
    return callback_.stop_requested();
  }

  std::vector<std::string> warnings;  // about the table, one line each

 private:
  PyCallback& callback_;
  std::mutex lock_;
};

// (JSON of `perpend compare --json`, the text that the verb prints, one sentence per split, warnings).
nb::tuple compare_table(const PyTable& table, const nb::dict& given, const std::vector<std::string>& splits,
                        const std::vector<int>& members, const std::vector<double>& lambdas,
                        std::optional<int> restarts, std::optional<double> seconds) {
  CompareOptions options{.run = options_of(given),
                         .splits = {},
                         .members = members,
                         .lambdas = lambdas,
                         .restarts = restarts.value_or(CompareOptions().restarts),
                         .seconds = seconds};
  for (const auto& word : splits) {
    RunOptions one;
    find_option("split").set(one, word);
    options.splits.push_back(one.split.kind);
  }
  PyCallback asked{nb::none()};
  PyCompare callback(asked);
  Compared found;
  run_unlocked(asked, [&] { found = compare(table.table(), options, {.callback = &callback}); });
  std::vector<std::string> sentences;
  for (const auto& split : found.summaries) sentences.push_back(reading(split));
  return nb::make_tuple(to_json(found), to_text(found), sentences, spelled(callback.warnings));
}

}  // namespace

void bind_run(nb::module_& m) {
  m.def("fit", &fit_table, nb::arg("table"), nb::arg("options"), nb::arg("validation").none(),
        nb::arg("unlabeled").none(), nb::arg("initial").none(), nb::arg("on_epoch").none(),
        nb::sig(
            "def fit(table: Table, options: dict[str, typing.Any], validation: Table | None, unlabeled: Table | None, "
            "initial: Model | None, on_epoch: typing.Any) -> tuple[Model, dict[str, typing.Any]]"));
  m.def(
      "split", &split_table, nb::arg("table"), nb::arg("options"),
      nb::sig("def split(table: Table, options: dict[str, typing.Any]) -> tuple[typing.Any, typing.Any, typing.Any]"));
  m.def("compare", &compare_table, nb::arg("table"), nb::arg("options"), nb::arg("splits"), nb::arg("members"),
        nb::arg("lambdas"), nb::arg("restarts").none(), nb::arg("seconds").none(),
        nb::sig("def compare(table: Table, options: dict[str, typing.Any], splits: list[str], members: list[int], "
                "lambdas: list[float], restarts: int | None, seconds: float | None) -> tuple[str, str, list[str], "
                "list[str]]"));
}

}  // namespace perpend::python
