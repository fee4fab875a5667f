// What is too large, endless or of another instruction set is refused early, is bounded, or gives the same bytes.
#include <sys/stat.h>

#include <sstream>

#include "perpend/kernels/target.h"
#include "tests/cli/small_model.h"

namespace perpend::test {
namespace {

class Limits : public SmallModel {};

TEST_F(Limits, ATableTooWideForAModelFileIsRefusedBeforeTraining) {
  std::ostringstream table;
  for (int c = 0; c < 9000; ++c) table << "column" << c << ",";
  table << "y\n";
  for (int r = 0; r < 20; ++r) {
    for (int c = 0; c < 9000; ++c) table << (r * 7 + c) % 13 << ",";
    table << r % 2 << "\n";
  }
  // The test would time out if it trained for 100,000 epochs.
  const auto run = perpend({"train", write("wide.csv", table.str()), "--target", "y", "-o", path("m"), "--epochs",
                            "100000", "--threads", "1"});
  EXPECT_TRUE(contains(expect_error(run, 5), ", but a model file holds at most 1,048,576; drop columns")) << run.err;
}

TEST_F(Limits, NumbersThatAreNoneAreRefusedByEveryFlag) {
  const std::string data = write("data.csv", small_table());
  const std::vector<std::vector<std::string>> runs = {{"predict", model(), data, "--abstain"},
                                                      {"evaluate", model(), data, "--epsilon"},
                                                      {"report", model(), data, "-o", path("r.html"), "--epsilon"},
                                                      {"compare", data, "--target", "y", "--minutes"},
                                                      {"data", "make", "shortcut", "--rows"},
                                                      {"data", "make", "shortcut", "--seed"},
                                                      {"explain", model(), data, "--row"},
                                                      {"sweep", path("none.toml"), "-o", path("d"), "--threads"},
                                                      {"sweep", path("none.toml"), "-o", path("d"), "--slurm"},
                                                      {"bench", "--seconds"}};
  for (auto words : runs) {
    words.emplace_back();
    for (const std::string number : {"nan", "-1", "1e999", "inf", "18446744073709551617", ""}) {
      words.back() = number;
      const auto run = perpend(words);
      EXPECT_EQ(run.exit_code, 2) << words[0] << " " << words[words.size() - 2] << " " << number;
      EXPECT_LT(expect_error(run, run.exit_code).size(), 500U);
    }
  }
}

TEST_F(Limits, ThreadsThatTheSystemRefusesEndInOneLine) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs more memory than the limit of this test leaves";
#endif
  const std::string data = write("data.csv", small_table());
  const auto run =
      run_program("/bin/sh", {"-c", "ulimit -v 1000000; exec \"$0\" \"$@\"", PERPEND_PROGRAM, "train", data, "--target",
                              "y", "-o", path("m"), "--epochs", "2", "--hidden", "4", "--threads", "1024"});
  EXPECT_TRUE(contains(expect_error(run, 6), "lower --threads")) << run.err;
}

TEST_F(Limits, ADownloadWithoutEndIsGivenUp) {
  // curl reads the mirror's address file://FOLDER/NAME, which is a link to a device that never ends.
  const std::filesystem::path folder = path("mirror");
  std::filesystem::create_directory(folder);
  std::filesystem::create_symlink("/dev/zero", folder / "sonar.all-data");
  const auto run =
      perpend({"data", "fetch", "sonar", "--mirror", "file://" + folder.string(), "--data-dir", path("d")});
  EXPECT_TRUE(contains(expect_error(run, 4), "it sends more than the")) << run.err;
  EXPECT_TRUE(took_little_memory(run)) << run.peak_kib;
  EXPECT_FALSE(std::filesystem::exists(path("d") + "/sonar.csv"));
}

TEST_F(Limits, ADownloadThatSendsTooMuchAndStallsIsNotWaitedFor) {
  // A stand-in for curl sends two megabytes and then nothing for longer than any test may take.
  const std::string curl = write("curl", "#!/bin/sh\nhead -c 2000000 /dev/zero 2> /dev/null\nexec sleep 100000\n");
  std::filesystem::permissions(curl, std::filesystem::perms::owner_all);
  const auto run = run_program("/bin/sh", {"-c", "PATH=\"$1:$PATH\" exec \"$0\" data fetch sonar --data-dir \"$1/d\"",
                                           PERPEND_PROGRAM, folder_.path().string()});
  EXPECT_TRUE(contains(expect_error(run, 4), "it sends more than the")) << run.err;
}

TEST_F(Limits, APublicSetThatIsNoFileIsRefusedAtOnce) {
  const std::filesystem::path folder = path("sets");
  std::filesystem::create_directory(folder);
  ASSERT_EQ(::mkfifo((folder / "ionosphere.csv").c_str(), 0600), 0);
  const auto run = perpend({"train", "ionosphere", "--target", "target", "-o", path("m"), "--data-dir", folder});
  EXPECT_TRUE(contains(expect_error(run, 6), "ionosphere.csv: it is a device, a pipe or a socket, not a file"));
}

TEST_F(Limits, MemoryThatIsNotEnoughIsAnErrorOfTheSystemAndNoBug) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs more address space than the limit leaves";
#endif
  const auto run = run_program(
      "/bin/sh", {"-c", "ulimit -v 4000000; exec \"$0\" data make shortcut --rows 100000000", PERPEND_PROGRAM});
  EXPECT_TRUE(contains(expect_error(run, 6), "out of memory")) << run.err;
}

TEST_F(Limits, LabelsThatLookLikeFormulasAreKeptAsTheyAreAndSaid) {
  std::string table = small_table();
  for (std::size_t at = 0; (at = table.find("yes", at)) != table.npos;) table.replace(at, 3, "=1+1");
  const std::string data = write("formula.csv", table);
  const auto trained = perpend({"train", data, "--target", "y", "-o", path("m"), "--epochs", "2", "--hidden", "4"});
  EXPECT_EQ(trained.exit_code, 0);
  EXPECT_TRUE(contains(trained.err, "class '=1+1' begins like a formula")) << trained.err;
  const auto predicted = perpend({"predict", path("m"), data});
  EXPECT_TRUE(contains(predicted.out, ",=1+1,"));
  EXPECT_TRUE(contains(predicted.err, "class '=1+1' begins like a formula")) << predicted.err;
}

TEST_F(Limits, EveryInstructionSetGivesTheSameModelAndPredictions) {
  const std::string data = write("data.csv", small_table(300));
  for (const std::string method : {"lit", "ncl", "adaboost"}) {
    for (const std::string hidden : {"48", "16,8"}) {
      std::string model, predictions;
      for (const auto& cpu : kernels::available_targets()) {
        const std::string file = path(method + hidden + cpu);
        const auto run = perpend({"--cpu", cpu, "train", data, "--target", "y", "-o", file, "--method", method,
                                  "--hidden", hidden, "--members", "3", "--epochs", "8"});
        ASSERT_EQ(run.exit_code, 0) << run.err;
        const auto predicted = perpend({"--cpu", cpu, "predict", file, data, "--members"});
        ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
        if (model.empty()) {
          model = file_content(file);
          predictions = predicted.out;
        }
        EXPECT_EQ(file_content(file), model) << method << " " << hidden << " " << cpu;
        EXPECT_EQ(predicted.out, predictions) << method << " " << hidden << " " << cpu;
      }
    }
  }
}

TEST_F(Limits, AnInstructionSetThatIsNotThereIsRefusedWithThoseThatAre) {
  const auto run = perpend({"--cpu", "ABACUS", "predict", model(), path("none.csv")});
  EXPECT_TRUE(contains(expect_error(run, 2), "ABACUS is none of this machine's: ")) << run.err;
}

}  // namespace
}  // namespace perpend::test
