#include <gtest/gtest.h>

#include "perpend/base/error.h"
#include "perpend/evaluate/view_rows.h"

namespace perpend {
namespace {

// The columns are age and Town (Oslo, Rome). 'ward' was dropped.
Schema schema() {
  Schema made;
  made.target = "died";
  made.columns.resize(2);
  made.columns[0].name = "age";
  made.columns[1].name = "Town";
  made.features = {{.name = "age", .column = 0},
                   {.name = "Town=Oslo", .column = 1, .level = 0},
                   {.name = "Town=Rome", .column = 1, .level = 1}};
  made.ignored = {"ward"};
  return made;
}

std::vector<std::size_t> found(const std::vector<std::string>& names) { return features_named(schema(), names); }

std::string complaint(const std::string& name) {
  try {
    found({name});
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

TEST(FeaturesNamed, AreThoseOfTheColumnOrTheFeatureItselfInTheOrderAsked) {
  EXPECT_EQ(found({"Town", "age"}), (std::vector<std::size_t>{1, 2, 0}));
  EXPECT_EQ(found({"Town=Rome", "age", "Town"}), (std::vector<std::size_t>{2, 0, 1}));
  EXPECT_EQ(found({"AGE", "town=oslo"}), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(found({}), std::vector<std::size_t>());
}

TEST(FeaturesNamed, SuggestTheNearestInputOrSayWhyThereIsNone) {
  EXPECT_EQ(complaint("agee"), "the model has no input 'agee'; did you mean 'age'?");
  EXPECT_EQ(complaint("Town=Rom"), "the model has no input 'Town=Rom'; did you mean 'Town=Rome'?");
  EXPECT_EQ(complaint("to"), "the model has no input 'to'; did you mean 'Town'?");
  EXPECT_EQ(complaint("glucose"), "the model has no input 'glucose'; perpend inspect lists them");
  EXPECT_EQ(complaint("ward"), "column 'ward' is not an input of the model");
  EXPECT_EQ(complaint("died"), "column 'died' is not an input of the model");
}

TEST(FeaturesNamed, AreNotMoreThanAPageCanDraw) {
  Schema wide = schema();
  for (int level = 2; level < 80; ++level)
    wide.features.push_back({.name = std::to_string(level), .column = 1, .level = level});
  EXPECT_THROW(features_named(wide, std::vector<std::string>{"Town"}), DataError);
}

}  // namespace
}  // namespace perpend
