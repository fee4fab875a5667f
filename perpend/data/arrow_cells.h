// The cells of an Arrow file: its buffers, packed or not, and how the type of an array turns them into cells.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/base/error.h"
#include "perpend/data/arrow_types.h"
#include "perpend/data/bytes.h"
#include "perpend/data/codecs.h"
#include "perpend/data/columnar.h"
#include "perpend/data/fixed_cells.h"

namespace perpend {

struct ArrowBuffer {
  std::uint64_t offset;  // in the file
  std::uint64_t size;
};

// The part of a record batch that is one column.
struct ArrowArray {
  std::size_t rows = 0;
  Codec codec = Codec::none;
  bool packed = false;  // each buffer begins with its unpacked size
  std::vector<ArrowBuffer> buffers;
};

// Reads a buffer, and unpacks it if it is packed.
class BufferBytes {
 public:
  std::string_view read(const RandomBytes& file, const ArrowArray& array, std::size_t index, const std::string& place);

 private:
  ScratchBytes stored_, unpacked_;
};

inline bool bit_at(std::string_view bits, std::size_t i) {
  return ((static_cast<unsigned char>(bits[i / 8]) >> (i % 8)) & 1) != 0;
}

template <class T>
T element_at(std::string_view values, std::size_t i) {
  T value;
  std::memcpy(&value, values.data() + i * sizeof(T), sizeof(T));
  return value;
}

// The cells of one array. The object holds the buffers.
class ArrayCells {
 public:
  void open(const RandomBytes& file, const ArrowType& type, const ArrowArray& array, const std::string& place);

  bool known(std::size_t i) const {
    return type_->kind != ArrowType::Kind::null && (gaps_.empty() || bit_at(gaps_, i));
  }
  bool all_known() const { return type_->kind != ArrowType::Kind::null && gaps_.empty(); }

  // Writes all numbers of an array of numbers, including those of missing cells.
  void numbers(double* to) const;

  // The cell of an array of another type. The text lives until the next call.
  std::string_view text(std::size_t i) {
    if (type_->kind == ArrowType::Kind::fixed) {
      const std::string_view text = read_text(type_->fixed, values_.data() + i * type_->fixed.width, room_);
      if (text.empty()) fail("a date is not between the years 1 and 9999, or a time is none of the day");
      return text;
    }
    if (type_->kind == ArrowType::Kind::text) return between<std::int32_t>(i);
    if (type_->kind == ArrowType::Kind::large_text) return between<std::int64_t>(i);
    return view(i);
  }

  [[noreturn]] void fail(const std::string& what) const { throw DataError(*place_ + ": " + what); }

 private:
  static constexpr std::size_t kView = 16;

  void expect(bool good) const {
    if (!good) fail("a buffer is too short for its rows");
  }

  template <class T>
  std::string_view between(std::size_t i) const {
    const auto first = element_at<T>(values_, i);
    const auto last = element_at<T>(values_, i + 1);
    if (first < 0 || last < first || static_cast<std::uint64_t>(last) > texts_[0].size())
      fail("a text lies outside its buffer");
    return texts_[0].substr(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
  }

  // A view has 16 bytes: the length, then a text of up to 12 bytes. For a longer text its beginning, the number of a
  // buffer and an offset follow instead.
  std::string_view view(std::size_t i) const {
    const std::string_view view = values_.substr(kView * i, kView);
    const auto size = element_at<std::uint32_t>(view, 0);
    if (size <= 12) return view.substr(4, size);
    const auto buffer = element_at<std::uint32_t>(view, 2);
    const auto offset = element_at<std::uint32_t>(view, 3);
    if (buffer >= texts_.size() || offset > texts_[buffer].size() || size > texts_[buffer].size() - offset) {
      fail("a text lies outside its buffer");
    }
    return texts_[buffer].substr(offset, size);
  }

  const ArrowType* type_ = nullptr;
  const std::string* place_ = nullptr;
  std::size_t rows_ = 0;
  std::string_view gaps_, values_;
  std::vector<std::string_view> texts_;
  std::array<BufferBytes, 3> buffers_;
  std::vector<BufferBytes> more_;
  CellText room_;
};

}  // namespace perpend
