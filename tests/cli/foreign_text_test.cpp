// Other people's files, names and arguments may contain anything. What the program shows controls no terminal, forges
// no line and can be pasted into a shell.
#include <nlohmann/json.hpp>

#include "perpend/base/message.h"
#include "tests/cli/every_verb.h"
#include "tests/cli/pseudo_terminal.h"
#include "tests/support/model_files.h"

namespace perpend::test {
namespace {

using OrderedJson = nlohmann::ordered_json;

// A forged mention of an option (base/option_mention.h), ESC, DEL, a tab, U+009B, U+202E, U+2028, and a line that the
// program did not write.
const std::string kEvil =
    "\x0e"
    "forged\x1fx\x0f\x1b[31m\x7f\t\xc2\x9b\xe2\x80\xae\xe2\x80\xa8\nFORGED ";
// The same with U+009B as the byte of other encodings, where no encoding is required.
const std::string kEvilBytes = kEvil + "\x9b";

void expect_harmless(const std::string& text, const std::string& what) {
  EXPECT_FALSE(has_control_bytes(text)) << what << " shows: " << printable(text.substr(0, 2000));
  EXPECT_FALSE(contains(text, "--forged")) << what << " shows: " << printable(text.substr(0, 2000));
  EXPECT_FALSE(contains("\n" + text, "\nFORGED")) << what << " shows: " << printable(text.substr(0, 2000));
}

class ForeignText : public EveryVerb {
 protected:
  void SetUp() override { make_files(kEvilBytes, kEvil); }

  // The program runs in the folder of the files, so that files with an evil name are written there.
  Finished run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> words = {"-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder_.string(),
                                      PERPEND_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run_program("/bin/sh", words);
  }

  Finished expect_harmless_run(const std::vector<std::string>& words, bool prints_data = false) const {
    const auto ended = run(words);
    const std::string what = printable(shown_words(words));
    expect_harmless(ended.err, what);
    if (!prints_data) expect_harmless(ended.out, what);
    EXPECT_NE(ended.exit_code, 1) << what << ended.err;
    EXPECT_LT(ended.exit_code, 128) << what << ended.err;
    return ended;
  }

  void expect_harmless_failure(const std::vector<std::string>& words) const {
    const auto ended = expect_harmless_run(words);
    EXPECT_NE(ended.exit_code, 0) << printable(shown_words(words));
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
  }

  // Returns the long names of a verb's options, from its own help.
  std::vector<std::string> options_of(const std::vector<std::string>& verb) const {
    std::vector<std::string> names;
    std::istringstream help(run(with(verb, "--help")).out);
    for (std::string line; std::getline(help, line);) {
      const auto first = line.find("--");
      if (line.starts_with("  -") && first != line.npos)
        names.push_back(line.substr(first, line.find(' ', first) - first));
    }
    return names;
  }
};

TEST_F(ForeignText, EveryVerbHasARunHere) {
  const auto runs = good_runs();
  const auto verbs = verbs_in(perpend({"--help"}).out);
  EXPECT_GE(verbs.size(), 18U);
  for (const auto& verb : verbs) EXPECT_TRUE(runs.contains(verb)) << verb << " needs a run in tests/cli/every_verb.h";
}

TEST_F(ForeignText, IsHarmlessWhereAllIsWell) {
  for (const auto& [verb, runs] : good_runs()) {
    for (const auto& one : runs) {
      const auto ended = expect_harmless_run(one.words, one.prints_data);
      EXPECT_EQ(ended.exit_code, 0) << printable(shown_words(one.words)) << ended.err;
    }
  }
}

TEST_F(ForeignText, InJsonIsTheSameText) {
  const auto document = OrderedJson::parse(run({"inspect", model_, "--json"}).out);
  EXPECT_EQ(document["schema"]["target"], target_);
  EXPECT_EQ(document["schema"]["columns"][0]["name"], id_);
  const auto named = OrderedJson::parse(run({"explain", model_, data_, "--json"}).out);
  EXPECT_TRUE(contains(named["model"].get<std::string>(), kEvil));
}

TEST_F(ForeignText, IsHarmlessOnATerminal) {
  for (const auto& [verb, runs] : good_runs()) {
    if (verb == "demo") continue;  // it shows only its own text
    for (const auto& one : runs) {
      const auto ended = OnTerminal(one.words, "dumb").wait();
      EXPECT_EQ(ended.exit_code, 0);
      EXPECT_FALSE(has_control_bytes(ended.out)) << printable(shown_words(one.words)) << printable(ended.out);
      // A cell may contain line breaks.
      if (!one.prints_data) expect_harmless(ended.out, printable(shown_words(one.words)));
    }
  }
}

TEST_F(ForeignText, IsHarmlessOnARichTerminal) {
  // Returns what is left when perpend's own terminal codes are removed.
  const auto without_own = [](std::string text) {
    for (const std::string own : {"\r\x1b[2K", "\x1b[J"}) {
      for (std::size_t at = 0; (at = text.find(own)) != text.npos;) text.erase(at, own.size());
    }
    return text;
  };
  std::filesystem::remove_all(swept_);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"train", data_, "--target", target_, "-o", path("rich"), "--epochs", "3"},
                                             {"sweep", study_, "-o", swept_},
                                             {"status", swept_, "--watch"}}) {
    const auto ended = OnTerminal(words).wait();
    EXPECT_EQ(ended.exit_code, 0) << ended.out;
    expect_harmless(without_own(ended.out), words[0]);
  }
}

TEST_F(ForeignText, IsHarmlessAsWordsOfTheCommandLine) {
  expect_harmless_failure({kEvilBytes});
  expect_harmless_failure({"--" + kEvilBytes});
  for (const auto& [verb, runs] : good_runs()) {
    expect_harmless_failure({verb, "--no" + kEvilBytes});
    expect_harmless_failure({verb, kEvilBytes, kEvilBytes, kEvilBytes, kEvilBytes, kEvilBytes});
    for (const auto& sub : verbs_in(run({verb, "--help"}).out)) {
      expect_harmless_failure({verb, sub, "--no" + kEvilBytes});
      expect_harmless_failure({verb, sub, kEvilBytes, kEvilBytes, kEvilBytes, kEvilBytes});
    }
  }
}

TEST_F(ForeignText, IsHarmlessAsTheValueOfEveryOption) {
  std::size_t tried = 0;
  for (const auto& [verb, runs] : good_runs()) {
    const auto& words = runs.front();
    const bool has_parts = !verbs_in(run({verb, "--help"}).out).empty();
    std::vector<std::string> name = {verb};
    if (has_parts) name.push_back(words.words[1]);
    for (const auto& option : options_of(name)) {
      if (option == "--help") continue;
      expect_harmless_run(with(words.words, option + "=" + kEvilBytes), words.prints_data);
      ++tried;
    }
  }
  EXPECT_GT(tried, 100U);
}

TEST_F(ForeignText, IsHarmlessInWhatIsRefused) {
  const std::string absent = path("absent");
  const std::string quoted = "\"" + kEvil + "\"";
  std::string table = file_content(data_);
  const std::string words_for_numbers =
      write("words", ".csv", table + quoted + ",1," + quoted + ",\"yes" + kEvil + "\"\n");
  const std::string other_columns = write("other", ".csv", quoted + ",b\n1,2\n");
  const std::string short_row = write("short", ".csv", table + quoted + "\n");
  const std::string not_utf8 = write("bytes", ".csv", table + "\x9b,1,2,3\n");
  const std::string twice = write("twice", ".csv", quoted + "," + quoted + "\n1,2\n");
  const std::string config = write("config", ".toml", "\"\\u001b[31m\\u202e\\u009b\" = 1\n");
  const std::string raw_config = write("raw", ".toml", kEvilBytes + " = 1\n");
  const std::string study =
      write("bad", ".toml", "datasets = [\"\\u001b[31m\\u202e\\u009b\\u2028\\n.csv\"]\nmethods = [\"\\u001b\"]\n");
  const std::string missing_set =
      write("gone", ".toml", "datasets = [{source = \"\\u001b\\u202e\\u009b.csv\", target = \"\\u001b\"}]\n");
  for (const std::string& table_file : {absent, words_for_numbers, other_columns, short_row, not_utf8, twice}) {
    expect_harmless_failure({"train", table_file, "--target", "y" + kEvil, "-o", path("m"), "--force"});
    for (const char* verb : {"predict", "evaluate", "explain"}) {
      if (verb != std::string("predict") || table_file != words_for_numbers)
        expect_harmless_run({verb, model_, table_file, "--data-dir", absent}, verb == std::string("predict"));
    }
    expect_harmless_failure({"adapt", model_, table_file, "-o", path("m"), "--force"});
    expect_harmless_failure({"compare", table_file, "--target", target_});
    expect_harmless_run({"report", model_, table_file, "-o", path("m"), "--force"});
    expect_harmless_failure({"data", "make", "icu", "--from", "physionet2012", table_file});
    expect_harmless_failure({"data", "make", "icu", "--from", "mimic", table_file});
  }
  for (const std::string& file : {config, raw_config}) {
    expect_harmless_failure({"train", data_, "--target", target_, "-o", path("m"), "--force", "--config", file});
  }
  for (const std::string& file : {config, raw_config, study, missing_set, absent}) {
    expect_harmless_failure({"sweep", file, "-o", path("new")});
  }
  for (const char* option : {"--positive", "--group", "--split", "--drop", "--categorical", "--manifold", "--init"}) {
    expect_harmless_failure(
        {"train", data_, "--target", target_, "-o", path("m"), "--force", "--epochs", "1", option, kEvil});
  }
  expect_harmless_failure({"train", data_, "--target", target_, "-o", absent + "/" + kEvilBytes});
  expect_harmless_failure({"train", data_, "--target", target_, "-o", model_});  // the file exists
  expect_harmless_failure({"predict", model_, data_, "--id", kEvil});
  expect_harmless_failure({"inspect", data_});
  expect_harmless_failure({"data", "fetch", "ionosphere", "--mirror", absent, "--data-dir", path("sets")});
  expect_harmless_failure(
      {"data", "fetch", "ionosphere", "--mirror", "file://" + kEvilBytes, "--data-dir", path("sets")});
  expect_harmless_failure({"status", absent});
  expect_harmless_failure({"sweep", study_, "-o", data_});
}

// Returns copies of a JSON document, each with an evil text in place of one string, a value or a key.
std::vector<OrderedJson> forgeries_of(const OrderedJson& document) {
  std::vector<OrderedJson> forged;
  const OrderedJson flat = document.flatten();
  for (const auto& [place, value] : flat.items()) {
    if (!value.is_string()) continue;
    OrderedJson copy = document;
    copy[OrderedJson::json_pointer(place)] = kEvil;
    forged.push_back(std::move(copy));
  }
  if (document.is_object() && !document.empty()) {
    OrderedJson copy = document;
    copy[kEvil] = document.begin().value();
    forged.push_back(copy);
    copy.erase(document.begin().key());
    forged.push_back(std::move(copy));
  }
  return forged;
}

// Headers of model files, each with one string that perpend would not have written.
std::vector<OrderedJson> forged_headers(const OrderedJson& header) {
  std::vector<OrderedJson> forged = forgeries_of(header);
  for (const auto& [key, value] : header["__metadata__"].items()) {
    const OrderedJson inside = OrderedJson::parse(value.get<std::string>(), nullptr, false);
    if (!inside.is_structured()) continue;
    for (const auto& one : forgeries_of(inside)) {
      OrderedJson copy = header;
      copy["__metadata__"][key] = one.dump();
      forged.push_back(std::move(copy));
    }
  }
  return forged;
}

TEST_F(ForeignText, IsHarmlessInAForgedModel) {
  const FileParts good = take_apart(file_content(model_));
  const auto headers = forged_headers(OrderedJson::parse(good.header));
  EXPECT_GT(headers.size(), 50U);
  int shown = 0;
  for (const auto& header : headers) {
    const std::string forged = write("forged", ".safetensors", put_together_sealed({header.dump(), good.data}));
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"inspect", forged},
                                                                                       {"inspect", forged, "--json"},
                                                                                       {"evaluate", forged, data_},
                                                                                       {"explain", forged, data_}}) {
      const auto ended = run(words);
      expect_harmless(ended.out + ended.err, words[0] + " of " + printable(header["__metadata__"].dump()));
      EXPECT_LT(ended.exit_code, 128) << ended.err;
      shown += ended.exit_code == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(shown, 50) << "most strings are free to choose";
}

// bash runs the commands that the program prints for its user.
TEST_F(ForeignText, CommandsToPasteNameTheFilesTheyMean) {
  // Returns what follows `mark` on its line. Our table replaces the stand-in that the user should replace.
  const auto paste = [&](const std::string& text, const std::string& mark, const std::string& stand_in) {
    ASSERT_TRUE(contains(text, mark)) << printable(text);
    const auto start = text.find(mark) + mark.size();
    std::string command = text.substr(start, text.find('\n', start) - start);
    if (const auto at = command.find(stand_in); !stand_in.empty() && at != command.npos)
      command.replace(at, stand_in.size(), shell_word(data_));
    const auto pasted = run_program("/bin/bash", {"-c", "perpend() { \"" PERPEND_PROGRAM "\" \"$@\"; }; sbatch() { "
                                                        "SLURM_ARRAY_TASK_ID=1 bash \"$1\"; }\n" +
                                                            command});
    EXPECT_EQ(pasted.exit_code, 0) << command << "\n" << pasted.err;
  };
  paste(run({"sweep", study_, "-o", swept_}).out, "Next: ", "");
  paste(run({"sweep", study_, "-o", swept_, "--slurm", "1"}).out, "Next: ", "");
  paste(run({"train", data_, "--target", target_, "-o", path("paste"), "--epochs", "1"}).out, "Next: ", "NEW.csv");
  paste(run({"adapt", model_, data_, "-o", path("adapted")}).out, "on other rows: ", "OTHER.csv");
}

}  // namespace
}  // namespace perpend::test
