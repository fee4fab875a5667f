#include "perpend/onnx/operators.h"

#include "perpend/model/predict.h"

namespace perpend::onnx {

std::string cast(Graph& graph, const std::string& name, const std::string& value, Type type) {
  return graph.node(name, "Cast", {value}, {Attribute::of("to", static_cast<std::int64_t>(type))});
}

std::string concat(Graph& graph, const std::string& name, const std::vector<std::string>& values, std::int64_t axis) {
  return graph.node(name, "Concat", values, {Attribute::of("axis", axis)});
}

std::string gather(Graph& graph, const std::string& name, const std::string& matrix, const std::string& places) {
  return graph.node(name, "Gather", {matrix, places}, {Attribute::of("axis", std::int64_t{1})});
}

std::string number(Graph& graph, const std::string& name, double value) {
  return graph.constant(name, {}, std::span<const double>(&value, 1));
}

std::string number(Graph& graph, const std::string& name, float value) {
  return graph.constant(name, {}, std::span<const float>(&value, 1));
}

std::string indices(Graph& graph, const std::string& name, const std::vector<std::int64_t>& values) {
  return graph.constant(name, {static_cast<std::int64_t>(values.size())}, std::span<const std::int64_t>(values));
}

std::string bounded(Graph& graph, const std::string& name, const std::string& values) {
  return graph.node(
      name, "Clip",
      {values, number(graph, "least_value", -kLargestValue), number(graph, "largest_value", kLargestValue)});
}

}  // namespace perpend::onnx
