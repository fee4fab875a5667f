// Trains on rows from memory, and predicts one more. A column has one number and one mark per row. The mark says
// whether the cell is a number, missing, or a word.
#include <perpend/perpend.h>

#include <iostream>

int main() try {
  constexpr std::size_t kRows = 200;
  perpend::Column income{.name = "income", .numbers = std::vector<double>(kRows)};
  perpend::Column debt = income;  // without marks, every cell is a number
  debt.name = "debt";
  perpend::Column paid = income;
  paid.name = "paid";
  paid.words = {"no", "yes"};
  income.marks.assign(kRows, perpend::kNumberCell);
  paid.marks.resize(kRows);
  for (std::size_t r = 0; r < kRows; ++r) {
    const bool pays = r % 2 == 1;
    income.numbers[r] = (pays ? 45.0 : 20.0) + static_cast<double>(r * 7 % 15);
    debt.numbers[r] = (pays ? 20.0 : 45.0) + static_cast<double>(r * 11 % 15);
    if (r % 20 == 0) income.marks[r] = perpend::kMissingCell;
    paid.marks[r] = pays ? 1 : 0;  // which of the words
  }
  const perpend::Table loans{.source = "loans in memory", .rows = kRows, .columns = {income, debt, paid}};

  perpend::RunOptions options;
  options.schema.target = "paid";
  options.train.members = 3;
  const perpend::TrainedModel model = perpend::fit(loans, options).model;

  const perpend::Table applicant{.source = "an applicant",
                                 .rows = 1,
                                 .columns = {{.name = "income", .numbers = {55}}, {.name = "debt", .numbers = {25}}}};
  const perpend::Predictions answers = perpend::predict(model, applicant);
  std::cout << model.schema.classes[answers.predicted[0]] << ", P(" << model.schema.classes[1]
            << ") = " << answers.probability(0, 1) << '\n';
} catch (const perpend::Error& error) {
  std::cerr << error.what() << '\n';
  return error.exit_code();
}
