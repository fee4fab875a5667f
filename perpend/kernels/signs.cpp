#include "perpend/kernels/collapsed.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/signs.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/fold-inl.h"
#include "perpend/kernels/mask-inl.h"
#include "perpend/kernels/tile-inl.h"
#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

using Ints = hn::Vec<IntTag>;

// ---- coarse vectors.

// Sixteen floats below 2^15 after scaling, rounded: the last bits of a float of this size count in ones.
HWY_INLINE void store_coarse(const F16& x, float scale, std::int16_t* out) {
  const hn::RebindToUnsigned<Tag> d;
  const hn::Rebind<std::uint16_t, Tag> half;
  for (std::size_t i = 0; i < kParts; ++i) {
    const auto bits = hn::BitCast(d, fma(x.part[i], broadcast(scale), broadcast(0x1.8p23F)));
    hn::StoreU(hn::BitCast(hn::RebindToSigned<decltype(half)>(), hn::TruncateTo(half, bits)),
               hn::RebindToSigned<decltype(half)>(), out + i * kLanes);
  }
}

HWY_INLINE F16 squares(std::size_t n, const float* x) {
  F16 sum = zero16();
  std::size_t f = 0;
  for (; f + 16 <= n; f += 16) sum = fma16(load16(x + f), load16(x + f), sum);
  const F16 rest = load_first(x + f, n - f);
  return fma16(rest, rest, sum);
}

// Turns square lengths, but for the last number of each vector, into what the vectors are to be multiplied with, or
// into 0 where there is no length to speak of. Both arrays have room for n rounded up to 16.
HWY_INLINE void scales_from(std::size_t n, const float* last, float* squares) {
  const Tag d;
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vector end = hn::LoadU(d, last + i);
    const Vector square = fma(end, end, hn::LoadU(d, squares + i));
    const auto good = hn::And(hn::Gt(square, broadcast(1e-36F)), hn::Lt(square, broadcast(1e30F)));
    hn::StoreU(hn::IfThenElseZero(good, hn::Div(broadcast(kCoarseLength), hn::Sqrt(square))), d, squares + i);
  }
}

HWY_INLINE F16 replace_lane(const F16& x, std::size_t lane, float value) {
  F16 out;
  for (std::size_t i = 0; i < kParts; ++i) {
    const auto here = hn::Eq(hn::Iota(IntTag(), static_cast<std::int32_t>(i * kLanes)),
                             hn::Set(IntTag(), static_cast<std::int32_t>(lane)));
    out.part[i] = hn::IfThenElse(hn::RebindMask(Tag(), here), broadcast(value), x.part[i]);
  }
  return out;
}

// (x, last) times scale, as 2 coarse_pairs(n) integers; what follows is overwritten up to a multiple of 16. All zeros,
// which decides nothing, where scale is.
HWY_INLINE void coarsen_one(std::size_t n, const float* x, float last, float scale, std::int16_t* out) {
  if (HWY_UNLIKELY(scale == 0)) {
    std::fill_n(out, 2 * coarse_pairs(n), std::int16_t{0});
    return;
  }
  std::size_t f = 0;
  for (; f + 16 <= n; f += 16) store_coarse(load16(x + f), scale, out + f);
  store_coarse(replace_lane(load_first(x + f, n - f), n - f, last), scale, out + f);
}

void coarsen(std::size_t count, std::size_t features, const float* x, std::size_t stride, const float* last,
             std::int16_t* coarse) {
  constexpr std::size_t kTogether = 64;
  const std::size_t size = 2 * coarse_pairs(features);
  thread_local std::vector<std::int16_t> scratch;
  scratch.resize(size + 16);
  HWY_ALIGN float scale[kTogether] = {};
  for (std::size_t first = 0; first < count; first += kTogether) {
    const std::size_t n = std::min(kTogether, count - first);
    fold_each(n, scale, [&](std::size_t i) HWY_ATTR { return squares(features, x + (first + i) * stride); });
    scales_from(n, last + first, scale);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t v = first + i;
      // What follows the last vector may belong to another thread.
      const bool fits = (v + 1) * size + 16 <= count * size;
      coarsen_one(features, x + v * stride, last[v], scale[i], fits ? coarse + v * size : scratch.data());
      if (!fits) std::copy_n(scratch.begin(), size, coarse + v * size);
    }
  }
}

void pack_coarse(std::size_t rows, std::size_t features, const std::int16_t* coarse, const std::uint32_t* numbers,
                 std::int16_t* packed) {
  const std::size_t pairs = coarse_pairs(features);
  pack_items(
      rows, pairs, [&](std::size_t r) { return coarse + numbers[r] * 2 * pairs; }, packed);
}

// ---- their products, a tile at a time.

struct CoarseInputs : SignInputs {
  std::int32_t bound;  // coarse_bound(features)
};

// sum + x0 w0 + x1 w1 for the pair of 16-bit integers in each lane.
HWY_INLINE Ints add_products(Ints sum, Ints x, Ints w) {
#if HWY_TARGET <= HWY_AVX3_DL
  // g++ would order the intrinsics of a tile so that its sums do not stay in registers.
  asm("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(x.raw), "v"(w.raw));
  return sum;
#elif HWY_TARGET == HWY_AVX3
  return Ints{_mm512_add_epi32(sum.raw, _mm512_madd_epi16(x.raw, w.raw))};
#else
  const auto low = [](Ints both) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(both)); };
  const auto high = [](Ints both) { return hn::ShiftRight<16>(both); };
  return hn::Add(sum, hn::Add(hn::Mul(low(x), low(w)), hn::Mul(high(x), high(w))));
#endif
}

HWY_INLINE Ints broadcast_pair(const std::int16_t* p) {
  std::int32_t pair = 0;
  std::memcpy(&pair, p, sizeof(pair));
  return hn::Set(IntTag(), pair);
}
HWY_INLINE Ints load_pairs(const std::int16_t* p) {
#if HWY_TARGET == HWY_SCALAR
  return broadcast_pair(p);
#else
  return hn::BitCast(IntTag(), hn::LoadU(hn::Repartition<std::int16_t, IntTag>(), p));
#endif
}

// bound + products of kUnits units and kTile vectors of rows, in registers. Takes three steps of other work beside two
// pairs.
template <std::size_t kUnits, class Beside>
HWY_INLINE void multiply_tile(std::size_t pairs, const std::int16_t* rows, const std::int16_t* weights,
                              std::int32_t bound, Ints (&z)[kUnits][kTile], Beside&& beside) {
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < kUnits; ++k) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) z[k][t] = hn::Set(IntTag(), bound);
  }
  for (std::size_t p = 0; p < pairs; ++p) {
    Ints x[kTile];
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) x[t] = load_pairs(rows + 2 * (p * kRowsPerGroup + t * kLanes));
    beside.step();
    if (p % 2 == 1) beside.step();
    HWY_UNROLL(8)
    for (std::size_t k = 0; k < kUnits; ++k) {
      const Ints w = broadcast_pair(weights + 2 * (k * pairs + p));
      HWY_UNROLL(4)
      for (std::size_t t = 0; t < kTile; ++t) z[k][t] = add_products(z[k][t], x[t], w);
    }
  }
}

// ---- signs of a tile.

// Whether z > 0 (or NaN, which has to reach the score and so the loss), z being the chain of collapsed.h.
bool is_positive(std::size_t features, const float* x, const float* w, float bias) {
  F16 sum = zero16();
  F16 size = zero16();
  for (std::size_t f = 0; f < features; f += 16) {
    const F16 a = load_first(x + f, features - f);
    const F16 b = load_first(w + f, features - f);
    sum = fma16(a, b, sum);
    for (std::size_t i = 0; i < kParts; ++i) {
      size.part[i] = fma(hn::Abs(a.part[i]), hn::Abs(b.part[i]), size.part[i]);
    }
  }
  // Two ways to sum n products differ by less than 2 n roundings; there is more below to be on the safe side.
  const float z = fold16(sum) + bias;
  const float doubt = (fold16(size) + std::abs(bias)) * static_cast<float>(features + 16) * 0x1p-22F + 1e-30F;
  if (HWY_LIKELY(std::abs(z) > doubt)) return z > 0;
  float chain = bias;
  for (std::size_t f = 0; f < features; ++f) chain = std::fma(x[f], w[f], chain);
  return !(chain <= 0);
}

// The bits of units u .. u + units whose products may be on either side of zero: those of near[k] in unit u + k.
// Returns how many there were.
HWY_NOINLINE std::size_t settle(CoarseInputs in, SignOutputs out, std::size_t u, std::size_t units,
                                const std::uint64_t* near) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < units; ++k) {
    for (std::uint64_t bits = near[k] & in.kept[u + k]; bits != 0; bits &= bits - 1, ++count) {
      const auto r = static_cast<std::size_t>(std::countr_zero(bits));
      // Without a branch on what is as likely as not.
      const std::uint64_t on =
          is_positive(in.features, in.rows.row(r), in.weights + (u + k) * in.features, in.bias[u + k]) ? 1 : 0;
      // The 16 bits that were stored together: a wider load would wait for the stores to end.
      std::uint16_t part = 0;
      char* place = reinterpret_cast<char*>(out.by_unit + (u + k) * kGroupsPerBlock) + r / kRowsPerPart * sizeof(part);
      std::memcpy(&part, place, sizeof(part));
      part = static_cast<std::uint16_t>(part | on << (r % kRowsPerPart));
      std::memcpy(place, &part, sizeof(part));
      out.by_part[r / kRowsPerPart * part_stride(in.units) + u + k] = part;
    }
  }
  return count;
}

// Of bound + product: whether the product is within the bound, seen as unsigned numbers. most is twice the bound.
HWY_INLINE hn::Mask<IntTag> is_near(Ints z, Ints most) {
#if HWY_TARGET <= HWY_AVX3
  return hn::Mask<IntTag>{_mm512_cmple_epu32_mask(z.raw, most.raw)};
#else
  const hn::RebindToUnsigned<IntTag> d;
  const auto bits = hn::BitCast(d, z);
  return hn::RebindMask(IntTag(), hn::Eq(hn::Min(bits, hn::BitCast(d, most)), bits));
#endif
}

HWY_INLINE Mask greater_and(Mask kept, Ints x, Ints bound) {
#if HWY_TARGET <= HWY_AVX3
  return Mask{_mm512_mask_cmpgt_epi32_mask(kept.raw, x.raw, bound.raw)};
#else
  return hn::And(kept, hn::RebindMask(Tag(), hn::Gt(x, bound)));
#endif
}
template <class Unsigned>
HWY_INLINE Unsigned least_where(Mask kept, Unsigned least, Unsigned x) {
#if HWY_TARGET <= HWY_AVX3
  return Unsigned{_mm512_mask_min_epu32(least.raw, kept.raw, least.raw, x.raw)};
#else
  return hn::IfThenElse(hn::RebindMask(hn::DFromV<Unsigned>(), kept), hn::Min(least, x), least);
#endif
}

// Stores the bits that are certain, and says whether others are not.
template <std::size_t kUnits>
HWY_INLINE bool store_signs(const CoarseInputs& in, const SignOutputs& out, std::size_t u, std::size_t row,
                            const Ints (&z)[kUnits][kTile]) {
  const IntTag d;
  const std::size_t stride = part_stride(in.units);
  const Ints most = hn::Set(d, 2 * in.bound);
  auto least = hn::Set(hn::RebindToUnsigned<IntTag>(), ~std::uint32_t{0});
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < kUnits; ++k) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) {
      const std::size_t at = row + t * kLanes;
      const Mask kept = load_mask(in.kept + u + k, at);
      const Mask active = greater_and(kept, z[k][t], most);
      store_mask(active, out.by_unit + (u + k) * kGroupsPerBlock, at);
      store_part(active, out.by_part + u + k, stride, at);
      least = least_where(kept, least, hn::BitCast(hn::RebindToUnsigned<IntTag>(), z[k][t]));
    }
  }
  return !hn::AllFalse(d, is_near(hn::BitCast(d, least), most));
}

// ---- a group.

// Lets the chains of kTile vectors of rows and kColumns columns go on over kUnits units, where their bits are set.
template <std::size_t kUnits, std::size_t kColumns>
HWY_INLINE void add_columns(const CoarseInputs& in, const SignOutputs& out, std::size_t u, std::size_t row) {
  const Tag d;
  Vector chain[kColumns][kTile];
  const auto place = [&](std::size_t c, std::size_t t) { return out.sums + c * kRowsPerGroup + row + t * kLanes; };
  HWY_UNROLL(3)
  for (std::size_t c = 0; c < kColumns; ++c) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) chain[c][t] = hn::LoadU(d, place(c, t));
  }
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < kUnits; ++k) {
    Vector value[kColumns];
    HWY_UNROLL(3)
    for (std::size_t c = 0; c < kColumns; ++c) value[c] = broadcast(in.columns[c * in.units + u + k]);
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) {
      const Mask active = load_mask(out.by_unit + (u + k) * kGroupsPerBlock, row + t * kLanes);
      HWY_UNROLL(3)
      for (std::size_t c = 0; c < kColumns; ++c) chain[c][t] = add_where(active, chain[c][t], value[c]);
    }
  }
  HWY_UNROLL(3)
  for (std::size_t c = 0; c < kColumns; ++c) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) hn::StoreU(chain[c][t], d, place(c, t));
  }
}

template <std::size_t kUnits, std::size_t kColumns>
HWY_INLINE std::size_t sign_tile(const CoarseInputs& in, const SignOutputs& out, WalkBeside* beside, std::size_t u,
                                 std::size_t row) {
  const std::size_t pairs = coarse_pairs(in.features);
  const std::int16_t* rows = in.coarse_rows + 2 * row;
  const std::int16_t* weights = in.coarse_weights + 2 * u * pairs;
  Ints z[kUnits][kTile];
  if (kWalksBeside && beside != nullptr && beside->waiting()) {
    BesideTile walk(*beside);
    multiply_tile<kUnits>(pairs, rows, weights, in.bound, z, walk);
    walk.leave();
  } else {
    multiply_tile<kUnits>(pairs, rows, weights, in.bound, z, NothingBeside());
  }
  std::size_t settled = 0;
  if (HWY_UNLIKELY(store_signs<kUnits>(in, out, u, row, z))) {
    std::uint64_t near[kUnits] = {};
    HWY_UNROLL(8)
    for (std::size_t k = 0; k < kUnits; ++k) {
      HWY_UNROLL(4)
      for (std::size_t t = 0; t < kTile; ++t) {
        const auto is_in = is_near(z[k][t], hn::Set(IntTag(), 2 * in.bound));
        near[k] |= mask_bits(hn::RebindMask(Tag(), is_in)) << (row + t * kLanes);
      }
    }
    settled = settle(in, out, u, kUnits, near);
  }
  add_columns<kUnits, kColumns>(in, out, u, row);
  return settled;
}

// in and out are copies, which what is stored cannot change: they stay in registers.
template <std::size_t kColumns>
std::size_t sign_group(CoarseInputs in, SignOutputs out, WalkBeside* beside) {
  std::size_t settled = 0;
  for (std::size_t row = 0; row < kRowsPerGroup; row += kTile * kLanes) {
    std::size_t u = 0;
    for (; u + kTileUnits <= in.units; u += kTileUnits) {
      settled += sign_tile<kTileUnits, kColumns>(in, out, beside, u, row);
    }
    if constexpr (kTileUnits > 4) {
      for (; u + 4 <= in.units; u += 4) settled += sign_tile<4, kColumns>(in, out, beside, u, row);
    }
    for (; u < in.units; ++u) settled += sign_tile<1, kColumns>(in, out, beside, u, row);
  }
  if constexpr (kLanes < 8) cut_parts(in.units, out.by_unit, out.by_part);
  return settled;
}

std::size_t integer_signs(const SignInputs& inputs, const SignOutputs& out, WalkBeside* beside) {
  static_assert(kMaxColumns == 3);
  const CoarseInputs in{inputs, coarse_bound(inputs.features)};
  if (in.column_count == 1) return sign_group<1>(in, out, beside);
  if (in.column_count == 2) return sign_group<2>(in, out, beside);
  return sign_group<3>(in, out, beside);
}

bool has_wide_integers() { return kLanes == 16; }

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(coarsen);
HWY_EXPORT(pack_coarse);
HWY_EXPORT(integer_signs);
HWY_EXPORT(has_wide_integers);

bool integers_serve(std::size_t features) {
  // A few products cost less than the rest of it, and of very long vectors too many are near zero.
  return features > 10 && features <= 500 && HWY_DYNAMIC_DISPATCH(has_wide_integers)();
}

bool integers_pay(std::size_t features, std::size_t settled, std::size_t signs) {
  // To settle one takes as long as what integers save on 15,000 products, more or less.
  return settled * 15000 <= signs * features;
}

std::int32_t coarse_bound(std::size_t features) {
  const auto n = static_cast<double>(features + 1);
  const double length = 1.006 * kCoarseLength;  // more than rounding makes of it
  const double half = 0.502;                    // the same of 1/2
  const double rounded = half * std::sqrt(n) * (2 * length + half * std::sqrt(n));
  const double chain = n * 0x1.02p-24 * length * length;
  return static_cast<std::int32_t>(rounded + chain) + 2;
}

void coarsen(std::size_t count, std::size_t features, const float* x, std::size_t stride, const float* last,
             std::int16_t* coarse) {
  HWY_DYNAMIC_DISPATCH(coarsen)(count, features, x, stride, last, coarse);
}
void pack_coarse(std::size_t rows, std::size_t features, const std::int16_t* coarse, const std::uint32_t* numbers,
                 std::int16_t* packed) {
  HWY_DYNAMIC_DISPATCH(pack_coarse)(rows, features, coarse, numbers, packed);
}
std::size_t signs_by_integers(const SignInputs& in, const SignOutputs& out, WalkBeside* beside) {
  return HWY_DYNAMIC_DISPATCH(integer_signs)(in, out, beside);
}

}  // namespace perpend::kernels
#endif
