#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <vector>

#include "perpend/base/error.h"
#include "perpend/kernels/collapsed.h"
#include "perpend/kernels/fast_path.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/quantized_signs.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/tile-inl.h"
#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

// ---- quantized vectors

// Sixteen floats times scale, rounded to integers: floats between 2^23 and 2^24 are the integers, and the low 16 bits
// of such a float are those of the integer in two's complement.
HWY_INLINE void store_quantized(const F16& x, float scale, std::int16_t* out) {
  const hn::Rebind<std::uint16_t, Tag> half;
  const hn::RebindToSigned<decltype(half)> d;
  for (std::size_t i = 0; i < kF16Vectors; ++i) {
    const auto bits = hn::BitCast(UnsignedTag(), fma(x.v[i], broadcast(scale), broadcast(0x1.8p23F)));
    hn::StoreU(hn::BitCast(d, hn::TruncateTo(half, bits)), d, out + i * kLanes);
  }
}

HWY_INLINE F16 squares(std::size_t n, const float* x) {
  F16 sum = zero16();
  std::size_t f = 0;
  for (; f + 16 <= n; f += 16) sum = fma16(load16(x + f), load16(x + f), sum);
  const F16 rest = load_first(x + f, n - f);
  return fma16(rest, rest, sum);
}

// Turns the squared lengths of the vectors x into the scales of the vectors (x, last), or into 0 where a length is out
// of bounds. Both arrays have room for n rounded up to 16.
HWY_INLINE void scales_from(std::size_t n, const float* last, float* squares) {
  const Tag d;
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vector end = hn::LoadU(d, last + i);
    const Vector square = fma(end, end, hn::LoadU(d, squares + i));
    const auto good = hn::And(hn::Gt(square, broadcast(kLeastSquare)), hn::Lt(square, broadcast(kLargestSquare)));
    hn::StoreU(hn::IfThenElseZero(good, hn::Div(broadcast(kQuantizedLength), hn::Sqrt(square))), d, squares + i);
  }
}

HWY_INLINE F16 replace_lane(std::size_t lane, const F16& x, float value) {
  F16 out;
  for (std::size_t i = 0; i < kF16Vectors; ++i) {
    const auto here = hn::Eq(hn::Iota(IntTag(), static_cast<std::int32_t>(i * kLanes)),
                             hn::Set(IntTag(), static_cast<std::int32_t>(lane)));
    out.v[i] = hn::IfThenElse(hn::RebindMask(Tag(), here), broadcast(value), x.v[i]);
  }
  return out;
}

// Quantizes vector i of `vectors`: 2 quantized_pairs(features) integers, and up to 16 more behind them are overwritten.
// All are zero, which is always ambiguous, where the scale is zero.
HWY_INLINE void quantize_one(const VectorsToQuantize& vectors, std::size_t i, float scale, std::int16_t* out) {
  const std::size_t n = vectors.features;
  if (HWY_UNLIKELY(scale == 0)) {
    std::fill_n(out, 2 * quantized_pairs(n), std::int16_t{0});
    return;
  }
  const float* x = vectors.x + i * vectors.stride;
  std::size_t f = 0;
  for (; f + 16 <= n; f += 16) store_quantized(load16(x + f), scale, out + f);
  store_quantized(replace_lane(n - f, load_first(x + f, n - f), vectors.last[i]), scale, out + f);
}

void quantize(const VectorsToQuantize& vectors, std::int16_t* quantized) {
  constexpr std::size_t kTogether = 64;  // vectors whose scales are computed together
  const std::size_t size = 2 * quantized_pairs(vectors.features);
  thread_local std::vector<std::int16_t> scratch;
  scratch.resize(size + 16);
  HWY_ALIGN float scale[kTogether] = {};
  for (std::size_t first = 0; first < vectors.count; first += kTogether) {
    const std::size_t n = std::min(kTogether, vectors.count - first);
    fold_each(n, scale, [&](std::size_t i) HWY_ATTR {
      return squares(vectors.features, vectors.x + (first + i) * vectors.stride);
    });
    scales_from(n, vectors.last + first, scale);
    for (std::size_t i = first; i < first + n; ++i) {
      // The memory behind the last vector may belong to another thread.
      const bool fits = (i + 1) * size + 16 <= vectors.count * size;
      quantize_one(vectors, i, scale[i - first], fits ? quantized + i * size : scratch.data());
      if (!fits) std::copy_n(scratch.begin(), size, quantized + i * size);
    }
  }
}

void pack_quantized(const QuantizedRows& a, std::int16_t* packed) {
  const std::size_t pairs = quantized_pairs(a.features);
  pack_items(
      a.rows, pairs, [&](std::size_t r) { return a.quantized + a.indices[r] * 2 * pairs; }, packed);
}

// ---- products of a tile

struct QuantizedInputs : SignInputs {
  std::int32_t bound;  // ambiguity_bound(features)
};

// Computes bound + products of kUnits units and kTileRows vectors of rows, in registers. Takes three steps of the
// interleaved sum per two pairs.
template <std::size_t kUnits, class Interleaved>
HWY_INLINE void multiply_quantized(const QuantizedInputs& in, TilePlace tile, Ints (&z)[kUnits][kTileRows],
                                   Interleaved&& interleaved) {
  const std::size_t pairs = quantized_pairs(in.features);
  const std::int16_t* rows = in.quantized_rows + 2 * tile.row;
  const std::int16_t* weights = in.quantized_weights + 2 * tile.unit * pairs;
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < kUnits; ++k) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTileRows; ++t) z[k][t] = hn::Set(IntTag(), in.bound);
  }
  for (std::size_t p = 0; p < pairs; ++p) {
    Ints x[kTileRows];
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTileRows; ++t) x[t] = load_pairs(rows + 2 * (p * kRowsPerGroup + t * kLanes));
    interleaved.step();
    if (p % 2 == 1) interleaved.step();
    HWY_UNROLL(8)
    for (std::size_t k = 0; k < kUnits; ++k) {
      const Ints w = broadcast_pair(weights + 2 * (k * pairs + p));
      HWY_UNROLL(4)
      for (std::size_t t = 0; t < kTileRows; ++t) z[k][t] = add_pair_products(z[k][t], x[t], w);
    }
  }
}

// ---- the exact fallback

// Whether z > 0 or NaN (which must reach the score and so the loss), z being the chain of collapsed.h.
bool is_positive(std::size_t features, const float* x, const float* w, float bias) {
  F16 sum = zero16();
  F16 size = zero16();
  for (std::size_t f = 0; f < features; f += 16) {
    const F16 a = load_first(x + f, features - f);
    const F16 b = load_first(w + f, features - f);
    sum = fma16(a, b, sum);
    for (std::size_t i = 0; i < kF16Vectors; ++i) size.v[i] = fma(hn::Abs(a.v[i]), hn::Abs(b.v[i]), size.v[i]);
  }
  // A number of the sum over lanes goes through at most features / 16 + 6 roundings of 2^-24, and a number of the chain
  // goes through at most `features`. So the two sums differ by less than 2 (features + 16) 2^-24 times the sum of the
  // products' sizes, whose own rounding is far less than a factor of 2. 1e-30 covers products that underflow, by 2^-150
  // each.
  const float z = fold16(sum) + bias;
  const float doubt = (fold16(size) + std::abs(bias)) * static_cast<float>(features + 16) * 0x1p-22F + 1e-30F;
  if (HWY_LIKELY(std::abs(z) > doubt)) return z > 0;
  float chain = bias;
  for (std::size_t f = 0; f < features; ++f) chain = std::fma(x[f], w[f], chain);
  return !(chain <= 0);
}

// Sets the ambiguous bits where z > 0: ambiguous[k] are those of unit u + k. Returns how many were ambiguous and not
// dropped.
HWY_NOINLINE std::size_t exact_fallback(QuantizedInputs in, SignOutputs out, std::size_t u,
                                        std::span<const std::uint64_t> ambiguous) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < ambiguous.size(); ++k) {
    const float* w = in.weights + (u + k) * in.features;
    auto* bytes = reinterpret_cast<std::uint8_t*>(out.by_unit + u + k);
    for (std::uint64_t bits = ambiguous[k] & in.kept[u + k]; bits != 0; bits &= bits - 1, ++count) {
      const auto r = static_cast<std::size_t>(std::countr_zero(bits));
      // There is no branch, because the sign is as likely as not. A byte is read and written, because a wider load
      // would wait for the narrower stores of store_signs.
      const unsigned on = is_positive(in.features, in.rows.row(r), w, in.bias[u + k]) ? 1U : 0U;
      bytes[r / 8] = static_cast<std::uint8_t>(bytes[r / 8] | on << (r % 8));
    }
  }
  return count;
}

// ---- one tile

// Stores the bits that are certain, and returns whether others are ambiguous. z is bound + product. So the product is
// beyond the bound if z > 2 bound, and ambiguous if 0 <= z <= 2 bound. The latter is one comparison of unsigned
// numbers.
template <std::size_t kUnits>
HWY_INLINE bool store_signs(const QuantizedInputs& in, const SignOutputs& out, TilePlace tile,
                            const Ints (&z)[kUnits][kTileRows]) {
  const Ints most = hn::Set(IntTag(), 2 * in.bound);
  auto least = hn::Set(UnsignedTag(), ~std::uint32_t{0});
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < kUnits; ++k) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTileRows; ++t) {
      const std::size_t at = tile.row + t * kLanes;
      const Mask kept = load_mask(in.kept + tile.unit + k, at);
      store_mask(greater_where(kept, z[k][t], most), out.by_unit + tile.unit + k, at);
      least = min_where(kept, least, hn::BitCast(UnsignedTag(), z[k][t]));
    }
  }
  return !hn::AllFalse(Tag(), at_most_unsigned(hn::BitCast(IntTag(), least), most));
}

// Continues the chains of kTileRows vectors of rows and kColumns columns over kUnits units, where their bits are set.
template <std::size_t kUnits, std::size_t kColumns>
HWY_INLINE void add_columns(const QuantizedInputs& in, const SignOutputs& out, TilePlace tile) {
  const Tag d;
  Vector chain[kColumns][kTileRows];
  const auto place = [&](std::size_t c, std::size_t t) { return out.sums + c * kRowsPerGroup + tile.row + t * kLanes; };
  HWY_UNROLL(3)
  for (std::size_t c = 0; c < kColumns; ++c) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTileRows; ++t) chain[c][t] = hn::LoadU(d, place(c, t));
  }
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < kUnits; ++k) {
    Vector value[kColumns];
    HWY_UNROLL(3)
    for (std::size_t c = 0; c < kColumns; ++c) value[c] = broadcast(in.columns[c * in.units + tile.unit + k]);
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTileRows; ++t) {
      const Mask active = load_mask(out.by_unit + tile.unit + k, tile.row + t * kLanes);
      HWY_UNROLL(3)
      for (std::size_t c = 0; c < kColumns; ++c) chain[c][t] = add_where(active, chain[c][t], value[c]);
    }
  }
  HWY_UNROLL(3)
  for (std::size_t c = 0; c < kColumns; ++c) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTileRows; ++t) hn::StoreU(chain[c][t], d, place(c, t));
  }
}

// Returns how many signs fell back.
template <std::size_t kUnits, std::size_t kColumns>
HWY_INLINE std::size_t quantized_tile(const QuantizedInputs& in, const SignOutputs& out, InterleavedSum* interleaved,
                                      TilePlace tile) {
  Ints z[kUnits][kTileRows];
  if (kCanInterleave && interleaved != nullptr && interleaved->is_pending()) {
    InterleavedTile sum(*interleaved);
    multiply_quantized<kUnits>(in, tile, z, sum);
    sum.save();
  } else {
    multiply_quantized<kUnits>(in, tile, z, NotInterleaved());
  }
  std::size_t fallbacks = 0;
  if (HWY_UNLIKELY(store_signs<kUnits>(in, out, tile, z))) {
    std::uint64_t ambiguous[kUnits] = {};
    HWY_UNROLL(8)
    for (std::size_t k = 0; k < kUnits; ++k) {
      HWY_UNROLL(4)
      for (std::size_t t = 0; t < kTileRows; ++t) {
        const Mask within = at_most_unsigned(z[k][t], hn::Set(IntTag(), 2 * in.bound));
        ambiguous[k] |= mask_bits(within) << (tile.row + t * kLanes);
      }
    }
    fallbacks = exact_fallback(in, out, tile.unit, ambiguous);
  }
  add_columns<kUnits, kColumns>(in, out, tile);
  return fallbacks;
}

// ---- one group

// `in` and `out` are taken by value, so no store can change them and they stay in registers.
template <std::size_t kColumns>
std::size_t quantized_group(QuantizedInputs in, SignOutputs out, InterleavedSum* interleaved) {
  std::size_t fallbacks = 0;
  for (std::size_t row = 0; row < kRowsPerGroup; row += kTileRows * kLanes) {
    std::size_t u = 0;
    for (; u + kTileUnits <= in.units; u += kTileUnits) {
      fallbacks += quantized_tile<kTileUnits, kColumns>(in, out, interleaved, {u, row});
    }
    if constexpr (kTileUnits > 4) {
      for (; u + 4 <= in.units; u += 4) fallbacks += quantized_tile<4, kColumns>(in, out, interleaved, {u, row});
    }
    for (; u < in.units; ++u) fallbacks += quantized_tile<1, kColumns>(in, out, interleaved, {u, row});
  }
  return fallbacks;
}

std::size_t quantized_signs(const SignInputs& inputs, const SignOutputs& out, InterleavedSum* interleaved) {
  static_assert(kMaxColumns == 3);
  const QuantizedInputs in{inputs, ambiguity_bound(inputs.features)};
  if (in.column_count == 1) return quantized_group<1>(in, out, interleaved);
  if (in.column_count == 2) return quantized_group<2>(in, out, interleaved);
  return quantized_group<3>(in, out, interleaved);
}

bool has_wide_integers() { return kLanes == 16; }

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(quantize);
HWY_EXPORT(pack_quantized);
HWY_EXPORT(quantized_signs);
HWY_EXPORT(has_wide_integers);

bool quantized_signs_are_faster(std::size_t features) {
  // Measured: with fewer features the products cost less than everything else. (AVX2 multiplies integers no faster.)
  constexpr std::size_t kFewestFeatures = 11;
  return features >= kFewestFeatures && features <= kMaxQuantizedFeatures && is_on(FastPath::quantized_signs) &&
         HWY_DYNAMIC_DISPATCH(has_wide_integers)();
}

bool fallbacks_are_few(std::size_t features, std::size_t fallbacks, std::size_t signs) {
  // Measured at 33 features: a product takes 7 ps less than with floats (16 us per block of 256 x 256 x 33). A fallback
  // takes about 110 ns, which is what 15,000 products save.
  constexpr std::size_t kProductsPerFallback = 15000;
  return fallbacks * kProductsPerFallback <= signs * features;
}

std::int32_t ambiguity_bound(std::size_t features) {
  PERPEND_CHECK(features <= kMaxQuantizedFeatures);
  // The terms are derived in quantized.h.
  const auto n = static_cast<double>(features + 1);
  const double length = static_cast<double>(kQuantizedLength) * (1 + 32 * 0x1p-24);
  const double rounding = std::sqrt(n) * length + n / 4;
  const double chain = n * 0x1p-24 * length * length;
  const double underflow = n * 0x1p-150 * length * length / static_cast<double>(kLeastSquare);
  return static_cast<std::int32_t>(std::ceil(rounding + chain + underflow));
}

void quantize(const VectorsToQuantize& vectors, std::int16_t* quantized) {
  HWY_DYNAMIC_DISPATCH(quantize)(vectors, quantized);
}
void pack_quantized(const QuantizedRows& rows, std::int16_t* packed) {
  PERPEND_CHECK(rows.rows <= kRowsPerGroup);
  HWY_DYNAMIC_DISPATCH(pack_quantized)(rows, packed);
}
std::size_t quantized_signs(const SignInputs& in, const SignOutputs& out, InterleavedSum* interleaved) {
  PERPEND_CHECK(in.quantized_rows != nullptr && in.column_count >= 1 && in.column_count <= kMaxColumns);
  return HWY_DYNAMIC_DISPATCH(quantized_signs)(in, out, interleaved);
}

}  // namespace perpend::kernels
#endif
