#include "perpend/data/grid.h"

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"
#include "perpend/base/random.h"

namespace perpend {
namespace {

constexpr int kSide = 100;
constexpr double kCos60 = 0.5;
constexpr double kSin60 = 0x1.bb67ae8584caap-1;

enum Draw : std::uint32_t { kOrder = 0, kFirstWeights = 1, kSecondWeights = 2 };

// Grid points as odd integers 2 i - 99, so that the signs of polynomials in them are exact.
struct Point {
  int x = 0;
  int y = 0;
};

double coordinate(int odd, int scale) { return static_cast<double>(scale * odd) / (kSide - 1); }

int sign(double v) { return static_cast<int>(v > 0) - static_cast<int>(v < 0); }

template <class Wanted>
std::vector<Point> shuffled_grid(std::uint64_t seed, Wanted wanted) {
  std::vector<Point> points;
  for (const auto i : Stream({.seed = seed, .purpose = Purpose::generate, .step = kOrder}).permutation(kSide * kSide)) {
    const auto at = static_cast<int>(i);
    const Point point{2 * (at / kSide) - (kSide - 1), 2 * (at % kSide) - (kSide - 1)};
    if (wanted(point)) points.push_back(point);
  }
  return points;
}

std::array<double, 2> toy_axes(int which, const Point& p) {
  switch (which) {
    case 1:
      return {static_cast<double>(p.x), static_cast<double>(p.y)};
    case 2:
      return {kCos60 * p.x - kSin60 * p.y, kSin60 * p.x + kCos60 * p.y};
    case 3:
      return {(kCos60 - 0.4) * p.x - kSin60 * p.y, kSin60 * p.x + kCos60 * p.y};
    default:
      return {static_cast<double>(p.x * p.x - p.y * p.y), 2.0 * p.x * p.y};
  }
}

}  // namespace

Dataset toy_set(int which, std::uint64_t seed) {
  PERPEND_CHECK(which >= 1 && which <= 4);
  const auto points = shuffled_grid(seed, [&](const Point& p) {
    const auto [u, v] = toy_axes(which, p);
    return sign(u) != sign(v);
  });
  Dataset set{.inputs = Inputs(points.size(), 2),
              .labels = {},
              .classes = {"blue", "red"},
              .features = {"x", "y"},
              .weights = {}};
  for (std::size_t r = 0; r < points.size(); ++r) {
    set.inputs(r, 0) = static_cast<float>(coordinate(points[r].x, 10));
    set.inputs(r, 1) = static_cast<float>(coordinate(points[r].y, 10));
    const bool red = which == 4 ? points[r].x * points[r].y < 0 : toy_axes(which, points[r])[0] < 0;
    set.labels.push_back(red ? 1 : 0);
  }
  return set;
}

Manifold random_manifold(std::uint64_t seed) {
  const Stream first({.seed = seed, .purpose = Purpose::generate, .step = kFirstWeights});
  const Stream second({.seed = seed, .purpose = Purpose::generate, .step = kSecondWeights});
  Manifold manifold{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t h = 0; h < Manifold::kUnits; ++h) {
      manifold.a[i][h] = 0.5 * first.normal(i * Manifold::kUnits + h);
      manifold.b[h][i] = 0.5 * second.normal(h * 3 + i);
    }
  }
  return manifold;
}

ManifoldPoint manifold_point(const Manifold& manifold, double x, double y) {
  ManifoldPoint result{};
  for (std::size_t h = 0; h < Manifold::kUnits; ++h) {
    const double z = x * manifold.a[0][h] + y * manifold.a[1][h] + manifold.a[2][h];
    const double s = 1 / (1 + portable_exp(-z));
    const double slope = s * (1 - s);
    for (std::size_t i = 0; i < 3; ++i) {
      result.point[i] += s * manifold.b[h][i];
      result.tangents[0][i] += slope * manifold.a[0][h] * manifold.b[h][i];
      result.tangents[1][i] += slope * manifold.a[1][h] * manifold.b[h][i];
    }
  }
  return result;
}

ManifoldSet manifold_set(std::uint64_t seed) {
  const Manifold manifold = random_manifold(seed);
  const auto points = shuffled_grid(seed, [](const Point& p) { return p.x * p.y > 0; });
  const std::size_t n = points.size();
  ManifoldSet set{.dataset = {.inputs = Inputs(n, 3),
                              .labels = {},
                              .classes = {"left", "right"},
                              .features = {"x", "y", "z"},
                              .weights = {}},
                  .chart = Inputs(n, 2),
                  .tangents = {Inputs(n, 3), Inputs(n, 3)}};
  for (std::size_t r = 0; r < n; ++r) {
    const double x = coordinate(points[r].x, 3);
    const double y = coordinate(points[r].y, 3);
    const ManifoldPoint p = manifold_point(manifold, x, y);
    for (std::size_t i = 0; i < 3; ++i) {
      set.dataset.inputs(r, i) = static_cast<float>(p.point[i]);
      for (std::size_t t = 0; t < 2; ++t) set.tangents[t](r, i) = static_cast<float>(p.tangents[t][i]);
    }
    set.chart(r, 0) = static_cast<float>(x);
    set.chart(r, 1) = static_cast<float>(y);
    set.dataset.labels.push_back(x > 0 ? 1 : 0);
  }
  return set;
}

}  // namespace perpend
