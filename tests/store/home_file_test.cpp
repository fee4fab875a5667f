// A file keeps what a model remembers of its rows. If that cannot be right, the file is refused in one line.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "perpend/base/error.h"
#include "perpend/store/model_file.h"
#include "tests/support/tree_models.h"

namespace perpend {
namespace {

using Json = nlohmann::ordered_json;

// The home of a network and trees over the four columns of tree_columns().
Home made_up_home(std::size_t values) {
  return {.columns = {{{-1, 0, 2}, {4, 3, 2, 1, 5}},
                      {{}, {7, 0}},
                      {{}, {1, 2, 3, 4}},
                      {{}, std::vector<std::uint32_t>(42, 9)}},
          .values = values,
          .scores = std::vector<float>(3 * values, 0.25F),
          .targets = {0, 1, 1},
          .marks = std::vector<std::uint32_t>(3 * kMarkWords, 0x80000001U)};
}

ModelFile model_with_home() {
  ModelFile model = test::made_up_tree_model(test::tree_columns(), 2, 3);
  model.home = made_up_home(model.ensemble.members.size());
  return model;
}

// The file with a changed header or a changed number of a tensor, and with the right checksum.
std::string forged(const std::function<void(Json&, std::string&)>& change) {
  auto parts = test::take_apart(to_bytes(model_with_home()));
  Json header = Json::parse(parts.header);
  change(header, parts.data);
  return test::put_together_sealed({header.dump(), parts.data});
}

template <class T>
std::string with_number(const std::string& tensor, std::size_t index, T number) {
  return forged([&](Json& header, std::string& data) {
    std::memcpy(data.data() + header[tensor]["data_offsets"][0].get<std::size_t>() + 4 * index, &number, 4);
  });
}

std::string home_refusal(const std::string& bytes) {
  try {
    from_bytes(bytes, "m.safetensors");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(HomeFile, ComesBackAsItWas) {
  const ModelFile model = model_with_home();
  const std::string bytes = to_bytes(model);
  const ModelFile back = from_bytes(bytes, "m");
  EXPECT_EQ(back.home, model.home);
  EXPECT_EQ(back.ensemble.trees, model.ensemble.trees);
  EXPECT_EQ(to_bytes(back), bytes);
  EXPECT_NE(bytes.find("\"format_version\":\"3\""), std::string::npos);
}

TEST(HomeFile, AModelWithoutHomeHasTheFormatThatItHad) {
  ModelFile model = model_with_home();
  model.home = {};
  EXPECT_NE(to_bytes(model).find("\"format_version\":\"2\""), std::string::npos);
}

TEST(HomeFile, MayKnowScoresAndNoColumns) {
  ModelFile model = model_with_home();
  model.home.columns.clear();
  model.home.marks.clear();
  EXPECT_EQ(from_bytes(to_bytes(model), "m").home, model.home);
}

TEST(HomeFile, NumbersThatCannotBeAreRefused) {
  const auto refused = [](const std::string& bytes, const std::string& reason) {
    const std::string message = home_refusal(bytes);
    EXPECT_NE(message.find(reason), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  };
  refused(with_number("home.scores", 1, std::numeric_limits<float>::quiet_NaN()), "not finite");
  refused(with_number("home.targets", 0, std::numeric_limits<float>::infinity()), "not finite");
  refused(with_number("home.edges", 1, -2.0F), "do not ascend");
  refused(with_number("home.edge_counts", 0, 4), "do not add up");
  refused(with_number("home.edge_counts", 1, -1), "do not add up");
  refused(with_number("home.place_counts", 3, 1 << 30), "do not add up");
}

TEST(HomeFile, SizesThatCannotBeAreRefused) {
  const auto shaped = [](const char* tensor, const Json& shape) {
    return home_refusal(forged([&](Json& header, std::string&) { header[tensor]["shape"] = shape; }));
  };
  EXPECT_NE(shaped("home.scores", {2, 2}).find("tensors take"), std::string::npos);
  EXPECT_NE(shaped("home.scores", {3, 5}).find("have 5 scores each"), std::string::npos);
  EXPECT_NE(shaped("home.scores", {0, 2}).find("0 rows where 1 to 1,000"), std::string::npos);
  EXPECT_NE(shaped("home.scores", {3}).find("shape of two numbers"), std::string::npos);
  EXPECT_NE(shaped("home.counts", {-1}).find("shape of one number"), std::string::npos);
  EXPECT_NE(shaped("home.edges", {std::uint64_t{1} << 62}).find("too long"), std::string::npos);
  EXPECT_NE(shaped("home.edge_counts", {3}).find("remembers 3 columns of 4"), std::string::npos);
  EXPECT_NE(home_refusal(forged([](Json& header, std::string&) { header.erase("home.marks"); })).find("tensor"),
            std::string::npos);
  EXPECT_NE(home_refusal(forged([](Json& header, std::string&) {
              header["__metadata__"]["format_version"] = "2";
            })).find("format_version is 2 of a model with trees and with rows at home"),
            std::string::npos);
}

}  // namespace
}  // namespace perpend
