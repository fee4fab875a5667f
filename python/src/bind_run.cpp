#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>

#include "core.h"
#include "perpend/api/capacity.h"
#include "perpend/api/compare.h"
#include "perpend/api/fit.h"
#include "perpend/base/durable_file.h"
#include "perpend/data/cells.h"
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

  // Keeps the exception that is being handled.
  void fail() {
    if (!error_) error_ = std::current_exception();
    stop_ = true;
  }

 private:
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

nb::object row_numbers(const std::vector<std::uint32_t>& part) {
  return array_of(std::vector<std::int64_t>(part.begin(), part.end()), {part.size()});
}

nb::tuple split_table(const PyTable& table, const nb::dict& given) {
  const RunOptions options = options_of(given);
  Split parts;
  {
    const nb::gil_scoped_release without;
    parts = split(table.table(), options);
  }
  return nb::make_tuple(row_numbers(parts.train), row_numbers(parts.validation), row_numbers(parts.test));
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

// A column as other models see it: a number as it is, NaN where it is missing. Of a category the place of its level
// among those of training; a level that training never saw is -1, and a missing cell is one level more.
double plain_cell(const Column& cells, const NumericCells& numbers, const InputColumn& input, std::size_t row) {
  if (input.kind == ColumnKind::numeric) {
    const bool is_number = numbers.meaning(row) == NumericCells::Meaning::number;
    return is_number ? numbers.number(row) : std::numeric_limits<double>::quiet_NaN();
  }
  if (cells.is_missing(row)) return static_cast<double>(input.levels.size());
  const std::string text = cells.text(row);
  const auto level = std::ranges::lower_bound(input.levels, text);
  return level == input.levels.end() || *level != text ? -1 : static_cast<double>(level - input.levels.begin());
}

nb::object plain_inputs(const Table& table, const Schema& schema, const std::vector<std::uint32_t>& rows) {
  const std::size_t columns = schema.columns.size();
  std::vector<double> inputs(rows.size() * columns);
  for (std::size_t c = 0; c < columns; ++c) {
    const Column& cells = *table.find(schema.columns[c].table_column());
    const NumericCells numbers(cells, schema.columns[c].reading);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      inputs[r * columns + c] = plain_cell(cells, numbers, schema.columns[c], rows[r]);
    }
  }
  return array_of(std::move(inputs), {rows.size(), columns});
}

// What a Python function needs to fit and ask another model: the rows of a restart by number and by content.
nb::dict rows_for_others(const Table& table, const Prepared& data) {
  nb::dict out;
  std::vector<bool> is_category;
  for (const auto& column : data.schema.columns) is_category.push_back(column.kind == ColumnKind::categorical);
  out["train"] = row_numbers(data.split.train);
  out["test"] = row_numbers(data.split.test);
  out["train_inputs"] = plain_inputs(table, data.schema, data.split.train);
  out["test_inputs"] = plain_inputs(table, data.schema, data.split.test);
  out["is_category"] = is_category;
  out["labels"] = array_of(std::vector<std::int64_t>(data.train.labels.begin(), data.train.labels.end()),
                           {data.train.labels.size()});
  out["classes"] = data.schema.classes.size();
  std::vector<double> targets;
  for (const float t : data.train.targets) targets.push_back(data.schema.quantity->predicted(t));
  const std::size_t count = targets.size();
  out["targets"] = array_of(std::move(targets), {count});
  return out;
}

using ClassMatrix = Matrix<double, axis::Row, axis::Out>;

// The function gives probabilities, (rows, classes), or a text that says why it cannot.
ClassMatrix answers_of(const nb::object& function, const Table& table, const Prepared& data) {
  const nb::object answer = function(rows_for_others(table, data));
  if (nb::isinstance<nb::str>(answer)) throw DataError(nb::cast<std::string>(answer));
  const auto given = nb::cast<Matrix2>(answer);
  ClassMatrix answers(given.shape(0), given.shape(1));
  for (std::size_t r = 0; r < answers.rows(); ++r) {
    for (std::size_t k = 0; k < answers.cols(); ++k) answers(r, k) = given(r, k);
  }
  return answers;
}

// Refers to all that it is given.
OtherModel other_model(const std::string& name, const nb::object& function, const Table& table, PyCallback& callback) {
  return {.name = name, .answers = [&table, &callback, &function](const TrialData& rows) {
            const nb::gil_scoped_acquire with;
            try {
              return answers_of(function, table, rows.prepared);
            } catch (nb::python_error&) {  // Ctrl-C, say: it ends the comparison
              callback.fail();
              throw DataError("it was ended");
            }
          }};
}

// (JSON of `perpend compare --json`, the text that the verb prints, one sentence per split, warnings).
nb::tuple compare_table(const PyTable& table, const nb::dict& given, const std::vector<std::string>& splits,
                        const std::vector<int>& members, const std::vector<double>& lambdas,
                        std::optional<int> restarts, std::optional<double> seconds,
                        const std::vector<std::pair<std::string, nb::object>>& others, const PyTable* unlabeled,
                        const std::vector<std::string>& methods) {
  CompareOptions options{.run = options_of(given),
                         .splits = {},
                         .methods = {},
                         .members = members,
                         .lambdas = lambdas,
                         .restarts = restarts.value_or(CompareOptions().restarts),
                         .seconds = seconds};
  for (const auto& word : splits) {
    RunOptions one;
    find_option("split").set(one, word);
    options.splits.push_back(one.split.kind);
  }
  for (const auto& word : methods) {
    RunOptions one;
    find_option("method").set(one, word);
    options.methods.push_back(one.train.method);
  }
  PyCallback asked{nb::none()};
  PyCompare callback(asked);
  CompareInputs inputs{.unlabeled = table_or_null(unlabeled), .callback = &callback};
  for (const auto& [name, function] : others) {
    inputs.others.push_back(other_model(name, function, table.table(), asked));
  }
  Compared found;
  run_unlocked(asked, [&] { found = compare(table.table(), options, inputs); });
  std::vector<std::string> sentences;
  for (const auto& split : found.summaries) sentences.push_back(reading(split));
  return nb::make_tuple(to_json(found), to_text(found), sentences, spelled(callback.warnings));
}

// Ctrl-C, as of a comparison.
class PyCapacity : public CapacityCallback {
 public:
  explicit PyCapacity(PyCallback& callback) : callback_(callback) {}
  bool stop_requested() override {
    const std::lock_guard alone(lock_);
    return callback_.stop_requested();
  }

 private:
  PyCallback& callback_;
  std::mutex lock_;
};

// (JSON of `perpend capacity --json`, the sentence, the text that the verb prints, warnings). report: a page to write;
// empty: none.
nb::tuple capacity_of(const PyTable& table, const nb::dict& given, int most, int restarts, double lambda, double keep,
                      double bound, const std::string& manifold, bool ridge, const std::string& report,
                      const std::string& version, bool overwrite) {
  const CapacityOptions options{
      .run = options_of(given),
      .manifold = manifold,
      .settings = {.most = most, .restarts = restarts, .lambda = lambda, .keep = keep, .bound = bound, .ridge = ridge}};
  PyCallback asked{nb::none()};
  PyCapacity callback(asked);
  MeasuredCapacity found;
  run_unlocked(asked, [&] { found = capacity(table.table(), options, &callback); });
  if (!report.empty()) write_file_durably(report, capacity_page_html(found, "a table of Python", version), overwrite);
  return nb::make_tuple(to_json(found), reading(found), to_text(found), spelled(found.warnings));
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
  m.def("capacity", &capacity_of, nb::arg("table"), nb::arg("options"), nb::arg("most"), nb::arg("restarts"),
        nb::arg("lambda_"), nb::arg("keep"), nb::arg("bound"), nb::arg("manifold"), nb::arg("ridge"), nb::arg("report"),
        nb::arg("version"), nb::arg("overwrite"),
        nb::sig("def capacity(table: Table, options: dict[str, typing.Any], most: int, restarts: int, lambda_: float, "
                "keep: float, bound: float, manifold: str, ridge: bool, report: str, version: str, overwrite: bool) -> "
                "tuple[str, str, str, list[str]]"));
  m.def("compare", &compare_table, nb::arg("table"), nb::arg("options"), nb::arg("splits"), nb::arg("members"),
        nb::arg("lambdas"), nb::arg("restarts").none(), nb::arg("seconds").none(), nb::arg("others"),
        nb::arg("unlabeled").none(), nb::arg("methods"),
        nb::sig("def compare(table: Table, options: dict[str, typing.Any], splits: list[str], members: list[int], "
                "lambdas: list[float], restarts: int | None, seconds: float | None, others: list[tuple[str, "
                "typing.Any]], unlabeled: Table | None, methods: list[str]) -> tuple[str, str, list[str], list[str]]"));
}

}  // namespace perpend::python
