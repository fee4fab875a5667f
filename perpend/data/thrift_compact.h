// Reads Thrift's compact protocol as far as the footer and the page headers of Parquet need it.
//
//     ThriftReader reader(bytes, "t.parquet: the footer");
//     reader.fields([&](int id) {
//       if (id != 3) return false;      // skips a field that is not wanted
//       rows = reader.integer();        // throws if the field has another type
//       return true;
//     });
//
// The reader trusts nothing. A length or a count that exceeds the bytes is a DataError, and so is a struct that is
// nested deeper than kMaxThriftDepth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace perpend {

constexpr int kMaxThriftDepth = 32;

class ThriftReader {
 public:
  // what: the subject of a message about damage.
  ThriftReader(std::string_view bytes, std::string what) : rest_(bytes), size_(bytes.size()), what_(std::move(what)) {}

  // Calls on_field(id) for each field of the outermost struct. on_field reads the field and returns true, or returns
  // false.
  template <class OnField>
  void fields(const OnField& on_field) {
    enter();
    int id = 0;
    while (const unsigned head = byte()) {
      id = head >> 4 != 0 ? id + static_cast<int>(head >> 4) : field_id();
      const auto type = static_cast<Type>(head & 15);
      type_ = type;
      if (!on_field(id)) skip(type);
    }
    --depth_;
  }
  // The same for a field that is a struct.
  template <class OnField>
  void structure(const OnField& on_field) {
    expect(type_ == Type::structure);
    fields(on_field);
  }
  // Calls each() for every element of a field that is a list. each() reads the element.
  template <class Each>
  void list(const Each& each) {
    expect(type_ == Type::list || type_ == Type::set);
    const auto [size, type] = list_head();
    enter();
    for (std::uint64_t i = 0; i < size; ++i) {
      type_ = type;
      each();
    }
    --depth_;
  }
  std::int64_t integer();
  std::int32_t integer32();  // an integer of 32 bits or fewer
  bool boolean();
  std::string_view binary();

  std::size_t position() const { return size_ - rest_.size(); }

 private:
  enum class Type : std::uint8_t {
    stop,
    yes,
    no,
    int8,
    int16,
    int32,
    int64,
    floating,
    binary,
    list,
    set,
    map,
    structure
  };
  struct ListHead {
    std::uint64_t size;
    Type type;
  };

  unsigned byte();
  std::uint64_t varint();
  std::string_view take(std::uint64_t size);
  int field_id();
  ListHead list_head();
  void skip(Type type);
  void skip_element(Type type);
  void enter() { expect(++depth_ <= kMaxThriftDepth); }
  void expect(bool good) const;

  std::string_view rest_;
  std::size_t size_;
  std::string what_;
  Type type_ = Type::structure;  // type of the next value
  int depth_ = 0;
};

}  // namespace perpend
