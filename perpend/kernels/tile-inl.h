// Register tiles of the sign kernels: their size, the packing of rows for them, and a sparse row sum that runs
// interleaved with one.
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

#include "perpend/kernels/sparse_row_sum.h"
#include "perpend/kernels/table_rows-inl.h"
#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

// A tile multiplies kTileRows vectors of rows with kTileUnits units. The products accumulate in registers. One more
// register holds the broadcast weight, and kTileRows more hold rows if the target has 32 registers. (With 16, rows are
// memory operands of the multiplications.) A fused multiply-add takes 4 or 5 cycles and a core starts 2 per cycle, so
// at least 10 accumulators are needed to keep it busy.
constexpr std::size_t kTileRows = 4;
constexpr std::size_t kTileUnits = kLanes == 8 ? 3 : 6;
constexpr std::size_t kAccumulators = kTileRows * kTileUnits;
static_assert(kAccumulators >= 10);
static_assert(kAccumulators + 1 + (kRegisters == 32 ? kTileRows : 0) <= kRegisters);

// The place of a tile within a group: its first unit and its first row.
struct TilePlace {
  std::size_t unit;
  std::size_t row;
};

// Packs up to 64 rows of `items` items of four bytes (one float, or two 16-bit integers) as (items, 64). Rows beyond
// `rows` are zero. row(r) returns the address of row r.
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
      transpose_4x4<T>({four[0] + at, four[1] + at, four[2] + at, four[3] + at}, packed + i * kStride + kItem * r,
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

struct NotInterleaved {
  HWY_INLINE void step() {}
};

// An InterleavedSum whose sums are in registers while one tile is computed. All of it must be inlined: around a call,
// the compiler would save the tile's registers.
class InterleavedTile {
 public:
  HWY_INLINE explicit InterleavedTile(InterleavedSum& sum) : sum_(sum), at_(sum.at) {
    look_up();
    for (std::size_t i = 0; i < kVectors; ++i) register_[i] = hn::Load(Tag(), sum.sums + i * kLanes);
  }
  // Adds the next kIndicesPerLoad table rows.
  HWY_INLINE void step() {
    if (HWY_UNLIKELY(at_ == end_)) next_list();
    TableRows rows(table_, at_);
    at_ += kIndicesPerLoad;
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < kIndicesPerLoad; ++i) {
      const float* row = rows.next();
      HWY_UNROLL(2)
      for (std::size_t v = 0; v < kVectors; ++v) {
        register_[v] = hn::Add(register_[v], hn::Load(Tag(), row + v * kLanes));
      }
    }
  }
  HWY_INLINE void save() {
    for (std::size_t i = 0; i < kVectors; ++i) hn::Store(register_[i], Tag(), sum_.sums + i * kLanes);
    sum_.at = at_;
  }

 private:
  // Stores the sums of a finished list and goes to the next one: first the row's other tables, then the next row. The
  // list of zero rows behind the last one is repeated until the tile ends.
  HWY_INLINE void next_list() {
    const Tag d;
    const ColumnPlan& plan = sum_.group.u_tables->plan();
    if (sum_.is_pending()) {
      float* out = sum_.group.gradient + sum_.row * sum_.group.stride + sum_.table * kTableColumns;
      hn::StoreU(register_[0], d, out);
      const bool last = sum_.table + 1 == plan.tables;
      if (!last || plan.last_width == kTableColumns) hn::StoreU(register_[1], d, out + kLanes);
      sum_.table = last ? 0 : sum_.table + 1;
      sum_.row += last ? 1 : 0;
    }
    for (auto& vector : register_) vector = hn::Zero(d);
    at_ = sum_.lists + sum_.first[sum_.row];
    look_up();
  }
  HWY_INLINE void look_up() {
    end_ = sum_.lists + sum_.first[sum_.row + 1];
    table_ = sum_.group.u_tables->table(sum_.table);
  }

  static constexpr std::size_t kVectors = 2;
  InterleavedSum& sum_;
  const std::uint16_t* at_;
  const std::uint16_t* end_;
  const float* table_;
  Vector register_[kVectors];
};
// The tile must leave two registers free, and these must hold a whole table row. Only AVX-512 is wide enough.
constexpr bool kCanInterleave = 2 * kLanes == kTableColumns && kAccumulators + 1 + kTileRows + 2 <= kRegisters;

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
