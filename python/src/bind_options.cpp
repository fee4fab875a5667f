#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "core.h"
#include "perpend/run/option_table.h"
#include "spelling.h"

namespace perpend::python {

namespace {

Method method_named(const std::string& word) {
  RunOptions options;
  find_option("method").set(options, word);
  return options.train.method;
}

// The table of methods: word, title, help, class_name, regression, one_after_another.
nb::list methods_list() {
  nb::list out;
  for (const MethodInfo& info : methods()) {
    nb::dict one;
    one["word"] = info.word;
    one["title"] = info.title;
    one["help"] = info.help;
    one["class_name"] = class_of_method(info.word);
    TrainOptions options;
    options.method = info.id;
    one["regression"] = support_of(options).regression;
    one["one_after_another"] = info.one_after_another || info.in_turn;
    out.append(one);
  }
  return out;
}

double free_lambda_of(const std::vector<double>& lambdas, const std::vector<double>& costs,
                      const std::vector<double>& errors, bool is_log_loss) {
  std::vector<LambdaTrial> trials;
  for (std::size_t i = 0; i < lambdas.size(); ++i) {
    trials.push_back({.lambda = lambdas[i],
                      .log_loss = costs[i],
                      .standard_error = errors[i],
                      .grad_cos2 = {},
                      .diverged = std::isnan(costs[i])});
  }
  return free_lambda(trials, is_log_loss ? kFreeLogLoss : 0);
}

}  // namespace

void bind_options(nb::module_& m) {
  m.def("methods", &methods_list, nb::sig("def methods() -> list[dict[str, typing.Any]]"),
        "The table of methods, in its order.");
  m.def(
      "option_table", [](const std::string& method) { return option_table_json(method_named(method)); },
      nb::arg("method"), "The options of a method and their parameters in Python, as JSON.");
  m.def(
      "default_options", [] { return options_to_json(RunOptions()); }, "Every option with its default, as JSON.");
  m.def(
      "preset_options",
      [](const std::string& name) {
        RunOptions options;
        apply_preset(name, options);
        return options_to_json(options);
      },
      nb::arg("name"), "Every option with its value in a preset, as JSON.");
  m.def(
      "lambda_grid", [] { return lambda_grid(); }, "The lambdas that lambda=auto tries.");
  m.def("free_lambda", &free_lambda_of, nb::arg("lambdas"), nb::arg("costs"), nb::arg("standard_errors"),
        nb::arg("is_log_loss"), "The lambda that lambda=auto chooses from these costs; NaN is a failed trial.");
}

}  // namespace perpend::python
