// A graph of ONNX operators, written as the bytes of an ONNX model file.
//
// The file is a protocol buffer. Its wire format is small: a field is its number and kind as a variable-length integer,
// then an integer of the same form, or a length and that many bytes. What perpend writes needs no more than that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace perpend::onnx {

// The codes of TensorProto.DataType.
enum class Type : std::uint8_t { float32 = 1, int64 = 7, text = 8, truth = 9, float64 = 11 };

class Message {
 public:
  void integer(std::uint32_t field, std::int64_t value);
  void bytes(std::uint32_t field, std::string_view value);
  void message(std::uint32_t field, const Message& value) { bytes(field, value.bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value);
  std::string bytes_;
};

// An attribute of a node: `axis` = 1, `keys_strings` = {...}.
struct Attribute {
  static Attribute of(std::string_view name, std::int64_t value);
  static Attribute of(std::string_view name, std::span<const std::int64_t> values);
  static Attribute of(std::string_view name, std::span<const std::string> values);
  static Attribute of(std::string_view name, std::span<const double> values);  // a tensor
  Message message;
};

using Shape = std::vector<std::int64_t>;

// Values have names. Underscores at the end of a name make it unique, so a column may have any name.
class Graph {
 public:
  // A dimension below 0 is the number of rows.
  std::string input(const std::string& name, Type type, const Shape& shape);
  std::string constant(const std::string& name, const Shape& shape, std::span<const float> values);
  std::string constant(const std::string& name, const Shape& shape, std::span<const double> values);
  std::string constant(const std::string& name, const Shape& shape, std::span<const std::int64_t> values);
  std::string constant(const std::string& name, const Shape& shape, std::span<const bool> values);
  std::string constant(const std::string& name, const Shape& shape, std::span<const std::string> values);
  // Adds a node with one output, and returns the output's name. `domain` is empty for ONNX's own operators.
  std::string node(const std::string& name, std::string_view op, const std::vector<std::string>& inputs,
                   const std::vector<Attribute>& attributes = {}, std::string_view domain = "");
  void output(const std::string& name, Type type, const Shape& shape);

  // The bytes of the file. `version` is that of perpend.
  std::string model(std::string_view name, std::string_view version) const;

 private:
  std::string fresh(std::string name);
  std::string add_constant(const std::string& name, const Shape& shape, Type type, std::string_view raw);

  std::unordered_set<std::string> names_;
  std::vector<Message> nodes_, constants_, inputs_, outputs_;
};

}  // namespace perpend::onnx
