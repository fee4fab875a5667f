// A penalty of your own: squared dot products of input gradients, without the lengths that cos^2 divides by.
//
//   L = sum_m CE_m + lambda P,   P = sum over pairs l < m of the batch mean of (g_l . g_m)^2
//   dP / dg_l = 2 / B * sum over m != l of (g_l . g_m) g_m      per row
//
// Unlike cos^2 it also falls with the gradients' lengths, so it asks for flat members, too. The program prints both.
#include <perpend/perpend.h>

#include <iostream>
#include <numeric>
#include <vector>

namespace {

class SquaredDots final : public perpend::Objective<float> {
 public:
  explicit SquaredDots(double lambda) : lambda_(lambda) {}
  perpend::ObjectiveNeeds needs() const override { return {.input_gradients = true}; }
  double lambda() const override { return lambda_; }

  void evaluate(perpend::ObjectiveRows<float>& rows, perpend::Terms<float>& terms) const override {
    fit_.evaluate(rows, terms);  // cross-entropy: terms.fit and the adjoints of the scores
    for (std::size_t r = 0; r < rows.rows; ++r) {
      std::vector<std::vector<float>> g;  // kept, because adjoints replace gradients
      for (auto& gradient : rows.input_gradients) g.emplace_back(gradient.row(r), gradient.row(r) + gradient.cols());
      for (std::size_t l = 0; l < g.size(); ++l) {
        float* adjoint = rows.input_gradients[l].row(r);
        std::fill(adjoint, adjoint + g[l].size(), 0.0F);
        for (std::size_t m = 0; m < g.size(); ++m) {
          if (m == l) continue;
          const float dot = std::inner_product(g[l].begin(), g[l].end(), g[m].begin(), 0.0F);
          // The weights have sum 1 over the B rows of the batch: each is 1 / B, if the table gives rows no weights.
          if (m < l) terms.penalty += rows.weights[r] * dot * dot;
          const auto scale = static_cast<float>(2 * lambda_ * rows.weights[r] * dot);
          for (std::size_t f = 0; f < g[m].size(); ++f) adjoint[f] += scale * g[m][f];
        }
      }
    }
  }

 private:
  double lambda_;
  perpend::Restarts<float> fit_;
};

}  // namespace

int main() try {
  perpend::RunOptions options;
  options.schema.target = "target";
  options.train.members = 2;
  options.train.epochs = 30;
  const perpend::Prepared data = perpend::prepare(perpend::read_source("builtin:shortcut", ""), options);
  const perpend::Threads threads(options.train.threads);

  const SquaredDots own(1.0);
  const perpend::Lit<float> lit({.lambda = 1.0});
  for (const perpend::Objective<float>* objective : std::vector<const perpend::Objective<float>*>{&own, &lit}) {
    const auto trained = perpend::train({.train = &data.train, .validation = &data.validation, .objective = objective},
                                        perpend::train_options_for(data, options));
    if (trained.status != perpend::TrainStatus::ok) return 1;
    const auto seen = perpend::evaluate_ensemble(trained.ensemble, trained.decision, data.test, threads);
    std::cout << (objective == &own ? "squared dots" : "LIT         ") << "  AUC " << seen.auc.value() << "  cos^2 "
              << seen.grad_cos2.value() << '\n';
  }
} catch (const perpend::Error& error) {
  std::cerr << error.what() << '\n';
  return error.exit_code();
}
