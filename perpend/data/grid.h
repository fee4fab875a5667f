// The paper's data sets on a grid: figure 2 (toy-1 .. toy-4) and the manifold of the appendix.
//
// A grid over [-s, s]^2 has 100 x 100 points at s (2 i - 99) / 99, so no coordinate is 0 and the grid is symmetric to
// the last bit. Rows are in an order drawn from the seed.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/data/dataset.h"

namespace perpend {

// Makes a set on the grid over [-10, 10]^2. u and v are the coordinates of a point after the set's change of axes.
//   1: u = x, v = y                      rows with sign u != sign v, red where u < 0
//   2: u = cos 60 x - sin 60 y,          as 1
//      v = sin 60 x + cos 60 y
//   3: as 2 with cos 60 - 0.4 in u       as 1
//   4: u = x^2 - y^2, v = 2 x y          rows with sign u != sign v, red where x y < 0; the diagonals (u = 0) belong
Dataset toy_set(int which, std::uint64_t seed);

// The random surface R^2 -> R^3 of the appendix: p(x, y) = sigmoid((x, y, 1) A) B with 100 units, entries N(0, 0.5^2).
struct Manifold {
  static constexpr std::size_t kUnits = 100;
  std::array<std::array<double, kUnits>, 3> a;
  std::array<std::array<double, 3>, kUnits> b;
};
struct ManifoldPoint {
  std::array<double, 3> point;
  std::array<std::array<double, 3>, 2> tangents;  // dp/dx and dp/dy
};
Manifold random_manifold(std::uint64_t seed);
ManifoldPoint manifold_point(const Manifold& manifold, double x, double y);

// The rows with x y > 0 of the grid over [-3, 3]^2, mapped to the surface. Their class is "right" where x > 0.
struct ManifoldSet {
  Dataset dataset;               // (rows, 3)
  Inputs chart;                  // (rows, 2): x and y
  std::vector<Inputs> tangents;  // J(x): the tangent vectors along x and y, each (rows, 3)
};
ManifoldSet manifold_set(std::uint64_t seed);

}  // namespace perpend
