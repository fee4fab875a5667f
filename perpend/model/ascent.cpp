#include "perpend/model/ascent.h"

#include <algorithm>
#include <cmath>

#include "perpend/base/random.h"
#include "perpend/model/general_member.h"

namespace perpend {

namespace {

constexpr std::size_t kRowsPerPiece = 256;
// If the first step crossed the whole ball, all starts would end where the first one did.
constexpr double kReachOfFurtherStarts = 0.25;

double length_of(const std::vector<double>& x) {
  double squares = 0;
  for (const double v : x) squares += v * v;
  return std::sqrt(squares);
}

// One piece of rows during its ascent.
class Ascent {
 public:
  Ascent(const Ensemble& ensemble, std::size_t member, InputsView rows, std::size_t first, const AscentOptions& options)
      : network_(ensemble.members[member]),
        rows_(rows),
        first_(first),
        options_(options),
        pass_(ensemble.architecture, rows.rows(), {.backward = false}),
        point_(rows.rows(), rows.cols()),
        best_(rows.rows(), rows.cols()),
        best_score_(rows.rows(), -INFINITY),
        scores_(1, rows.rows(), 1),
        gradient_(1, rows.rows(), rows.cols()) {
    pass_.transpose(network_);
  }

  const Inputs& run() {
    for (int start = 0; start < options_.starts; ++start) {
      for (std::size_t r = 0; r < rows_.rows(); ++r) place(r, start);
      look();
      for (int t = 0; t < options_.steps; ++t) {
        pass_.input_gradient(0, rows_.rows(), gradient_[0]);
        const double reach = start == 0 ? 1 : kReachOfFurtherStarts;
        const double size = reach * options_.epsilon * (1 - static_cast<double>(t) / options_.steps);
        for (std::size_t r = 0; r < rows_.rows(); ++r) step(r, size);
        look();
      }
    }
    return best_;
  }

 private:
  // Keeps each point that is better than the best so far.
  void look() {
    pass_.forward(network_, point_.view(), 0, rows_.rows(), {}, 0, scores_[0]);
    for (std::size_t r = 0; r < rows_.rows(); ++r) {
      if (!(scores_[0](r, 0) > best_score_[r])) continue;
      best_score_[r] = scores_[0](r, 0);
      std::copy_n(point_.row(r), rows_.cols(), best_.row(r));
    }
  }

  void place(std::size_t r, int start) {
    std::vector<double> away(rows_.cols(), 0.0);
    if (start > 0) {
      const Stream stream({.seed = options_.seed,
                           .purpose = Purpose::perturb,
                           .member = static_cast<std::uint32_t>(start),
                           .step = static_cast<std::uint32_t>(first_ + r)});
      for (std::size_t f = 0; f < away.size(); ++f) {
        away[f] = options_.norm == Norm::l2 ? stream.normal(f)
                                            : options_.epsilon * (2 * static_cast<double>(stream.uniform(f)) - 1);
      }
      if (options_.norm == Norm::l2) {
        const double length = length_of(away);
        for (double& x : away) x *= options_.epsilon / length;
      }
    }
    put(r, away);
  }

  void step(std::size_t r, double size) {
    std::vector<double> away(rows_.cols());
    std::vector<double> up(gradient_[0].row(r), gradient_[0].row(r) + rows_.cols());
    const double length = length_of(up);
    for (std::size_t f = 0; f < away.size(); ++f) {
      away[f] = static_cast<double>(point_(r, f)) - static_cast<double>(rows_(r, f));
      if (options_.norm == Norm::linf) up[f] = (up[f] > 0 ? 1 : 0) - (up[f] < 0 ? 1 : 0);
      if (options_.norm == Norm::l2) up[f] = length > 0 ? up[f] / length : 0;
      away[f] += size * up[f];
    }
    put(r, away);
  }

  // Stores the point at this offset from the row, brought back into ball and box.
  void put(std::size_t r, std::vector<double>& away) {
    const double length = options_.norm == Norm::l2 ? length_of(away) : 0;
    for (std::size_t f = 0; f < away.size(); ++f) {
      double x = away[f];
      if (length > options_.epsilon) x *= options_.epsilon / length;
      if (options_.norm == Norm::linf) x = std::clamp(x, -options_.epsilon, options_.epsilon);
      auto point = static_cast<float>(static_cast<double>(rows_(r, f)) + x);
      if (!options_.low.empty()) {
        point = std::clamp(point, std::min(options_.low[f], rows_(r, f)), std::max(options_.high[f], rows_(r, f)));
      }
      point_(r, f) = point;
    }
  }

  const Network<float>& network_;
  InputsView rows_;
  std::size_t first_;
  const AscentOptions& options_;
  GeneralMember<float> pass_;
  Inputs point_, best_;
  std::vector<float> best_score_;
  Stack<float, axis::Row, axis::Score> scores_;
  Stack<float, axis::Row, axis::Feature> gradient_;
};

}  // namespace

Inputs ascend(const Ensemble& ensemble, std::size_t member, InputsView rows, const AscentOptions& options,
              const Threads& threads) {
  PERPEND_CHECK(ensemble.architecture.classes == 2 && rows.cols() == ensemble.architecture.features);
  PERPEND_CHECK(!ensemble.architecture.has_views());
  PERPEND_CHECK(options.epsilon > 0 && options.steps >= 1 && options.starts >= 1);
  PERPEND_CHECK(options.low.size() == options.high.size() &&
                (options.low.empty() || options.low.size() == rows.cols()));
  Inputs found(rows.rows(), rows.cols());
  threads.for_each((rows.rows() + kRowsPerPiece - 1) / kRowsPerPiece, [&](std::size_t piece) {
    const std::size_t first = piece * kRowsPerPiece;
    const std::size_t count = std::min(kRowsPerPiece, rows.rows() - first);
    Ascent ascent(ensemble, member, rows.middle_rows(first, count), first, options);
    const Inputs& best = ascent.run();
    for (std::size_t r = 0; r < count; ++r) std::copy_n(best.row(r), rows.cols(), found.row(first + r));
  });
  return found;
}

}  // namespace perpend
