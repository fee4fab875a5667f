#include "perpend/c.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "perpend/api/fit.h"
#include "perpend/api/model.h"
#include "perpend/api/predict.h"
#include "perpend/data/source.h"
#include "perpend/run/option_table.h"
#include "tests/support/run_program.h"

namespace perpend::test {
namespace {

// An object of the C interface that is freed by its destructor.
template <class Object, void (*release)(Object*)>
class Owned {
 public:
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { release(object_); }
  Object** out() { return &object_; }
  operator Object*() const { return object_; }

 private:
  Object* object_ = nullptr;
};
using OwnedTable = Owned<perpend_table, perpend_table_free>;
using OwnedOptions = Owned<perpend_options, perpend_options_free>;
using OwnedModel = Owned<perpend_model, perpend_model_free>;
using OwnedText = Owned<char, perpend_text_free>;

std::string last_error() { return perpend_last_error(); }

// An error has its code and one line that says what was wrong.
void expect_error(int status, int code, const std::string& message) {
  EXPECT_EQ(status, code) << last_error();
  EXPECT_NE(last_error().find(message), std::string::npos) << last_error();
  EXPECT_EQ(last_error().find('\n'), std::string::npos) << last_error();
}

constexpr std::size_t kRows = 60;

// Columns a, b and c of numbers; y is yes where a > 5.
struct Rows {
  Rows() {
    for (std::size_t r = 0; r < kRows; ++r) {
      const double a = static_cast<double>(r * 7 % 11) + 0.5;
      values.insert(values.end(), {a, static_cast<double>(r * 5 % 13), static_cast<double>(r % 4)});
      labels.push_back(a > 5 ? "yes" : "no");
    }
  }
  std::vector<double> values;  // row by row
  std::vector<const char*> labels;
};
constexpr const char* kNames[] = {"a", "b", "c"};

void fill(perpend_table* table, const Rows& rows) {
  ASSERT_EQ(perpend_table_add_matrix(table, kNames, rows.values.data(), kRows, 3, 3, 1), PERPEND_OK) << last_error();
  ASSERT_EQ(perpend_table_add_words(table, "y", rows.labels.data(), kRows), PERPEND_OK) << last_error();
}

const std::vector<std::pair<const char*, const char*>>& quick() {
  static const std::vector<std::pair<const char*, const char*>> options = {
      {"target", "y"}, {"members", "2"}, {"hidden", "4"}, {"epochs", "3"}, {"early_stopping", "0"}};
  return options;
}

class C : public testing::Test {
 protected:
  C() {
    EXPECT_EQ(perpend_table_new(table.out()), PERPEND_OK);
    EXPECT_EQ(perpend_options_new(options.out()), PERPEND_OK);
    fill(table, rows);
    for (const auto& [name, value] : quick()) {
      EXPECT_EQ(perpend_options_set(options, name, value), PERPEND_OK) << last_error();
    }
  }
  void train() { ASSERT_EQ(perpend_train(table, options, nullptr, nullptr, model.out()), PERPEND_OK) << last_error(); }
  std::string saved(const std::string& name) {
    const std::string path = (folder.path() / name).string();
    EXPECT_EQ(perpend_save(model, path.c_str(), 0), PERPEND_OK) << last_error();
    return path;
  }

  Rows rows;
  OwnedTable table;
  OwnedOptions options;
  OwnedModel model;
  TemporaryFolder folder;
};

TEST_F(C, TheLibraryHasTheVersionOfItsHeader) {
  EXPECT_EQ(perpend_c_version(), PERPEND_C_VERSION);
  EXPECT_EQ(std::string(perpend_version()).rfind("0.", 0), 0U);
}

TEST_F(C, AModelHasTheBytesOfTheOneThatTheCppLibraryTrainsOnTheSameRowsOfAFile) {
  const auto csv = folder.path() / "rows.csv";
  {
    std::ofstream out(csv);
    out << "a,b,c,y\n";
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t c = 0; c < 3; ++c) out << rows.values[3 * r + c] << ',';
      out << rows.labels[r] << '\n';
    }
  }
  RunOptions same;
  for (const auto& [name, value] : quick()) find_option(name).set(same, std::string(value));
  const Fitted fitted = fit(read_source(csv.string(), ""), same);
  train();
  EXPECT_EQ(file_content(saved("c.safetensors")), to_bytes(fitted.model));
}

TEST_F(C, PredictionsAreThoseOfTheCppLibraryToTheBit) {
  train();
  const std::string bytes = file_content(saved("c.safetensors"));
  OwnedModel again;
  ASSERT_EQ(perpend_load_bytes(bytes.data(), bytes.size(), again.out()), PERPEND_OK) << last_error();
  std::vector<double> answers(kRows * 2), disagreement(kRows), members(2 * kRows * 2);
  std::vector<std::int32_t> classes(kRows);
  ASSERT_EQ(
      perpend_predict(again, table, 1, kRows, answers.data(), disagreement.data(), classes.data(), members.data()),
      PERPEND_OK)
      << last_error();

  const TrainedModel known = model_from_bytes(bytes, "model");
  Table same{.source = "rows", .rows = kRows};
  for (std::size_t c = 0; c < 3; ++c) {
    same.columns.emplace_back();
    same.columns.back().name = kNames[c];
    for (std::size_t r = 0; r < kRows; ++r) same.columns.back().numbers.push_back(rows.values[3 * r + c]);
  }
  const Predictions right = predict(known, same, {.members = true});
  EXPECT_EQ(answers, right.probabilities);
  EXPECT_EQ(disagreement, right.disagreement);
  EXPECT_TRUE(std::equal(classes.begin(), classes.end(), right.predicted.begin()));
  EXPECT_TRUE(std::equal(members.begin(), members.end(), right.of_members.begin()));
}

TEST_F(C, StepsOfAnySignReadAMatrixInAnyOrder) {
  std::vector<double> by_column(kRows * 3), backwards(rows.values.rbegin(), rows.values.rend());
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t c = 0; c < 3; ++c) by_column[c * kRows + r] = rows.values[3 * r + c];
  }
  train();
  const auto answers_on = [&](const double* first, std::ptrdiff_t row_step, std::ptrdiff_t column_step) {
    OwnedTable other;
    EXPECT_EQ(perpend_table_new(other.out()), PERPEND_OK);
    EXPECT_EQ(perpend_table_add_matrix(other, kNames, first, kRows, 3, row_step, column_step), PERPEND_OK);
    std::vector<double> answers(kRows * 2);
    EXPECT_EQ(perpend_predict(model, other, 0, kRows, answers.data(), nullptr, nullptr, nullptr), PERPEND_OK);
    return answers;
  };
  const auto right = answers_on(rows.values.data(), 3, 1);
  EXPECT_EQ(answers_on(by_column.data(), 1, kRows), right);
  EXPECT_EQ(answers_on(backwards.data() + 3 * kRows - 1, -3, -1), right);
}

TEST_F(C, AModelSaysWhatItNeedsAndWhatItAnswers) {
  train();
  EXPECT_EQ(perpend_members(model), 2U);
  ASSERT_EQ(perpend_columns(model), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_STREQ(perpend_column(model, i), kNames[i]);
  EXPECT_EQ(perpend_column(model, 3), nullptr);
  ASSERT_EQ(perpend_classes(model), 2U);
  EXPECT_STREQ(perpend_class(model, 0), "no");
  EXPECT_STREQ(perpend_class(model, 1), "yes");
  EXPECT_EQ(perpend_class(model, 2), nullptr);
  OwnedText json;
  ASSERT_EQ(perpend_describe(model, json.out()), PERPEND_OK) << last_error();
  EXPECT_EQ(std::string(json).rfind("{", 0), 0U);
  EXPECT_NE(std::string(json).find("\"sha256\""), std::string::npos);
}

TEST_F(C, ATargetOfNumbersGivesARegression) {
  OwnedTable numbers;
  ASSERT_EQ(perpend_table_new(numbers.out()), PERPEND_OK);
  ASSERT_EQ(perpend_table_add_matrix(numbers, nullptr, rows.values.data(), kRows, 3, 3, 1), PERPEND_OK);
  std::vector<double> target;
  for (std::size_t r = 0; r < kRows; ++r) target.push_back(std::sqrt(1.5 + static_cast<double>(r)));
  ASSERT_EQ(perpend_table_add_numbers(numbers, "y", target.data(), kRows, 1), PERPEND_OK) << last_error();
  ASSERT_EQ(perpend_options_set(options, "task", "regress"), PERPEND_OK) << last_error();
  ASSERT_EQ(perpend_train(numbers, options, nullptr, nullptr, model.out()), PERPEND_OK) << last_error();
  EXPECT_EQ(perpend_classes(model), 0U);
  EXPECT_STREQ(perpend_column(model, 1), "x1");
  std::vector<double> answers(kRows), members(2 * kRows);
  ASSERT_EQ(perpend_predict(model, numbers, 0, kRows, answers.data(), nullptr, nullptr, members.data()), PERPEND_OK)
      << last_error();
  for (std::size_t r = 0; r < kRows; ++r) {
    const auto [low, high] = std::minmax(members[r], members[kRows + r]);
    EXPECT_TRUE(low - 1e-5 < answers[r] && answers[r] < high + 1e-5) << "a mean of its members, row " << r;
  }
  std::vector<std::int32_t> classes(kRows);
  expect_error(perpend_predict(model, numbers, 0, kRows, nullptr, nullptr, classes.data(), nullptr), PERPEND_USAGE,
               "this model answers with a number");
}

TEST_F(C, NanAndNullAreMissingCells) {
  rows.values[3 * 5] = NAN;
  OwnedTable gaps;
  ASSERT_EQ(perpend_table_new(gaps.out()), PERPEND_OK);
  fill(gaps, rows);
  ASSERT_EQ(perpend_options_set(options, "missing", "error"), PERPEND_OK);
  expect_error(perpend_train(gaps, options, nullptr, nullptr, model.out()), PERPEND_DATA, "missing");
  ASSERT_EQ(perpend_options_set(options, "missing", "indicator"), PERPEND_OK);
  EXPECT_EQ(perpend_train(gaps, options, nullptr, nullptr, model.out()), PERPEND_OK) << last_error();

  rows.labels[7] = nullptr;
  OwnedTable unlabelled;
  ASSERT_EQ(perpend_table_new(unlabelled.out()), PERPEND_OK);
  fill(unlabelled, rows);
  expect_error(perpend_train(unlabelled, options, nullptr, nullptr, model.out()), PERPEND_DATA, "y");
}

TEST_F(C, ACallbackHearsEveryEpochAndMayEndTheTraining) {
  struct Heard {
    std::vector<int> epochs;
    int end_at = 0;
  };
  const auto hear = [](void* context, int epoch, int epochs) {
    EXPECT_EQ(epochs, 3);
    auto& heard = *static_cast<Heard*>(context);
    heard.epochs.push_back(epoch);
    return epoch == heard.end_at ? 1 : 0;
  };
  Heard whole, ended{.epochs = {}, .end_at = 2};
  ASSERT_EQ(perpend_train(table, options, hear, &whole, model.out()), PERPEND_OK) << last_error();
  EXPECT_EQ(whole.epochs, (std::vector{1, 2, 3}));
  OwnedModel kept;
  ASSERT_EQ(perpend_train(table, options, hear, &ended, kept.out()), PERPEND_OK) << last_error();
  EXPECT_EQ(ended.epochs, (std::vector{1, 2}));
  EXPECT_EQ(perpend_members(kept), 2U);
}

TEST_F(C, EachThreadHasALastErrorOfItsOwn) {
  expect_error(perpend_table_new(nullptr), PERPEND_USAGE, "table is NULL");
  std::string elsewhere = "not asked";
  std::thread([&] { elsewhere = last_error(); }).join();
  EXPECT_EQ(elsewhere, "");
  OwnedTable fine;
  EXPECT_EQ(perpend_table_new(fine.out()), PERPEND_OK);
  EXPECT_EQ(last_error(), "table is NULL") << "it stays until the next failure";
}

TEST_F(C, NullIsRefusedByNameEverywhere) {
  train();
  double number = 0;
  const char* word = "a";
  OwnedTable empty;
  ASSERT_EQ(perpend_table_new(empty.out()), PERPEND_OK);
  const auto refused = [](int status, const std::string& what) {
    expect_error(status, PERPEND_USAGE, what + " is NULL");
  };
  perpend_table* none = nullptr;
  refused(perpend_table_read(nullptr, &none), "source");
  refused(perpend_table_read("builtin:quadrants", nullptr), "table");
  refused(perpend_table_add_numbers(nullptr, "a", &number, 1, 1), "table");
  refused(perpend_table_add_numbers(empty, nullptr, &number, 1, 1), "a name of a column");
  refused(perpend_table_add_numbers(empty, "a", nullptr, 1, 1), "values");
  refused(perpend_table_add_matrix(nullptr, &word, &number, 1, 1, 1, 1), "table");
  refused(perpend_table_add_matrix(empty, &word, nullptr, 1, 1, 1, 1), "values");
  refused(perpend_table_add_words(nullptr, "a", &word, 1), "table");
  refused(perpend_table_add_words(empty, nullptr, &word, 1), "name");
  refused(perpend_table_add_words(empty, "a", nullptr, 1), "words");
  refused(perpend_options_new(nullptr), "options");
  refused(perpend_options_set(nullptr, "seed", "1"), "options");
  refused(perpend_options_set(options, nullptr, "1"), "name");
  refused(perpend_options_set(options, "seed", nullptr), "value");
  perpend_model* no_model = nullptr;
  refused(perpend_train(nullptr, options, nullptr, nullptr, &no_model), "table");
  refused(perpend_train(table, nullptr, nullptr, nullptr, &no_model), "options");
  refused(perpend_train(table, options, nullptr, nullptr, nullptr), "model");
  refused(perpend_load(nullptr, &no_model), "path");
  refused(perpend_load("model", nullptr), "model");
  refused(perpend_load_bytes(nullptr, 8, &no_model), "bytes");
  refused(perpend_load_bytes("12345678", 8, nullptr), "model");
  refused(perpend_save(nullptr, "model", 0), "model");
  refused(perpend_save(model, nullptr, 0), "path");
  char* json = nullptr;
  refused(perpend_describe(nullptr, &json), "model");
  refused(perpend_describe(model, nullptr), "json");
  refused(perpend_predict(nullptr, table, 0, kRows, &number, nullptr, nullptr, nullptr), "model");
  refused(perpend_predict(model, nullptr, 0, kRows, &number, nullptr, nullptr, nullptr), "table");
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(no_model, nullptr);
  EXPECT_EQ(json, nullptr);
  EXPECT_EQ(perpend_table_rows(empty), 0U) << "what fails adds nothing";

  EXPECT_EQ(perpend_table_rows(nullptr), 0U);
  EXPECT_EQ(perpend_members(nullptr), 0U);
  EXPECT_EQ(perpend_columns(nullptr), 0U);
  EXPECT_EQ(perpend_column(nullptr, 0), nullptr);
  EXPECT_EQ(perpend_classes(nullptr), 0U);
  EXPECT_EQ(perpend_class(nullptr, 0), nullptr);
  perpend_table_free(nullptr);
  perpend_options_free(nullptr);
  perpend_model_free(nullptr);
  perpend_text_free(nullptr);
}

TEST_F(C, WrongLengthsAndNamesAreRefusedAndChangeNothing) {
  const char* bad_word[] = {"\xff"};
  const std::vector<double> more(kRows + 1);
  expect_error(perpend_table_add_numbers(table, "d", more.data(), kRows + 1, 1), PERPEND_USAGE,
               "rows is 61, but the columns before have 60");
  expect_error(perpend_table_add_numbers(table, "d", more.data(), 0, 1), PERPEND_USAGE, "rows is 0");
  expect_error(perpend_table_add_numbers(table, "d", more.data(), SIZE_MAX, 1), PERPEND_USAGE, "at most 4,294,967,294");
  expect_error(perpend_table_add_numbers(table, "b", more.data(), kRows, 1), PERPEND_DATA, "both called 'b'");
  expect_error(perpend_table_add_matrix(table, nullptr, more.data(), kRows, 100001, 1, 0), PERPEND_DATA, "100,000");
  expect_error(perpend_table_add_words(table, "\xff", rows.labels.data(), kRows), PERPEND_USAGE, "not UTF-8");
  OwnedTable one;
  ASSERT_EQ(perpend_table_new(one.out()), PERPEND_OK);
  expect_error(perpend_table_add_words(one, "a", bad_word, 1), PERPEND_USAGE, "not UTF-8");
  EXPECT_EQ(perpend_table_rows(table), kRows);
  train();
  EXPECT_EQ(perpend_columns(model), 3U);
  double number = 0;
  expect_error(perpend_predict(model, table, 0, kRows - 1, &number, nullptr, nullptr, nullptr), PERPEND_USAGE,
               "rows is 59, but the table has 60 rows");
  expect_error(perpend_predict(model, table, -1, kRows, nullptr, nullptr, nullptr, nullptr), PERPEND_USAGE, "threads");
  expect_error(perpend_predict(model, one, 0, 0, &number, nullptr, nullptr, nullptr), PERPEND_DATA, "no rows");
  OwnedModel none;
  expect_error(perpend_train(one, options, nullptr, nullptr, none.out()), PERPEND_DATA, "no rows");
}

TEST_F(C, OptionsAreThoseOfTheTable) {
  expect_error(perpend_options_set(options, "memberz", "3"), PERPEND_CONFIG, "members");
  expect_error(perpend_options_set(options, "members", "many"), PERPEND_CONFIG, "members");
  EXPECT_EQ(perpend_options_set(options, "learning_rate", "0.01"), PERPEND_OK) << last_error();
  train();
  EXPECT_EQ(perpend_members(model), 2U) << "a value that is refused changes nothing";
  ASSERT_EQ(perpend_options_set(options, "members", "0"), PERPEND_OK);
  perpend_model* none = nullptr;
  expect_error(perpend_train(table, options, nullptr, nullptr, &none), PERPEND_CONFIG, "members");
  EXPECT_EQ(none, nullptr);
}

TEST_F(C, FilesThatAreAbsentOrDamagedAreRefused) {
  perpend_model* none = nullptr;
  perpend_table* no_table = nullptr;
  const std::string absent = (folder.path() / "absent").string();
  expect_error(perpend_load(absent.c_str(), &none), PERPEND_IO, "absent");
  expect_error(perpend_table_read(absent.c_str(), &no_table), PERPEND_IO, "absent");
  expect_error(perpend_load_bytes("no model", 8, &none), PERPEND_MODEL, "");
  expect_error(perpend_load_bytes("", 0, &none), PERPEND_MODEL, "");
  train();
  const std::string path = saved("model.safetensors");
  expect_error(perpend_save(model, path.c_str(), 0), PERPEND_IO, "model.safetensors");
  EXPECT_EQ(perpend_save(model, path.c_str(), 1), PERPEND_OK) << last_error();
  expect_error(perpend_save(model, (absent + "/model").c_str(), 0), PERPEND_IO, "absent");
  std::filesystem::resize_file(path, 100);
  expect_error(perpend_load(path.c_str(), &none), PERPEND_MODEL, "model.safetensors");
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(no_table, nullptr);
}

TEST_F(C, OlderModelFilesLoad) {
  const std::string path = std::string(PERPEND_GOLDEN) + "/trained_v1_bagged.safetensors";
  ASSERT_EQ(perpend_load(path.c_str(), model.out()), PERPEND_OK) << last_error();
  EXPECT_GT(perpend_members(model), 0U);
}

TEST_F(C, ManyThreadsMayAskOneModel) {
  train();
  std::vector<std::vector<double>> answers(4, std::vector<double>(kRows * 2));
  std::vector<std::thread> threads;
  for (auto& out : answers) {
    threads.emplace_back([&] { perpend_predict(model, table, 1, kRows, out.data(), nullptr, nullptr, nullptr); });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& out : answers) EXPECT_EQ(out, answers[0]);
  EXPECT_NE(answers[0][0], 0);
}

}  // namespace
}  // namespace perpend::test
