// The program and the library give the same bytes.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "perpend/api/adapt.h"
#include "perpend/api/evaluate.h"
#include "perpend/api/explain.h"
#include "perpend/api/predict.h"
#include "perpend/data/read_table.h"
#include "perpend/data/source.h"
#include "tests/api/small_fit.h"
#include "tests/cli/program.h"

namespace perpend {
namespace {

using test::file_content;
using test::Finished;
using test::plain_options;
using test::small_table;
using Json = nlohmann::ordered_json;

class SameAsProgram : public testing::Test {
 protected:
  SameAsProgram() {
    std::ofstream(path("t.csv")) << csv_text(small_table());
    const Finished run = test::perpend({"train", path("t.csv"), "--target", "y", "-o", path("m"), "--members", "3",
                                        "--hidden", "8", "--epochs", "6", "--threads", "1", "--views", "plain"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  Json json(const std::vector<std::string>& words) const {
    const Finished run = test::perpend(words);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    Json found = Json::parse(run.out);
    found.erase("model");
    return found;
  }

  test::TemporaryFolder folder_;
};

TEST_F(SameAsProgram, Fit) {
  const Fitted fitted = fit(read_table(path("t.csv")), plain_options());
  EXPECT_EQ(to_bytes(fitted.model), file_content(path("m")));
  EXPECT_EQ(to_bytes(load_model(path("m"))), file_content(path("m")));
}

TEST_F(SameAsProgram, Evaluate) {
  const Evaluated found = evaluate(load_model(path("m")), read_table(path("t.csv")), {.distance = {.epsilons = {0.5}}});
  EXPECT_EQ(Json::parse(to_json(found)), json({"evaluate", path("m"), path("t.csv"), "--epsilon", "0.5", "--json"}));
}

TEST_F(SameAsProgram, Explain) {
  const TrainedModel model = load_model(path("m"));
  EXPECT_EQ(Json::parse(to_json(explain(model, read_table(path("t.csv")), {.row = 4}), model)),
            json({"explain", path("m"), path("t.csv"), "--row", "5", "--json"}));
}

TEST_F(SameAsProgram, Adapt) {
  const AdaptedModel adapted = adapt(load_model(path("m")), read_table(path("t.csv")));
  EXPECT_EQ(Json::parse(to_json(adapted)), json({"adapt", path("m"), path("t.csv"), "-o", path("a"), "--json"}));
  EXPECT_EQ(to_bytes(adapted.model), file_content(path("a")));
}

// A file that is read in blocks gives the same answers as the whole table. Its name does not say that it is CSV.
TEST_F(SameAsProgram, PredictOfAFileInBlocks) {
  const Table large = small_table(17000);
  std::ofstream(path("large.TXT")) << csv_text(large);
  const Finished run = test::perpend({"predict", path("m"), path("large.TXT"), "--abstain", "0.1"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Predictions found = predict(load_model(path("m")), large, {.abstain = 0.1});
  std::istringstream lines(run.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "probability,prediction,disagreement,abstain");
  for (std::size_t r = 0; r < found.rows; ++r) {
    ASSERT_TRUE(std::getline(lines, line));
    ASSERT_NEAR(std::stod(line), found.probability(r, 1), 1e-6);
    ASSERT_EQ(line.ends_with("true"), found.abstained[r]) << line;
  }
  EXPECT_FALSE(std::getline(lines, line));
}

}  // namespace
}  // namespace perpend
