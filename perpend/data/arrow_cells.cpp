#include "perpend/data/arrow_cells.h"

#include <fmt/format.h>

#include "perpend/base/message.h"

namespace perpend {

std::string_view BufferBytes::read(const RandomBytes& file, const ArrowArray& array, std::size_t index,
                                   const std::string& place) {
  const ArrowBuffer& buffer = array.buffers[index];
  if (buffer.size == 0) return {};
  const std::span<char> stored = stored_.room(buffer.size);
  file.read(buffer.offset, stored.data(), stored.size());
  std::string_view packed(stored.data(), stored.size());
  if (!array.packed) return packed;
  std::int64_t size = 0;
  if (packed.size() < sizeof(size)) throw DataError(place + ": a buffer is damaged");
  std::memcpy(&size, packed.data(), sizeof(size));
  packed.remove_prefix(sizeof(size));
  if (size == -1) return packed;  // it is stored as it is
  if (size < 0 || !may_unpack(packed.size(), static_cast<std::uint64_t>(size))) {
    throw DataError(fmt::format("{}: a buffer of {} bytes claims to unpack to {}", place, thousands(packed.size()),
                                size < 0 ? "less than nothing" : thousands(static_cast<std::uint64_t>(size))));
  }
  const std::span<char> to = unpacked_.room(static_cast<std::size_t>(size));
  if (size > 0 && !unpack(array.codec, packed, to)) {
    throw DataError(fmt::format("{}: a buffer is damaged (it does not unpack by {})", place, name_of(array.codec)));
  }
  return {to.data(), to.size()};
}

void ArrayCells::open(const RandomBytes& file, const ArrowType& type, const ArrowArray& array,
                      const std::string& place) {
  type_ = &type;
  place_ = &place;
  rows_ = array.rows;
  gaps_ = values_ = {};
  texts_.clear();
  if (type.kind == ArrowType::Kind::null || rows_ == 0) return;
  gaps_ = buffers_[0].read(file, array, 0, place);
  if (!gaps_.empty()) expect((rows_ + 7) / 8 <= gaps_.size());
  values_ = buffers_[1].read(file, array, 1, place);
  switch (type.kind) {
    case ArrowType::Kind::boolean:
      return expect((rows_ + 7) / 8 <= values_.size());
    case ArrowType::Kind::fixed:
      return expect(rows_ <= values_.size() / type.fixed.width);
    case ArrowType::Kind::text:
      texts_.push_back(buffers_[2].read(file, array, 2, place));
      return expect(rows_ < values_.size() / sizeof(std::int32_t));
    case ArrowType::Kind::large_text:
      texts_.push_back(buffers_[2].read(file, array, 2, place));
      return expect(rows_ < values_.size() / sizeof(std::int64_t));
    default:
      expect(rows_ <= values_.size() / kView);
      more_.resize(array.buffers.size() - 2);
      for (std::size_t i = 0; i < more_.size(); ++i) texts_.push_back(more_[i].read(file, array, i + 2, place));
  }
}

void ArrayCells::numbers(double* to) const {
  if (type_->kind == ArrowType::Kind::null) return;
  if (type_->kind == ArrowType::Kind::fixed) return read_numbers(type_->fixed, values_.data(), rows_, to);
  for (std::size_t i = 0; i < rows_; ++i) to[i] = bit_at(values_, i) ? 1 : 0;
}

}  // namespace perpend
