#include "perpend/base/json_text.h"

#include <gtest/gtest.h>

namespace perpend {
namespace {

constexpr std::size_t kRoom = std::size_t{1} << 27;

TEST(JsonProblem, IsNothingForJson) {
  EXPECT_FALSE(json_problem(R"({"a": [1, 2.5, null, {"a": "x"}], "b": true})", kRoom));
}

TEST(JsonProblem, NamesWhatIsWrong) {
  EXPECT_EQ(json_problem("{", kRoom), "no JSON at byte 2");
  EXPECT_EQ(json_problem(R"({"a":1,"a":2})", kRoom), "key 'a' twice");
  EXPECT_EQ(json_problem("[1e999]", kRoom), "a number that is out of range");
  EXPECT_EQ(json_problem(std::string_view("[\0]", 3), kRoom), "a NUL byte");
  EXPECT_EQ(json_problem("[1]", 2), "3 bytes where at most 2 are read");
}

TEST(JsonProblem, EndsAtNestingThatATreeWouldNotSurvive) {
  const std::string fine(kDeepestJson, '[');
  EXPECT_FALSE(json_problem(fine + std::string(kDeepestJson, ']'), kRoom));
  EXPECT_EQ(json_problem(std::string(50'000'000, '['), kRoom), "nesting deeper than 32");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += R"({"a":)";
  EXPECT_EQ(json_problem(objects, kRoom), "nesting deeper than 32");
}

TEST(JsonProblem, EndsBeforeATreeWouldTakeAllMemory) {
  const auto list_of = [](const std::string& value, std::size_t count) {
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i) text += value + ",";
    return text + "1]";
  };
  EXPECT_FALSE(json_problem(list_of("0.25", 4'000'000), kRoom));
  for (const std::string value : {"{}", "[]", "\"\"", "0"}) {
    EXPECT_EQ(json_problem(list_of(value, 7'000'000), kRoom), "so many values that they take over 192 MiB") << value;
  }
}

}  // namespace
}  // namespace perpend
