#include <fstream>
#include <set>
#include <sstream>

#include "tests/cli/program.h"

namespace perpend::test {
namespace {

using Words = std::set<std::string>;

bool installed(const std::string& program) {
  return run_program("/bin/sh", {"-c", "command -v " + program}).exit_code == 0;
}

class Completions : public testing::Test {
 protected:
  // Returns the path of a file with the script of a shell.
  std::string script(const std::string& shell) const {
    const auto run = perpend({"completions", shell});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    const auto path = folder_.path() / shell;
    std::ofstream(path) << run.out;
    return path.string();
  }
  // Returns what bash offers for these words when the last is being typed.
  Words offers(const std::string& words) const {
    const auto run = run_program(
        "/bin/bash",
        {"--norc", "-c",
         "source " + script("bash") + " && complete -p perpend > /dev/null && COMP_WORDS=(" + words +
             ") && COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) && { _perpend; printf '%s\\n' \"${COMPREPLY[@]}\"; }"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    Words found;
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) found.insert(line);
    }
    return found;
  }
  TemporaryFolder folder_;
};

TEST_F(Completions, BashParsesItsScript) {
  const auto run = run_program("/bin/bash", {"-n", script("bash")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST_F(Completions, BashOffersVerbsAndFlagsByTheirBeginnings) {
  EXPECT_EQ(offers("perpend tr"), Words{"train"});
  EXPECT_EQ(offers("perpend data ''"), (Words{"fetch", "list", "make"}));
  EXPECT_EQ(offers("perpend train --meth"), Words{"--method"});
  EXPECT_EQ(offers("perpend train data.csv --no-s"), (Words{"--no-shuffle", "--no-standardize"}));
  EXPECT_EQ(offers("perpend data make --r"), Words{"--rows"});
  EXPECT_EQ(offers("perpend --m"), Words{}) << "hidden flags are not offered";
}

TEST_F(Completions, BashOffersTheChoicesOfEnumeratedOptions) {
  EXPECT_EQ(offers("perpend train --penalty-reduction ''"), (Words{"mean", "sum"}));
  EXPECT_EQ(offers("perpend train --penalty-reduction = s"), Words{"sum"});
  EXPECT_EQ(offers("perpend train --missing ''"), (Words{"auto", "error", "indicator", "mean"}));
  EXPECT_EQ(offers("perpend completions ''"), (Words{"bash", "fish", "zsh"}));
}

TEST_F(Completions, BashLeavesFileNamesToReadline) {
  EXPECT_EQ(offers("perpend train -o ''"), Words{});
  EXPECT_EQ(offers("perpend train ''"), Words{});
  const auto run = run_program("/bin/bash", {"--norc", "-c", "source " + script("bash") + " && complete -p perpend"});
  EXPECT_TRUE(contains(run.out, "-o default")) << run.out;
}

TEST_F(Completions, ZshAndFishNameVerbsFlagsAndChoices) {
  const std::string zsh = file_content(script("zsh"));
  EXPECT_EQ(zsh.rfind("#compdef perpend\n", 0), 0U);
  EXPECT_TRUE(contains(zsh, "'train:"));
  EXPECT_TRUE(contains(zsh, "'(-o --output)'{-o,--output}'["));
  EXPECT_TRUE(contains(zsh, ":choice:(mean sum)"));
  EXPECT_TRUE(contains(zsh, "_perpend_data_make() {"));
  const std::string fish = file_content(script("fish"));
  EXPECT_TRUE(contains(fish, "-n __fish_use_subcommand -f -a train "));
  EXPECT_TRUE(contains(fish, "-l penalty-reduction -x -a 'mean sum'"));
  EXPECT_TRUE(contains(fish, "'__fish_seen_subcommand_from data; and __fish_seen_subcommand_from make' -l rows -r -F"));
}

TEST_F(Completions, ZshParsesItsScript) {
  if (!installed("zsh")) GTEST_SKIP() << "zsh is not installed";
  const auto run = run_program("/bin/sh", {"-c", "zsh -n " + script("zsh")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
}

TEST_F(Completions, FishParsesItsScriptAndCompletes) {
  if (!installed("fish")) GTEST_SKIP() << "fish is not installed";
  const std::string script_path = script("fish");
  EXPECT_EQ(run_program("/bin/sh", {"-c", "fish --no-execute " + script_path}).exit_code, 0);
  const auto run = run_program("/bin/sh", {"-c", "fish -c 'source " + script_path + "; complete -C \"perpend tr\"'"});
  EXPECT_EQ(run.out.rfind("train\t", 0), 0U) << run.out << run.err;
}

TEST_F(Completions, AnotherShellIsAUsageErrorThatNamesTheChoices) {
  EXPECT_TRUE(contains(expect_error(perpend({"completions", "tcsh"}), 2), "bash, zsh or fish"));
  expect_error(perpend({"completions"}), 2);
}

TEST(ManPage, HasEveryVerbAndFlag) {
  const auto run = perpend({"--man"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (const char* part : {".TH PERPEND 1", ".SH NAME", ".SH SYNOPSIS", ".SH EXIT STATUS", ".SS perpend train\n",
                           ".SS perpend data make\n", "\\fB\\-\\-penalty\\-reduction\\fR \\fImean|sum\\fR"}) {
    EXPECT_TRUE(contains(run.out, part)) << part;
  }
  EXPECT_FALSE(contains(run.out, "\\-\\-man\\fR"));
}

TEST(ManPage, GroffHasNothingToComplainOf) {
  if (!installed("groff")) GTEST_SKIP() << "groff is not installed";
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "perpend.1") << perpend({"--man"}).out;
  const auto run = run_program(
      "/bin/sh", {"-c", "groff -man -ww -Tascii " + (folder.path() / "perpend.1").string() + " > /dev/null"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
}

}  // namespace
}  // namespace perpend::test
