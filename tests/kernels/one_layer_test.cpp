#include "perpend/kernels/one_layer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/kernels/bits.h"
#include "perpend/kernels/collapsed.h"
#include "perpend/kernels/dense.h"
#include "perpend/kernels/elementwise.h"
#include "tests/support/targets.h"

namespace perpend::kernels {
namespace {

// Layer by layer, (64, classes) with padding.
AlignedVector<float> logits_by_layers(std::size_t features, std::size_t units, std::size_t classes,
                                      const AlignedVector<float>& x, const AlignedVector<float>& w,
                                      const AlignedVector<float>& bias, const AlignedVector<float>& v,
                                      const AlignedVector<float>& out_bias) {
  const std::size_t stride = round_up(units, 16);
  AlignedVector<float> hidden(kRowsPerGroup * stride, 0.0F);
  AlignedVector<float> out(kRowsPerGroup * round_up(classes, 16), 0.0F);
  product<float>(kRowsPerGroup, units, features, x.data(), features, 1, w.data(), stride, bias.data(), false,
                 hidden.data(), stride);
  activate<float>(Activation::relu, hidden.size(), hidden.data(), {}, hidden.data(), nullptr, nullptr);
  product<float>(kRowsPerGroup, classes, units, hidden.data(), stride, 1, v.data(), round_up(classes, 16),
                 out_bias.data(), false, out.data(), round_up(classes, 16));
  return out;
}

TEST(OneLayerLogits, AreThoseOfTheLayersOneByOneToTheBitOnEveryTarget) {
  for (const std::size_t features : {1, 2, 30}) {
    for (const std::size_t units : {1, 2, 5, 6, 7, 16, 45}) {
      for (const std::size_t classes : {2, 3, 17}) {
        const std::size_t stride = round_up(units, 16);
        const std::size_t out_stride = round_up(classes, 16);
        const auto x = test::normal_floats(kRowsPerGroup * features, 1);
        AlignedVector<float> w = test::normal_floats(features * stride, 2);
        AlignedVector<float> by_unit(units * features);
        for (std::size_t f = 0; f < features; ++f) {
          for (std::size_t u = 0; u < units; ++u) by_unit[u * features + f] = w[f * stride + u];
        }
        const auto bias = test::normal_floats(stride, 3);
        const auto v = test::normal_floats(stride * out_stride, 4);
        const auto out_bias = test::normal_floats(out_stride, 5);
        const auto expected = logits_by_layers(features, units, classes, x, w, bias, v, out_bias);
        AlignedVector<float> packed(kRowsPerGroup * features);
        pack_group(kRowsPerGroup, features, {x.data(), features}, packed.data());
        test::on_every_target([&] {
          AlignedVector<float> logits(classes * kRowsPerGroup);
          one_layer_logits(features, units, classes, packed.data(), by_unit.data(), bias.data(), v.data(), out_stride,
                           out_bias.data(), logits.data());
          std::vector<float> found;
          std::vector<float> wanted;
          for (std::size_t r = 0; r < kRowsPerGroup; ++r) {
            for (std::size_t c = 0; c < classes; ++c) {
              found.push_back(logits[c * kRowsPerGroup + r]);
              wanted.push_back(expected[r * out_stride + c]);
            }
          }
          EXPECT_TRUE(test::same_bits(found, wanted)) << features << ' ' << units << ' ' << classes;
        });
      }
    }
  }
}

}  // namespace
}  // namespace perpend::kernels
