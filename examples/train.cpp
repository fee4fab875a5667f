// Trains three networks on a generated table, measures them, and saves them for `perpend predict`.
#include <perpend/perpend.h>

#include <iostream>

int main() try {
  perpend::RunOptions options;
  options.schema.target = "target";
  options.split.kind = perpend::SplitKind::extrapolation;
  options.train.members = 3;
  options.train.epochs = 30;  // left out: 640,000 row visits

  const perpend::Table table = perpend::read_source("builtin:shortcut", "");  // or read_table("loans.csv")
  const perpend::Prepared data = perpend::prepare(table, options);            // split, schema, encoded parts
  const perpend::RunResult result = perpend::run(data, options);
  if (!result.test) return 1;  // training diverged
  std::cout << "AUC " << result.test->auc.value() << ", cos^2 " << result.test->grad_cos2.value() << '\n';

  perpend::save_model("model.safetensors", perpend::model_of(data, options, result), true);
} catch (const perpend::Error& error) {
  std::cerr << error.what() << '\n';
  return error.exit_code();
}
