#include "perpend/kernels/dense.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/support/targets.h"

namespace perpend::kernels {
namespace {

enum class Start { zero, bias, accumulate };

// A (m, k) or its transpose in memory, B (k, n), C (m, n), each row of B and C padded to 16.
struct TestProduct {
  TestProduct(std::size_t rows, std::size_t cols, std::size_t inner, Start how, bool transposed)
      : m(rows),
        n(cols),
        k(inner),
        stride(round_up(cols, 16)),
        a_row(transposed ? 1 : inner + 3),
        a_col(transposed ? rows + 3 : 1),
        a(test::normal_floats((rows + 3) * (inner + 3), 1)),
        b(inner * stride, 0.0F),
        bias(test::normal_floats(cols, 3)),
        before(rows * stride, 0.0F),
        start(how) {
    const auto numbers = test::normal_floats((inner + rows) * cols, 2);
    for (std::size_t l = 0; l < k; ++l) std::copy_n(numbers.data() + l * n, n, b.data() + l * stride);
    for (std::size_t i = 0; i < m; ++i) std::copy_n(numbers.data() + (k + i) * n, n, before.data() + i * stride);
  }

  template <class Function>
  AlignedVector<float> run(const Function& function) const {
    AlignedVector<float> c = before;
    function({.m = m,
              .n = n,
              .k = k,
              .a = a.data(),
              .a_row_stride = a_row,
              .a_col_stride = a_col,
              .b = b.data(),
              .b_stride = stride,
              .bias = start == Start::bias ? bias.data() : nullptr,
              .accumulate = start == Start::accumulate,
              .c = c.data(),
              .c_stride = stride});
    return c;
  }

  std::size_t m, n, k, stride, a_row, a_col;
  AlignedVector<float> a, b, bias, before;
  Start start;
};

std::vector<TestProduct> all_products() {
  std::vector<TestProduct> products;
  for (const std::size_t m : {0, 1, 5, 6, 7, 13}) {
    for (const std::size_t n : {0, 1, 7, 8, 9, 15, 16, 17, 33, 63, 64, 65, 100}) {
      for (const std::size_t k : {0, 1, 2, 33}) {
        for (const Start start : {Start::zero, Start::bias, Start::accumulate}) {
          products.emplace_back(m, n, k, start, (m + n + k) % 2 == 1);
        }
      }
    }
  }
  return products;
}

TEST(DenseProduct, EveryEntryIsOneFusedChainOnEveryTarget) {
  for (const TestProduct& p : all_products()) {
    AlignedVector<float> expected = p.run(reference::product<float>);
    if (p.start != Start::accumulate) {  // the padding is computed too; it is zero where that of B and of the bias is
      for (std::size_t i = 0; i < p.m; ++i) std::fill_n(expected.data() + i * p.stride + p.n, p.stride - p.n, 0.0F);
    }
    test::on_every_target(
        [&] { EXPECT_TRUE(test::same_bits(p.run(product<float>), expected)) << p.m << " x " << p.n << " x " << p.k; });
  }
}

TEST(DenseProduct, AgreesWithEigenWithinTheChainsRoundingBound) {
  for (const TestProduct& p : all_products()) {
    using Matrix = Eigen::MatrixXd;
    Matrix a(p.m, p.k), b(p.k, p.n), start = Matrix::Zero(p.m, p.n);
    for (std::size_t i = 0; i < p.m; ++i) {
      for (std::size_t l = 0; l < p.k; ++l) a(i, l) = p.a[i * p.a_row + l * p.a_col];
      for (std::size_t j = 0; j < p.n; ++j) {
        if (p.start == Start::bias) start(i, j) = p.bias[j];
        if (p.start == Start::accumulate) start(i, j) = p.before[i * p.stride + j];
      }
    }
    for (std::size_t l = 0; l < p.k; ++l) {
      for (std::size_t j = 0; j < p.n; ++j) b(l, j) = p.b[l * p.stride + j];
    }
    const Matrix expected = start + a * b;
    // Each of the k roundings is at most half a unit in the last place of a partial sum.
    const Matrix bound = 0x1p-24 * static_cast<double>(p.k) * 1.01 * (start.cwiseAbs() + a.cwiseAbs() * b.cwiseAbs());
    const auto c = p.run(product<float>);
    for (std::size_t i = 0; i < p.m; ++i) {
      for (std::size_t j = 0; j < p.n; ++j) {
        ASSERT_NEAR(c[i * p.stride + j], expected(i, j), bound(i, j)) << p.m << " x " << p.n << " x " << p.k;
      }
    }
  }
}

TEST(Transpose, EveryEntryGoesToItsPlaceAndNoOtherIsTouched) {
  for (const std::size_t m : test::kLaneSizes) {
    for (const std::size_t n : test::kLaneSizes) {
      const std::size_t a_stride = n + 3;
      const std::size_t out_stride = m + 2;
      const auto a = test::normal_floats(m * a_stride, 5);
      test::on_every_target([&] {
        std::vector<float> out(n * out_stride, 7.0F);
        transpose<float>(
            {.rows = m, .cols = n, .a = a.data(), .a_stride = a_stride, .out = out.data(), .out_stride = out_stride});
        for (std::size_t j = 0; j < n; ++j) {
          for (std::size_t i = 0; i < out_stride; ++i) {
            ASSERT_EQ(out[j * out_stride + i], i < m ? a[i * a_stride + j] : 7.0F) << m << ' ' << n;
          }
        }
      });
    }
  }
}

}  // namespace
}  // namespace perpend::kernels
