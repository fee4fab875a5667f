// Trains three networks on a generated table, saves them for `perpend predict`, and asks them about rows from
// elsewhere.
#include <perpend/perpend.h>

#include <iostream>

int main() try {
  perpend::RunOptions options;
  options.schema.target = "target";
  options.split.kind = perpend::SplitKind::extrapolation;
  options.train.members = 3;
  options.train.epochs = 30;  // left out: training stops by itself

  const perpend::Table table = perpend::read_source("builtin:shortcut", "");  // or read_table("loans.csv")
  const perpend::Fitted fitted = perpend::fit(table, options);
  const perpend::Evaluation& test = fitted.model.summary.test.value();
  std::cout << "AUC " << test.auc.value() << ", cos^2 " << test.grad_cos2.value() << '\n';
  std::cout << spelled(fitted.reading, perpend::plain_spelling) << '\n';  // what these numbers say
  perpend::save_model("model.safetensors", fitted.model, true);

  const perpend::Table elsewhere = perpend::read_source("builtin:shortcut-flipped", "");
  const perpend::Predictions answers = perpend::predict(fitted.model, elsewhere, {.abstain = 0.05});
  std::size_t left_to_a_human = 0;
  for (const bool abstained : answers.abstained) left_to_a_human += abstained ? 1 : 0;
  std::cout << left_to_a_human << " of " << answers.rows << " rows are stranger than 95 % of the familiar ones\n";
} catch (const perpend::Error& error) {
  std::cerr << error.what() << '\n';
  return error.exit_code();
}
