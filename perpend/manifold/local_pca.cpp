#include "perpend/manifold/local_pca.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "perpend/manifold/symmetric_eigen.h"

namespace perpend {

namespace {

// The sum has four chains, so that the compiler may use vectors. The bits are always the same.
double squared_distance(const float* a, const float* b, std::size_t n) {
  double chain[4] = {};
  for (std::size_t i = 0; i < n; ++i) {
    const double apart = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    chain[i % 4] += apart * apart;
  }
  return (chain[0] + chain[1]) + (chain[2] + chain[3]);
}

std::vector<std::size_t> nearest(const float* row, InputsView training, std::size_t count) {
  std::vector<std::pair<double, std::size_t>> distances(training.rows());
  for (std::size_t r = 0; r < training.rows(); ++r) {
    distances[r] = {squared_distance(row, training.row(r), training.cols()), r};
  }
  std::nth_element(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(count - 1), distances.end());
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back(distances[i].second);
  std::ranges::sort(rows);
  return rows;
}

using Centred = Matrix<double, axis::Row, axis::Feature>;

Centred centred(InputsView training, const std::vector<std::size_t>& rows) {
  Centred out(rows.size(), training.cols());
  for (std::size_t f = 0; f < training.cols(); ++f) {
    double sum = 0;
    for (const auto r : rows) sum += static_cast<double>(training(r, f));
    const double mean = sum / static_cast<double>(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) out(i, f) = static_cast<double>(training(rows[i], f)) - mean;
  }
  return out;
}

// X X^T or X^T X. Both have the same nonzero eigenvalues, so the caller takes the smaller one.
Matrix<double, axis::Feature, axis::Feature> gram(const Centred& x, bool of_rows) {
  const std::size_t n = of_rows ? x.rows() : x.cols();
  const std::size_t inner = of_rows ? x.cols() : x.rows();
  const auto entry = [&](std::size_t i, std::size_t k) { return of_rows ? x(i, k) : x(k, i); };
  Matrix<double, axis::Feature, axis::Feature> out(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < inner; ++k) sum += entry(i, k) * entry(j, k);
      out(i, j) = out(j, i) = sum;
    }
  }
  return out;
}

void write_basis(const Centred& x, std::size_t row, Tangents& tangents) {
  const bool of_rows = x.rows() < x.cols();
  const SymmetricEigen eigen = symmetric_eigen(gram(x, of_rows));
  for (std::size_t k = 0; k < std::min(tangents.directions(), eigen.values.size()); ++k) {
    if (!(eigen.values[k] > kNoVariance * eigen.values[0])) break;
    const double length = std::sqrt(eigen.values[k]);
    for (std::size_t f = 0; f < x.cols(); ++f) {
      double value = 0;
      if (of_rows) {
        for (std::size_t i = 0; i < x.rows(); ++i) value += eigen.vectors(k, i) * x(i, f) / length;
      } else {
        value = eigen.vectors(k, f);
      }
      tangents.direction(row, k)[f] = static_cast<float>(value);
    }
  }
}

}  // namespace

Tangents local_tangents(InputsView rows, InputsView training, std::size_t directions, const Threads& threads) {
  PERPEND_CHECK(rows.cols() == training.cols() && training.rows() > 0 && directions <= rows.cols());
  const std::size_t neighbours = std::min(local_neighbours(directions), training.rows());
  Tangents tangents = Tangents::per_row(rows.rows(), rows.cols(), directions);
  threads.for_each(rows.rows(), [&](std::size_t r) {
    write_basis(centred(training, nearest(rows.row(r), training, neighbours)), r, tangents);
  });
  return tangents;
}

}  // namespace perpend
