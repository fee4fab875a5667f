// How independent are two models that perpend did not train? A model is a function from rows to scores, its log-odds.
#include <perpend/perpend.h>

#include <iostream>

int main() try {
  // 50 rows of two columns. `amounts` looks at the first column alone, `ages` at the second, `both` at their sum.
  perpend::Matrix<double, perpend::axis::Row, perpend::axis::Feature> rows(50, 2);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    rows(r, 0) = static_cast<double>(r % 10);
    rows(r, 1) = static_cast<double>(r / 10);
  }
  const auto column = [](std::size_t c) {
    return [c](perpend::PlainRows x) {
      std::vector<double> scores(x.rows());
      for (std::size_t r = 0; r < scores.size(); ++r) scores[r] = x(r, c) - 2;
      return scores;
    };
  };
  const perpend::ScoreFunction amounts = column(0);
  const perpend::ScoreFunction ages = column(1);
  const perpend::ScoreFunction both = [&](perpend::PlainRows x) {
    std::vector<double> scores = amounts(x);
    const std::vector<double> others = ages(x);
    for (std::size_t r = 0; r < scores.size(); ++r) scores[r] += others[r];
    return scores;
  };

  const perpend::LocalIndependence found = perpend::local_independence({amounts, ages, both}, rows);
  for (const perpend::GradientPair& pair : found.gradients.pairs) {
    std::cout << "models " << pair.first + 1 << " and " << pair.second + 1 << ": cos^2 " << pair.cos2.value() << '\n';
  }
} catch (const perpend::Error& error) {
  std::cerr << error.what() << '\n';
  return error.exit_code();
}
