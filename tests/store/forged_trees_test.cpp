// The boosted trees of these model files are forged, with the right checksum. Each file must be refused in one line.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "perpend/base/error.h"
#include "perpend/store/model_file.h"
#include "tests/support/tree_models.h"

namespace perpend {
namespace {

using Json = nlohmann::ordered_json;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinite = std::numeric_limits<float>::infinity();
constexpr float kHuge = std::numeric_limits<float>::max();
constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();

constexpr std::size_t kNodes = 4;  // nodes per tree
constexpr std::size_t kTrees = 3;

std::string good_file() { return to_bytes(test::made_up_tree_model(test::tree_columns(), 2, kTrees)); }

// A model file whose header and tensors can be changed.
class Forgery {
 public:
  explicit Forgery(const std::string& file = good_file()) : parts_(test::take_apart(file)) {
    header = Json::parse(parts_.header);
  }

  Json& tensor(const std::string& name) { return header["trees." + name]; }
  Json& metadata() { return header["__metadata__"]; }

  template <class T>
  Forgery& set(const std::string& name, std::size_t index, T number) {
    std::memcpy(place(name, index), &number, sizeof number);
    return *this;
  }
  std::int32_t get(const std::string& name, std::size_t index) {
    std::int32_t number = 0;
    std::memcpy(&number, place(name, index), sizeof number);
    return number;
  }
  // Changes the architecture, which is JSON in a text.
  template <class Change>
  Forgery& architecture(const Change& change) {
    Json json = Json::parse(metadata()["architecture"].get<std::string>());
    change(json);
    metadata()["architecture"] = json.dump();
    return *this;
  }
  std::size_t data_bytes() const { return parts_.data.size(); }
  std::string bytes() const { return test::put_together_sealed({header.dump(), parts_.data}); }

  Json header;

 private:
  char* place(const std::string& name, std::size_t index) {
    return parts_.data.data() + tensor(name)["data_offsets"][0].get<std::size_t>() + 4 * index;
  }
  test::FileParts parts_;
};

std::string refusal_of(const std::string& bytes) {
  try {
    from_bytes(bytes, "m.safetensors");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "accepted";
}

class ForgedTrees : public testing::Test {
 protected:
  void expect_refused(const Forgery& forgery, const std::string& what) {
    const std::string bytes = forgery.bytes();
    const std::string message = refusal_of(bytes);
    EXPECT_TRUE(message.starts_with("m.safetensors: ")) << what << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << what << ": " << message;
    EXPECT_EQ(message.find("sha256"), std::string::npos) << what << ": " << message;
    EXPECT_TRUE(seen_.insert(bytes).second) << what << " is a forgery that was there before";
  }
  template <class T>
  void expect_refused_at(const std::string& tensor, std::size_t index, const std::vector<T>& numbers) {
    for (const T number : numbers) {
      expect_refused(Forgery().set(tensor, index, number),
                     tensor + " " + std::to_string(index) + " as " + std::to_string(number));
    }
  }
  void expect_at_least(std::size_t forgeries) const { EXPECT_GE(seen_.size(), forgeries); }

 private:
  std::set<std::string> seen_;
};

testing::AssertionResult refused_for(const Forgery& forgery, const std::string& reason) {
  const std::string message = refusal_of(forgery.bytes());
  if (message.find(reason) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "expected '" << reason << "' in: " << message;
}

TEST_F(ForgedTrees, UnchangedAreAccepted) {
  EXPECT_EQ(refusal_of(Forgery().bytes()), "accepted");
  EXPECT_EQ(Forgery().bytes(), good_file());
}

TEST_F(ForgedTrees, ChildrenOfEveryNode) {
  for (std::size_t i = 0; i < kTrees * kNodes; ++i) {
    const auto own = static_cast<std::int32_t>(i % kNodes);
    for (const std::string side : {"left", "right"}) {
      const std::int32_t sibling = Forgery().get(side == "left" ? "right" : "left", i);
      expect_refused_at<std::int32_t>(side, i, {own, 4, 5, ~5, ~6, kLowest, kHighest, sibling});
      if (own > 0) expect_refused_at<std::int32_t>(side, i, {0});
    }
  }
  expect_at_least(200);
}

TEST_F(ForgedTrees, QuestionsOfEveryNode) {
  for (std::size_t i = 0; i < kTrees * kNodes; ++i) {
    const bool is_category = i % kNodes >= 2;
    expect_refused_at<std::int32_t>("column", i,
                                    {-1, 4, 5, kLowest, kHighest, is_category ? 0 : 2, is_category ? 1 : 3});
    expect_refused_at<float>("threshold", i, {kNan, kInfinite, -kInfinite});
    expect_refused_at<std::int32_t>("missing_left", i, {-1, 2, 256, 257, kLowest, kHighest});
    expect_refused_at<std::int32_t>("set_words", i, {-1, 3, 33, kLowest, kHighest});
    if (!is_category) continue;
    expect_refused_at<float>("threshold", i, {0.5F, -1});
    expect_refused_at<std::int32_t>("missing_left", i, {1});
  }
  expect_at_least(200);
}

TEST_F(ForgedTrees, NumbersOfLeavesAndStart) {
  for (std::size_t leaf = 0; leaf < kTrees * (kNodes + 1); ++leaf) {
    expect_refused_at<float>("value", leaf, {kNan, kInfinite, -kInfinite, kHuge, -kHuge, 1.1e6F});
    expect_refused_at<float>("weight", leaf, {kNan, kInfinite, -kInfinite, 0, -0.0F, -1});
  }
  expect_refused_at<float>("start", 0, {kNan, kInfinite, -kInfinite, kHuge, -kHuge, 1.1e6F});
  expect_at_least(150);
}

TEST_F(ForgedTrees, CountsOfNodesAndWords) {
  for (std::size_t tree = 0; tree < kTrees; ++tree) {
    expect_refused_at<std::int32_t>("nodes", tree, {-1, 0, 3, 5, 12, kLowest, kHighest});
    // The sum of the counts is the same, but it is divided in another way.
    for (const std::int32_t more : {1, 4}) {
      Forgery shifted;
      shifted.set("nodes", tree, 4 + more).set("nodes", (tree + 1) % kTrees, 4 - more);
      expect_refused(shifted, "nodes of tree " + std::to_string(tree) + " with " + std::to_string(more) + " more");
    }
  }
  for (const std::int32_t large : {kHighest, kLowest}) {
    Forgery wrapped;
    wrapped.set("nodes", 0, large).set("nodes", 1, large).set("nodes", 2, 12 - 2 * (large % (1 << 30)));
    expect_refused(wrapped, "nodes that wrap");
  }
  expect_at_least(25);
}

TEST_F(ForgedTrees, SetsAreNoLongerThanTheirColumn) {
  EXPECT_TRUE(refused_for(Forgery().set("set_words", 2, 2).set("set_words", 3, 1), "set of more levels"));
  EXPECT_TRUE(refused_for(Forgery().set("set_words", 2, 0).set("set_words", 3, 3), "categories for a number"));
  EXPECT_TRUE(refused_for(Forgery().set("set_words", 1, 1).set("set_words", 2, 0), "numbers for a category"));
}

// A node and another child of its parent are exchanged in the list, so that all counts are right.
TEST_F(ForgedTrees, AChildBeforeItsParentAndACircleApart) {
  Forgery circle;  // node 0 has two leaves, nodes 1 to 3 form a circle
  circle.set("left", 0, ~0).set("right", 0, ~1);
  circle.set("left", 1, 2).set("right", 1, ~2).set("left", 2, 3).set("right", 2, ~3).set("left", 3, 1);
  circle.set("right", 3, ~4);
  EXPECT_TRUE(refused_for(circle, "a child that comes before it"));
}

TEST_F(ForgedTrees, ATreeOfTooManyLeavesIsRefused) {
  constexpr std::size_t kMany = 257;
  Forgery joined(to_bytes(test::made_up_tree_model(test::tree_columns(), 2, kMany)));
  EXPECT_EQ(refusal_of(joined.bytes()), "accepted");
  joined.set("nodes", 0, static_cast<std::int32_t>(kMany * kNodes));
  for (std::size_t tree = 1; tree < kMany; ++tree) joined.set("nodes", tree, 0);
  EXPECT_TRUE(refused_for(joined, "has more than 1,024 leaves"));
}

TEST_F(ForgedTrees, ATreeThatIsTooDeepIsRefused) {
  // Two trees of 32 nodes each become one of 64 nodes and one that is a leaf. The left child of a node is the next
  // node, and its right child is a leaf.
  Forgery joined(to_bytes(test::made_up_tree_model(std::vector<ColumnTable>(40), 2, 2)));
  EXPECT_EQ(refusal_of(joined.bytes()), "accepted");
  joined.set("nodes", 0, 64).set("nodes", 1, 0);
  for (std::int32_t node = 0; node < 64; ++node) {
    const auto place = static_cast<std::size_t>(node);
    joined.set("left", place, node < 63 ? node + 1 : ~64).set("right", place, ~node);
  }
  EXPECT_TRUE(refused_for(joined, "more than 32 nodes one below the other"));
}

TEST_F(ForgedTrees, MoreRoundsThanTrainingHasAreRefused) {
  Tree leaf;
  leaf.value = {0};
  leaf.weight = {1};
  ModelFile model = test::made_up_tree_model(test::tree_columns(), 2, 0);
  model.ensemble.trees.trees.assign(kMostTreeRounds, leaf);
  EXPECT_EQ(refusal_of(to_bytes(model)), "accepted");
  model.ensemble.trees.trees.push_back(leaf);
  EXPECT_TRUE(refused_for(Forgery(to_bytes(model)), "more than 2,000 rounds of trees"));
}

TEST_F(ForgedTrees, EntriesOfTheHeader) {
  const std::vector<std::string> names = {"start", "nodes",     "column", "threshold", "missing_left", "left",
                                          "right", "set_words", "words",  "value",     "weight"};
  for (const std::string& name : names) {
    const auto with = [&](const std::string& key, const Json& value) {
      Forgery forgery;
      forgery.tensor(name)[key] = value;
      expect_refused(forgery, name + " with " + key + " " + value.dump());
    };
    const auto count = Forgery().tensor(name)["shape"][0].get<std::int64_t>();
    const auto begin = Forgery().tensor(name)["data_offsets"][0].get<std::int64_t>();
    const auto end = Forgery().tensor(name)["data_offsets"][1].get<std::int64_t>();
    for (const Json& length : {Json(count + 1), Json(count - 1), Json(-1), Json("1"), Json(), Json(1'000'000'000'000),
                               Json(std::int64_t{1} << 62), Json(std::numeric_limits<std::uint64_t>::max()),
                               Json(static_cast<double>(count))}) {
      with("shape", Json::array({length}));
    }
    for (const Json& shape :
         {Json::array(), Json::array({count, 1}), Json(count), Json(), Json(Json::object({{"0", count}}))}) {
      with("shape", shape);
    }
    for (const char* dtype : {"F64", "F16", "I64", "U8", "BOOL", ""}) with("dtype", dtype);
    with("dtype", Forgery().tensor(name)["dtype"] == "I32" ? "F32" : "I32");
    with("data_offsets", Json::array({begin + 4, end + 4}));
    with("data_offsets", Json::array({begin, end + 4}));
    with("data_offsets", Json::array({0, end}));
    with("more", 1);
    Forgery missing;
    missing.header.erase("trees." + name);
    expect_refused(missing, "no " + name);
    Forgery renamed;
    renamed.header["trees." + name + "s"] = renamed.tensor(name);
    renamed.header.erase("trees." + name);
    expect_refused(renamed, "another name for " + name);
    Forgery odd;
    odd.tensor(name) = 1;
    expect_refused(odd, "no object for " + name);
  }
  Forgery extra;
  extra.tensor("bias") = {{"data_offsets", {extra.data_bytes(), extra.data_bytes()}}, {"dtype", "F32"}, {"shape", {0}}};
  expect_refused(extra, "an extra tensor");
  expect_at_least(300);
}

TEST_F(ForgedTrees, ViewsAndVersions) {
  for (const Json& views : {Json{"trees", "linear"}, Json{"trees", "trees"}, Json{"trees"}, Json{"linear"},
                            Json{"linear", "linear", "trees"}, Json{"linear", "trees", "linear"},
                            Json{"linear", "linear"}, Json{"linear", "Trees"}}) {
    expect_refused(Forgery().architecture([&](Json& a) { a["views"] = views; }), views.dump());
  }
  for (const int classes : {1, 3, 1'000'000'000}) {
    expect_refused(Forgery().architecture([&](Json& a) { a["classes"] = classes; }), std::to_string(classes));
  }
  for (const char* version : {"1", "3", "02", "", "2 "}) {
    Forgery other;
    other.metadata()["format_version"] = version;
    expect_refused(other, std::string("format_version ") + version);
  }
  Forgery plain(to_bytes(test::made_up_model({.features = 3, .hidden = {2}}, 2)));
  plain.metadata()["format_version"] = "2";
  EXPECT_TRUE(refused_for(plain, "format_version is 2 of a model without trees"));
  Forgery one_weight;
  one_weight.metadata()["member_weights"] = "[1.0]";
  expect_refused(one_weight, "trees of a member that is not there");
  expect_at_least(15);
}

}  // namespace
}  // namespace perpend
