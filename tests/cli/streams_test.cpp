// Messages that nobody can read are lost, but the work and the exit code are not. Results that cannot be written are an
// error of input and output.
#include "tests/cli/every_verb.h"
#include "tests/support/study_results.h"

namespace perpend::test {
namespace {

// Redirects stdout or stderr as a shell does, for example "2>&-".
Finished redirected(const std::string& how, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"-c", "exec \"$@\" " + how, "sh", PERPEND_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_program("/bin/sh", words);
}

// stderr is a pipe whose reader has gone.
Finished with_broken_messages(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"-c", R"py(import os, signal, sys
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
reader, writer = os.pipe()
os.close(reader)
os.dup2(writer, 2)
os.execv(sys.argv[1], sys.argv[1:]))py",
                                    PERPEND_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_program("/usr/bin/python3", words);
}

class Streams : public EveryVerb {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full on this system";
    make_files("", "");
  }
};

TEST_F(Streams, EveryVerbWorksWithoutMessages) {
  for (const auto& [verb, runs] : good_runs()) {
    for (const auto& run : runs) {
      SCOPED_TRACE(shown_words(run.words));
      for (const char* how : {"2>&-", "2> /dev/full"}) EXPECT_EQ(redirected(how, run.words).exit_code, 0) << how;
      EXPECT_EQ(with_broken_messages(run.words).exit_code, 0) << "a broken pipe";
    }
    const std::vector<std::string> mistake = {verb, "--frobnicate"};
    SCOPED_TRACE(shown_words(mistake));
    for (const char* how : {"2>&-", "2> /dev/full"}) EXPECT_EQ(redirected(how, mistake).exit_code, 2) << how;
    EXPECT_EQ(with_broken_messages(mistake).exit_code, 2) << "a broken pipe";
  }
}

TEST_F(Streams, EveryVerbSaysThatItsResultsAreLost) {
  for (const auto& [verb, runs] : good_runs()) {
    for (const auto& run : runs) {
      SCOPED_TRACE(shown_words(run.words));
      for (const char* how : {">&-", "> /dev/full"}) {
        const auto ended = redirected(how, run.words);
        EXPECT_EQ(ended.exit_code, run.prints_nothing ? 0 : 6) << how << ended.err;
        EXPECT_EQ(contains(ended.err, "perpend: cannot write the results to stdout: "), !run.prints_nothing) << how;
      }
    }
  }
  for (const char* flag : {"--help", "--version", "--man"}) {
    EXPECT_EQ(redirected(">&-", {flag}).exit_code, 6) << flag;
    EXPECT_EQ(redirected("> /dev/full", {flag}).exit_code, 6) << flag;
    EXPECT_EQ(redirected("2>&-", {flag}).exit_code, 0) << flag;
  }
}

TEST_F(Streams, ErrorsKeepTheirCodesWhenNothingCanBeSaid) {
  for (const std::string how : {"2>&-", "2> /dev/full", ">&- 2>&- <&-"}) {
    EXPECT_EQ(redirected(how, {"evaluate", model_, path("absent")}).exit_code, 6) << how;
    EXPECT_EQ(redirected(how, {"inspect", data_}).exit_code, 5) << how;
    EXPECT_EQ(redirected(how, {"train", data_, "--target", "z", "-o", path("m")}).exit_code, 4) << how;
    EXPECT_EQ(redirected(how, {"train", data_, "--target", "y", "-o", path("m"), "--members", "0"}).exit_code, 3)
        << how;
  }
}

TEST_F(Streams, AFileIsNotMixedWithMessagesThatHaveNoOtherPlaceToGo) {
  const std::vector<std::string> words = {"train", data_, "--target", "y", "--epochs", "1", "--force", "-o"};
  ASSERT_EQ(perpend(with(words, path("whole"))).exit_code, 0);
  for (const char* how : {"2>&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"}) {
    redirected(how, with(words, path("quiet")));
    EXPECT_EQ(file_content(path("quiet")), file_content(path("whole"))) << how;
  }
  EXPECT_EQ(redirected("<&-", {"predict", model_, "-"}).exit_code, 4) << "a closed stdin is an empty one";
}

TEST_F(Streams, ASweepRunsAllItsTrialsWithoutMessages) {
  for (const char* how : {"2> /dev/full", "2>&-"}) {
    const std::string made = path("made");
    EXPECT_EQ(redirected(how, {"sweep", study_, "-o", made}).exit_code, 0) << how;
    EXPECT_EQ(stored_study(made).results.size(), 6U) << how;
    std::filesystem::remove_all(made);
  }
  const std::string made = path("made");
  EXPECT_EQ(with_broken_messages({"sweep", study_, "-o", made}).exit_code, 0);
  EXPECT_EQ(stored_study(made).results.size(), 6U);
}

TEST_F(Streams, AReaderThatLeavesEndsAVerbQuietly) {
  const std::string many = write("many", ".csv", small_table(50'000));
  const std::string script = "\"$@\" | head -n 1; exit ${PIPESTATUS[0]}";
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"predict", model_, many}, {"data", "make", "shortcut", "--rows", "100000"}}) {
    std::vector<std::string> all = {"-c", script, "bash", PERPEND_PROGRAM};
    all.insert(all.end(), words.begin(), words.end());
    const auto run = run_program("/bin/bash", all);
    EXPECT_EQ(run.exit_code, 128 + SIGPIPE) << words[0];
    EXPECT_EQ(run.err, "") << words[0];
    EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 1) << words[0];
  }
}

}  // namespace
}  // namespace perpend::test
