// What is left when a run is ended from outside: by kill -9 at any moment, by Ctrl-C, by SIGTERM, or by a closed pipe.
#include <fcntl.h>
#include <sys/stat.h>

#include <random>

#include "tests/cli/small_model.h"
#include "tests/support/study_results.h"

namespace perpend::test {
namespace {

using Clock = std::chrono::steady_clock;

class Ended : public SmallModel {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  // Runs the words again and again, and kills each run at another moment within the time of a whole run.
  void expect_old_or_new(const std::vector<std::string>& words, const std::string& output) {
    write(output, "old");
    const auto start = Clock::now();
    const auto whole = perpend(words);
    const auto took = Clock::now() - start;
    ASSERT_EQ(whole.exit_code, 0) << whole.err;
    const std::string made = file_content(path(output));
    ASSERT_NE(made, "old");
    std::mt19937 random(1);
    int killed = 0;
    for (int i = 0; i < 30; ++i) {
      write(output, "old");
      const RunningProgram program(PERPEND_PROGRAM, words);
      std::this_thread::sleep_for(took * (random() % 1000) / 1000);
      program.send(SIGKILL);
      killed += program.wait().exit_code == 128 + SIGKILL ? 1 : 0;
      const std::string left = file_content(path(output));
      ASSERT_TRUE(left == "old" || left == made) << "run " << i << " left " << left.size() << " bytes";
    }
    EXPECT_GT(killed, 0);
    // Files that killed runs left beside the output disturb nobody, and the next run removes them.
    ASSERT_EQ(perpend(words).exit_code, 0);
    EXPECT_TRUE(file_content(path(output)) == made);
    EXPECT_EQ(names(), (std::vector<std::string>{output, "rows.csv"}));
  }
};

TEST_F(Ended, TrainKilledAtAnyMomentLeavesTheOldModelOrTheNew) {
  const std::string data = write("rows.csv", small_table(300));
  // The model is wide, so that writing it takes a good part of the run.
  expect_old_or_new({"train", data, "--target", "y", "-o", path("model"), "--force", "--epochs", "1", "--members", "8",
                     "--hidden", "1024"},
                    "model");
}

TEST_F(Ended, PredictKilledAtAnyMomentLeavesTheOldFileOrTheNew) {
  const std::string data = write("rows.csv", small_table(50'000));
  expect_old_or_new({"predict", model(), data, "-o", path("out.csv"), "--force"}, "out.csv");
}

TEST_F(Ended, TrainByCtrlCLeavesNothingAnd130) {
  const RunningProgram program(
      PERPEND_PROGRAM, {"train", "builtin:shortcut", "--target", "target", "-o", path("m"), "--epochs", "100000000"});
  program.wait_for_messages();
  program.send(SIGINT);
  const auto run = program.wait();
  EXPECT_EQ(run.exit_code, 130);
  EXPECT_TRUE(run.err.ends_with("\nperpend: interrupted\n")) << run.err;
  EXPECT_EQ(names(), std::vector<std::string>{});
}

TEST_F(Ended, TrainKeepsTheModelWhenAskedAndSaysSo) {
  for (const auto& [signal, code] : {std::pair(SIGINT, 130), std::pair(SIGTERM, 75), std::pair(SIGHUP, 75)}) {
    const RunningProgram program(
        PERPEND_PROGRAM, {"train", "builtin:shortcut", "--target", "target", "-o", path("m"), "--epochs", "100000000",
                          "--keep-on-interrupt", "--force", "--lambda", "0.3", "--early-stopping", "0"});
    program.wait_for_messages();
    program.send(signal);
    const auto run = program.wait();
    EXPECT_EQ(run.exit_code, code);
    EXPECT_TRUE(contains(run.err, "\nperpend: interrupted; the model after ")) << run.err;
    EXPECT_TRUE(contains(run.err, path("m"))) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(names(), std::vector<std::string>{"m"});
    EXPECT_EQ(perpend({"evaluate", path("m"), "builtin:shortcut"}).exit_code, 0);
  }
}

TEST_F(Ended, PredictTakesItsUnfinishedFileAway) {
  const std::string rows = path("rows.csv");
  ASSERT_EQ(::mkfifo(rows.c_str(), 0600), 0);
  write("out.csv", "old");
  const RunningProgram program(PERPEND_PROGRAM, {"predict", model(), rows, "-o", path("out.csv"), "--force"});
  {
    // There are more rows than in a block, so that some are predicted before the end of the file.
    std::ofstream pipe(rows);
    pipe << small_table(40'000);
    pipe.flush();
    program.send(SIGTERM);
  }
  const auto run = program.wait();
  EXPECT_EQ(run.exit_code, 75);
  EXPECT_EQ(run.err, "perpend: interrupted\n");
  EXPECT_EQ(file_content(path("out.csv")), "old");
  EXPECT_EQ(names(), (std::vector<std::string>{"out.csv", "rows.csv"}));
}

TEST_F(Ended, AVerbThatWaitsForRowsIsInterruptedAtOnce) {
  for (const char* verb : {"predict", "evaluate"}) {
    const std::string rows = path(std::string(verb) + ".csv");
    ASSERT_EQ(::mkfifo(rows.c_str(), 0600), 0);
    const RunningProgram program(PERPEND_PROGRAM, {verb, model(), rows});
    const int pipe = ::open(rows.c_str(), O_WRONLY);  // waits until the program reads
    program.send(SIGINT);
    const auto run = program.wait();
    ::close(pipe);
    EXPECT_EQ(run.exit_code, 130) << verb;
    EXPECT_EQ(run.err, "perpend: interrupted\n");
  }
}

TEST_F(Ended, AVerbThatWaitsForRowsWithAFileToWriteIsInterruptedAtOnceAndLeavesNothing) {
  for (const char* verb : {"predict", "report", "explain"}) {
    for (const auto& [signal, code] : {std::pair(SIGINT, 130), std::pair(SIGTERM, 75), std::pair(SIGHUP, 75)}) {
      const std::string rows = path("rows.csv");
      ASSERT_EQ(::mkfifo(rows.c_str(), 0600), 0);
      const RunningProgram program(PERPEND_PROGRAM, {verb, model(), rows, "-o", path("out")});
      const int pipe = ::open(rows.c_str(), O_WRONLY);  // waits until the program reads
      program.send(signal);
      const auto run = program.wait();
      ::close(pipe);
      std::filesystem::remove(rows);
      EXPECT_EQ(run.exit_code, code) << verb;
      EXPECT_EQ(run.err, "perpend: interrupted\n") << verb;
      EXPECT_EQ(names(), std::vector<std::string>{}) << verb;
    }
  }
}

TEST_F(Ended, ASecondSignalOfAnyKindEndsAtOnceWithItsCode) {
  for (const auto& [first, second] : {std::pair(SIGINT, SIGINT), std::pair(SIGTERM, SIGHUP)}) {
    const RunningProgram program(
        PERPEND_PROGRAM, {"train", "builtin:shortcut", "--target", "target", "-o", path("m"), "--epochs", "100000000"});
    program.wait_for_messages();
    program.send(first);
    while (!program.ended()) program.send(second);
    const auto run = program.wait();
    EXPECT_TRUE(run.exit_code == 75 || run.exit_code == 130) << run.exit_code;
    EXPECT_TRUE(run.err.ends_with("perpend: interrupted\n")) << run.err;
    EXPECT_EQ(names(), std::vector<std::string>{});
  }
}

TEST_F(Ended, AVerbWhoseTerminalIsGoneSaysSoAsForSigterm) {
  const std::string rows = path("rows.csv");
  ASSERT_EQ(::mkfifo(rows.c_str(), 0600), 0);
  const RunningProgram program(PERPEND_PROGRAM, {"evaluate", model(), rows});
  const int pipe = ::open(rows.c_str(), O_WRONLY);  // waits until the program reads
  program.send(SIGHUP);
  const auto run = program.wait();
  ::close(pipe);
  EXPECT_EQ(run.exit_code, 75);
  EXPECT_EQ(run.err, "perpend: interrupted\n");
}

TEST_F(Ended, ASweepWhoseTerminalIsGoneSaysHowToGoOn) {
  const std::string study = write("my study.toml", small_study(1000));
  const RunningProgram program(PERPEND_PROGRAM, {"sweep", study, "-o", path("it's"), "--list-saved", "--shard", "1/1",
                                                 "--keep-models", "best", "--data-dir", "my data", "--threads", "2"});
  program.wait_for_output();
  program.send(SIGHUP);
  const auto run = program.wait();
  EXPECT_EQ(run.exit_code, 75);
  EXPECT_TRUE(run.err.ends_with("; to resume: perpend sweep '" + study + "' -o '" + path("it'\\''s") +
                                "' --shard 1/1 --keep-models best --data-dir 'my data' --threads 2 --list-saved\n"))
      << run.err;
}

// A stand-in for curl opens a pipe to show that it runs, and then sends nothing for a long time.
TEST_F(Ended, ADownloadThatStallsDiesWithThePerpendThatAskedForIt) {
  const std::string alive = path("alive");
  ASSERT_EQ(::mkfifo(alive.c_str(), 0600), 0);
  const std::string curl = write("curl", "#!/bin/sh\nexec 9> '" + alive + "'\nexec sleep 1000\n");
  ASSERT_EQ(::chmod(curl.c_str(), 0700), 0);
  const RunningProgram program("/bin/sh", {"-c", "PATH=\"$1:$PATH\" exec \"$0\" data fetch sonar --data-dir \"$1/d\"",
                                           PERPEND_PROGRAM, folder_.path().string()});
  const int pipe = ::open(alive.c_str(), O_RDONLY);  // waits until the stand-in runs
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().exit_code, 75);
  char byte = 0;
  EXPECT_EQ(::read(pipe, &byte, 1), 0) << "the end of the pipe: nobody holds its other end";
  ::close(pipe);
}

// Signals are ignored under nohup, and in the background of a script.
TEST_F(Ended, SignalsThatAreIgnoredAtTheStartStayIgnored) {
  for (const auto& [name, signal] : {std::pair("HUP", SIGHUP), std::pair("INT", SIGINT), std::pair("TERM", SIGTERM)}) {
    for (const bool to_file : {false, true}) {
      const std::string rows = path(std::string(name) + (to_file ? "1.csv" : "2.csv"));
      ASSERT_EQ(::mkfifo(rows.c_str(), 0600), 0);
      std::vector<std::string> words = {"-c", "trap '' \"$0\"; exec \"$@\"", name, PERPEND_PROGRAM, "predict", model(),
                                        rows};
      if (to_file) words.insert(words.end(), {"-o", path(std::string(name) + ".out")});
      const RunningProgram program("/bin/sh", words);
      {
        std::ofstream pipe(rows);  // waits until the program reads
        program.send(signal);
        pipe << small_table();
      }
      EXPECT_EQ(program.wait().exit_code, 0) << name;
    }
  }
}

TEST_F(Ended, AReaderThatLeavesEndsPredictQuietly) {
  const std::string data = write("rows.csv", small_table(50'000));
  const auto run =
      run_program("/bin/sh", {"-c", "\"$1\" predict \"$2\" \"$3\" | head -n 1", "sh", PERPEND_PROGRAM, model(), data});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "probability,prediction,disagreement\n");
  EXPECT_EQ(run.err, "");
}

}  // namespace
}  // namespace perpend::test
