// --calibrate and --threshold from training to prediction.
#include <fstream>

#include "tests/cli/json_output.h"
#include "tests/cli/small_model.h"

namespace perpend::test {
namespace {

// The table has a number that predicts the label, and noise.
std::string noisy_table(int rows = 300) {
  std::string text = "a,b,y\n";
  for (int i = 0; i < rows; ++i) {
    const int a = i * 37 % 101;
    text += std::to_string(a) + ".5," + std::to_string(i * 5 % 13) + (a + i * 53 % 89 > 110 ? ",yes\n" : ",no\n");
  }
  return text;
}

class Threshold : public SmallModel {
 protected:
  Finished train_noisy(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"--epochs", "4", "--members", "2", "--force"};
    words.insert(words.end(), more.begin(), more.end());
    return train(write("noisy.csv", noisy_table()), words);
  }
};

TEST_F(Threshold, IsShownWithWhatItReaches) {
  const auto run = train_noisy({"--calibrate", "temperature", "--threshold", "cost=1:5"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.err, "the temperature that fits the validation rows is ")) << run.err;
  EXPECT_TRUE(contains(run.out, "'yes' is answered above 0.")) << run.out;
  EXPECT_TRUE(contains(run.out, ", for cost=1:5\n  validation        recall ")) << run.out;
  EXPECT_TRUE(contains(run.out, "\n  test              recall ")) << run.out;
  EXPECT_TRUE(contains(run.out, " a row (")) << run.out;
  const auto inspected = perpend({"inspect", path("model")});
  EXPECT_TRUE(contains(inspected.out, "calibration temperature ")) << inspected.out;
  EXPECT_TRUE(contains(inspected.out, ", for cost=1:5\n")) << inspected.out;
  const auto seen = perpend({"evaluate", path("model"), path("noisy.csv")});
  EXPECT_TRUE(contains(seen.out, "threshold           0.")) << seen.out;
  EXPECT_TRUE(contains(seen.out, "cost ")) << seen.out;
}

TEST_F(Threshold, DecidesWhatIsPredicted) {
  ASSERT_EQ(train_noisy({"--threshold", "0.9"}).exit_code, 0);
  const auto rows = perpend({"predict", path("model"), path("noisy.csv")}).out;
  std::istringstream lines(rows);
  std::string line;
  std::getline(lines, line);
  int between = 0;
  while (std::getline(lines, line)) {
    const double p = std::stod(line);
    EXPECT_TRUE(contains(line, p > 0.9 ? ",yes," : ",no,")) << line;
    between += p > 0.5 && p < 0.9 ? 1 : 0;
  }
  EXPECT_GT(between, 0);
  const auto report = perpend({"report", path("model"), path("noisy.csv"), "-o", path("page.html")});
  EXPECT_EQ(report.exit_code, 0) << report.err;
}

TEST_F(Threshold, IsInEveryJson) {
  ASSERT_EQ(train_noisy({"--calibrate", "isotonic", "--threshold", "recall=0.8"}).exit_code, 0);
  const auto inspected = json_of({"inspect", path("model"), "--json"});
  EXPECT_GE(inspected.at("calibration").at("isotonic").size(), 2U);
  EXPECT_EQ(inspected.at("options").at("calibrate"), "isotonic");
  const auto seen = json_of({"evaluate", path("model"), path("noisy.csv"), "--json"});
  const auto& counts = seen.at("metrics").at("at_threshold");
  EXPECT_EQ(counts.at("threshold"), inspected.at("threshold"));
  const double right = counts.at("true_positives").get<double>() + counts.at("true_negatives").get<double>();
  EXPECT_NEAR(seen.at("metrics").at("accuracy"), right / 300, 1e-12);
}

TEST_F(Threshold, RefusesInOneLineWhatCannotBe) {
  EXPECT_TRUE(contains(expect_error(train_noisy({"--threshold", "recall=2"}), 3),
                       "--threshold is 'recall=2'; it must be a number above 0 and below 1, f1, recall=0.9"));
  EXPECT_TRUE(contains(expect_error(train_noisy({"--calibrate", "platt"}), 3), "none, temperature, isotonic"));
  std::string three = "a,y\n";
  for (int i = 0; i < 90; ++i) three += std::to_string(i % 17) + "," + std::to_string(i % 3) + "x\n";
  write("three.csv", three);
  EXPECT_TRUE(
      contains(expect_error(train(path("three.csv"), {"--threshold", "f1"}), 3), "--threshold is for two classes"));
  EXPECT_TRUE(
      contains(expect_error(train(path("three.csv"), {"--calibrate", "isotonic"}), 3), "use --calibrate temperature"));
  EXPECT_EQ(train(path("three.csv"), {"--calibrate", "temperature"}).exit_code, 0);
  EXPECT_TRUE(contains(expect_error(train_noisy({"--split", "none", "--early-stopping", "0", "--threshold", "f1"}), 3),
                       "needs validation rows"));
}

}  // namespace
}  // namespace perpend::test
