// A user's first tasks, told by messages alone: each message says what to do, and doing it ends well.
#include <fmt/format.h>

#include <filesystem>
#include <functional>

#include "tests/cli/small_model.h"

namespace perpend::test {
namespace {

// 120 loans: income, age, town, opened (a date) and repaid, which depends on income.
struct Loan {
  int income, age;
  std::string town, opened, repaid;
};
std::vector<Loan> loans() {
  std::vector<Loan> rows;
  const std::string towns[] = {"York", "Leeds", "Hull"};
  for (int i = 0; i < 120; ++i) {
    const int income = 20 + i * 37 % 61;
    rows.push_back({income, 18 + i * 13 % 60, towns[i % 3], fmt::format("2024-{:02}-{:02}", 1 + i % 12, 1 + i % 28),
                    income + i * 7 % 10 > 54 ? "yes" : "no"});
  }
  return rows;
}

class FirstTasks : public SmallModel {
 protected:
  // A table of all loans; `line` writes one of them.
  std::string table(const std::string& name, const std::string& head,
                    const std::function<std::string(const Loan&)>& line) {
    std::string text = head + "\n";
    for (const Loan& loan : loans()) text += line(loan) + "\n";
    return write(name, text);
  }
  std::string plain() {
    return table("loans.csv", "income,age,town,opened,repaid", [](const Loan& l) {
      return fmt::format("{},{},{},{},{}", l.income, l.age, l.town, l.opened, l.repaid);
    });
  }
  Finished quick(std::vector<std::string> words) {
    words.insert(words.end(), {"--epochs", "2", "--force"});
    return perpend(words);
  }
};

TEST_F(FirstTasks, AWrongNameOfTheTargetIsCorrected) {
  const auto wrong = quick({"train", plain(), "--target", "repayed", "-o", path("m")});
  EXPECT_EQ(wrong.exit_code, 4);
  EXPECT_TRUE(contains(wrong.err, "did you mean 'repaid'?")) << wrong.err;
  EXPECT_EQ(quick({"train", plain(), "--target", "repaid", "-o", path("m")}).exit_code, 0);
}

TEST_F(FirstTasks, AModelNeedsNoNameOfItsOwn) {
  plain();
  const auto was = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  const auto run = perpend({"train", "loans.csv", "--target", "repaid", "--epochs", "2"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "Saved loans.safetensors")) << run.out;
  const auto again = perpend({"train", "loans.csv", "--target", "repaid", "--epochs", "2"});
  EXPECT_NE(again.exit_code, 0) << "what is there is not written over";
  std::filesystem::current_path(was);
}

TEST_F(FirstTasks, GapsAreFilledAndCounted) {
  int cell = 0;
  const auto file = table("gaps.csv", "income,age,repaid", [&](const Loan& l) {
    return fmt::format("{},{},{}", ++cell % 9 == 0 ? "" : std::to_string(l.income), l.age, l.repaid);
  });
  const auto run = quick({"train", file, "--target", "repaid", "-o", path("m")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.err, "column 'income' has 13 cells missing")) << run.err;
}

TEST_F(FirstTasks, DatesAreReadAndTheirPartsAreNotHeldAgainstTheUser) {
  const auto run = quick({"train", plain(), "--target", "repaid", "-o", path("m")});
  EXPECT_TRUE(contains(run.err, "column 'opened' is read as dates")) << run.err;
  EXPECT_FALSE(contains(run.err, "near-duplicate")) << run.err;
  EXPECT_FALSE(contains(run.err, "gradients as columns")) << "nobody asked for so many members: " << run.err;
}

TEST_F(FirstTasks, NumbersAsTextAreRead) {
  const auto file = table("money.csv", "income,age,repaid", [](const Loan& l) {
    return fmt::format("\"$1,0{}.50\",{} %,{}", l.income, l.age, l.repaid);
  });
  const auto run = quick({"train", file, "--target", "repaid", "-o", path("m")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.err, "column 'income' is read as numbers") && contains(run.err, "column 'age'")) << run.err;
}

TEST_F(FirstTasks, ARareClassIsSeenAndTheAdviceWorks) {
  int left = 8;
  const auto file = table("rare.csv", "income,age,repaid", [&](const Loan& l) {
    return fmt::format("{},{},{}", l.income, l.age, left-- > 0 ? "yes" : "no");
  });
  const auto run = quick({"train", file, "--target", "repaid", "-o", path("m")});
  EXPECT_TRUE(contains(run.err, "training rows are 'yes'; --class-weight balanced")) << run.err;
  const auto taken = quick({"train", file, "--target", "repaid", "-o", path("m"), "--class-weight", "balanced"});
  EXPECT_EQ(taken.exit_code, 0) << taken.err;
  EXPECT_FALSE(contains(taken.err, "--class-weight")) << taken.err;
}

TEST_F(FirstTasks, ARegressionByMistakeIsSaidAndCanBeTurned) {
  const auto file = table("ages.csv", "income,town,age",
                          [](const Loan& l) { return fmt::format("{},{},{}", l.income, l.town, l.age); });
  const auto run = quick({"train", file, "--target", "age", "-o", path("m")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.err, "so this is a regression; --task classify")) << run.err;
}

TEST_F(FirstTasks, SemicolonsAndDecimalCommasAreRead) {
  const auto file = table("semi.csv", "income;age;repaid",
                          [](const Loan& l) { return fmt::format("{},5;{};{}", l.income, l.age, l.repaid); });
  const auto run = quick({"train", file, "--target", "repaid", "-o", path("m")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.err, "column 'income' is read as numbers")) << run.err;
}

TEST_F(FirstTasks, NewLevelsAndAColumnTooManyAreCounted) {
  ASSERT_EQ(quick({"train", plain(), "--target", "repaid", "-o", path("m")}).exit_code, 0);
  const auto file = write("new.csv", "income,age,town,opened,note\n40,30,York,2024-03-01,x\n50,30,Bath,2024-03-01,y\n");
  const auto run = perpend({"predict", path("m"), file});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.err, "'Bath'") && contains(run.err, "does not know column 'note'")) << run.err;
  EXPECT_TRUE(contains(run.err, "Wrote 2 rows. 1 row has a level that training never saw")) << run.err;
}

}  // namespace
}  // namespace perpend::test
