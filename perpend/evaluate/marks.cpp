#include "perpend/evaluate/marks.h"

#include <array>
#include <cmath>

#include "perpend/base/random.h"
#include "perpend/evaluate/home_columns.h"

namespace perpend {

namespace {

constexpr std::uint64_t kSeed = 20'200'207;  // one for all models

// u of each place of a column (records/home.h).
std::vector<double> values_of_places(const HomeColumn& column, std::size_t levels, std::size_t index) {
  const Stream random(
      {.seed = kSeed, .purpose = Purpose::marks, .member = static_cast<std::uint32_t>(index), .step = 1});
  std::vector<double> values;
  double known = 0;
  for (std::size_t p = 0; levels == 0 && p + 1 < column.counts.size(); ++p) known += column.counts[p];
  double below = 0;
  for (std::size_t p = 0; p < column.counts.size(); ++p) {
    if (levels > 0 || p + 1 == column.counts.size()) {
      values.push_back(random.normal(p));
    } else {
      const double share = known > 0 ? (below + column.counts[p] / 2.0) / known : 0.5;
      values.push_back(std::sqrt(12.0) * (share - 0.5));
      below += column.counts[p];
    }
  }
  return values;
}

struct Question {
  std::size_t first = 0, second = 0;  // the columns of a question about two
  bool about_all = false;
  double threshold = 0;
};

class Questions {
 public:
  explicit Questions(std::size_t columns) : columns_(columns), signs_(kMarks * columns) {
    for (std::size_t k = 0; k < kMarks; ++k) {
      const Stream random(
          {.seed = kSeed, .purpose = Purpose::marks, .member = static_cast<std::uint32_t>(k), .step = 0});
      Question& q = questions_[k];
      q.about_all = k % 2 == 1 || columns < 3;
      q.first = random.below(2, columns);
      q.second = columns > 1 ? (q.first + 1 + random.below(3, columns - 1)) % columns : q.first;
      q.threshold = std::sqrt(static_cast<double>(q.about_all ? columns : 2)) * random.normal(0);
      for (std::size_t c = 0; c < columns; ++c) signs_[k * columns + c] = random.word(16 + c) >> 31 != 0 ? 1.0 : -1.0;
    }
  }

  bool answer(std::size_t k, std::span<const double> u) const {
    const Question& q = questions_[k];
    const double* sign = signs_.data() + k * columns_;
    if (!q.about_all) return sign[q.first] * u[q.first] + sign[q.second] * u[q.second] > q.threshold;
    double sum = 0;
    for (std::size_t c = 0; c < columns_; ++c) sum += sign[c] * u[c];
    return sum > q.threshold;
  }

 private:
  std::size_t columns_;
  std::array<Question, kMarks> questions_;
  std::vector<double> signs_;  // (kMarks, columns)
};

}  // namespace

std::vector<std::uint32_t> marks_of(std::span<const HomeColumn> columns, std::span<const std::size_t> levels,
                                    InputsView rows) {
  std::vector<std::vector<double>> values;
  for (std::size_t c = 0; c < columns.size(); ++c) values.push_back(values_of_places(columns[c], levels[c], c));
  const Questions questions(columns.size());
  std::vector<std::uint32_t> marks(rows.rows() * kMarkWords, 0);
  std::vector<double> u(columns.size());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c) u[c] = values[c][place_of(columns[c], levels[c], rows(r, c))];
    for (std::size_t k = 0; k < kMarks; ++k) {
      if (questions.answer(k, u)) marks[r * kMarkWords + k / 32] |= std::uint32_t{1} << (k % 32);
    }
  }
  return marks;
}

}  // namespace perpend
