#include "perpend/store/model_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "perpend/base/error.h"
#include "perpend/base/sha256.h"
#include "tests/support/data.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/model_files.h"
#include "tests/support/tree_models.h"

namespace perpend {
namespace {

using test::made_up_model;
using test::MemoryFileSystem;

void expect_equal_bits(const float* a, const float* b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(a[i]), std::bit_cast<std::uint32_t>(b[i]));
}

void expect_equal(const ModelFile& a, const ModelFile& b) {
  EXPECT_EQ(a.ensemble.architecture, b.ensemble.architecture);
  EXPECT_EQ(a.decision, b.decision);
  EXPECT_EQ(a.metadata, b.metadata);
  EXPECT_EQ(a.ensemble.trees, b.ensemble.trees);
  ASSERT_EQ(a.ensemble.members.size(), b.ensemble.members.size());
  for (std::size_t m = 0; m < a.ensemble.members.size(); ++m) {
    ASSERT_EQ(a.ensemble.members[m].layers.size(), b.ensemble.members[m].layers.size());
    for (std::size_t l = 0; l < a.ensemble.members[m].layers.size(); ++l) {
      const Layer<float>& x = a.ensemble.members[m].layers[l];
      const Layer<float>& y = b.ensemble.members[m].layers[l];
      ASSERT_EQ(x.weight.stride(), y.weight.stride());
      expect_equal_bits(x.weight.data(), y.weight.data(), x.weight.rows() * x.weight.stride());
      ASSERT_EQ(x.bias.size(), y.bias.size());
      expect_equal_bits(x.bias.data(), y.bias.data(), x.bias.size());
    }
  }
}

struct Shape {
  std::size_t members;
  Architecture architecture;
};

class ModelFileShapes : public testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(
    Some, ModelFileShapes,
    testing::Values(Shape{5, {.features = 30}}, Shape{1, {.features = 1, .hidden = {1}, .classes = 2}},
                    Shape{3, {.features = 7, .hidden = {17, 16, 5}, .classes = 3, .activation = Activation::tanh}},
                    Shape{2, {.features = 4, .hidden = {8, 8}, .classes = 10, .activation = Activation::softplus}},
                    Shape{2, {.features = 3, .hidden = {}, .classes = 2, .activation = Activation::sigmoid}},
                    Shape{3,
                          {.features = 6,
                           .hidden = {17},
                           .columns = test::mixed_data(60, 6, 1).columns,
                           .views = {View::linear, View::piecewise}}}));

TEST_P(ModelFileShapes, ComesBackEqualToTheBit) {
  ModelFile model = made_up_model(GetParam().architecture, GetParam().members);
  Layer<float>& layer = model.ensemble.members[0].layers[0];
  layer.weight(0, 0) = -0.0F;
  layer.bias[0] = std::numeric_limits<float>::denorm_min();
  expect_equal(from_bytes(to_bytes(model), "m"), model);
}

TEST_P(ModelFileShapes, IsTheSameBytesEachTime) {
  const ModelFile model = made_up_model(GetParam().architecture, GetParam().members);
  const std::string bytes = to_bytes(model);
  EXPECT_EQ(to_bytes(made_up_model(GetParam().architecture, GetParam().members)), bytes);
  EXPECT_EQ(to_bytes(from_bytes(bytes, "m")), bytes);
}

TEST(ModelFile, HasTheLayoutItsHeaderTells) {
  const ModelFile model = made_up_model({.features = 3, .hidden = {2}}, 2);
  const std::string bytes = to_bytes(model);
  const auto [header, data] = test::take_apart(bytes);
  EXPECT_EQ((bytes.size() - data.size()) % 64, 0U);
  const auto json = nlohmann::json::parse(header);
  EXPECT_EQ(json.size(), 1U + 2 * 2 * 2);
  const auto& entry = json["member.1.layer.0.weight"];
  EXPECT_EQ(entry["dtype"], "F32");
  EXPECT_EQ(entry["shape"], (std::vector<int>{3, 2}));
  const std::size_t begin = entry["data_offsets"][0];
  EXPECT_EQ(begin, 4U * (3 * 2 + 2 + 2 * 2 + 2));
  float number = 0;
  std::memcpy(&number, data.data() + begin + 4 * (2 * 2 + 1), sizeof number);
  EXPECT_EQ(number, model.ensemble.members[1].layers[0].weight(2, 1));
  const auto& metadata = json["__metadata__"];
  EXPECT_EQ(metadata["format"], "perpend");
  EXPECT_EQ(metadata["format_version"], "1");
  EXPECT_EQ(metadata["contract_version"], "1");
  EXPECT_EQ(metadata["architecture"], R"({"activation":"relu","classes":2,"features":3,"hidden":[2]})");
  EXPECT_EQ(metadata["options"], model.metadata.at("options"));
}

TEST(ModelFile, ChecksumIsThatOfTheFileWithItsDigitsAsZeros) {
  std::string bytes = to_bytes(made_up_model({.features = 3, .hidden = {2}}, 2));
  const std::string digits = nlohmann::json::parse(test::take_apart(bytes).header)["__metadata__"]["sha256"];
  bytes.replace(bytes.find(digits), digits.size(), std::string(digits.size(), '0'));
  EXPECT_EQ(sha256_hex(bytes), digits);
}

TEST(ModelFile, KeepsTheDecisionRule) {
  for (const Rule rule : {Rule::mean, Rule::samme_r, Rule::samme}) {
    ModelFile model = made_up_model({.features = 3, .hidden = {2}}, 2);
    model.decision.rule = rule;
    const std::string bytes = to_bytes(model);
    EXPECT_EQ(from_bytes(bytes, "m").decision, model.decision);
    EXPECT_EQ(bytes.find("\"rule\"") == std::string::npos, rule == Rule::mean) << "as files before there were rules";
  }
}

Tangents made_up_basis(std::size_t features, std::size_t directions) {
  Tangents basis = Tangents::shared(features, directions);
  for (std::size_t k = 0; k < directions; ++k) {
    for (std::size_t f = 0; f < features; ++f) basis.direction(0, k)[f] = static_cast<float>(k * features + f) - 2.5F;
  }
  return basis;
}

TEST(ModelFile, KeepsABasisOfTangentsAsItsLastTensor) {
  ModelFile model = made_up_model({.features = 5, .hidden = {3}}, 2);
  const std::size_t without = to_bytes(model).size();
  model.basis = made_up_basis(5, 2);
  const std::string bytes = to_bytes(model);
  EXPECT_GT(bytes.size(), without);
  const ModelFile back = from_bytes(bytes, "m");
  expect_equal(model, back);
  ASSERT_EQ(back.basis.directions(), 2U);
  EXPECT_TRUE(back.basis.is_shared());
  for (std::size_t k = 0; k < 2; ++k) expect_equal_bits(model.basis.direction(0, k), back.basis.direction(0, k), 5);
  const test::FileParts parts = test::take_apart(bytes);
  EXPECT_NE(parts.header.find(R"("manifold.basis":{"data_offsets":[208,248],"dtype":"F32","shape":[2,5]})"),
            std::string::npos)
      << parts.header;
  EXPECT_EQ(to_bytes(back), bytes);
}

std::vector<std::pair<const char*, ModelFile>> models_with_trees() {
  const std::vector<ColumnTable> all = test::tree_columns();
  Tree leaf;
  leaf.value = {-0.0F};
  leaf.weight = {std::numeric_limits<float>::denorm_min()};
  ModelFile leaves = test::made_up_tree_model(all, 2, 2);
  leaves.ensemble.trees.trees = {leaf, leaf};
  ModelFile alone = made_up_model({.features = 4, .hidden = {2}, .columns = all, .views = {View::trees}}, 1);
  alone.ensemble.trees = test::made_up_trees(alone.ensemble.architecture, 3);
  ModelFile with_basis = test::made_up_tree_model(all, 2, 3);
  with_basis.basis = made_up_basis(4, 2);
  return {{"all kinds", test::made_up_tree_model(all, 2, 3)},
          {"numbers", test::made_up_tree_model({all[0], all[1]}, 2, 3)},
          {"categories", test::made_up_tree_model({all[2], all[3]}, 2, 3)},
          {"three classes", test::made_up_tree_model(all, 3, 2)},
          {"no tree", test::made_up_tree_model(all, 2, 0)},
          {"no tree of three classes", test::made_up_tree_model(all, 3, 0)},
          {"single leaves", leaves},
          {"trees alone", alone},
          {"a basis", with_basis}};
}

TEST(ModelFile, KeepsBoostedTreesToTheByte) {
  for (const auto& [name, model] : models_with_trees()) {
    SCOPED_TRACE(name);
    const std::string bytes = to_bytes(model);
    const ModelFile back = from_bytes(bytes, "m");
    expect_equal(back, model);
    EXPECT_EQ(to_bytes(back), bytes);
  }
}

TEST(ModelFile, OfTreesHasFormatVersionTwoAndPlainLists) {
  const ModelFile model = test::made_up_tree_model(test::tree_columns(), 3, 2);
  const auto [header, data] = test::take_apart(to_bytes(model));
  const auto json = nlohmann::json::parse(header);
  EXPECT_EQ(json["__metadata__"]["format_version"], "2");
  EXPECT_EQ(json["trees.start"]["shape"], (std::vector<int>{3}));
  EXPECT_EQ(json["trees.nodes"]["shape"], (std::vector<int>{6}));
  EXPECT_EQ(json["trees.words"]["dtype"], "U32");
  std::vector<float> threshold(4 * 6);
  const std::size_t begin = json["trees.threshold"]["data_offsets"][0];
  std::memcpy(threshold.data(), data.data() + begin, threshold.size() * sizeof(float));
  EXPECT_EQ(threshold[4 * 5 + 1], model.ensemble.trees.trees[5].threshold[1]);
}

TEST(ModelFile, RefusesToWriteTreesThatCouldNotBeRead) {
  ModelFile model = test::made_up_tree_model(test::tree_columns(), 2, 2);
  model.ensemble.trees.trees[1].left[3] = 0;
  EXPECT_THROW(to_bytes(model), Error);
  model = test::made_up_tree_model(test::tree_columns(), 3, 2);
  model.ensemble.trees.start = {0};
  EXPECT_THROW(to_bytes(model), Error);
}

TEST(ModelFile, RefusesToWriteWhatCouldNotBeRead) {
  const auto refused = [](const auto& change) {
    ModelFile model = made_up_model({.features = 3, .hidden = {2}}, 2);
    change(model);
    try {
      to_bytes(model);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::bug;
    }
    return false;
  };
  EXPECT_TRUE(refused([](ModelFile& m) { m.ensemble.members[1].layers[0].weight(1, 1) = NAN; }));
  EXPECT_TRUE(refused([](ModelFile& m) { m.ensemble.members[1].layers[1].bias[1] = INFINITY; }));
  EXPECT_TRUE(refused([](ModelFile& m) { m.ensemble.members.pop_back(); }));
  EXPECT_TRUE(refused([](ModelFile& m) { m.ensemble.architecture.features = 4; }));
  EXPECT_TRUE(refused([](ModelFile& m) { m.decision.weights = {0.5, 0.6}; }));
  EXPECT_TRUE(refused([](ModelFile& m) { m.decision.weights = {1.5, -0.5}; }));
  EXPECT_TRUE(refused([](ModelFile& m) { m.decision.weights = {NAN, 0.5}; }));
  EXPECT_TRUE(refused([](ModelFile& m) { m.metadata["summary"] = "{"; }));
  EXPECT_TRUE(refused([](ModelFile& m) { m.metadata["summary"] = R"({"a":1,"a":2})"; }));
  EXPECT_TRUE(refused([](ModelFile& m) { m.metadata["summary"] = "\"\xff\""; }));
  EXPECT_TRUE(refused([](ModelFile& m) { m.metadata["format"] = "1"; }));
  EXPECT_TRUE(refused([](ModelFile& m) { m.metadata["rule"] = "1"; }));
  EXPECT_TRUE(refused([](ModelFile& m) { m.metadata["my key"] = "1"; }));
}

TEST(ModelFile, WithADescriptionBeyondOneMebibyteIsRefusedWithBothSizes) {
  ModelFile model = made_up_model({.features = 3, .hidden = {2}}, 2);
  const std::size_t used = test::take_apart(to_bytes(model)).header.size();
  model.metadata["schema"] = '"' + std::string(kMaxHeaderBytes - used - 200, 'x') + '"';
  EXPECT_EQ(from_bytes(to_bytes(model), "m").metadata, model.metadata);
  model.metadata["schema"] = '"' + std::string(kMaxHeaderBytes, 'x') + '"';
  try {
    to_bytes(model);
    FAIL();
  } catch (const ModelFileError& error) {
    EXPECT_NE(std::string(error.what()).find("1,048,576"), std::string::npos) << error.what();
  }
}

class ModelFileOnDisk : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  static std::string message_of_loading(const std::filesystem::path& path) {
    try {
      load(path);
    } catch (const IoError& error) {
      return error.what();
    }
    return "no IoError";
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("perpend_model_file_" + std::to_string(::getpid()));
  std::filesystem::path path_ = folder_ / "m.safetensors";
};

TEST_F(ModelFileOnDisk, ComesBack) {
  const ModelFile model = made_up_model({.features = 3, .hidden = {2}}, 2);
  save(path_, model, false);
  expect_equal(load(path_), model);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(ModelFileOnDisk, IsOverwrittenOnlyWhenAsked) {
  const ModelFile first = made_up_model({.features = 3, .hidden = {2}}, 2, 1);
  const ModelFile second = made_up_model({.features = 3, .hidden = {2}}, 2, 2);
  save(path_, first, false);
  EXPECT_THROW(save(path_, second, false), IoError);
  expect_equal(load(path_), first);
  save(path_, second, true);
  expect_equal(load(path_), second);
}

TEST_F(ModelFileOnDisk, ThatCannotBeReadNamesPathAndReason) {
  EXPECT_EQ(message_of_loading(path_), "cannot read " + path_.string() + ": No such file or directory");
  EXPECT_EQ(message_of_loading(folder_), "cannot read " + folder_.string() + ": Is a directory");
}

TEST(ModelFileFaults, EachFailedReadIsAnIoErrorAndShortReadsAddUp) {
  const ModelFile model = made_up_model({.features = 3, .hidden = {2}}, 2);
  const auto disk = [&] {
    MemoryFileSystem files;
    files.put("m", to_bytes(model));
    files.longest_transfer = 100;
    return files;
  };
  MemoryFileSystem good = disk();
  expect_equal(load("m", good), model);
  for (int n = 0; n < good.calls - 1; ++n) {  // the last call closes the file
    MemoryFileSystem files = disk();
    files.fail_at = n;
    EXPECT_THROW(load("m", files), IoError) << "call " << n;
    EXPECT_EQ(files.open_files(), 0U) << "call " << n;
  }
}

TEST(ModelFileFaults, EachFailedWriteOrCrashLeavesTheOldModelOrTheNewOne) {
  const ModelFile model = made_up_model({.features = 3, .hidden = {2}}, 2, 1);
  const std::string old_bytes = to_bytes(made_up_model({.features = 3, .hidden = {2}}, 2, 2));
  const std::string new_bytes = to_bytes(model);
  const auto disk = [&](int fail_at, int crash_at) {
    MemoryFileSystem files;
    files.put("m", old_bytes);
    files.longest_transfer = 300;
    files.fail_at = fail_at;
    files.crash_at = crash_at;
    return files;
  };
  MemoryFileSystem good = disk(MemoryFileSystem::kNever, MemoryFileSystem::kNever);
  save("m", model, true, good);
  for (int n = 0; n < good.calls; ++n) {
    for (const bool crash : {false, true}) {
      MemoryFileSystem files = crash ? disk(MemoryFileSystem::kNever, n) : disk(n, MemoryFileSystem::kNever);
      try {
        save("m", model, true, files);
      } catch (const IoError&) {
      }
      for (const auto& seen : {files.files(), files.files_after_crash(false), files.files_after_crash(true)}) {
        ASSERT_TRUE(seen.at("m") == old_bytes || seen.at("m") == new_bytes) << "call " << n;
      }
    }
  }
}

}  // namespace
}  // namespace perpend
