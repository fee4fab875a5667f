#include "perpend/train/dive.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "perpend/model/decision.h"
#include "perpend/objective/assigned.h"
#include "perpend/objective/experts.h"
#include "perpend/train/experts.h"

namespace perpend {

namespace {

constexpr int kRounds = 8;
constexpr std::size_t kBins = 4;
constexpr std::int64_t kVisitsPerRound = 10'000;

// The bin of each cell of a column, by its level or by its rank among the known cells. The last bin is for missing
// cells.
std::vector<std::uint32_t> bins_of_column(const Dataset& data, std::size_t column) {
  std::vector<float> sorted;
  for (std::size_t r = 0; r < data.rows(); ++r) {
    if (const float x = data.inputs(r, column); std::isfinite(x)) sorted.push_back(x);
  }
  std::ranges::sort(sorted);
  const bool is_category = !data.columns.empty() && data.columns[column].is_category;
  std::vector<std::uint32_t> bins(data.rows());
  for (std::size_t r = 0; r < data.rows(); ++r) {
    const float x = data.inputs(r, column);
    const std::size_t levels = is_category ? data.columns[column].means.size() : kBins;
    std::size_t own = levels;
    if (std::isfinite(x) && is_category) {
      own = std::min(levels, static_cast<std::size_t>(std::max(x, 0.0F)));
    } else if (std::isfinite(x)) {
      own = static_cast<std::size_t>(std::ranges::lower_bound(sorted, x) - sorted.begin()) * kBins / sorted.size();
    }
    bins[r] = static_cast<std::uint32_t>(own);
  }
  return bins;
}

// A pair and its gain when it was last computed.
struct Offer {
  double gain;
  std::uint32_t member, row;
  bool operator<(const Offer& other) const {
    if (gain != other.gain) return gain < other.gain;
    return member != other.member ? member > other.member : row > other.row;
  }
};

class Greedy {
 public:
  Greedy(const std::vector<std::vector<double>>& losses, const RowKinds& kinds, const Curriculum& curriculum)
      : losses_(losses),
        kinds_(kinds),
        curriculum_(curriculum),
        rows_(losses[0].size()),
        taken_(losses.size() * rows_, 0),
        rows_of_(losses.size(), 0),
        members_of_(rows_, 0),
        counts_(losses.size() * kinds.bins, 0) {
    double sum = 0;
    for (const auto& own : losses) sum += std::accumulate(own.begin(), own.end(), 0.0);
    mean_loss_ = sum / static_cast<double>(taken_.size());
  }

  // Gains only fall as pairs are taken. So the best pair is found by computing the gain of the first of a queue again.
  std::vector<char> run() {
    std::priority_queue<Offer> queue;
    for (std::uint32_t m = 0; m < losses_.size(); ++m) {
      for (std::uint32_t r = 0; r < rows_; ++r) queue.push({gain(m, r), m, r});
    }
    while (!queue.empty() && queue.top().gain > 0) {
      Offer offer = queue.top();
      queue.pop();
      if (rows_of_[offer.member] == curriculum_.most_rows || members_of_[offer.row] == curriculum_.most_members)
        continue;
      offer.gain = gain(offer.member, offer.row);
      if (!queue.empty() && offer < queue.top()) {
        queue.push(offer);
      } else if (offer.gain > 0) {
        take(offer);
      }
    }
    return std::move(taken_);
  }

 private:
  double gain(std::size_t m, std::size_t r) const {
    const double strength = 1 - curriculum_.progress;
    double kinds = 0;
    for (std::size_t c = 0; c < kinds_.columns; ++c) {
      const double count = counts_[m * kinds_.bins + kinds_.bin[r * kinds_.columns + c]];
      kinds += std::sqrt(count + 1) - std::sqrt(count);
    }
    const double within = kinds * std::sqrt(static_cast<double>(rows_)) / static_cast<double>(kinds_.columns);
    const double between = 1.0 / (1 + members_of_[r]);
    return mean_loss_ - losses_[m][r] + strength * (within + between);
  }

  void take(const Offer& offer) {
    taken_[offer.member * rows_ + offer.row] = 1;
    ++rows_of_[offer.member];
    ++members_of_[offer.row];
    for (std::size_t c = 0; c < kinds_.columns; ++c) {
      ++counts_[offer.member * kinds_.bins + kinds_.bin[offer.row * kinds_.columns + c]];
    }
  }

  const std::vector<std::vector<double>>& losses_;
  const RowKinds& kinds_;
  const Curriculum& curriculum_;
  std::size_t rows_;
  std::vector<char> taken_;
  std::vector<std::size_t> rows_of_;
  std::vector<std::size_t> members_of_;
  std::vector<std::uint32_t> counts_;  // (members, bins)
  double mean_loss_ = 0;
};

// k of the last round.
std::size_t most_in_the_end(std::size_t members) { return (members + 2) / 3; }

// The options of a round.
TrainOptions round_options(TrainOptions options, int round, std::size_t rows) {
  const bool is_last = round == kRounds - 1;
  const bool stops = options.early_stopping > 0;
  const int epochs = epochs_of(options, rows);
  const int share = epochs * (round + 1) / kRounds - epochs * round / kRounds;
  const auto visits =
      static_cast<int>((kVisitsPerRound + static_cast<std::int64_t>(rows) - 1) / static_cast<std::int64_t>(rows));
  if (!stops || options.epochs) {
    options.epochs = share;
  } else if (!is_last) {
    options.epochs = visits;
  }
  if (!is_last) options.early_stopping = options.rate_drops = 0;
  return options;
}

}  // namespace

RowKinds kinds_of(const Dataset& data) {
  RowKinds kinds;
  std::vector<std::vector<std::uint32_t>> columns;
  for (std::size_t c = 0; c < data.inputs.cols(); ++c) columns.push_back(bins_of_column(data, c));
  if (!data.quantity) columns.emplace_back(data.labels.begin(), data.labels.end());
  kinds.columns = columns.size();
  kinds.bin.resize(data.rows() * columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t r = 0; r < data.rows(); ++r) {
      kinds.bin[r * columns.size() + c] = static_cast<std::uint32_t>(kinds.bins) + columns[c][r];
    }
    kinds.bins += *std::ranges::max_element(columns[c]) + 1;
  }
  return kinds;
}

Curriculum curriculum(double progress, std::size_t members, std::size_t rows) {
  const auto n = static_cast<double>(rows);
  const auto all = static_cast<double>(members);
  const auto few = static_cast<double>(most_in_the_end(members));
  return {.progress = progress,
          .most_rows = static_cast<std::size_t>(std::ceil(n * (0.25 + 0.75 * progress))),
          .most_members = static_cast<std::size_t>(std::floor(all + progress * (few - all) + 0.5))};
}

std::vector<char> assign(const std::vector<std::vector<double>>& losses, const RowKinds& kinds,
                         const Curriculum& curriculum) {
  return Greedy(losses, kinds, curriculum).run();
}

TrainResult train_dive(const TrainingTask& task, const Threads& threads) {
  refuse_given_objective(task);
  const Dataset& data = *task.input.train;
  const Experts<float> best(most_in_the_end(task.start.members.size()));
  const RowKinds kinds = kinds_of(data);
  TrainResult result;
  Ensemble members = task.start;
  for (int round = 0; round < kRounds && result.status == TrainStatus::ok; ++round) {
    const TrainOptions options = round_options(task.options, round, data.rows());
    const Curriculum now = curriculum(round / static_cast<double>(kRounds - 1), members.members.size(), data.rows());
    const Assigned<float> chosen(assign(losses_of_members(members, data, threads), kinds, now), data.rows());
    TrainResult part =
        run_training({.input = task.input,
                      .options = options,
                      .objective = round < kRounds - 1 ? static_cast<const Objective<float>&>(chosen) : best,
                      .start = std::move(members),
                      .row_weights = task.row_weights,
                      .steps_before = result.steps},
                     threads);
    members = std::move(part.ensemble);
    add_part(std::move(part), result);
  }
  if (result.status == TrainStatus::diverged) return result;
  result.ensemble = std::move(members);
  result.decision = equal_mean(result.ensemble.members.size());
  return result;
}

}  // namespace perpend
