// Files of the format versions 1 and 2 load for ever, with the same weights and the same predictions to the bit.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "perpend/base/sha256.h"
#include "perpend/model/predict.h"
#include "perpend/store/model_file.h"

namespace perpend {
namespace {

using Json = nlohmann::json;

const std::string kFolder = PERPEND_GOLDEN_FOLDER;

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct GoldenFile {
  const char* list;
  std::size_t place;
};

class GoldenModel : public testing::TestWithParam<GoldenFile> {
 protected:
  Json golden_ = Json::parse(read(kFolder + "/" + GetParam().list)).at(GetParam().place);
  std::string path_ = kFolder + "/" + golden_["file"].get<std::string>();
};
constexpr const char* kVersion1 = "model_v1.json";
constexpr const char* kVersion2 = "model_v2.json";
INSTANTIATE_TEST_SUITE_P(Version1, GoldenModel,
                         testing::Values(GoldenFile{kVersion1, 0}, GoldenFile{kVersion1, 1}, GoldenFile{kVersion1, 2},
                                         GoldenFile{kVersion1, 3}));
INSTANTIATE_TEST_SUITE_P(Version2, GoldenModel, testing::Values(GoldenFile{kVersion2, 0}, GoldenFile{kVersion2, 1}));

void expect_bits(float found, const Json& expected) {
  EXPECT_EQ(std::bit_cast<std::uint32_t>(found),
            std::bit_cast<std::uint32_t>(static_cast<float>(expected.get<double>())));
}

TEST_P(GoldenModel, IsTheFileThatWasCommitted) { EXPECT_EQ(sha256_hex(read(path_)), golden_["sha256"]); }

TEST_P(GoldenModel, LoadsWithItsWeightsAndMetadata) {
  const ModelFile model = load(path_);
  EXPECT_EQ(model.decision.weights, golden_["member_weights"].get<std::vector<double>>());
  EXPECT_EQ(model.metadata, (golden_["metadata"].get<std::map<std::string, std::string>>()));
  const std::size_t layers = model.ensemble.architecture.layers();
  ASSERT_EQ(golden_["tensors"].size(), 2 * layers * model.ensemble.differentiable());
  for (std::size_t m = 0; m < model.ensemble.differentiable(); ++m) {
    for (std::size_t l = 0; l < layers; ++l) {
      const Layer<float>& layer = model.ensemble.members[m].layers[l];
      const std::string name = "member." + std::to_string(m) + ".layer." + std::to_string(l);
      const Json& weight = golden_["tensors"].at(name + ".weight");
      const Json& bias = golden_["tensors"].at(name + ".bias");
      ASSERT_EQ(weight.size(), layer.weight.rows());
      ASSERT_EQ(bias.size(), layer.weight.cols());
      for (std::size_t i = 0; i < weight.size(); ++i) {
        for (std::size_t j = 0; j < bias.size(); ++j) expect_bits(layer.weight(i, j), weight[i].at(j));
      }
      for (std::size_t j = 0; j < bias.size(); ++j) expect_bits(layer.bias[j], bias[j]);
    }
  }
}

// A missing number is null.
float cell_of(const Json& json) { return json.is_null() ? NAN : static_cast<float>(json.get<double>()); }

TEST_P(GoldenModel, PredictsTheSameToTheBit) {
  const ModelFile model = load(path_);
  const Json& rows = golden_["rows"];
  Inputs inputs(rows.size(), model.ensemble.architecture.features);
  for (std::size_t r = 0; r < inputs.rows(); ++r) {
    for (std::size_t f = 0; f < inputs.cols(); ++f) inputs(r, f) = cell_of(rows[r].at(f));
  }
  const auto scores = member_scores(model.ensemble, inputs, Threads(2));
  ASSERT_EQ(golden_["scores"].size(), scores.members());
  for (std::size_t m = 0; m < scores.members(); ++m) {
    for (std::size_t r = 0; r < scores.rows(); ++r) {
      for (std::size_t k = 0; k < scores.cols(); ++k) expect_bits(scores[m](r, k), golden_["scores"][m][r].at(k));
    }
  }
}

TEST_P(GoldenModel, IsWrittenAgainAsTheSameBytes) { EXPECT_EQ(to_bytes(load(path_)), read(path_)); }

}  // namespace
}  // namespace perpend
