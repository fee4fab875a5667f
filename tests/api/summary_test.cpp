// The summary of a model: its judgements, and its JSON, which stays the same when it is read and written again.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "perpend/base/error.h"
#include "perpend/records/json.h"
#include "tests/api/small_fit.h"
#include "tests/support/run_program.h"

namespace perpend {
namespace {

using test::small_options;
using test::small_table;

TEST(Judged, AreTestRowsElseValidationElseTraining) {
  RunSummary summary;
  EXPECT_EQ(summary.judged().evaluation, nullptr);
  summary.rows = {3, 2, 1, 0};
  summary.train.emplace();
  EXPECT_EQ(summary.judged().name, "training");
  EXPECT_EQ(summary.judged().rows, 3U);
  summary.validation.emplace();
  EXPECT_EQ(summary.judged().name, "validation");
  summary.test.emplace();
  EXPECT_EQ(summary.judged().name, "test");
  EXPECT_EQ(summary.judged().evaluation, &*summary.test);
}

TEST(IndependenceInWords, HasItsBordersAtATenthAndAHalf) {
  EXPECT_EQ(independence(0.0999), Independence::independent);
  EXPECT_EQ(independence(0.1), Independence::partly);
  EXPECT_EQ(independence(0.4999), Independence::partly);
  EXPECT_EQ(independence(0.5), Independence::copies);
}

class EveryMethod : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod,
                         testing::Values(Method::lit, Method::bagging, Method::adaboost, Method::ncl, Method::divdis,
                                         Method::dbat));

TEST_P(EveryMethod, SummaryIsTheSameBytesAfterReadingIt) {
  RunOptions options = small_options();
  options.train.method = GetParam();
  const Table unlabeled = small_table(12);
  FitInputs inputs;
  if (support_of(options.train).unlabeled) inputs.unlabeled = &unlabeled;
  const RunSummary made = fit(small_table(), options, inputs).model.summary;
  RunSummary read = run_summary_from_json(to_json(made));
  EXPECT_EQ(to_json(read), to_json(made));
  read.source.clear();  // from its values alone
  EXPECT_EQ(to_json(read), to_json(made));
}

// An older perpend or another program may have written it with other keys, another order or another spelling of
// numbers.
TEST(Summary, KeepsWhatItDoesNotKnow) {
  const std::string foreign = R"({"made by":"someone","steps":7,  "rows":{"test":0,"train":1e0,"ours":3},"log":[]})";
  EXPECT_THROW(run_summary_from_json(foreign), DataError);  // 1e0 is not a count
  const std::string text = R"({"made by":{"x":[1.50]},"steps":7,  "rows":{"test":0,"train":5,"ours":3},"log":[]})";
  RunSummary summary = run_summary_from_json(text);
  EXPECT_EQ(summary.rows.train, 5U);
  EXPECT_EQ(summary.steps, 7U);
  EXPECT_EQ(to_json(summary), text);
  summary.adapted = {4, 0.5, 0.25};
  const auto json = nlohmann::ordered_json::parse(to_json(summary));
  EXPECT_EQ(json["made by"]["x"][0], 1.5);
  EXPECT_EQ(json["rows"]["ours"], 3);
  EXPECT_FALSE(json.contains("status"));  // the file did not have it
  EXPECT_EQ(json["adapted"]["rows"], 4);
  EXPECT_EQ(json.begin().key(), "made by");
}

TEST(Summary, OfADamagedFileIsRefused) {
  for (const char* text :
       {"[]", "{", R"({"steps":-1})", R"({"status":3})", R"({"metrics":[]})", R"({"metrics":{"test":{"auc":2}}})",
        R"({"disagreement_percentiles":[0,1]})", R"({"log":3})", R"({"rows":{"train":"x"}})", R"({"boosting":{}})",
        R"({"baselines":{}})", R"({"baselines":{"logistic":3,"majority":3}})"}) {
    EXPECT_THROW(run_summary_from_json(text), DataError) << text;
  }
}

// perpend 0.1 wrote them, before its summary was a record: LIT with rows without labels and adapted, AdaBoost, bagging.
TEST(GoldenModels, OfTheFirstReleaseAreTheSameBytesWhenTheyAreSavedAgain) {
  for (const char* name : {"adapted", "boosted", "bagged"}) {
    const std::string path = std::string(PERPEND_GOLDEN_FOLDER) + "/trained_v1_" + name + ".safetensors";
    const TrainedModel model = load_model(path);
    EXPECT_EQ(to_bytes(model), test::file_content(path)) << name;
    RunSummary from_values = model.summary;
    from_values.source.clear();
    EXPECT_EQ(to_json(from_values), to_json(model.summary)) << name;
    EXPECT_EQ(model.summary.judged().name, "test") << name;
  }
  const auto summary = [](const char* name) {
    return load_model(std::string(PERPEND_GOLDEN_FOLDER) + "/trained_v1_" + name + ".safetensors").summary;
  };
  EXPECT_EQ(summary("adapted").adapted->rows, 40U);
  EXPECT_EQ(summary("adapted").rows.unlabeled, 40U);
  EXPECT_FALSE(summary("boosted").log.rounds.empty());
  EXPECT_TRUE(summary("bagged").out_of_bag.has_value());
}

}  // namespace
}  // namespace perpend
