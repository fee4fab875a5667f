// The fused multiply-add of the kernels alone, for a test.
#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

void fuse(const float* a, const float* b, float* c) {
  hn::StoreU(fma(hn::LoadU(Tag(), a), hn::LoadU(Tag(), b), hn::LoadU(Tag(), c)), Tag(), c);
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

namespace {
float numbers[12];
}  // namespace

// Twelve floats: four a, four b, and four c, which become a b + c.
extern "C" [[clang::export_name("numbers")]] float* fused_numbers() { return numbers; }
extern "C" [[clang::export_name("fuse")]] void fuse_numbers() {
  perpend::kernels::HWY_NAMESPACE::fuse(numbers, numbers + 4, numbers + 8);
}
