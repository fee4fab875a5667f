// Every kind of bad input ends the program with its exit code, one line that names the place, and little memory.
#include <sys/stat.h>
#include <unistd.h>
#include <sstream>

#include "perpend/base/message.h"
#include "tests/cli/small_model.h"
#include "tests/data/npy_bytes.h"

namespace perpend::test {
namespace {

void expect_refusal(const Finished& run, int code, const std::vector<std::string>& named) {
  const std::string line = expect_error(run, code);
  for (const auto& part : named) EXPECT_TRUE(contains(line, part)) << "no '" << part << "' in " << line;
  EXPECT_FALSE(has_control_bytes(line)) << line;
  EXPECT_TRUE(took_little_memory(run)) << run.peak_kib;
}

struct BadFile {
  std::string name;
  std::string bytes;
  std::vector<std::string> named;
};

// Files that no verb for tables can use. Line 62 is the first after the good rows.
std::vector<BadFile> bad_files() {
  const std::string good = small_table();
  const std::size_t size = good.size();
  const auto header = [&](const std::string& names) { return names + good.substr(good.find('\n')); };
  return {
      {"empty", "", {"bad.csv", "empty"}},
      {"header alone", "a,b,c,y\n", {"bad.csv", "no rows"}},
      {"row too short", good + "1,2,red\n", {"bad.csv:62", "3 cells", "4"}},
      {"row too long", good + "1,2,red,yes,5\n", {"bad.csv:62", "5 cells", "4"}},
      {"name twice", header("a,b,a,y"), {"bad.csv:1", "1 and 3", "'a'"}},
      {"name empty", header("a,,c,y"), {"bad.csv:1", "column 2"}},
      {"not UTF-8", good + "1,2,caf\xE9,yes\n", {"bad.csv:62", "byte offset " + std::to_string(size + 7)}},
      {"UTF-16", "\xFF\xFE" + good, {"bad.csv", "UTF-16", "iconv"}},
      {"Parquet", std::string("PAR1\x15\4\x15\0", 8) + good, {"bad.csv", "Parquet", ".parquet"}},
      {"NUL", good + std::string("1,\0,red,yes\n", 12), {"bad.csv:62", "byte offset " + std::to_string(size + 2)}},
      {"line over 16 MiB", good + "1," + std::string(17 << 20, '2') + ",red,yes\n", {"bad.csv:62", "16 MiB"}},
      {"quote left open", good + "\"1,2,red,yes\n", {"bad.csv:62", "column 1"}},
      {"quote over 16 MiB", good + "\"1,2" + std::string(17 << 20, '\n'), {"bad.csv:62", "16 MiB"}},
      {"text among numbers",
       good + std::string(80, 'x') + ",2,red,yes\n",
       {"bad.csv:62", "'a'", "'" + std::string(40, 'x') + "...'"}},
      {"beyond float", good + "1,1e39,red,yes\n", {"bad.csv:62", "'b'", "'1e39'"}},
  };
}

class BadInput : public SmallModel {};

TEST_F(BadInput, MissingCellsAreRefusedWhereTheUserWantsIt) {
  const std::string data = write("good.csv", small_table());
  ASSERT_EQ(perpend({"train", data, "--target", "y", "-o", path("strict"), "--members", "2", "--epochs", "1",
                     "--missing", "error"})
                .exit_code,
            0);
  for (const auto& [cell, shown] : {std::pair("", "'a'"), {"inf", "'inf'"}}) {
    const std::string file = write("bad.csv", small_table() + cell + ",2,red,yes\n");
    expect_refusal(train(file, {"--missing", "error"}), 4, {"bad.csv:62", shown, "--missing mean"});
    expect_refusal(perpend({"predict", path("strict"), file}), 4, {"bad.csv:62", shown, "--missing mean"});
  }
}

TEST_F(BadInput, FilesAreRefusedByEveryVerbThatReadsThem) {
  for (const auto& bad : bad_files()) {
    SCOPED_TRACE(bad.name);
    const std::string file = write("bad.csv", bad.bytes);
    expect_refusal(train(file), 4, bad.named);
    expect_refusal(perpend({"predict", model(), file}), 4, bad.named);
    expect_refusal(perpend({"evaluate", model(), file}), 4, bad.named);
  }
  EXPECT_FALSE(std::filesystem::exists(path("model")));
}

TEST_F(BadInput, FilesThatCannotBeReadAreNamedWithTheReason) {
  std::filesystem::create_directory(path("folder.csv"));
  std::vector<std::pair<std::string, std::string>> cases = {{"absent.csv", "No such file"},
                                                            {"folder.csv", "Is a directory"}};
  if (::geteuid() != 0) {
    ::chmod(write("closed.csv", small_table()).c_str(), 0);
    cases.emplace_back("closed.csv", "Permission denied");
  }
  for (const auto& [name, reason] : cases) {
    SCOPED_TRACE(name);
    // A folder may be a table in several files, but not a model or a configuration.
    const std::string of_table = name == "folder.csv" ? "a folder without tables" : reason;
    expect_refusal(train(path(name)), 6, {name, of_table});
    expect_refusal(perpend({"predict", model(), path(name)}), 6, {name, of_table});
    expect_refusal(perpend({"evaluate", model(), path(name)}), 6, {name, of_table});
    expect_refusal(perpend({"inspect", path(name)}), 6, {name, reason});
    expect_refusal(train(path("absent.csv"), {"--config", path(name)}), 6, {name, reason});
  }
}

std::string one_set_study(const std::string& source) {
  return "datasets = [{source = \"" + source +
         "\", target = \"y\"}]\nsplits = [\"random\"]\nmethods = [\"restarts\"]\n" +
         "members = 2\nrestarts = 1\n[options]\nhidden = 4\nepochs = 1\n";
}

TEST_F(BadInput, DevicesAreNoFilesForAnyVerb) {
  for (const std::string device : {"/dev/zero", "/dev/urandom"}) {
    SCOPED_TRACE(device);
    const std::vector<std::string> named = {device, "it is a device"};
    expect_refusal(train(device), 6, named);
    expect_refusal(perpend({"predict", model(), device}), 6, named);
    expect_refusal(perpend({"evaluate", model(), device}), 6, named);
    expect_refusal(perpend({"compare", device, "--target", "y"}), 6, named);
    expect_refusal(perpend({"inspect", device}), 6, named);
    expect_refusal(train(path("absent.csv"), {"--config", device}), 6, named);
    expect_refusal(perpend({"sweep", device, "-o", path("runs")}), 6, named);
    expect_refusal(perpend({"sweep", write("s.toml", one_set_study(device)), "-o", path("runs")}), 6, named);
    EXPECT_FALSE(std::filesystem::exists(path("runs")));
  }
  expect_refusal(run_program("/bin/sh", {"-c", "exec \"$0\" train - --target y -o \"$1\" < /dev/zero", PERPEND_PROGRAM,
                                         path("model")}),
                 6, {"stdin", "device"});
}

TEST_F(BadInput, PipesAreRefusedWhereAFileIsReadAgainAndWaitedForByNobody) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const std::vector<std::string> named = {"it is a device, a pipe or a socket, not a file"};
  expect_refusal(perpend({"sweep", write("s.toml", one_set_study(path("pipe"))), "-o", path("runs")}), 6, named);
  expect_refusal(perpend({"inspect", path("pipe")}), 6, named);
  std::filesystem::create_directory(path("study"));
  std::filesystem::rename(path("pipe"), path("study/study.toml"));
  expect_refusal(perpend({"status", path("study")}), 6, named);
  expect_refusal(perpend({"table", path("study")}), 6, named);
  // A shard of results is a file of this kind, too.
  write("s.toml", one_set_study(write("good.csv", small_table())));
  ASSERT_EQ(perpend({"sweep", path("s.toml"), "-o", path("runs")}).exit_code, 0);
  std::filesystem::rename(path("study/study.toml"), path("runs/results/pipe.jsonl"));
  expect_refusal(perpend({"status", path("runs")}), 6, named);
}

TEST_F(BadInput, PipesAreReadWhereOnceIsEnough) {
  const std::string data = write("good.csv", small_table());
  const std::string config = write("c.toml", "members = 2\nepochs = 1\n");
  const auto run =
      run_program("/bin/bash", {"-c", "exec \"$0\" train <(cat \"$1\") --config <(cat \"$2\") --target y -o \"$3\"",
                                PERPEND_PROGRAM, data, config, path("model")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST_F(BadInput, AStudyThatIsRefusedLeavesItsFolderToTheCorrectedOne) {
  const std::string data = write("good.csv", small_table());
  const std::string study = write("s.toml", one_set_study(data) + "drop = \"z\"\n");
  expect_refusal(perpend({"sweep", study, "-o", path("runs")}), 4, {"'z'"});
  expect_refusal(perpend({"sweep", study, "-o", path("runs"), "--slurm", "2"}), 4, {"'z'"});
  write("s.toml", one_set_study(data));
  EXPECT_EQ(perpend({"sweep", study, "-o", path("runs")}).exit_code, 0);
}

TEST_F(BadInput, AStudyOfABillionTrialsIsRefusedAtOnce) {
  std::string members = "1";
  for (int m = 2; m <= 1000; ++m) members += "," + std::to_string(m);
  const std::string study =
      write("s.toml", "datasets = [\"sonar\"]\nlambda = {from = 1, to = 9, count = 1000}\nmembers = [" + members +
                          "]\nrestarts = 1000\n");
  expect_refusal(perpend({"sweep", study, "-o", path("runs")}), 3, {"s.toml", "6,006,000,000 trials", "200,000"});
  std::string lambdas = members;
  expect_refusal(
      perpend({"compare", "builtin:shortcut", "--target", "target", "--members", members, "--lambdas", lambdas}), 3,
      {"6,006,000 trials", "200,000"});
}

// A shell gives the flag at the end of the line to the same command.
TEST_F(BadInput, AdviceCanBePastedWhateverAColumnIsCalled) {
  const std::string rows = small_table().substr(small_table().find('\n'));
  for (const std::string name : {"age", "my age", "it's", "a,b", "-x",
                                 "a\x0e"
                                 "drop\x0f",
                                 "\x1b[2J", "\xc3\xb6"}) {
    SCOPED_TRACE(name);
    const std::string file = write("bad.csv", "\"" + name + "\",b,c,y" + rows + ",2,red,yes\n");
    const std::string line = expect_error(train(file, {"--missing", "error"}), 4);
    const auto advice = line.rfind("--drop");
    ASSERT_NE(advice, line.npos) << line;
    EXPECT_FALSE(has_control_bytes(line)) << line;
    const auto pasted = run_program(
        "/bin/bash", {"-c", "\"" PERPEND_PROGRAM "\" train " + shell_word(file) + " --target y --epochs 1 --force -o " +
                                shell_word(path("pasted")) + " " + line.substr(advice)});
    EXPECT_EQ(pasted.exit_code, 0) << line << pasted.err;
  }
}

TEST_F(BadInput, WarningsSpellOptionsAsFlags) {
  std::string table =
      "\"row \x0e"
      "forged\x0f id\",x,y\n";
  for (int r = 0; r < 60; ++r)
    table += std::to_string(1000 + r) + "," + std::to_string(r % 7) + (r % 2 == 0 ? ",yes\n" : ",no\n");
  const auto run = train(write("ids.csv", table));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.err, "--keep $'row \\016forged\\017 id' keeps it")) << run.err;
  EXPECT_FALSE(contains(run.err, "--forged")) << run.err;
}

TEST_F(BadInput, MissingCellsAreCountedWithTheChoices) {
  const std::string file = write("bad.csv", small_table() + ",2,red,yes\nNA,2,red,yes\n");
  expect_refusal(train(file, {"--missing", "error"}), 4,
                 {"bad.csv:62", "'a'", "2 missing", "--missing mean, --missing indicator or --drop a"});
}

TEST_F(BadInput, TargetsAndLabelsAreNamed) {
  const std::string good = small_table();
  const std::string file = write("good.csv", good);
  expect_refusal(perpend({"train", file, "--target", "Yy", "-o", path("m")}), 4, {"'Yy'", "did you mean 'y'?"});
  for (const std::string label : {"", "NaN"}) {
    const std::string bad = write("bad.csv", good + "1,2,red," + label + "\n");
    expect_refusal(train(bad), 4, {"bad.csv:62", "'y'"});
    expect_refusal(perpend({"evaluate", model(), bad}), 4, {"bad.csv:62", "'y'"});
  }
  expect_refusal(perpend({"evaluate", model(), write("bad.csv", good + "1,2,red,maybe\n")}), 4,
                 {"bad.csv:62", "'maybe'"});
  expect_refusal(perpend({"evaluate", model(), write("bad.csv", "a,b,c\n1,2,red\n")}), 4, {"bad.csv", "'y'"});
}

TEST_F(BadInput, ClassesAreCounted) {
  std::string one = "a,b,y\n";
  for (int i = 0; i < 40; ++i) one += std::to_string(i * i % 17) + "," + std::to_string(i % 5) + ",no\n";
  expect_refusal(train(write("one.csv", one)), 4, {"one.csv", "'no' (40 rows)"});
  expect_refusal(train(write("few.csv", one + "1,2,yes\n")), 4, {"'yes'", "'no' 40", "'yes' 1"});
}

TEST_F(BadInput, WhatIsOnlyOddIsAWarning) {
  std::string odd = "a,b,twin,same,y\n";
  for (int i = 0; i < 60; ++i) {
    const std::string a = std::to_string(i * 7 % 11) + ".5";
    odd += a + "," + std::to_string(i * 5 % 13) + "," + a + ",7," + (i * 7 % 11 > 5 ? "yes\n" : "no\n");
  }
  const auto run = train(write("odd.csv", odd), {"--members", "4", "--batch-size", "256"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  for (const char* part :
       {"'same' is constant", "'a' and 'twin' are equal", "fewer than a batch of 256", "4 networks for 3 columns"}) {
    EXPECT_TRUE(contains(run.err, part)) << "no '" << part << "' in " << run.err;
  }
  EXPECT_FALSE(has_control_bytes(run.err));
}

TEST_F(BadInput, PredictMatchesColumnsByNameAndSaysWhatItMet) {
  const std::string good = write("good.csv", "a,b,c\n1.5,2,red\n7.5,3,blue\n");
  const auto plain = perpend({"predict", model(), good});
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  const std::string counts =
      "Wrote 2 rows. 0 rows have a level that training never saw, 0 rows lie outside the range of the training rows in "
      "at least one number, and 0 cells are missing.\n";
  EXPECT_EQ(plain.err, counts);
  const auto turned = perpend({"predict", model(), write("turned.csv", "c,b,a\nred,2,1.5\nblue,3,7.5\n")});
  EXPECT_EQ(turned.out, plain.out);
  EXPECT_EQ(turned.err, counts);
  expect_refusal(perpend({"predict", model(), write("bad.csv", "a,bb,c\n1.5,2,red\n")}), 4,
                 {"bad.csv", "'b'", "did you mean 'bb'?"});
  const auto extra = perpend({"predict", model(), write("extra.csv", "a,b,c,d\n1.5,2,red,x\n7.5,3,blue,x\n")});
  EXPECT_EQ(extra.exit_code, 0);
  EXPECT_EQ(extra.out, plain.out);
  EXPECT_EQ(extra.err, "warning: the model does not know column 'd' and does not use it\n" + counts);
  const auto unseen = perpend({"predict", model(), write("unseen.csv", "a,b,c\n1.5,2,red\n7,3,pink\n7,3,grey\n")});
  EXPECT_EQ(unseen.exit_code, 0);
  EXPECT_TRUE(contains(unseen.err, "column 'c' has 2 cells") && contains(unseen.err, "'pink'")) << unseen.err;
  EXPECT_TRUE(contains(unseen.err, "Wrote 3 rows. 2 rows have a level that training never saw")) << unseen.err;
  expect_refusal(perpend({"predict", model(), good, "--id", "aa"}), 4, {"good.csv", "'aa'", "'a'"});
}

TEST_F(BadInput, PredictCountsWhatIsUnlikeTheTrainingRows) {
  const std::string file = write("far.csv", "a,b,c\n1.5,2,red\n-1e6,1e6,pink\n1e6,2,blue\n");
  const auto plain = perpend({"predict", model(), file, "--abstain", "0.05"});
  const auto flagged = perpend({"predict", model(), file, "--abstain", "0.05", "--flags"});
  ASSERT_EQ(flagged.exit_code, 0) << flagged.err;
  EXPECT_TRUE(contains(flagged.err, "1 row has a level that training never saw, 2 rows lie outside")) << flagged.err;
  EXPECT_TRUE(contains(flagged.err, "Wrote 3 rows; ") && contains(flagged.err, " of them abstain")) << flagged.err;
  std::istringstream was(plain.out), is(flagged.out);
  const std::vector<std::string> ends = {",unseen,outside", ",0,0", ",1,2", ",0,1"};
  for (const std::string& end : ends) {
    std::string before, now;
    std::getline(was, before);
    std::getline(is, now);
    EXPECT_EQ(now, before + end);
  }
  const auto json = perpend({"predict", model(), file, "-o", path("far_out.csv"), "--json"});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  for (const char* part : {"\"rows\": 3", "\"abstained\": null", "\"unseen_rows\": 1", "\"outside_rows\": 2"}) {
    EXPECT_TRUE(contains(json.out, part)) << json.out;
  }
  expect_refusal(perpend({"predict", model(), file, "--json"}), 2, {"-o FILE"});
}

TEST_F(BadInput, PredictSaysByWhatItAbstains) {
  const std::string file = write("new.csv", "a,b,c\n1.5,2,red\n7,3,blue\n");
  const auto share = perpend({"predict", model(), file, "--abstain", "0.05", "--sets", "0.9", "--uncertainty"});
  ASSERT_EQ(share.exit_code, 0) << share.err;
  EXPECT_TRUE(share.out.starts_with("probability,prediction,disagreement,abstain,set,data,knowledge\n")) << share.out;
  EXPECT_TRUE(contains(share.err, "Rows abstain where the ")) << share.err;
  EXPECT_TRUE(contains(share.err, "validation row")) << share.err;
  const auto error = perpend({"predict", model(), file, "--abstain", "error=0.001", "-o", path("none.csv"), "--json"});
  ASSERT_EQ(error.exit_code, 0) << error.err;
  EXPECT_TRUE(contains(error.out, "\"answered\": 0") && contains(error.out, "\"abstained\": 2")) << error.out;
  for (const char* wrong : {"2", "error=0", "error=", "errors=0.1", "0.1x", "nan"}) {
    EXPECT_EQ(perpend({"predict", model(), file, "--abstain", wrong}).exit_code, 2) << wrong;
  }
}

std::string npy(const std::string& dtype, const std::string& shape, std::size_t bytes) {
  return npy_bytes(npy_header(dtype, shape), std::string(bytes, '\0'));
}

TEST_F(BadInput, ArraysAreRefusedByDtypeShapeAndSize) {
  const std::string y = write("y.npy", npy("<i8", "(4,)", 32));
  const auto train_on = [&](const std::string& bytes) { return train(write("x.npy", bytes) + "," + y); };
  expect_refusal(train_on(npy("|O", "(4, 2)", 64)), 4, {"x.npy", "'|O'"});
  expect_refusal(train_on(npy(">f8", "(4, 2)", 64)), 4, {"x.npy", "'>f8'", "big-endian"});
  expect_refusal(train_on(npy("<f8", "(5, 2)", 64)), 4, {"x.npy", "(5, 2)", "80", "64"});
  expect_refusal(train_on(npy("<f8", "(4000000000, 4000000000)", 64)), 4, {"x.npy", "(4000000000, 4000000000)"});
}

TEST_F(BadInput, DamagedModelsAreRefusedByEveryVerb) {
  const std::string good = file_content(model());
  const std::string data = write("good.csv", small_table());
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string bytes = good;
    EXPECT_NE(bytes.find(from), bytes.npos);
    return bytes.replace(bytes.find(from), from.size(), to);
  };
  const std::vector<BadFile> files = {
      {"truncated", good.substr(0, good.size() - 4), {"bad.model", "bytes where"}},
      {"one bit flipped",
       good.substr(0, good.size() - 1) + static_cast<char>(good.back() ^ 1),
       {"bad.model", "sha256"}},
      {"other format", small_table(), {"bad.model", "not a model file of perpend"}},
      {"newer version", replaced(R"("format_version":"3")", R"("format_version":"4")"), {"bad.model", "'4'", "'1'"}},
  };
  for (const auto& bad : files) {
    SCOPED_TRACE(bad.name);
    const std::string file = write("bad.model", bad.bytes);
    expect_refusal(perpend({"inspect", file}), 5, bad.named);
    expect_refusal(perpend({"predict", file, data}), 5, bad.named);
    expect_refusal(perpend({"evaluate", file, data}), 5, bad.named);
    expect_refusal(train(data, {"--init", file}), 5, bad.named);
  }
}

TEST_F(BadInput, ModelsCutOrFlippedAnywhereAreRefused) {
  const std::string good = file_content(model());
  for (std::size_t i = 0; i < 30; ++i) {
    SCOPED_TRACE(i);
    expect_refusal(perpend({"inspect", write("cut", good.substr(0, good.size() * i / 30))}), 5, {"cut"});
    std::string flipped = good;
    char& byte = flipped[good.size() * i / 30 + i % 7];
    byte = static_cast<char>(byte ^ (1 << i % 8));
    expect_refusal(perpend({"inspect", write("flipped", flipped)}), 5, {"flipped"});
  }
}

TEST_F(BadInput, ConfigurationMistakesAreNamedByLineAndColumn) {
  const std::string data = write("good.csv", small_table());
  const std::vector<BadFile> files = {
      {"unknown key", "seed = 1\n  lamda = 3\n", {"c.toml:2:3", "'lamda'", "did you mean lambda?"}},
      {"word for a number", "members = \"two\"\n", {"c.toml:1:1", "members", "'two'", "whole number"}},
      {"fraction for a whole number", "members = 2.5\n", {"c.toml:1:1", "'2.5'"}},
      {"list for a number", "members = [2, 3]\n", {"c.toml:1:1", "'2,3'"}},
      {"number for yes or no", "shuffle = 1\n", {"c.toml:1:1", "true or false"}},
      {"date", "members = 2020-01-01\n", {"c.toml:1:1"}},
      {"not finite", "lambda = nan\n", {"c.toml:1:1", "'nan'"}},
      {"out of range", "seed = 1\n\ndropout = 1.5\n", {"c.toml:3:1", "dropout is 1.5", "from 0 to 0.99"}},
      {"beyond integers", "members = 99999999999\n", {"c.toml:1:1", "'99999999999'"}},
      {"two of them", "batch_size = 5000000\nhidden = [4, 0]\n", {"c.toml:1:1: batch_size", "c.toml:2:1: hidden"}},
      {"not ASCII", "# \xC3\xA9\n", {"c.toml:1:3", "ASCII"}},
      {"no value", "members =\n", {"c.toml:1:10"}},
      {"twice", "members = 2\nmembers = 3\n", {"c.toml:2"}},
      {"list of lists", "drop = [[\"a\"]]\n", {"c.toml:1:1", "drop must be"}},
      {"table", "[train]\nmembers = 2\n", {"c.toml:1:2", "'train'"}},
      {"hidden in a control name", "\"a\\u001b\\nb\" = 2\n", {"c.toml:1:1"}},
      {"a very deep name",
       std::string(1, 'a') +
           [] {
             std::string dots;
             for (int i = 0; i < 500'000; ++i) dots += ".a";
             return dots;
           }() +
           " = 1\n",
       {"c.toml:1:130"}},
      {"a very deep list", "hidden = " + std::string(5000, '[') + "\n", {"c.toml:1:"}},
      {"larger than 1 MiB", std::string((1 << 20) + 1, '\n'), {"c.toml", "1 MiB"}},
  };
  for (const auto& bad : files) {
    SCOPED_TRACE(bad.name);
    expect_refusal(train(data, {"--config", write("c.toml", bad.bytes)}), 3, bad.named);
  }
  // A flag wins over the file, so the file's value does not matter.
  EXPECT_EQ(train(data, {"--config", write("c.toml", "dropout = 1.5\n"), "--dropout", "0.5"}).exit_code, 0);
}

TEST_F(BadInput, OutputsThatCannotBeWrittenAreNamed) {
  const std::string data = write("good.csv", small_table());
  const std::string there = write("there", "old");
  std::filesystem::create_directory(path("folder"));
  const auto both = [&](const std::string& output, std::vector<std::string> more, const std::string& reason) {
    SCOPED_TRACE(output);
    std::vector<std::string> words = {"train", data, "--target", "y", "-o", output};
    words.insert(words.end(), more.begin(), more.end());
    // Training has the default number of epochs here, so the error must come before it.
    expect_refusal(perpend(words), 6, {output, reason});
    words = {"predict", model(), data, "-o", output};
    words.insert(words.end(), more.begin(), more.end());
    expect_refusal(perpend(words), 6, {output, reason});
  };
  both(there, {}, "--force");
  both(path("folder"), {"--force"}, "Is a directory");
  both(path("absent/file"), {}, "No such file or directory");
  EXPECT_EQ(file_content(there), "old");
}

// A limit on the size of files makes a write fail, as a full disk does.
TEST_F(BadInput, AFullDiskLeavesTheOldFile) {
  const std::string data = write("good.csv", small_table(2000));
  const std::string there = write("there", "old");
  const auto limited = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"-c", "ulimit -f 4; exec \"$@\"", "sh", PERPEND_PROGRAM});
    return run_program("/bin/sh", words);
  };
  expect_refusal(limited({"train", data, "--target", "y", "--epochs", "1", "-o", there, "--force"}), 6,
                 {"there", "File too large"});
  expect_refusal(limited({"predict", model(), data, "-o", there, "--force"}), 6, {"there", "File too large"});
  EXPECT_EQ(file_content(there), "old");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_.path())) ++files;
  EXPECT_EQ(files, 2U) << "the data, the old file, and nothing else";
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full on this system";
  expect_refusal(run_program(PERPEND_PROGRAM, {"predict", model(), data}, "/dev/full"), 6,
                 {"stdout", "No space left on device"});
}

TEST_F(BadInput, DivergenceNamesStepAndTermAndWhatToDo) {
  const std::string data = write("good.csv", small_table());
  expect_refusal(train(data, {"--learning-rate", "1e30", "--epochs", "50"}), 7,
                 {"diverged at step", "weights", "lower --learning-rate"});
  EXPECT_FALSE(std::filesystem::exists(path("model")));
}

TEST_F(BadInput, NamesWithControlBytesStayOneLine) {
  expect_refusal(train(path("two\nlines\x1b[31m.csv")), 6, {"two\\nlines\\x1b[31m.csv"});
  expect_refusal(perpend({"inspect", path("two\nlines\x1b[31m")}), 6, {"two\\nlines\\x1b[31m"});
  const std::string there = write("there\n", "old");
  expect_refusal(perpend({"train", path("x.csv"), "--target", "y", "-o", there}), 6, {"there\\n", "--force"});
}

}  // namespace
}  // namespace perpend::test
