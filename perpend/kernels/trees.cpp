#include "perpend/kernels/trees.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/trees.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

// This many vectors of rows share one broadcast of a node.
constexpr std::size_t kRowVectors = kLanes >= 16 ? 4 : kLanes == 1 ? 1 : 8;
constexpr std::size_t kRowStep = kRowVectors * kLanes;
static_assert(kTreeRows % kRowStep == 0);

// A row that does not go right keeps all its leaves.
HWY_INLINE void keep_where(Mask right, Unsigned leaves, Unsigned& reachable) {
  const UnsignedTag du;
  reachable = hn::IfThenElse(hn::RebindMask(du, right), hn::And(reachable, leaves), reachable);
}

// 1 in the lowest bit of lanes whose code is in the node's set.
HWY_INLINE Unsigned in_set(const LevelNode& node, Vector x) {
  const UnsignedTag du;
  const Unsigned bit = hn::BitCast(du, hn::ConvertTo(IntTag(), hn::Add(x, broadcast(1.0F))));
  const Unsigned place = hn::And(bit, hn::Set(du, 31));
  const Unsigned word = hn::ShiftRight<5>(bit);
  Unsigned found = hn::Zero(du);
  for (std::uint32_t w = 0; w < node.count; ++w) {
    const Unsigned own = hn::Shr(hn::Set(du, node.words[w]), place);
    found = hn::IfThenElse(hn::Eq(word, hn::Set(du, w)), own, found);
  }
  return hn::And(found, hn::Set(du, 1));
}

HWY_INLINE void reach(const MaskedTree& tree, const float* x, std::uint32_t* out) {
  const Tag d;
  const UnsignedTag du;
  Unsigned reachable[kRowVectors];
  for (auto& all : reachable) all = hn::Set(du, ~std::uint32_t{0});
  for (const NumberNode* node = tree.missing_right; node != tree.missing_right + tree.missing_rights; ++node) {
    const float* const cells = x + node->column * kTreeRows;
    const Vector threshold = broadcast(node->threshold);
    const Unsigned leaves = hn::Set(du, node->leaves);
    for (std::size_t i = 0; i < kRowVectors; ++i) {
      keep_where(hn::Not(hn::Le(hn::LoadU(d, cells + i * kLanes), threshold)), leaves, reachable[i]);
    }
  }
  for (const NumberNode* node = tree.missing_left; node != tree.missing_left + tree.missing_lefts; ++node) {
    const float* const cells = x + node->column * kTreeRows;
    const Vector threshold = broadcast(node->threshold);
    const Unsigned leaves = hn::Set(du, node->leaves);
    for (std::size_t i = 0; i < kRowVectors; ++i) {
      keep_where(hn::Gt(hn::LoadU(d, cells + i * kLanes), threshold), leaves, reachable[i]);
    }
  }
  for (const LevelNode* node = tree.levels; node != tree.levels + tree.level_nodes; ++node) {
    const float* const cells = x + node->column * kTreeRows;
    const Unsigned leaves = hn::Set(du, node->leaves);
    for (std::size_t i = 0; i < kRowVectors; ++i) {
      const auto right = hn::Eq(in_set(*node, hn::LoadU(d, cells + i * kLanes)), hn::Zero(du));
      keep_where(hn::RebindMask(d, right), leaves, reachable[i]);
    }
  }
  for (std::size_t i = 0; i < kRowVectors; ++i) hn::StoreU(reachable[i], du, out + i * kLanes);
}

void reach_all(const MaskedTree& tree, const float* x, std::uint32_t* reachable) {
  for (std::size_t row = 0; row < kTreeRows; row += kRowStep) reach(tree, x + row, reachable + row);
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(reach_all);

void reachable_leaves(const MaskedTree& tree, const float* x, std::uint32_t* reachable) {
  HWY_DYNAMIC_DISPATCH(reach_all)(tree, x, reachable);
}

}  // namespace perpend::kernels
#endif
