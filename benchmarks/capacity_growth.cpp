// Compares networks that are trained together with networks that are added one by one: which way counts better?
//
//     build/release/bin/bench_capacity_growth [SEEDS]
//
// One by one, network m minimises its own cross-entropy and lambda times the sum of cos^2 with the networks before it,
// whose weights stay as they are. Both ways have the same networks, row visits and lambda, and the same rule counts the
// models that they find (run/capacity.h). The sets hold a known number of models.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "perpend/api/capacity.h"
#include "perpend/data/source.h"
#include "perpend/evaluate/diversity.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/kernels/reference.h"
#include "perpend/model/predict.h"
#include "perpend/objective/cross_entropy.h"
#include "perpend/objective/lit.h"

namespace perpend {
namespace {

// LIT's penalty of one network against others that stay as they are. Their gradients are indexed by rows of the
// training data.
class AgainstEarlier final : public Objective<float> {
 public:
  AgainstEarlier(double lambda, const std::vector<Inputs>& earlier) : lambda_(lambda), earlier_(earlier) {}
  ObjectiveNeeds needs() const override { return {.input_gradients = true}; }
  double lambda() const override { return lambda_; }
  void evaluate(ObjectiveRows<float>& rows, Terms<float>& terms) const override {
    terms.fit[0] += member_fit(rows, 0);
    auto& own = rows.input_gradients[0];
    for (std::size_t r = 0; r < rows.rows; ++r) {
      std::vector<float> adjoint(own.cols(), 0.0F);
      const std::vector<float> g(own.row(r), own.row(r) + own.cols());
      for (const Inputs& other : earlier_) {
        const float* h = other.row(rows.indices[r]);
        const std::vector<std::vector<float>> pair = {g, {h, h + own.cols()}};
        // An unordered pair counts twice, as in the mean over ordered pairs.
        terms.penalty += 2 * rows.weights[r] * kernels::reference::cosine_penalty(pair, kTrainingEpsilon);
        const auto both = kernels::reference::cosine_adjoint(pair, kTrainingEpsilon);
        for (std::size_t d = 0; d < adjoint.size(); ++d) {
          adjoint[d] += static_cast<float>(2 * lambda_) * rows.weights[r] * both[0][d];
        }
      }
      std::copy(adjoint.begin(), adjoint.end(), own.row(r));
    }
  }

 private:
  double lambda_;
  const std::vector<Inputs>& earlier_;
};

std::size_t one_by_one(const CapacityData& data, std::uint64_t seed, const CapacitySettings& settings, int most) {
  const Threads threads(1);
  const double guess = guessed_measure(data.held_out);
  std::vector<Inputs> at_training;
  std::vector<Inputs> at_held_out;
  std::vector<double> measures;
  for (int m = 0; m < most; ++m) {
    TrainOptions options = capacity_training(1, settings.lambda, data.train.rows());
    options.seed = seed + 1000 * static_cast<std::uint64_t>(m);
    const AgainstEarlier objective(settings.lambda, at_training);
    const TrainResult trained = train({.train = &data.train, .objective = &objective}, options);
    if (trained.status != TrainStatus::ok) break;
    const Evaluation seen = evaluate_ensemble(trained.ensemble, trained.decision, data.held_out, threads);
    measures.push_back(seen.members[0].merit().value_or(guess));
    const auto keep = [&](const Dataset& rows, std::vector<Inputs>& to) {
      const auto gradients = input_gradients(trained.ensemble, rows.inputs.view(), threads);
      Inputs own(rows.rows(), rows.inputs.cols());
      for (std::size_t r = 0; r < own.rows(); ++r) std::copy_n(gradients[0].row(r), own.cols(), own.row(r));
      to.push_back(std::move(own));
    };
    keep(data.train, at_training);
    keep(data.held_out, at_held_out);
  }
  std::vector<InputsView> views;
  for (const Inputs& own : at_held_out) views.push_back(own.view());
  CapacityTrial trial{.ok = true, .measures = measures, .cos2 = {}, .loss = 0};
  trial.cos2 = Matrix<double, axis::Row, axis::Row>(views.size(), views.size());
  for (const auto& pair : gradient_diversity(views).pairs) {
    trial.cos2(pair.first, pair.second) = trial.cos2(pair.second, pair.first) = pair.cos2.value_or(0);
  }
  return counted_in(trial, measures[0], guess, settings);
}

std::size_t together(const CapacityData& data, std::uint64_t seed, const CapacitySettings& settings, int most) {
  const double guess = guessed_measure(data.held_out);
  std::size_t counted = 0;
  double alone = 0;
  for (int members = 1; members <= most; ++members) {
    TrainOptions options = capacity_training(members, settings.lambda, data.train.rows());
    options.seed = seed;
    const CapacityTrial trial = capacity_trial(data, options, nullptr);
    if (members == 1) alone = trial.measures[0];
    counted = std::max(counted, counted_in(trial, alone, guess, settings));
  }
  return counted;
}

}  // namespace
}  // namespace perpend

int main(int argc, char** argv) {
  using namespace perpend;
  const int seeds = argc > 1 ? std::atoi(argv[1]) : 10;
  struct Known {
    const char* name;
    std::size_t models;
  };
  const CapacitySettings settings;
  fmt::print("set           models  together: right, counts            one by one: right, counts\n");
  for (const Known known :
       {Known{"planted-1", 1}, {"planted-2", 2}, {"planted-3", 3}, {"planted-5", 5}, {"shortcut", 2}}) {
    const Table table = read_source(std::string("builtin:") + known.name, "");
    std::string counts[2];
    int right[2] = {};
    for (int s = 0; s < seeds; ++s) {
      RunOptions options;
      options.schema.target = "target";
      options.views_auto = false;
      options.train.early_stopping = 0;
      options.train.seed = static_cast<std::uint64_t>(s);
      const CapacityData data = capacity_data(prepare(table, options), options.train.seed);
      const int most = static_cast<int>(known.models) + 2;
      const std::size_t found[2] = {together(data, options.train.seed, settings, most),
                                    one_by_one(data, options.train.seed, settings, most)};
      for (int way = 0; way < 2; ++way) {
        counts[way] += std::to_string(found[way]) + " ";
        right[way] += found[way] == known.models ? 1 : 0;
      }
    }
    fmt::print("{:<13} {:>6}  {:>2} of {:<2} {:<28} {:>2} of {:<2} {}\n", known.name, known.models, right[0], seeds,
               counts[0], right[1], seeds, counts[1]);
    std::fflush(stdout);
  }
  return 0;
}
