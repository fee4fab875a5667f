#include <gtest/gtest.h>

#include "perpend/base/error.h"
#include "perpend/store/model_file.h"
#include "tests/support/model_files.h"

namespace perpend {
namespace {

ModelFile plain_model(std::size_t classes = 2) {
  return test::made_up_model({.features = 3, .hidden = {2}, .classes = classes}, 2);
}

ModelFile calibrated(const ProbabilityMap& map, std::optional<double> threshold = {}) {
  ModelFile model = plain_model();
  model.decision.map = map;
  model.decision.threshold = threshold;
  return model;
}

const ProbabilityMap kTempered = {.kind = Calibrator::temperature, .temperature = 1.25};
const ProbabilityMap kCurve = {
    .kind = Calibrator::isotonic, .temperature = 1, .knots = {{0.1, 1.0 / 3}, {0.5, 0.5}, {1, 0.875}}};

std::string header_of(const ModelFile& model) { return test::take_apart(to_bytes(model)).header; }

// The error for a file whose header has `to` in place of `from`, while all else is right.
std::string refusal(const ModelFile& model, const std::string& from, const std::string& to) {
  test::FileParts parts = test::take_apart(to_bytes(model));
  const std::size_t at = parts.header.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  parts.header.replace(at, from.size(), to);
  parts.header.erase(parts.header.find_last_not_of(' ') + 1);
  try {
    from_bytes(test::put_together_sealed(parts), "m");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CalibratedModel, ComesBackToTheBit) {
  for (const auto& model : {calibrated(kTempered), calibrated(kCurve, 0.3), calibrated({}, 0.1 + 0.2),
                            calibrated(kCurve), calibrated({}, 0.5)}) {
    const ModelFile back = from_bytes(to_bytes(model), "m");
    EXPECT_EQ(back.decision, model.decision);
    EXPECT_EQ(to_bytes(back), to_bytes(model));
  }
}

TEST(CalibratedModel, StandsInTheHeaderAsTheFormatSays) {
  EXPECT_NE(header_of(calibrated(kTempered, 0.3)).find(R"("calibration":"temperature 1.25","threshold":"above 0.3")"),
            std::string::npos);
  EXPECT_NE(header_of(calibrated(kCurve)).find(R"("isotonic 0.1:0.3333333333333333 0.5:0.5 1:0.875")"),
            std::string::npos);
  EXPECT_EQ(header_of(plain_model()).find("calibration"), std::string::npos);
  EXPECT_EQ(header_of(plain_model()).find("threshold"), std::string::npos);
}

TEST(CalibratedModel, RefusesForgedMaps) {
  const ModelFile tempered = calibrated(kTempered);
  for (const char* forged : {"temperature 0",
                             "temperature -1",
                             "temperature 17",
                             "temperature nan",
                             "temperature inf",
                             "temperature 1.250",
                             "temperature 1.25 ",
                             "temperature",
                             "temperature 1e999",
                             "platt 1",
                             "1.25",
                             "",
                             "isotonic",
                             "isotonic 0.1:0.5",
                             "isotonic 0.1:0.5 0.1:0.6",
                             "isotonic 0.2:0.5 0.1:0.6",
                             "isotonic 0.1:0.6 0.2:0.5",
                             "isotonic 0.1:0 0.2:0.5",
                             "isotonic 0.1:0.5 0.2:1",
                             "isotonic 0.1:0.5 0.2:0.6:",
                             "isotonic 0.1:0.5  0.2:0.6",
                             "isotonic 0.1:0.5 2:0.6",
                             "isotonic 0.1:nan 0.2:0.6"}) {
    const std::string said = refusal(tempered, "temperature 1.25", forged);
    EXPECT_NE(said.find("calibration"), std::string::npos) << forged << ": " << said;
    EXPECT_NE(said.find("the file is damaged"), std::string::npos) << forged << ": " << said;
  }
  std::string many = "isotonic";
  for (int i = 0; i < 5000; ++i) many += " 0." + std::to_string(10000 + i) + ":0.5";
  EXPECT_NE(refusal(tempered, "temperature 1.25", many).find("calibration"), std::string::npos);
}

TEST(CalibratedModel, RefusesForgedThresholds) {
  const ModelFile model = calibrated({}, 0.3);
  for (const char* forged : {"above 0", "above 1", "above -0.3", "above nan", "above 0.30", "above 0.3 ", "above",
                             "above ", "0.3", "below 0.3", ""}) {
    const std::string said = refusal(model, "above 0.3", forged);
    EXPECT_NE(said.find("threshold"), std::string::npos) << forged << ": " << said;
  }
}

TEST(CorrectedModel, IsReadAsItWasWrittenAndRefusedWhenForged) {
  ModelFile model = calibrated({}, 0.3);
  model.decision.correction =
      Correction{.bias = {-0.125, 0.5}, .pull = std::vector<double>(model.decision.weights.size())};
  model.decision.correction->pull[0] = -1.5;
  const std::string bytes = to_bytes(model);
  EXPECT_EQ(from_bytes(bytes, "m").decision, model.decision);
  EXPECT_EQ(to_bytes(from_bytes(bytes, "m")), bytes);
  const std::string text = "bias -0.125 0.5 pull -1.5";
  for (const char* forged : {"", "bias", "pull -1.5", "bias -0.125 pull -1.5 1", "bias -0.125 0.5 0.5 pull -1.5",
                             "bias -0.125 0.5 pull nan", "bias -0.125 0.5 pull inf", "bias -0.125 0.5 pull -1.50",
                             "bias -0.125  0.5 pull -1.5", "bias -0.125 1e16 pull -1.5", "bias -0.125 0.5 pull 2e6",
                             "bias -0.125 0.5 pull -1.5 7", "bias -0.125 x pull -1.5", "[0.5]"}) {
    const std::string said = refusal(model, text, forged);
    EXPECT_NE(said.find("correction"), std::string::npos) << forged << ": " << said;
    EXPECT_NE(said.find("the file is damaged"), std::string::npos) << forged << ": " << said;
  }
}

TEST(GatedModel, IsReadAsItWasWrittenAndRefusedWhenForged) {
  ModelFile model = calibrated({}, 0.3);
  model.decision.gate = Gate{.theta = {0.5, 0, -0.25, 1, 0, 1.0 / 3, 0, -2}};
  const std::string bytes = to_bytes(model);
  EXPECT_EQ(from_bytes(bytes, "m").decision, model.decision);
  EXPECT_EQ(to_bytes(from_bytes(bytes, "m")), bytes);
  const std::string text = "centre 0 scale 1 theta 0.5 0 -0.25 1 0 0.3333333333333333 0 -2";
  for (const char* forged :
       {"", "theta", "centre 0 scale 1 theta", "centre 0 scale 1 theta 0.5 0 -0.25 1",
        "centre 0 scale 1 theta 0.5 0 -0.25 1 0 0 0 -2 7", "centre 0 scale 0 theta 0.5 0 -0.25 1 0 0 0 -2",
        "centre nan scale 1 theta 0.5 0 -0.25 1 0 0 0 -2", "centre 0 scale -1 theta 0.5 0 -0.25 1 0 0 0 -2",
        "centre 0 scale 1 theta 0.5 0 -0.25 1 0 0 0 -2000", "centre 0 scale 1 theta 0.5 0 -0.25 1 0 0 0 nan",
        "centre 0 scale 1 theta 0.50 0 -0.25 1 0 0 0 -2", "centre 0 scale 1 theta 0.5  0 -0.25 1 0 0 0 -2", "[0.5]"}) {
    const std::string said = refusal(model, text, forged);
    EXPECT_NE(said.find("gate"), std::string::npos) << forged << ": " << said;
    EXPECT_NE(said.find("the file is damaged"), std::string::npos) << forged << ": " << said;
  }
  model.decision.rule = Rule::samme;
  EXPECT_ANY_THROW(to_bytes(model));
}

TEST(CalibratedModel, RefusesWhatIsForTwoClassesAlone) {
  const std::string key = R"("member_weights")";
  const auto with = [&](const std::string& more) { return refusal(plain_model(3), key, more + "," + key); };
  EXPECT_EQ(with(R"("calibration":"temperature 1.25")"), "accepted");
  EXPECT_NE(with(R"("calibration":"isotonic 0.1:0.2 0.5:0.6")").find("two classes"), std::string::npos);
  EXPECT_NE(with(R"("threshold":"above 0.3")").find("3 classes"), std::string::npos);
}

}  // namespace
}  // namespace perpend
