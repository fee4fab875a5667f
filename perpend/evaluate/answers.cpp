#include "perpend/evaluate/answers.h"

#include <algorithm>

#include "perpend/base/blocks.h"
#include "perpend/base/error.h"
#include "perpend/evaluate/selective.h"
#include "perpend/model/predict.h"

namespace perpend {

namespace {

void answer_numbers(const Ensemble& ensemble, const Decision& decision, InputsView block, const Threads& threads,
                    std::size_t first, Answers& out) {
  PERPEND_CHECK(out.is_regression());
  const auto at = static_cast<std::ptrdiff_t>(first);
  const auto members = member_predictions(ensemble, block, threads);
  std::ranges::copy(combine(decision, members.view()), out.numbers.begin() + at);
  std::ranges::copy(row_disagreement(members.view()), out.disagreement.begin() + at);
  for (std::size_t m = 0; !out.numbers_of_members.empty() && m < out.members; ++m) {
    std::copy_n(members.row(m), block.rows(), out.numbers_of_members.data() + m * out.rows + first);
  }
}

// Writes what the members say of some rows, rows first, first + 1, ... of `out`.
void answer_classes(const Decision& decision, const Stack<float, axis::Row, axis::Out>& members, std::size_t first,
                    Answers& out) {
  const auto at = static_cast<std::ptrdiff_t>(first);
  const auto decided = decide(decision, members);
  std::ranges::copy(row_disagreement(members), out.disagreement.begin() + at);
  for (std::size_t r = 0; r < members.rows(); ++r) {
    std::copy_n(decided.row(r), out.classes, out.probabilities.data() + (first + r) * out.classes);
    out.predicted[first + r] = answered_class(decision, decided.row(r), out.classes);
  }
  if (!out.data_part.empty()) {
    const RowUncertainty parts = row_uncertainty(members);
    std::ranges::copy(parts.data, out.data_part.begin() + at);
    std::ranges::copy(parts.knowledge, out.knowledge_part.begin() + at);
  }
  if (out.of_members.empty()) return;
  for (std::size_t m = 0; m < out.members; ++m) {
    for (std::size_t r = 0; r < members.rows(); ++r) {
      std::copy_n(members[m].row(r), out.classes, out.of_members.data() + (m * out.rows + first + r) * out.classes);
    }
  }
}

}  // namespace

Answers::Answers(std::size_t row_count, std::size_t member_count, std::size_t class_count, bool keep_members)
    : rows(row_count),
      members(member_count),
      classes(class_count),
      probabilities(row_count * class_count),
      predicted(row_count),
      disagreement(row_count),
      of_members(keep_members ? member_count * row_count * class_count : 0),
      numbers(class_count == 0 ? row_count : 0),
      numbers_of_members(class_count == 0 && keep_members ? member_count * row_count : 0) {}

void answer_block(const Ensemble& ensemble, const Decision& decision, InputsView block, const Threads& threads,
                  std::size_t first, Answers& out) {
  PERPEND_CHECK(first + block.rows() <= out.rows);
  if (ensemble.architecture.quantity) return answer_numbers(ensemble, decision, block, threads, first, out);
  PERPEND_CHECK(out.classes == ensemble.architecture.classes);
  answer_classes(decision, member_probabilities(ensemble, block, threads), first, out);
}

Answers answers_of(const Decision& decision, std::size_t classes, const Stack<float, axis::Row, axis::Score>& scores,
                   const Threads& threads) {
  Answers out(scores.rows(), scores.members(), classes, false);
  answer_classes(decision, probabilities_of(classes, scores, threads), 0, out);
  return out;
}

HomeAnswers home_answers(const Decision& decision, std::size_t classes, const Home& home, const Threads& threads) {
  const std::size_t members = decision.weights.size();
  PERPEND_CHECK(classes >= 2 && home.values % members == 0);
  Stack<float, axis::Row, axis::Score> scores(members, home.rows(), home.values / members);
  for (std::size_t r = 0; r < home.rows(); ++r) {
    for (std::size_t m = 0; m < members; ++m) {
      std::ranges::copy(home.row_scores(r).subspan(m * scores.cols(), scores.cols()), scores[m].row(r));
    }
  }
  HomeAnswers out{answers_of(decision, classes, scores, threads), {}, {}};
  for (std::size_t r = 0; r < home.rows(); ++r) {
    out.labels.push_back(static_cast<std::int32_t>(home.targets[r]));
    out.wrong.push_back(out.answers.predicted[r] == static_cast<std::size_t>(home.targets[r]) ? 0 : 1);
  }
  return out;
}

std::vector<double> disagreement_on(const Ensemble& ensemble, InputsView rows, const Threads& threads) {
  std::vector<double> all;
  for_each_block(rows.rows(), rows.cols(), [&](std::size_t first, std::size_t count) {
    const InputsView block = rows.middle_rows(first, count);
    const auto found = ensemble.architecture.quantity
                           ? row_disagreement(member_predictions(ensemble, block, threads).view())
                           : row_disagreement(member_probabilities(ensemble, block, threads));
    all.insert(all.end(), found.begin(), found.end());
  });
  return all;
}

}  // namespace perpend
