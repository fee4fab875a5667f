// Single operators of ONNX. Each function takes the names of values and returns the name of a new one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "perpend/onnx/graph.h"

namespace perpend::onnx {

constexpr std::int64_t kRows = -1;  // the number of rows, as a dimension of a shape

std::string cast(Graph& graph, const std::string& name, const std::string& value, Type type);
std::string concat(Graph& graph, const std::string& name, const std::vector<std::string>& values, std::int64_t axis);

// The columns of a matrix at these places, (rows, places).
std::string gather(Graph& graph, const std::string& name, const std::string& matrix, const std::string& places);

std::string number(Graph& graph, const std::string& name, double value);
std::string number(Graph& graph, const std::string& name, float value);
std::string indices(Graph& graph, const std::string& name, const std::vector<std::int64_t>& values);

// The values, limited in size as in perpend's predictions (model/predict.h). NaN stays NaN.
std::string bounded(Graph& graph, const std::string& name, const std::string& values);

// A matrix of one row, (1, values).
template <class T>
std::string row(Graph& graph, const std::string& name, const std::vector<T>& values) {
  return graph.constant(name, {1, static_cast<std::int64_t>(values.size())}, std::span<const T>(values));
}

}  // namespace perpend::onnx
