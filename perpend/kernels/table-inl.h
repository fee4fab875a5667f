// The rows of a table (collapsed.h) that a list names.
#if defined(PERPEND_KERNELS_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PERPEND_KERNELS_TABLE_INL_H_
#undef PERPEND_KERNELS_TABLE_INL_H_
#else
#define PERPEND_KERNELS_TABLE_INL_H_
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "perpend/kernels/collapsed.h"
#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

// The next kNumbersPerLoad of them: walks are bound by loads, so their numbers come with one, and one shift makes all
// of them offsets in bytes.
class TableRows {
 public:
  HWY_INLINE TableRows(const float* table, const std::uint16_t* numbers)
      : table_(reinterpret_cast<const char*>(table)) {
    static_assert(kNumbersPerLoad * 16 == 64 && kBitsPerList << kShift < 1 << 16);
    std::memcpy(&offsets_, numbers, sizeof(offsets_));
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
