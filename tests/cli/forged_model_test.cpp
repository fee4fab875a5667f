// Models with a correct checksum and wrong content. Every verb that takes one refuses it with exit code 5 and one line,
// or gives finite answers.
#include <nlohmann/json.hpp>

#include "tests/cli/small_model.h"
#include "tests/support/model_files.h"

namespace perpend::test {
namespace {

using Json = nlohmann::json;

class ForgedModel : public SmallModel {
 protected:
  // The small model's file with one part of its metadata changed.
  static std::string forged(const std::string& part, const std::function<void(Json&)>& change) {
    FileParts parts = take_apart(file_content(model()));
    auto header = nlohmann::ordered_json::parse(parts.header);
    Json content = Json::parse(header["__metadata__"][part].get<std::string>());
    change(content);
    header["__metadata__"][part] = content.dump();
    parts.header = header.dump();
    return put_together_sealed(parts);
  }
  static std::string forged_at(const std::string& part, const std::string& pointer, const std::string& value) {
    return forged(part, [&](Json& content) { content[Json::json_pointer(pointer)] = Json::parse(value); });
  }

  // Returns the command of each verb, with a model of its own.
  std::vector<std::vector<std::string>> verbs(const std::string& file, const std::string& data) const {
    return {{"inspect", file},
            {"inspect", file, "--json"},
            {"predict", file, data, "--members"},
            {"predict", file, data, "--abstain", "0.1"},
            {"evaluate", file, data, "--json"},
            {"evaluate", file, data, "--epsilon", "0.1"},
            {"explain", file, data},
            {"explain", file, data, "--row", "1", "--json"},
            {"adapt", file, data, "-o", path("adapted"), "--force"},
            {"report", file, "-o", path("file.html"), "--force"},
            {"report", file, data, "-o", path("rows.html"), "--force"},
            {"export", file, "--onnx", path("model.onnx"), "--force"},
            {"train", data, "--target", "y", "--epochs", "1", "--members", "2", "--hidden", "4", "--views", "plain",
             "--init", file, "-o", path("more"), "--force"}};
  }

  void expect_numbers(const std::string& output) const {
    for (const char* word : {"nan", "inf,", "inf\n", "inf "}) EXPECT_FALSE(contains(output, word)) << output;
  }

  // Returns how many verbs refused it.
  int refusals(const std::string& bytes) {
    const std::string file = write("forged", bytes);
    const std::string data = write("small.csv", small_table());
    int refused = 0;
    for (const auto& words : verbs(file, data)) {
      const Finished run = perpend(words);
      std::string shown;
      for (const auto& word : words) shown += word + " ";
      SCOPED_TRACE(shown);
      EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 5) << run.exit_code << " " << run.err;
      if (run.exit_code == 5) {
        expect_error(run, 5);
        ++refused;
      } else {
        expect_numbers(run.out);
      }
    }
    return refused;
  }
  int all() const { return static_cast<int>(verbs("", "").size()); }
};

TEST_F(ForgedModel, UnchangedIsTakenByEveryVerb) {
  EXPECT_EQ(forged("summary", [](Json&) {}).size(), file_content(model()).size());
  EXPECT_EQ(refusals(forged("summary", [](Json&) {})), 0);
}

TEST_F(ForgedModel, AnOtherShapeOfTheSummaryIsRefusedByEveryVerb) {
  std::string zeros = "0", descending = "1", large = "1e308";
  for (int i = 1; i < 101; ++i) {
    zeros += ",0";
    descending += "," + std::to_string(1.0 - i / 100.0);
    large += ",1e308";
  }
  const std::pair<const char*, std::string> forgeries[] = {
      {"", "[]"},
      {"", "7"},
      {"/rows", "5"},
      {"/rows/train", "-1"},
      {"/rows/train", "1e300"},
      {"/rows/train", "\"x\""},
      {"/steps", "{}"},
      {"/status", "4"},
      {"/metrics", "[]"},
      {"/metrics/test", "{}"},
      {"/metrics/test", "4"},
      {"/metrics/test/auc", "1e308"},
      {"/metrics/test/auc", "\"x\""},
      {"/metrics/test/log_loss", "-3"},
      {"/metrics/test/members", "[]"},
      {"/metrics/test/members", "{}"},
      {"/metrics/test/members/1/auc", "7"},
      {"/metrics/train/members/1", "null"},
      {"/disagreement_percentiles", "[]"},
      {"/disagreement_percentiles", "[0,1]"},
      {"/disagreement_percentiles", "{\"a\":1}"},
      {"/disagreement_percentiles", "[" + zeros + ",0]"},
      {"/disagreement_percentiles", "[" + descending + "]"},
      {"/disagreement_percentiles", "[" + large + "]"},
      {"/disagreement_percentiles/3", "\"x\""},
      {"/log", "{}"},
      {"/log", "[5]"},
      {"/log", "[{}]"},
      {"/log/0/fit", "[]"},
      {"/log/0/fit", "[1e308,1e308]"},
      {"/log/0/fit", "[1,2,3]"},
      {"/log/0/epoch", "-1"},
      {"/log/0/epoch", "1e10"},
      {"/log/0/steps", "1.5"},
      {"/log/0/round", "99999999999"},
      {"/log/0/penalty", "null"},
  };
  for (const auto& [pointer, value] : forgeries) {
    SCOPED_TRACE(std::string(pointer) + " " + value.substr(0, 40));
    EXPECT_EQ(refusals(forged_at("summary", pointer, value)), all());
  }
}

// Other programs may write less than perpend. The answers of the rows at home stand outside of the summary.
TEST_F(ForgedModel, ASummaryWithoutItsKeysIsTaken) {
  const std::string file = write("bare", forged("summary", [](Json& summary) {
                                   summary = {{"theirs", {{"any", 1}}}};
                                 }));
  for (const auto& words : verbs(file, write("small.csv", small_table()))) {
    EXPECT_EQ(perpend(words).exit_code, 0) << words[0];
  }
}

TEST_F(ForgedModel, AnOtherShapeOfTheOptionsIsRefusedByEveryVerb) {
  const std::pair<const char*, const char*> forgeries[] = {
      {"", "[]"}, {"", "null"}, {"/method", "{}"}, {"/hidden", "[[1]]"}, {"/more", "{\"a\":[]}"}};
  for (const auto& [pointer, value] : forgeries) {
    SCOPED_TRACE(std::string(pointer) + " " + value);
    EXPECT_EQ(refusals(forged_at("options", pointer, value)), all());
  }
}

TEST_F(ForgedModel, OptionsThatNoTrainingHasEndInExitCodeFiveOrInNumbers) {
  const std::pair<const char*, const char*> forgeries[] = {{"/method", "5"},
                                                           {"/method", "\"nope\""},
                                                           {"/manifold", "\"pca:99999999999\""},
                                                           {"/manifold", "7"},
                                                           {"/manifold", "\"/no/x.json\""},
                                                           {"/manifold", "\"/dev/zero.npy\""},
                                                           {"/split", "\"labels\""},
                                                           {"/split", "\"by-column\""},
                                                           {"/split_quantile", "5"},
                                                           {"/target", "\"zzz\""},
                                                           {"/target", "3"},
                                                           {"/threads", "100000000"},
                                                           {"/seed", "-1"},
                                                           {"/lambda", "1e300"},
                                                           {"/lambda", "-1"},
                                                           {"/lambda", "\"auto\""},
                                                           {"/members", "0"},
                                                           {"/group", "\"y\""},
                                                           {"/group", "\"a\""},
                                                           {"/sample_weight", "\"y\""},
                                                           {"/positive", "\"zzz\""},
                                                           {"/drop", "[\"y\"]"},
                                                           {"/keep", "[\"\\u001b\"]"},
                                                           {"/batch_size", "1e99"},
                                                           {"/hidden", "[-5]"},
                                                           {"/unknown", "1"},
                                                           {"/missing", "null"}};
  for (const auto& [pointer, value] : forgeries) {
    SCOPED_TRACE(std::string(pointer) + " " + value);
    refusals(forged_at("options", pointer, value));
  }
}

TEST_F(ForgedModel, AnOtherSchemaIsRefusedByEveryVerb) {
  const std::pair<const char*, const char*> forgeries[] = {
      {"", "[]"},
      {"/classes", "[]"},
      {"/classes", "[\"no\"]"},
      {"/classes", "[1,2]"},
      {"/classes", "[\"a\",\"b\",\"c\"]"},
      {"/columns", "[]"},
      {"/columns/0/kind", "\"categorical\""},
      {"/columns/0/kind", "\"odd\""},
      {"/columns/0/levels", "[\"x\"]"},
      {"/columns/0/name", "\"b\""},
      {"/columns/2/levels", "[\"red\",\"green\",\"blue\"]"},
      {"/columns/2/levels", "[\"red\"]"},
      {"/features", "[]"},
      {"/features/0/name", "\"\""},
      {"/features/0/level", "7"},
      {"/features/0/level", "3000000000"},
      {"/features/0/column", "99"},
      {"/features/0/column", "-1"},
      {"/features/0/column", "2"},
      {"/features/0/sd", "0"},
      {"/features/0/sd", "-1.5"},
      {"/features/0/mean", "1e300"},
      {"/features/0/fill", "-1e300"},
      {"/features/3/sd", "1e-300"},
      {"/features/3/mean", "1e300"},
      {"/missing", "\"odd\""},
      {"/target", "3"},
      {"/ignored", "{}"},
      {"/columns/3", R"({"kind":"categorical","levels":[],"name":"z"})"},
  };
  for (const auto& [pointer, value] : forgeries) {
    SCOPED_TRACE(std::string(pointer) + " " + value);
    EXPECT_EQ(refusals(forged_at("schema", pointer, value)), all());
  }
}

TEST_F(ForgedModel, ATinySdIsAnErrorOfTheRowsThatItTakesOutOfRange) {
  const std::string file = write("forged", forged_at("schema", "/features/0/sd", "1e-300"));
  const std::string data = write("small.csv", small_table());
  expect_error(perpend({"predict", file, data}), 4);
}

TEST_F(ForgedModel, OtherWeightsAndNetworksAreRefusedByEveryVerb) {
  const std::pair<const char*, const char*> forgeries[] = {{"member_weights", "[]"},
                                                           {"member_weights", "[1]"},
                                                           {"member_weights", "[1e308,-1e308]"},
                                                           {"member_weights", "[0.5,0.5,0]"},
                                                           {"member_weights", "[\"a\",1]"},
                                                           {"member_weights", "{}"},
                                                           {"architecture", "{}"},
                                                           {"architecture", "[]"}};
  for (const auto& [part, value] : forgeries) {
    SCOPED_TRACE(std::string(part) + " " + value);
    EXPECT_EQ(refusals(forged_at(part, "", value)), all());
  }
  FileParts parts = take_apart(file_content(model()));
  for (const float wrong : {3e38F, -3e38F, 1.1e6F}) {
    std::memcpy(parts.data.data(), &wrong, sizeof wrong);
    EXPECT_EQ(refusals(put_together_sealed(parts)), all());
  }
}

// A table with float's largest numbers, for models that were trained on ordinary ones.
TEST_F(ForgedModel, RowsAtTheEndOfFloatRangeGetNumbersForAnswers) {
  std::string text = small_table(40);
  for (const char* cells : {"3e38,3e38", "-3e38,3e38", "3e38,-3e38", "-3e38,-3e38", "1e20,-1e-30"}) {
    text += std::string(cells) + ",red,yes\n" + cells + ",blue,no\n";
  }
  const std::string data = write("large.csv", text);
  for (const std::string hidden : {"4", "6,6,6"}) {
    for (const std::string activation : {"relu", "softplus"}) {
      ASSERT_EQ(train(write("small.csv", small_table()),
                      {"--members", "2", "--hidden", hidden, "--activation", activation, "--epochs", "20",
                       "--learning-rate", "0.1", "--force", "--views", "plain"})
                    .exit_code,
                0);
      for (auto words : verbs(path("model"), data)) {
        if (words[0] == "train") continue;
        const Finished run = perpend(words);
        EXPECT_EQ(run.exit_code, 0) << words[0] << " " << run.err;
        expect_numbers(run.out);
      }
      const std::string page = file_content(path("rows.html"));
      EXPECT_FALSE(contains(page, "nan<") || contains(page, ">inf")) << hidden;
    }
  }
}

TEST_F(ForgedModel, AStartFromOtherColumnsOrClassesIsRefusedWithTheFirstThatDiffers) {
  const auto start_on = [&](const std::string& text) {
    const std::string data = write("other.csv", text);
    return perpend({"train", data, "--target", "y", "--epochs", "1", "--members", "2", "--hidden", "4", "--views",
                    "plain", "--init", model(), "-o", path("more"), "--force"});
  };
  const std::string good = small_table();
  const auto renamed = [&](const std::string& names) { return names + good.substr(good.find('\n')); };
  EXPECT_EQ(start_on(good).exit_code, 0);
  EXPECT_EQ(start_on(small_table(90)).exit_code, 0);
  EXPECT_TRUE(contains(expect_error(start_on(renamed("a,bb,c,y")), 3), "column 2 is 'b' there and 'bb' here"));
  EXPECT_TRUE(contains(expect_error(start_on(renamed("b,a,c,y")), 3), "column 1 is 'a' there and 'b' here"));
  std::string other = good;
  for (std::size_t at = 0; (at = other.find("yes", at)) != other.npos;) other.replace(at, 3, "ill");
  EXPECT_TRUE(contains(expect_error(start_on(other), 3), "class 1 is 'no' there and 'ill' here"));
}

// No row has a value in the column. It is dropped, or stays as an indicator, and every verb can use the model.
TEST_F(ForgedModel, AColumnWithoutAValueIsDroppedWithAWarning) {
  std::string text = small_table();
  text.replace(0, text.find('\n'), "a,b,c,y,void");
  for (std::size_t at = text.find('\n') + 1; (at = text.find('\n', at)) != text.npos; at += 2) text.insert(at, ",");
  const std::string data = write("void.csv", text);
  for (const std::string missing : {"mean", "indicator"}) {
    const auto run =
        train(data, {"--categorical", "void", "--keep", "void", "--missing", missing, "--force", "--views", "plain"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(contains(run.err, "column 'void' has no value in the training rows and was dropped"), missing == "mean");
    for (auto words : verbs(path("model"), data)) {
      if (words[0] == "train") continue;
      const Finished used = perpend(words);
      EXPECT_EQ(used.exit_code, 0) << words[0] << " " << used.err;
    }
  }
}

// This text would take gigabytes as a tree.
TEST_F(ForgedModel, AnAutoencoderOfBracketsTakesLittleMemory) {
  const std::string file = write("d.json", std::string(50 << 20, '['));
  const auto run = train(write("small.csv", small_table()), {"--manifold", file});
  EXPECT_TRUE(contains(expect_error(run, 4), "nesting deeper than 32"));
#if !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(run.peak_kib, 256 * 1024);
#endif
  expect_error(train(path("small.csv"), {"--manifold", write("d.json", std::string(65 << 20, ' '))}), 4);
}

}  // namespace
}  // namespace perpend::test
