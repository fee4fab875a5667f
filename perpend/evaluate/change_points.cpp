#include "perpend/evaluate/change_points.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "perpend/base/portable_math.h"

namespace perpend {

namespace {

constexpr std::size_t kEvery = 32;  // rows between two checks
constexpr double kStretch = 1.1;    // how much farther each cut lies than the one before

class Window {
 public:
  void push(double value) {
    sums_.push_back(sums_.back() + value);
    squares_.push_back(squares_.back() + value * value);
  }
  std::size_t end() const { return sums_.size() - 1; }
  double mean(std::size_t first, std::size_t last) const {
    return (sums_[last] - sums_[first]) / static_cast<double>(last - first);
  }
  void drop_before(std::size_t first) { first_ = first; }
  std::size_t first() const { return first_; }

  // Returns the cut, at row `earliest` or later, at which the two parts differ most beyond the bound.
  std::optional<std::size_t> cut(std::size_t earliest, double delta) const {
    const std::size_t first_cut = std::max(earliest, first_ + kEvery);
    if (end() < first_cut + kEvery) return std::nullopt;
    const double n = static_cast<double>(end() - first_);
    const double whole = mean(first_, end());
    const double variance = std::max(0.0, (squares_[end()] - squares_[first_]) / n - whole * whole);
    const double log_term = portable_log(2 * portable_log(n) / delta);
    std::optional<std::size_t> best;
    double most = 0;
    for (std::size_t far = kEvery; far <= end() - first_cut;
         far = std::max(far + kEvery, static_cast<std::size_t>(static_cast<double>(far) * kStretch))) {
      // The last cut is the earliest row, however far from it the cut before lies.
      const std::size_t at = far + kEvery > end() - first_cut ? first_cut : end() - far;
      const double m = 1 / (1 / static_cast<double>(at - first_) + 1 / static_cast<double>(end() - at));
      const double bound = std::sqrt(2 * variance * log_term / m) + 2 * log_term / (3 * m);
      const double beyond = std::abs(mean(first_, at) - mean(at, end())) - bound;
      if (beyond > most) {
        most = beyond;
        best = at;
      }
    }
    return best;
  }

 private:
  std::vector<double> sums_ = {0}, squares_ = {0};  // of the first i values
  std::size_t first_ = 0;
};

}  // namespace

std::vector<Change> change_points(std::span<const double> home, std::span<const double> values, double delta) {
  Window window;
  for (const double value : home) window.push(value);
  std::vector<Change> changes;
  for (std::size_t r = 0; r < values.size(); ++r) {
    window.push(values[r]);
    if ((r + 1) % kEvery != 0 && r + 1 != values.size()) continue;
    const auto cut = window.cut(home.size(), delta);
    if (!cut) continue;
    const Change change{*cut - home.size(), window.mean(window.first(), *cut), window.mean(*cut, window.end())};
    window.drop_before(*cut);
    changes.push_back(change);
  }
  return changes;
}

}  // namespace perpend
