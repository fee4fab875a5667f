// What `diversity` says about a model's members and about other models' answers.
#include <cmath>

#include "tests/cli/json_output.h"
#include "tests/cli/small_model.h"

namespace perpend::test {
namespace {

class DiversityVerb : public SmallModel {};

TEST_F(DiversityVerb, ComparesGradientsWithoutLabelsAndErrorsWithThem) {
  const std::string labelled = write("rows.csv", small_table());
  const auto found = json_of({"diversity", model(), labelled, "--json"});
  const auto metrics = json_of({"evaluate", model(), labelled, "--json"}).at("metrics");
  EXPECT_EQ(found.at("rows"), 60);
  EXPECT_NEAR(found.at("gradients").at("grad_cos2"), metrics.at("grad_cos2"), 1e-12);
  EXPECT_EQ(found.at("gradients").at("pairs").size(), 1U);
  EXPECT_EQ(found.at("errors").at("kappa"), metrics.at("kappa"));
  EXPECT_TRUE(contains(perpend({"diversity", model(), labelled}).out, "kappa"));
  const auto unlabelled = json_of({"diversity", model(), write("new.csv", "a,b,c\n1.5,2,red\n7.5,3,blue\n"), "--json"});
  EXPECT_TRUE(unlabelled.at("errors").is_null());
  EXPECT_TRUE(unlabelled.at("gradients").at("grad_cos2").is_number());
}

// Model one is wrong in rows 3 and 4, model two in row 4, and model three in no row.
TEST_F(DiversityVerb, ComparesTheErrorsOfAnyModelsAnswers) {
  const std::string file = write("answers.csv", "y,one,two,three\na,a,a,a\nb,b,b,b\na,b,a,a\nb,a,a,b\n");
  const auto found = json_of({"diversity", "--answers", file, "--target", "y", "--json"});
  const auto& pairs = found.at("errors").at("pairs");
  ASSERT_EQ(pairs.size(), 3U);
  EXPECT_NEAR(pairs.at(0).at("rho"), 1 / std::sqrt(3.0), 1e-12);
  EXPECT_TRUE(pairs.at(1).at("rho").is_null());
  EXPECT_EQ(found.at("errors").at("undefined_pairs").is_null(), false);
  EXPECT_TRUE(contains(perpend({"diversity", "--answers", file, "--target", "y"}).out, "0.577"));
}

TEST_F(DiversityVerb, RefusesProbabilitiesInOneLine) {
  const std::string file = write("answers.csv", "y,one,two\n0,0.127,1\n1,0.873,1\n");
  const std::string line = expect_error(perpend({"diversity", "--answers", file, "--target", "y"}), 4);
  EXPECT_TRUE(contains(line, "answers.csv:2: the answer 'one' is 0.127, which looks like a probability")) << line;
}

TEST_F(DiversityVerb, RefusesAModelOfOneMember) {
  const std::string rows = write("rows.csv", small_table());
  const std::string alone = path("alone.safetensors");
  ASSERT_EQ(perpend({"train", rows, "--target", "y", "--members", "1", "--epochs", "1", "-o", alone}).exit_code, 0);
  EXPECT_TRUE(contains(expect_error(perpend({"diversity", alone, rows}), 4), "the model has 1 member with input"));
}

TEST_F(DiversityVerb, RefusesWhatItCannotCompare) {
  const std::string file = write("answers.csv", "y,one\na,a\n");
  EXPECT_TRUE(
      contains(expect_error(perpend({"diversity", "--answers", file, "--target", "y"}), 4), "two columns of answers"));
  EXPECT_TRUE(contains(expect_error(perpend({"diversity", "--answers", file, "--target", "z"}), 4), "'z'"));
  const std::string gaps = write("gaps.csv", "y,one,two\na,a,b\nb,,b\n,a,a\n");
  const std::string at_answer = expect_error(perpend({"diversity", "--answers", gaps, "--target", "y"}), 4);
  EXPECT_TRUE(contains(at_answer, "gaps.csv:4: label 'y' is missing; every row needs one")) << at_answer;
  const std::string at_two = expect_error(perpend({"diversity", "--answers", gaps, "--target", "two"}), 4);
  EXPECT_TRUE(contains(at_two, "gaps.csv:4: answer 'y' is missing; every row needs one")) << at_two;
  const std::string rows = write("rows.csv", small_table());
  expect_error(perpend({"diversity", model(), rows, "--target", "y"}), 2);
  expect_error(perpend({"diversity"}), 2);
  expect_error(perpend({"diversity", "--answers", file}), 2);
}

}  // namespace
}  // namespace perpend::test
