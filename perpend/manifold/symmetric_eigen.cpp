#include "perpend/manifold/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace perpend {

namespace {

using Square = Matrix<double, axis::Feature, axis::Feature>;

constexpr int kMostSweeps = 60;

struct Rotation {
  double cosine, sine;
};

// The rotation that makes entry (p, q) zero. Two angles do so, and this is the smaller one.
Rotation rotation_for(const Square& a, std::size_t p, std::size_t q) {
  const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
  const double t = std::abs(theta) > 1e150 ? 1 / (2 * theta)
                                           : (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double cosine = 1 / std::sqrt(t * t + 1);
  return {cosine, t * cosine};
}

void rotate_rows(double* p, double* q, std::size_t n, const Rotation& r) {
  for (std::size_t i = 0; i < n; ++i) {
    const double x = p[i];
    const double y = q[i];
    p[i] = r.cosine * x - r.sine * y;
    q[i] = r.sine * x + r.cosine * y;
  }
}

void rotate(Square& a, std::size_t p, std::size_t q, const Rotation& r) {
  const std::size_t n = a.rows();
  const double app = a(p, p);
  const double aqq = a(q, q);
  const double shift = r.sine / r.cosine * a(p, q);
  rotate_rows(a.row(p), a.row(q), n, r);
  for (std::size_t i = 0; i < n; ++i) {
    a(i, p) = a(p, i);
    a(i, q) = a(q, i);
  }
  a(p, p) = app - shift;
  a(q, q) = aqq + shift;
  a(p, q) = a(q, p) = 0;
}

// Whether an entry is so small compared with both diagonal entries that it can change neither.
bool is_negligible(double entry, double p, double q) {
  const double size = std::abs(entry);
  return size == 0 || (std::abs(p) + size == std::abs(p) && std::abs(q) + size == std::abs(q));
}

// An entry below this share of the whole matrix counts as rounding. Otherwise the work on a singular matrix would never
// end.
double noise_of(const Square& a) {
  double squares = 0;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.cols(); ++j) squares += a(i, j) * a(i, j);
  }
  return std::sqrt(squares) * std::numeric_limits<double>::epsilon() / 16;
}

void fix_sign(double* vector, std::size_t n) {
  const double* largest =
      std::max_element(vector, vector + n, [](double x, double y) { return std::abs(x) < std::abs(y); });
  if (n == 0 || *largest >= 0) return;
  for (std::size_t i = 0; i < n; ++i) vector[i] = -vector[i];
}

}  // namespace

SymmetricEigen symmetric_eigen(Square a) {
  PERPEND_CHECK(a.rows() == a.cols());
  const std::size_t n = a.rows();
  Matrix<double, axis::Direction, axis::Feature> vectors(n, n);
  for (std::size_t i = 0; i < n; ++i) vectors(i, i) = 1;
  const double noise = noise_of(a);
  bool changed = true;
  for (int sweep = 0; sweep < kMostSweeps && changed; ++sweep) {
    changed = false;
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        if (std::abs(a(p, q)) <= noise || is_negligible(a(p, q), a(p, p), a(q, q))) continue;
        const Rotation r = rotation_for(a, p, q);
        rotate(a, p, q, r);
        rotate_rows(vectors.row(p), vectors.row(q), n, r);
        changed = true;
      }
    }
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return a(i, i); });
  SymmetricEigen result{std::vector<double>(n), Matrix<double, axis::Direction, axis::Feature>(n, n)};
  for (std::size_t i = 0; i < n; ++i) {
    result.values[i] = a(order[i], order[i]);
    std::copy_n(vectors.row(order[i]), n, result.vectors.row(i));
    fix_sign(result.vectors.row(i), n);
  }
  return result;
}

}  // namespace perpend
