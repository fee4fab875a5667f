// The first part of a graph turns the columns of a table into numbers, as data/encode.h does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "perpend/data/schema.h"
#include "perpend/onnx/graph.h"

namespace perpend::onnx {

// What a graph makes of a schema by column. A value is empty if no column is of its kind.
struct EncodedColumns {
  // (rows, numeric columns) float32, standardised. A missing cell is NaN, unless it enters as the mean.
  std::string numbers;
  // (rows, categorical columns) float32: the index of the level. A missing cell is the number of levels, and a level
  // that training never saw is one more.
  std::string codes;
};

// Declares one input of the graph per column. Then call features() or columns() once, whichever the schema needs.
class Encoder {
 public:
  Encoder(Graph& graph, const Schema& schema);
  std::string features();    // (rows, features) float32
  EncodedColumns columns();  // for a schema by column

 private:
  std::vector<std::size_t> features_of(std::size_t column) const;
  std::string standardized(const std::string& name, const std::string& values,
                           const std::vector<std::size_t>& features);
  double fill_of(const Feature& feature) const;
  void encode_numbers();
  void encode_levels(std::size_t column);
  std::string code_of(std::size_t column);
  template <class Value>
  std::string feature_row(const std::string& name, const std::vector<std::size_t>& features, const Value& x);
  double missing_value(const Feature& feature) const;
  void add_block(const std::string& value, const std::vector<std::size_t>& features);

  Graph& graph_;
  const Schema& schema_;
  std::vector<std::string> inputs_, numeric_, blocks_;
  std::vector<std::size_t> order_;  // the features in the order of blocks_
};

}  // namespace perpend::onnx
