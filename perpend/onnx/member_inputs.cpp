#include "perpend/onnx/member_inputs.h"

#include <limits>
#include <numeric>

#include "perpend/onnx/operators.h"

namespace perpend::onnx {

MemberInputs::MemberInputs(Graph& graph, const Schema& schema, const Architecture& architecture)
    : graph_(graph), schema_(schema), architecture_(architecture) {
  Encoder encoder(graph, schema);
  if (!architecture.has_views()) {
    features_ = {encoder.features(), std::vector<std::size_t>(architecture.features)};
    std::iota(features_.order.begin(), features_.order.end(), std::size_t{0});
    return;
  }
  encoded_ = encoder.columns();
  std::int64_t numbers = 0, categories = 0;
  for (const ColumnTable& column : architecture.columns) {
    places_.push_back(column.is_category ? categories++ : numbers++);
  }
}

const FirstInputs& MemberInputs::of(std::size_t member) {
  if (!architecture_.has_views()) return features_;
  const View view = architecture_.view_of(member);
  if (!of_view_.contains(view)) of_view_[view] = make(view, architecture_.layout_of(member));
  return of_view_[view];
}

MemberInputs::Kind MemberInputs::kind_of(const ViewColumn& column, std::size_t row) {
  if (column.kind == ViewColumn::Kind::category) return Kind::level;
  if (column.has_gap && row == column.gap()) return Kind::gap;
  return column.known() == 1 ? Kind::number : Kind::ramp;
}

MemberInputs::InputList MemberInputs::inputs_of(const ViewLayout& layout, Kind kind) {
  InputList inputs;
  for (std::size_t d = 0; d < layout.columns().size(); ++d) {
    const ViewColumn& column = layout.columns()[d];
    for (std::size_t row = column.first; row < column.first + column.rows; ++row) {
      if (kind_of(column, row) == kind) inputs.push_back({d, row});
    }
  }
  return inputs;
}

FirstInputs MemberInputs::make(View view, const ViewLayout& layout) {
  FirstInputs made;
  std::vector<std::string> blocks;
  for (const Kind kind : {Kind::number, Kind::ramp, Kind::gap, Kind::level}) {
    const InputList inputs = inputs_of(layout, kind);
    if (inputs.empty()) continue;
    blocks.push_back(block(kind, view, layout, inputs));
    for (const Input& input : inputs) made.order.push_back(input.row);
  }
  made.value = concat(graph_, std::string(word_of(view)) + "_inputs", blocks, 1);
  return made;
}

std::string MemberInputs::block(Kind kind, View view, const ViewLayout& layout, const InputList& inputs) {
  const std::string prefix(word_of(view));
  if (kind == Kind::number) return numbers(prefix + "_numbers", inputs);
  if (kind == Kind::ramp) return ramps(prefix + "_ramps", layout, inputs);
  if (!shared_.contains(kind)) shared_[kind] = kind == Kind::gap ? gaps(layout, inputs) : levels(layout, inputs);
  return shared_[kind];
}

std::string MemberInputs::cells_of(const std::string& name, const std::string& matrix, const InputList& inputs) {
  std::vector<std::int64_t> places;
  for (const Input& input : inputs) places.push_back(places_[input.column]);
  return gather(graph_, name + "_cells", matrix, indices(graph_, name + "_places", places));
}

template <class Value>
std::string MemberInputs::row_of(const std::string& name, const InputList& inputs, const Value& value) {
  std::vector<float> values;
  for (const Input& input : inputs) values.push_back(value(input));
  return row(graph_, name, values);
}

std::string MemberInputs::centred(const std::string& name, const std::string& value, const ViewLayout& layout,
                                  const InputList& inputs) {
  const auto mean = [&](const Input& input) { return layout.means()[input.row]; };
  return graph_.node(name + "_centred", "Sub", {value, row_of(name + "_means", inputs, mean)});
}

std::string MemberInputs::fill_missing(const std::string& name, const std::string& cells, const std::string& known) {
  const float fill = schema_.missing == Missing::error ? std::numeric_limits<float>::quiet_NaN() : 0;
  const std::string missing = graph_.node(name + "_missing", "IsNaN", {cells});
  return graph_.node(name, "Where", {missing, number(graph_, name + "_fill", fill), known});
}

std::string MemberInputs::numbers(const std::string& name, const InputList& inputs) {
  const std::string cells = cells_of(name, encoded_.numbers, inputs);
  return fill_missing(name, cells, bounded(graph_, name + "_bounded", cells));
}

std::string MemberInputs::ramps(const std::string& name, const ViewLayout& layout, const InputList& inputs) {
  const auto start = [&](const Input& input) { return layout.places()[input.row].start; };
  const auto scale = [&](const Input& input) { return layout.places()[input.row].scale; };
  const std::string cells = cells_of(name, encoded_.numbers, inputs);
  const std::string moved = graph_.node(name + "_moved", "Sub", {cells, row_of(name + "_start", inputs, start)});
  const std::string scaled = graph_.node(name + "_scaled", "Mul", {moved, row_of(name + "_scale", inputs, scale)});
  const std::string clipped =
      graph_.node(name + "_clipped", "Clip", {scaled, number(graph_, "zero", 0.0F), number(graph_, "one", 1.0F)});
  return fill_missing(name, cells, centred(name, clipped, layout, inputs));
}

std::string MemberInputs::gaps(const ViewLayout& layout, const InputList& inputs) {
  const std::string name = "gaps";
  const std::string missing = graph_.node("gaps_missing", "IsNaN", {cells_of(name, encoded_.numbers, inputs)});
  return centred(name, cast(graph_, name, missing, Type::float32), layout, inputs);
}

// The input of a missing cell comes after those of the levels, as its code comes after theirs.
std::string MemberInputs::levels(const ViewLayout& layout, const InputList& inputs) {
  const auto own = [&](const Input& input) {
    return static_cast<float>(input.row - layout.columns()[input.column].first);
  };
  const auto end = [&](const Input& input) { return static_cast<float>(layout.columns()[input.column].rows); };
  const std::string name = "levels";
  const std::string cells = cells_of(name, encoded_.codes, inputs);
  const std::string is_own = graph_.node("levels_is_own", "Equal", {cells, row_of("levels_own", inputs, own)});
  const std::string known = centred(name, cast(graph_, name, is_own, Type::float32), layout, inputs);
  const std::string has_input = graph_.node("levels_has_input", "Less", {cells, row_of("levels_end", inputs, end)});
  const std::string filled =
      graph_.node("levels_filled", "Where", {has_input, known, number(graph_, "levels_fill", 0.0F)});
  if (schema_.missing != Missing::error) return filled;
  // No column here has an input for missing cells, so the code of such a cell is the number of levels.
  const std::string missing =
      graph_.node("levels_missing", "Equal", {cells, row_of("levels_missing_code", inputs, end)});
  const float refused = std::numeric_limits<float>::quiet_NaN();
  return graph_.node("levels_known", "Where", {missing, number(graph_, "levels_refused", refused), filled});
}

}  // namespace perpend::onnx
