// The part of a graph before the networks: what the first layer of each member takes from a table.
//
// Without views these are the encoded features. A view makes four kinds of inputs (ViewLayout::expand):
//   numbers   z, at most kLargestValue in size
//   ramps     clip((z - start) * scale, 0, 1) - mean
//   gaps      [z is missing] - share
//   levels    [code = own] - share
//
// Every input takes the cells of its column. So all inputs of one kind are one matrix, and need the same few nodes. A
// missing number is 0 in numbers and ramps. A code that has no input is 0 in all levels of its column. If the model
// refuses missing cells, such a cell is NaN, and so is all that depends on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "perpend/model/ensemble.h"
#include "perpend/onnx/encoder.h"
#include "perpend/onnx/graph.h"

namespace perpend::onnx {

// Column i of `value`, (rows, inputs) float32, belongs to row order[i] of the first layer's weights.
struct FirstInputs {
  std::string value;
  std::vector<std::size_t> order;
};

class MemberInputs {
 public:
  // The references must outlive this object. The constructor adds the inputs of the graph.
  MemberInputs(Graph& graph, const Schema& schema, const Architecture& architecture);
  // Members of one view share their inputs. Gaps and levels are the same in every view, so all members share these.
  const FirstInputs& of(std::size_t member);
  // With views: all encoded columns, and the place of each in the matrix of its kind.
  const EncodedColumns& encoded() const { return encoded_; }
  std::int64_t place_of(std::size_t column) const { return places_[column]; }

 private:
  enum class Kind { number, ramp, gap, level };
  struct Input {
    std::size_t column;
    std::size_t row;  // a row of the first layer's weights
  };
  using InputList = std::vector<Input>;

  static Kind kind_of(const ViewColumn& column, std::size_t row);
  static InputList inputs_of(const ViewLayout& layout, Kind kind);
  FirstInputs make(View view, const ViewLayout& layout);
  std::string block(Kind kind, View view, const ViewLayout& layout, const InputList& inputs);

  std::string cells_of(const std::string& name, const std::string& matrix, const InputList& inputs);
  template <class Value>
  std::string row_of(const std::string& name, const InputList& inputs, const Value& value);
  std::string centred(const std::string& name, const std::string& value, const ViewLayout& layout,
                      const InputList& inputs);
  std::string fill_missing(const std::string& name, const std::string& cells, const std::string& known);

  std::string numbers(const std::string& name, const InputList& inputs);
  std::string ramps(const std::string& name, const ViewLayout& layout, const InputList& inputs);
  std::string gaps(const ViewLayout& layout, const InputList& inputs);
  std::string levels(const ViewLayout& layout, const InputList& inputs);

  Graph& graph_;
  const Schema& schema_;
  const Architecture& architecture_;
  FirstInputs features_;              // without views
  EncodedColumns encoded_;            // with views
  std::vector<std::int64_t> places_;  // place of each column in the matrix of its kind
  std::map<View, FirstInputs> of_view_;
  std::map<Kind, std::string> shared_;
};

}  // namespace perpend::onnx
