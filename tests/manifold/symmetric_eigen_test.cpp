#include "perpend/manifold/symmetric_eigen.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "perpend/base/random.h"

namespace perpend {
namespace {

using Square = Matrix<double, axis::Feature, axis::Feature>;

Square random_symmetric(std::size_t n, std::uint64_t seed) {
  const Stream stream({.seed = seed, .purpose = Purpose::test});
  Square a(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) a(i, j) = a(j, i) = stream.normal(i * n + j);
  }
  return a;
}

// B^T B of a (rank, n) matrix B. It is singular if rank < n.
Square gram(std::size_t n, std::size_t rank, std::uint64_t seed) {
  const Stream stream({.seed = seed, .purpose = Purpose::test});
  Square a(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < rank; ++k) a(i, j) += stream.normal(k * n + i) * stream.normal(k * n + j);
    }
  }
  return a;
}

double norm_of(const Square& a) {
  double squares = 0;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.cols(); ++j) squares += a(i, j) * a(i, j);
  }
  return std::sqrt(squares);
}

void expect_decomposed(const Square& a) {
  const SymmetricEigen found = symmetric_eigen(a);
  const std::size_t n = a.rows();
  const double tolerance = 1e-13 * std::max(1.0, norm_of(a));
  for (std::size_t k = 0; k < n; ++k) {
    if (k > 0) {
      EXPECT_GE(found.values[k - 1], found.values[k]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      double product = 0;
      for (std::size_t j = 0; j < n; ++j) product += a(i, j) * found.vectors(k, j);
      EXPECT_NEAR(product, found.values[k] * found.vectors(k, i), tolerance) << k << ' ' << i;
    }
    for (std::size_t l = 0; l <= k; ++l) {
      double dot = 0;
      for (std::size_t j = 0; j < n; ++j) dot += found.vectors(k, j) * found.vectors(l, j);
      EXPECT_NEAR(dot, k == l ? 1 : 0, 1e-13);
    }
  }
}

TEST(SymmetricEigen, VectorsAreOrthonormalAndBelongToTheirValues) {
  for (const std::size_t n : {1, 2, 3, 7, 20, 60}) expect_decomposed(random_symmetric(n, n));
}

TEST(SymmetricEigen, ValuesAreThoseOfAnotherLibrary) {
  for (const std::size_t n : {2, 5, 40}) {
    const Square a = random_symmetric(n, n + 1);
    Eigen::MatrixXd copy(n, n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) copy(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = a(i, j);
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> oracle(copy);
    const auto found = symmetric_eigen(a);
    for (std::size_t k = 0; k < n; ++k) {
      EXPECT_NEAR(found.values[k], oracle.eigenvalues()(static_cast<Eigen::Index>(n - 1 - k)), 1e-12);
    }
  }
}

TEST(SymmetricEigen, EndsOnSingularEqualAndDiagonalMatrices) {
  expect_decomposed(gram(30, 4, 1));
  expect_decomposed(Square(5, 5));
  Square identity(6, 6);
  for (std::size_t i = 0; i < 6; ++i) identity(i, i) = 2;
  expect_decomposed(identity);
  const auto found = symmetric_eigen(identity);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(found.vectors(i, i), 1);  // equal ones stay in order
  Square ones(9, 9);
  for (std::size_t i = 0; i < 9; ++i) {
    for (std::size_t j = 0; j < 9; ++j) ones(i, j) = 1;
  }
  expect_decomposed(ones);
  EXPECT_NEAR(symmetric_eigen(ones).values[0], 9, 1e-14);
}

TEST(SymmetricEigen, HoldsOverElevenOrdersOfMagnitude) {
  Square a = gram(8, 8, 3);
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      a(i, j) *= std::pow(10.0, -0.7 * static_cast<double>(i)) * std::pow(10.0, -0.7 * static_cast<double>(j));
    }
  }
  expect_decomposed(a);
  EXPECT_GT(symmetric_eigen(a).values[7], 0);
}

TEST(SymmetricEigen, LargestEntryOfAVectorIsPositive) {
  const auto found = symmetric_eigen(random_symmetric(25, 7));
  for (std::size_t k = 0; k < 25; ++k) {
    double largest = 0;
    for (std::size_t i = 0; i < 25; ++i) {
      if (std::abs(found.vectors(k, i)) > std::abs(largest)) largest = found.vectors(k, i);
    }
    EXPECT_GT(largest, 0);
  }
}

}  // namespace
}  // namespace perpend
