#include "perpend/onnx/graph.h"

#include <bit>
#include <cstring>

namespace perpend::onnx {

namespace {

static_assert(std::endian::native == std::endian::little, "raw tensors of ONNX are little-endian");

constexpr std::int64_t kIrVersion = 8;
constexpr std::int64_t kOperators = 17;   // version of ONNX's own operators
constexpr std::int64_t kMlOperators = 3;  // version of ai.onnx.ml

// The numbers of the fields in onnx.proto, per message.
// NOLINTBEGIN(readability-identifier-naming): the format's own names
namespace model_field {
constexpr std::uint32_t ir_version = 1, producer = 2, producer_version = 3, graph = 7, opset = 8;
}
namespace opset_field {
constexpr std::uint32_t domain = 1, version = 2;
}
namespace graph_field {
constexpr std::uint32_t node = 1, name = 2, constant = 5, input = 11, output = 12;
}
namespace node_field {
constexpr std::uint32_t input = 1, output = 2, name = 3, op = 4, attribute = 5, domain = 7;
}
namespace attribute_field {
constexpr std::uint32_t name = 1, integer = 3, tensor = 5, integers = 8, strings = 9, type = 20;
}
namespace tensor_field {
constexpr std::uint32_t dimension = 1, type = 2, strings = 6, name = 8, raw = 9;
}
namespace value_field {
constexpr std::uint32_t name = 1, type = 2;
}
// NOLINTEND(readability-identifier-naming)

// AttributeProto.AttributeType
constexpr std::int64_t kInteger = 2, kTensor = 4, kIntegers = 7, kStrings = 8;

Message named_value(const std::string& name, Type type, const Shape& shape) {
  Message dimensions;
  for (const std::int64_t size : shape) {
    Message dimension;
    size < 0 ? dimension.bytes(2, "rows") : dimension.integer(1, size);
    dimensions.message(1, dimension);
  }
  Message tensor;
  tensor.integer(1, static_cast<std::int64_t>(type));
  tensor.message(2, dimensions);
  Message value_type;
  value_type.message(1, tensor);
  Message value;
  value.bytes(value_field::name, name);
  value.message(value_field::type, value_type);
  return value;
}

template <class T>
std::string_view raw_bytes(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

Message tensor_of(const std::string& name, const Shape& shape, Type type, std::string_view raw) {
  Message tensor;
  for (const std::int64_t size : shape) tensor.integer(tensor_field::dimension, size);
  tensor.integer(tensor_field::type, static_cast<std::int64_t>(type));
  tensor.bytes(tensor_field::name, name);
  tensor.bytes(tensor_field::raw, raw);
  return tensor;
}

Message opset(std::string_view domain, std::int64_t version) {
  Message set;
  set.bytes(opset_field::domain, domain);
  set.integer(opset_field::version, version);
  return set;
}

}  // namespace

void Message::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>((value & 0x7F) | 0x80));
  bytes_.push_back(static_cast<char>(value));
}

void Message::integer(std::uint32_t field, std::int64_t value) {
  varint(std::uint64_t{field} << 3);
  varint(static_cast<std::uint64_t>(value));
}

void Message::bytes(std::uint32_t field, std::string_view value) {
  varint((std::uint64_t{field} << 3) | 2);
  varint(value.size());
  bytes_.append(value);
}

Attribute Attribute::of(std::string_view name, std::int64_t value) {
  Attribute attribute;
  attribute.message.bytes(attribute_field::name, name);
  attribute.message.integer(attribute_field::integer, value);
  attribute.message.integer(attribute_field::type, kInteger);
  return attribute;
}

Attribute Attribute::of(std::string_view name, std::span<const std::int64_t> values) {
  Attribute attribute;
  attribute.message.bytes(attribute_field::name, name);
  for (const std::int64_t value : values) attribute.message.integer(attribute_field::integers, value);
  attribute.message.integer(attribute_field::type, kIntegers);
  return attribute;
}

Attribute Attribute::of(std::string_view name, std::span<const std::string> values) {
  Attribute attribute;
  attribute.message.bytes(attribute_field::name, name);
  for (const std::string& value : values) attribute.message.bytes(attribute_field::strings, value);
  attribute.message.integer(attribute_field::type, kStrings);
  return attribute;
}

Attribute Attribute::of(std::string_view name, std::span<const double> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  Attribute attribute;
  attribute.message.bytes(attribute_field::name, name);
  attribute.message.message(attribute_field::tensor,
                            tensor_of(std::string(name), {count}, Type::float64, raw_bytes(values)));
  attribute.message.integer(attribute_field::type, kTensor);
  return attribute;
}

std::string Graph::fresh(std::string name) {
  while (!names_.insert(name).second) name += '_';
  return name;
}

std::string Graph::input(const std::string& name, Type type, const Shape& shape) {
  std::string own = fresh(name);
  inputs_.push_back(named_value(own, type, shape));
  return own;
}

void Graph::output(const std::string& name, Type type, const Shape& shape) {
  outputs_.push_back(named_value(name, type, shape));
}

std::string Graph::add_constant(const std::string& name, const Shape& shape, Type type, std::string_view raw) {
  std::string own = fresh(name);
  constants_.push_back(tensor_of(own, shape, type, raw));
  return own;
}

std::string Graph::constant(const std::string& name, const Shape& shape, std::span<const float> values) {
  return add_constant(name, shape, Type::float32, raw_bytes(values));
}

std::string Graph::constant(const std::string& name, const Shape& shape, std::span<const double> values) {
  return add_constant(name, shape, Type::float64, raw_bytes(values));
}

std::string Graph::constant(const std::string& name, const Shape& shape, std::span<const std::int64_t> values) {
  return add_constant(name, shape, Type::int64, raw_bytes(values));
}

std::string Graph::constant(const std::string& name, const Shape& shape, std::span<const bool> values) {
  static_assert(sizeof(bool) == 1);
  return add_constant(name, shape, Type::truth, raw_bytes(values));
}

std::string Graph::constant(const std::string& name, const Shape& shape, std::span<const std::string> values) {
  std::string own = fresh(name);
  Message tensor;
  for (const std::int64_t size : shape) tensor.integer(tensor_field::dimension, size);
  tensor.integer(tensor_field::type, static_cast<std::int64_t>(Type::text));
  for (const std::string& value : values) tensor.bytes(tensor_field::strings, value);
  tensor.bytes(tensor_field::name, own);
  constants_.push_back(std::move(tensor));
  return own;
}

std::string Graph::node(const std::string& name, std::string_view op, const std::vector<std::string>& inputs,
                        const std::vector<Attribute>& attributes, std::string_view domain) {
  std::string own = fresh(name);
  Message node;
  for (const std::string& value : inputs) node.bytes(node_field::input, value);
  node.bytes(node_field::output, own);
  node.bytes(node_field::name, own);
  node.bytes(node_field::op, op);
  for (const Attribute& attribute : attributes) node.message(node_field::attribute, attribute.message);
  if (!domain.empty()) node.bytes(node_field::domain, domain);
  nodes_.push_back(std::move(node));
  return own;
}

std::string Graph::model(std::string_view name, std::string_view version) const {
  Message graph;
  for (const Message& node : nodes_) graph.message(graph_field::node, node);
  graph.bytes(graph_field::name, name);
  for (const Message& constant : constants_) graph.message(graph_field::constant, constant);
  for (const Message& value : inputs_) graph.message(graph_field::input, value);
  for (const Message& value : outputs_) graph.message(graph_field::output, value);
  Message model;
  model.integer(model_field::ir_version, kIrVersion);
  model.bytes(model_field::producer, "perpend");
  model.bytes(model_field::producer_version, version);
  model.message(model_field::graph, graph);
  model.message(model_field::opset, opset("", kOperators));
  model.message(model_field::opset, opset("ai.onnx.ml", kMlOperators));
  return model.bytes();
}

}  // namespace perpend::onnx
