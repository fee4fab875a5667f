#include "perpend/kernels/one_layer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/kernels/bits.h"
#include "perpend/kernels/collapsed.h"
#include "perpend/kernels/dense.h"
#include "perpend/kernels/elementwise.h"
#include "perpend/kernels/reference.h"
#include "tests/support/targets.h"

namespace perpend::kernels {
namespace {

struct TestNetwork {
  TestNetwork(std::size_t features, std::size_t units, std::size_t classes)
      : stride(round_up(units, 16)),
        out_stride(round_up(classes, 16)),
        w(test::normal_floats(features * stride, 2)),
        by_unit(units * features),
        bias(test::normal_floats(stride, 3)),
        v(test::normal_floats(stride * out_stride, 4)),
        out_bias(test::normal_floats(out_stride, 5)) {
    for (std::size_t f = 0; f < features; ++f) {
      for (std::size_t u = 0; u < units; ++u) by_unit[u * features + f] = w[f * stride + u];
    }
    layer = {.features = features,
             .units = units,
             .classes = classes,
             .weights = by_unit.data(),
             .bias = bias.data(),
             .out_weights = v.data(),
             .out_stride = out_stride,
             .out_bias = out_bias.data()};
  }
  TestNetwork(const TestNetwork&) = delete;
  TestNetwork& operator=(const TestNetwork&) = delete;

  std::size_t stride, out_stride;
  AlignedVector<float> w, by_unit, bias, v, out_bias;  // w is (features, units), padded
  OneLayer layer;
};

// Computes layer by layer, as for any other network; (classes, 64).
std::vector<float> logits_by_layers(const TestNetwork& network, const AlignedVector<float>& x) {
  const OneLayer& a = network.layer;
  AlignedVector<float> hidden(kRowsPerGroup * network.stride, 0.0F);
  AlignedVector<float> out(kRowsPerGroup * network.out_stride, 0.0F);
  product<float>({.m = kRowsPerGroup,
                  .n = a.units,
                  .k = a.features,
                  .a = x.data(),
                  .a_row_stride = a.features,
                  .b = network.w.data(),
                  .b_stride = network.stride,
                  .bias = a.bias,
                  .c = hidden.data(),
                  .c_stride = network.stride});
  activate<float>(Activation::relu, {.n = hidden.size(), .z = hidden.data(), .value = hidden.data()});
  product<float>({.m = kRowsPerGroup,
                  .n = a.classes,
                  .k = a.units,
                  .a = hidden.data(),
                  .a_row_stride = network.stride,
                  .b = a.out_weights,
                  .b_stride = a.out_stride,
                  .bias = a.out_bias,
                  .c = out.data(),
                  .c_stride = network.out_stride});
  std::vector<float> logits(a.classes * kRowsPerGroup);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    logits[i] = out[i % kRowsPerGroup * network.out_stride + i / kRowsPerGroup];
  }
  return logits;
}

TEST(OneLayerLogits, AreThoseOfTheTwinAndOfTheLayersOneByOneToTheBitOnEveryTarget) {
  for (const std::size_t features : {1, 2, 30}) {
    for (const std::size_t units : {1, 2, 5, 6, 7, 16, 45}) {
      for (const std::size_t classes : {2, 3, 17}) {
        const TestNetwork network(features, units, classes);
        const auto x = test::normal_floats(kRowsPerGroup * features, 1);
        const IndexedRows rows{.data = x.data(), .stride = features};
        std::vector<float> expected(classes * kRowsPerGroup);
        reference::one_layer_logits(network.layer, rows, expected.data());
        test::on_every_target([&] {
          AlignedVector<float> packed(kRowsPerGroup * features);
          pack_group(kRowsPerGroup, features, rows, packed.data());
          std::vector<float> logits(classes * kRowsPerGroup);
          one_layer_logits(network.layer, packed.data(), logits.data());
          EXPECT_TRUE(test::same_bits(logits, expected)) << features << ' ' << units << ' ' << classes;
          EXPECT_TRUE(test::same_bits(logits_by_layers(network, x), expected)) << features << ' ' << units;
        });
      }
    }
  }
}

}  // namespace
}  // namespace perpend::kernels
