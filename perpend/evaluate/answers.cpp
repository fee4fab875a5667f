#include "perpend/evaluate/answers.h"

#include <algorithm>

#include "perpend/base/blocks.h"
#include "perpend/base/error.h"
#include "perpend/evaluate/selective.h"
#include "perpend/model/predict.h"

namespace perpend {

Answers::Answers(std::size_t row_count, std::size_t member_count, std::size_t class_count, bool keep_members)
    : rows(row_count),
      members(member_count),
      classes(class_count),
      probabilities(row_count * class_count),
      predicted(row_count),
      disagreement(row_count),
      of_members(keep_members ? member_count * row_count * class_count : 0) {}

void answer_block(const Ensemble& ensemble, const Decision& decision, InputsView block, const Threads& threads,
                  std::size_t first, Answers& out) {
  PERPEND_CHECK(first + block.rows() <= out.rows && out.classes == ensemble.architecture.classes);
  const auto members = member_probabilities(ensemble, block, threads);
  const auto decided = decide(decision, members);
  const auto spread = row_disagreement(members);
  std::ranges::copy(spread, out.disagreement.begin() + static_cast<std::ptrdiff_t>(first));
  for (std::size_t r = 0; r < block.rows(); ++r) {
    std::copy_n(decided.row(r), out.classes, out.probabilities.data() + (first + r) * out.classes);
    out.predicted[first + r] = answered_class(decision, decided.row(r), out.classes);
  }
  if (out.of_members.empty()) return;
  for (std::size_t m = 0; m < out.members; ++m) {
    for (std::size_t r = 0; r < block.rows(); ++r) {
      std::copy_n(members[m].row(r), out.classes, out.of_members.data() + (m * out.rows + first + r) * out.classes);
    }
  }
}

std::vector<double> disagreement_on(const Ensemble& ensemble, InputsView rows, const Threads& threads) {
  std::vector<double> all;
  for_each_block(rows.rows(), rows.cols(), [&](std::size_t first, std::size_t count) {
    const auto found = row_disagreement(member_probabilities(ensemble, rows.middle_rows(first, count), threads));
    all.insert(all.end(), found.begin(), found.end());
  });
  return all;
}

}  // namespace perpend
