#include "perpend/base/random.h"

#include <Random123/philox.h>

#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"

namespace perpend {

std::array<std::uint32_t, 4> counter_of(const StreamName& name, std::uint64_t block) {
  PERPEND_CHECK(name.member < (1U << 24));
  return {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), name.step,
          (static_cast<std::uint32_t>(name.purpose) << 24) | name.member};
}

std::array<std::uint32_t, 4> Stream::block(std::uint64_t index) const {
  const auto c = counter_of(name_, index);
  const r123::Philox4x32::ctr_type counter = {{c[0], c[1], c[2], c[3]}};
  const r123::Philox4x32::key_type key = {
      {static_cast<std::uint32_t>(name_.seed), static_cast<std::uint32_t>(name_.seed >> 32)}};
  const auto out = r123::Philox4x32()(counter, key);
  return {out[0], out[1], out[2], out[3]};
}

double Stream::uniform_open(std::uint64_t index) const {
  const auto words = block(index / 2);
  const std::size_t at = 2 * (index % 2);
  const std::uint64_t bits = (static_cast<std::uint64_t>(words[at]) << 32) | words[at + 1];
  return static_cast<double>((bits >> 12) * 2 + 1) * 0x1p-53;
}

double Stream::normal(std::uint64_t index) const { return normal_quantile(uniform_open(index)); }

std::uint64_t Stream::below(std::uint64_t index, std::uint64_t n) const {
  const auto words = block(index / 2);
  const std::size_t at = 2 * (index % 2);
  const std::uint64_t bits = (static_cast<std::uint64_t>(words[at]) << 32) | words[at + 1];
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits) * n) >> 64);
}

std::vector<std::uint32_t> Stream::permutation(std::size_t n) const {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = n; i-- > 1;) std::swap(order[i], order[below(i, i + 1)]);
  return order;
}

namespace {

double polynomial(const std::array<double, 8>& ascending, double x) {
  double value = 0;
  for (std::size_t i = ascending.size(); i-- > 0;) value = value * x + ascending[i];
  return value;
}

}  // namespace

double normal_quantile(double probability) {
  // Coefficients of Wichura (1988), Algorithm AS 241, PPND16.
  static constexpr std::array<double, 8> kA = {
      3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
      4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static constexpr std::array<double, 8> kB = {1.0,
                                               4.2313330701600911252e+1,
                                               6.8718700749205790830e+2,
                                               5.3941960214247511077e+3,
                                               2.1213794301586595867e+4,
                                               3.9307895800092710610e+4,
                                               2.8729085735721942674e+4,
                                               5.2264952788528545610e+3};
  static constexpr std::array<double, 8> kC = {
      1.42343711074968357734e0, 4.63033784615654529590e0,  5.76949722146069140550e0,  3.64784832476320460504e0,
      1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr std::array<double, 8> kD = {1.0,
                                               2.05319162663775882187e0,
                                               1.67638483018380384940e0,
                                               6.89767334985100004550e-1,
                                               1.48103976427480074590e-1,
                                               1.51986665636164571966e-2,
                                               5.47593808499534494600e-4,
                                               1.05075007164441684324e-9};
  static constexpr std::array<double, 8> kE = {
      6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,  2.96560571828504891230e-1,
      2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr std::array<double, 8> kF = {1.0,
                                               5.99832206555887937690e-1,
                                               1.36929880922735805310e-1,
                                               1.48753612908506148525e-2,
                                               7.86869131145613259100e-4,
                                               1.84631831751005468180e-5,
                                               1.42151175831644588870e-7,
                                               2.04426310338993978564e-15};
  const double q = probability - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kA, r) / polynomial(kB, r);
  }
  double r = std::sqrt(-portable_log(q < 0 ? probability : 1 - probability));
  double value = 0;
  if (r <= 5) {
    r -= 1.6;
    value = polynomial(kC, r) / polynomial(kD, r);
  } else {
    r -= 5;
    value = polynomial(kE, r) / polynomial(kF, r);
  }
  return q < 0 ? -value : value;
}

KeepPlanes keep_planes(double keep) {
  const auto fixed = static_cast<std::uint32_t>(std::lround(keep * 65536));
  PERPEND_CHECK(fixed > 0 && fixed <= 65536);
  KeepPlanes planes;
  if (fixed == 65536) return planes;
  planes.count = 16 - std::countr_zero(fixed);
  for (int j = 0; j < planes.count; ++j) planes.bits |= ((fixed >> (15 - j)) & 1U) << j;
  return planes;
}

double rounded_keep(double keep) { return static_cast<double>(std::lround(keep * 65536)) / 65536; }

std::uint32_t mask_block_high(std::uint32_t layer, int plane, std::uint32_t group) {
  PERPEND_CHECK(layer < 256 && group < 65536);
  return (layer << 24) | (static_cast<std::uint32_t>(plane) << 16) | group;
}

std::uint64_t mask_word(const StreamName& name, const KeepPlanes& keep, std::uint32_t layer, std::uint32_t group,
                        std::uint32_t unit) {
  if (keep.count == 0) return ~std::uint64_t{0};
  const Stream stream(name);
  std::uint64_t mask = 0;
  for (int plane = keep.count; plane-- > 0;) {
    const std::uint64_t high = mask_block_high(layer, plane, group);
    std::uint64_t random = 0;
    for (std::uint32_t half = 0; half < 2; ++half) {
      const std::uint32_t n = 2 * unit + half;
      const std::uint64_t low = std::uint64_t{16} * (n / 64) + n % 16;
      random |= static_cast<std::uint64_t>(stream.block((high << 32) | low)[(n % 64) / 16]) << (32 * half);
    }
    mask = ((keep.bits >> plane) & 1U) != 0 ? (mask | random) : (mask & random);
  }
  return mask;
}

}  // namespace perpend
