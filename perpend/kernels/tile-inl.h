// Tiles of products, and what there is time for beside them.
#if defined(PERPEND_KERNELS_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PERPEND_KERNELS_TILE_INL_H_
#undef PERPEND_KERNELS_TILE_INL_H_
#else
#define PERPEND_KERNELS_TILE_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "perpend/kernels/collapsed.h"
#include "perpend/kernels/table-inl.h"
#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

// Vectors of rows in a tile, and its units: their products, the rows and a weight about fill the registers.
constexpr std::size_t kTile = 4;
constexpr std::size_t kTileUnits = kLanes == 8 ? 3 : 6;

// Up to 64 rows of `items` items (transpose_tile) as (items, 64), rows beyond `rows` zero. row(r) is where row r lies.
template <class T, class Row>
HWY_INLINE void pack_items(std::size_t rows, std::size_t items, const Row& row, T* packed) {
  constexpr std::size_t kItem = 4 / sizeof(T);
  constexpr std::size_t kStride = kItem * kRowsPerGroup;
  std::size_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    const T* const four[4] = {row(r), row(r + 1), row(r + 2), row(r + 3)};
    std::size_t i = 0;
    for (; i + 4 <= items; i += 4) {
      const std::size_t at = kItem * i;
      transpose_tile<T>({four[0] + at, four[1] + at, four[2] + at, four[3] + at}, packed + i * kStride + kItem * r,
                        kStride);
    }
    for (; i < items; ++i) {
      for (std::size_t k = 0; k < 4; ++k) {
        std::memcpy(packed + i * kStride + kItem * (r + k), four[k] + kItem * i, 4);
      }
    }
  }
  for (; r < rows; ++r) {
    for (std::size_t i = 0; i < items; ++i) std::memcpy(packed + i * kStride + kItem * r, row(r) + kItem * i, 4);
  }
  for (std::size_t i = 0; i < items; ++i) {
    std::fill(packed + i * kStride + kItem * rows, packed + (i + 1) * kStride, T{0});
  }
}

struct NothingBeside {
  HWY_INLINE void step() {}
};

// A WalkBeside in registers, while one tile is at work. Nothing here may become a call: the tile would be saved for it.
class BesideTile {
 public:
  HWY_INLINE explicit BesideTile(WalkBeside& walk) : walk_(walk), at_(walk.at) {
    look_up();
    for (std::size_t i = 0; i < kVectors; ++i) sum_[i] = hn::Load(Tag(), walk.sums + i * kLanes);
  }
  HWY_INLINE void step() {
    if (HWY_UNLIKELY(at_ == end_)) next();
    TableRows rows(table_, at_);
    at_ += kNumbersPerLoad;
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < kNumbersPerLoad; ++i) {
      const float* row = rows.next();
      HWY_UNROLL(2)
      for (std::size_t v = 0; v < kVectors; ++v) sum_[v] = hn::Add(sum_[v], hn::Load(Tag(), row + v * kLanes));
    }
  }
  HWY_INLINE void leave() {
    for (std::size_t i = 0; i < kVectors; ++i) hn::Store(sum_[i], Tag(), walk_.sums + i * kLanes);
    walk_.at = at_;
  }

 private:
  // From the end of a list to the next one. That of zeros after the last comes again and again.
  HWY_INLINE void next() {
    const Tag d;
    const ColumnPlan& plan = walk_.tables->plan();
    if (walk_.waiting()) {
      float* out = walk_.gradient + walk_.row * walk_.stride + walk_.table * kTableColumns;
      hn::StoreU(sum_[0], d, out);
      const bool last = walk_.table + 1 == plan.tables;
      if (!last || plan.last_width == kTableColumns) hn::StoreU(sum_[1], d, out + kLanes);
      walk_.table = last ? 0 : walk_.table + 1;
      walk_.row += last ? 1 : 0;
    }
    for (auto& sum : sum_) sum = hn::Zero(d);
    at_ = walk_.lists + walk_.first[walk_.row];
    look_up();
  }
  HWY_INLINE void look_up() {
    end_ = walk_.lists + walk_.first[walk_.row + 1];
    table_ = walk_.tables->table(walk_.table);
  }

  static constexpr std::size_t kVectors = 2;
  WalkBeside& walk_;
  const std::uint16_t* at_;
  const std::uint16_t* end_;
  const float* table_;
  Vector sum_[kVectors];
};
// Registers: 24 of a tile, 4 of rows, 2 of sums, which are a table row, and a weight.
constexpr bool kWalksBeside = kLanes == 16;

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
