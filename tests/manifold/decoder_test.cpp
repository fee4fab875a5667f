#include "perpend/manifold/decoder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/base/error.h"
#include "perpend/base/random.h"

namespace perpend {
namespace {

std::string layer(std::size_t in, std::size_t out, std::uint64_t seed) {
  const Stream stream({.seed = seed, .purpose = Purpose::test});
  std::string text = "{\"weight\":[";
  for (std::size_t i = 0; i < in; ++i) {
    text += i > 0 ? ",[" : "[";
    for (std::size_t j = 0; j < out; ++j) text += (j > 0 ? "," : "") + std::to_string(stream.normal(i * out + j));
    text += "]";
  }
  text += "],\"bias\":[";
  for (std::size_t j = 0; j < out; ++j) text += (j > 0 ? "," : "") + std::to_string(stream.normal(1000 + j));
  return text + "]}";
}

std::string autoencoder(const std::string& activation) {
  return "{\"activation\":\"" + activation + "\",\"encoder\":[" + layer(5, 7, 1) + "," + layer(7, 2, 2) +
         "],\"decoder\":[" + layer(2, 9, 3) + "," + layer(9, 4, 4) + "," + layer(4, 5, 5) + "]}";
}

double activated(Activation activation, double z) {
  switch (activation) {
    case Activation::relu:
      return std::max(0.0, z);
    case Activation::softplus:
      return std::log1p(std::exp(z));
    case Activation::tanh:
      return std::tanh(z);
    default:
      return 1 / (1 + std::exp(-z));
  }
}

std::vector<double> run(const std::vector<DecoderLayer>& layers, Activation activation, std::vector<double> x) {
  for (std::size_t l = 0; l < layers.size(); ++l) {
    std::vector<double> out(layers[l].weight.cols());
    for (std::size_t j = 0; j < out.size(); ++j) {
      out[j] = static_cast<double>(layers[l].bias[j]);
      for (std::size_t i = 0; i < x.size(); ++i) out[j] += x[i] * static_cast<double>(layers[l].weight(i, j));
      if (l + 1 < layers.size()) out[j] = activated(activation, out[j]);
    }
    x = out;
  }
  return x;
}

TEST(Decoder, TangentsAreTheSlopesOfItsOutput) {
  for (const char* name : {"relu", "softplus", "tanh", "sigmoid"}) {
    const Autoencoder ae = parse_autoencoder(autoencoder(name), "ae.json");
    EXPECT_EQ(ae.features(), 5U);
    EXPECT_EQ(ae.directions(), 2U);
    Inputs rows(70, 5);
    const Stream stream({.seed = 9, .purpose = Purpose::test});
    for (std::size_t i = 0; i < 350; ++i) rows(i / 5, i % 5) = static_cast<float>(stream.normal(i));
    const Tangents found = decoder_tangents(ae, rows.view(), Threads(2));
    for (std::size_t r = 0; r < 70; ++r) {
      const auto z = run(ae.encoder, ae.activation, {rows.row(r), rows.row(r) + 5});
      for (std::size_t k = 0; k < 2; ++k) {
        constexpr double kStep = 1e-6;
        auto up = z;
        auto down = z;
        up[k] += kStep;
        down[k] -= kStep;
        const auto above = run(ae.decoder, ae.activation, up);
        const auto below = run(ae.decoder, ae.activation, down);
        for (std::size_t f = 0; f < 5; ++f) {
          const double slope = (above[f] - below[f]) / (2 * kStep);
          EXPECT_NEAR(found.direction(r, k)[f], slope, 2e-5 * (1 + std::abs(slope))) << name << ' ' << r;
        }
      }
    }
  }
}

TEST(Decoder, FileIsRefusedWithItsReason) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      parse_autoencoder(text, "ae.json");
    } catch (const DataError& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto has = [&](const std::string& text, const std::string& reason) {
    return refusal(text).find(reason) != std::string::npos ? testing::AssertionSuccess()
                                                           : testing::AssertionFailure() << refusal(text);
  };
  EXPECT_EQ(refusal(autoencoder("tanh")), "accepted");
  EXPECT_TRUE(has("[1", "no JSON at byte 3"));
  EXPECT_TRUE(has("[1]", "not a JSON object"));
  EXPECT_TRUE(has(std::string(1 << 20, '['), "nesting deeper than 32"));
  EXPECT_TRUE(has(autoencoder("swish"), "not one of relu"));
  EXPECT_TRUE(has("{\"activation\":\"tanh\"}", "no list 'encoder'"));
  EXPECT_TRUE(has("{\"activation\":\"tanh\",\"encoder\":[" + layer(3, 2, 1) + "],\"decoder\":[" + layer(3, 3, 1) + "]}",
                  "decoder layer 1 takes 3 numbers, but 2 come in"));
  EXPECT_TRUE(has("{\"activation\":\"tanh\",\"encoder\":[" + layer(3, 2, 1) + "],\"decoder\":[" + layer(2, 4, 1) + "]}",
                  "gives 4 numbers, but the encoder takes 3"));
  EXPECT_TRUE(has(R"({"activation":"tanh","encoder":[{"weight":[[1,2],[3]],"bias":[0,0]}],"decoder":[]})",
                  "row of weights whose length is not 2"));
  EXPECT_TRUE(
      has(R"({"activation":"tanh","encoder":[{"weight":[[1e99]],"bias":[0]}],"decoder":[]})", "not a finite number"));
  EXPECT_TRUE(
      has(R"({"activation":"tanh","encoder":[{"weight":[["x"]],"bias":[0]}],"decoder":[]})", "not a finite number"));
}

TEST(Decoder, TangentsBeyondFloatRangeAreRefused) {
  const std::string layers = R"([{"weight":[[3e38]],"bias":[0]},{"weight":[[3e38]],"bias":[0]}])";
  const Autoencoder large =
      parse_autoencoder(R"({"activation":"relu","encoder":)" + layers + R"(,"decoder":)" + layers + "}", "ae.json");
  Inputs rows(1, 1);
  rows(0, 0) = 1;
  EXPECT_THROW(decoder_tangents(large, rows.view(), Threads(1)), DataError);
}

}  // namespace
}  // namespace perpend
