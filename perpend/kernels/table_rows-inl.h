// The table rows (sparse_row_sum.h) that a list of indices names.
#if defined(PERPEND_KERNELS_TABLE_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PERPEND_KERNELS_TABLE_ROWS_INL_H_
#undef PERPEND_KERNELS_TABLE_ROWS_INL_H_
#else
#define PERPEND_KERNELS_TABLE_ROWS_INL_H_
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "perpend/kernels/sparse_row_sum.h"
#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

// The table rows of the next kIndicesPerLoad indices. Sparse row sums are bound by loads, so one load brings four
// indices, and one shift turns all four into offsets in bytes.
class TableRows {
 public:
  HWY_INLINE TableRows(const float* table, const std::uint16_t* indices)
      : table_(reinterpret_cast<const char*>(table)) {
    static_assert(kIndicesPerLoad * 16 == 64, "four 16-bit offsets fill a 64-bit word");
    static_assert(kBitsPerItem << kShift < 1 << 16, "the largest offset fits into 16 bits");
    std::memcpy(&offsets_, indices, sizeof(offsets_));
    offsets_ <<= kShift;
  }
  HWY_INLINE const float* next() {
    const auto offset = static_cast<std::uint16_t>(offsets_);
    offsets_ >>= 16;
    return reinterpret_cast<const float*>(table_ + offset);
  }

 private:
  static constexpr int kShift = std::countr_zero(kTableColumns * sizeof(float));
  const char* table_;
  std::uint64_t offsets_ = 0;
};

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
