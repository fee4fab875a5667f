// Reads FlatBuffers as far as Arrow files need them: tables of numbered fields, vectors and strings, found by offsets.
//
//     const FlatBytes flat(bytes, "t.arrow: the footer");
//     const FlatTable footer = FlatTable::root(flat);
//     const FlatVector blocks = footer.vector(3, 24);     // structs of 24 bytes each
//
// An offset that points outside the bytes, or a vector that ends outside them, is a DataError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "perpend/base/error.h"

namespace perpend {

class FlatBytes {
 public:
  FlatBytes(std::string_view bytes, std::string what) : bytes_(bytes), what_(std::move(what)) {}

  template <class T>
  T load(std::size_t at) const {
    check(at <= bytes_.size() && sizeof(T) <= bytes_.size() - at);
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof(T));
    return value;
  }
  std::string_view slice(std::size_t at, std::size_t size) const {
    check(at <= bytes_.size() && size <= bytes_.size() - at);
    return bytes_.substr(at, size);
  }
  // The place that the offset stored at `at` points to.
  std::size_t follow(std::size_t at) const { return at + load<std::uint32_t>(at); }
  void check(bool good) const {
    if (!good) throw DataError(what_ + " is damaged");
  }

 private:
  std::string_view bytes_;
  std::string what_;
};

struct FlatVector {
  const FlatBytes* bytes = nullptr;
  std::size_t first = 0;
  std::size_t size = 0;
  std::size_t step = 4;

  // A number of the element, `offset` bytes into it.
  template <class T>
  T number(std::size_t index, std::size_t offset = 0) const {
    return bytes->load<T>(first + index * step + offset);
  }
};

class FlatTable {
 public:
  static FlatTable root(const FlatBytes& bytes) { return {bytes, bytes.follow(0)}; }
  FlatTable(const FlatBytes& bytes, std::size_t at) : bytes_(&bytes), at_(at) {
    const auto back = bytes.load<std::int32_t>(at);
    const std::int64_t start = static_cast<std::int64_t>(at) - back;
    bytes.check(start >= 0);
    fields_ = static_cast<std::size_t>(start);
    fields_size_ = bytes.load<std::uint16_t>(fields_);
  }

  template <class T>
  T number(int field, T otherwise) const {
    const std::size_t place = place_of(field);
    return place == 0 ? otherwise : bytes_->load<T>(place);
  }
  std::optional<FlatTable> table(int field) const {
    const std::size_t place = place_of(field);
    if (place == 0) return std::nullopt;
    return FlatTable(*bytes_, bytes_->follow(place));
  }
  std::string_view text(int field) const {
    const std::size_t place = place_of(field);
    if (place == 0) return {};
    const std::size_t start = bytes_->follow(place);
    return bytes_->slice(start + 4, bytes_->load<std::uint32_t>(start));
  }
  // Elements of `step` bytes each; empty if the field is absent.
  FlatVector vector(int field, std::size_t step) const {
    const std::size_t place = place_of(field);
    if (place == 0) return {};
    const std::size_t start = bytes_->follow(place);
    const std::size_t size = bytes_->load<std::uint32_t>(start);
    bytes_->slice(start + 4, size * step);
    return {bytes_, start + 4, size, step};
  }
  // An element of a vector of tables.
  FlatTable element(const FlatVector& tables, std::size_t index) const {
    return {*bytes_, bytes_->follow(tables.first + 4 * index)};
  }

 private:
  // 0 if the table does not have the field.
  std::size_t place_of(int field) const {
    const std::size_t entry = 4 + 2 * static_cast<std::size_t>(field);
    if (entry + 2 > fields_size_) return 0;
    const auto offset = bytes_->load<std::uint16_t>(fields_ + entry);
    return offset == 0 ? 0 : at_ + offset;
  }

  const FlatBytes* bytes_;
  std::size_t at_;
  std::size_t fields_ = 0;
  std::size_t fields_size_ = 0;
};

}  // namespace perpend
