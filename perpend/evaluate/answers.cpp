#include "perpend/evaluate/answers.h"

#include <algorithm>

#include "perpend/base/blocks.h"
#include "perpend/base/error.h"
#include "perpend/evaluate/selective.h"
#include "perpend/model/predict.h"

namespace perpend {

namespace {

void answer_numbers(const Ensemble& ensemble, const Decision& decision,
                    const Stack<float, axis::Row, axis::Score>& scores, std::size_t first, Answers& out) {
  PERPEND_CHECK(out.is_regression());
  const auto at = static_cast<std::ptrdiff_t>(first);
  const auto members = predictions_of(scores, *ensemble.architecture.quantity);
  std::ranges::copy(combine(decision, members.view()), out.numbers.begin() + at);
  std::ranges::copy(row_disagreement(members.view()), out.disagreement.begin() + at);
  for (std::size_t m = 0; !out.numbers_of_members.empty() && m < out.members; ++m) {
    std::copy_n(members.row(m), scores.rows(), out.numbers_of_members.data() + m * out.rows + first);
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
  answer_scores(ensemble, decision, member_scores(ensemble, block, threads), threads, first, out);
}

void answer_scores(const Ensemble& ensemble, const Decision& decision,
                   const Stack<float, axis::Row, axis::Score>& scores, const Threads& threads, std::size_t first,
                   Answers& out) {
  PERPEND_CHECK(first + scores.rows() <= out.rows);
  if (ensemble.architecture.quantity) return answer_numbers(ensemble, decision, scores, first, out);
  PERPEND_CHECK(out.classes == ensemble.architecture.classes);
  const auto members = probabilities_of(scores, threads);
  const auto decided = decide(decision, members);
  const auto spread = row_disagreement(members);
  std::ranges::copy(spread, out.disagreement.begin() + static_cast<std::ptrdiff_t>(first));
  for (std::size_t r = 0; r < scores.rows(); ++r) {
    std::copy_n(decided.row(r), out.classes, out.probabilities.data() + (first + r) * out.classes);
    out.predicted[first + r] = answered_class(decision, decided.row(r), out.classes);
  }
  if (!out.data_part.empty()) {
    const RowUncertainty parts = row_uncertainty(members);
    std::ranges::copy(parts.data, out.data_part.begin() + static_cast<std::ptrdiff_t>(first));
    std::ranges::copy(parts.knowledge, out.knowledge_part.begin() + static_cast<std::ptrdiff_t>(first));
  }
  if (out.of_members.empty()) return;
  for (std::size_t m = 0; m < out.members; ++m) {
    for (std::size_t r = 0; r < scores.rows(); ++r) {
      std::copy_n(members[m].row(r), out.classes, out.of_members.data() + (m * out.rows + first + r) * out.classes);
    }
  }
}

Stack<float, axis::Row, axis::Score> home_scores(const Home& home, const Architecture& architecture) {
  const std::size_t each = architecture.scores();
  Stack<float, axis::Row, axis::Score> scores(home.values / each, home.rows(), each);
  for (std::size_t r = 0; r < home.rows(); ++r) {
    for (std::size_t m = 0; m < scores.members(); ++m) {
      std::ranges::copy(home.row_scores(r).subspan(m * each, each), scores[m].row(r));
    }
  }
  return scores;
}

Answers home_answers(const Ensemble& ensemble, const Decision& decision, const Home& home, const Threads& threads) {
  const Architecture& shape = ensemble.architecture;
  Answers out(home.rows(), ensemble.members.size(), shape.quantity ? 0 : shape.classes, false);
  answer_scores(ensemble, decision, home_scores(home, shape), threads, 0, out);
  return out;
}

LabelledAnswers labelled_home(const Ensemble& ensemble, const Decision& decision, const Home& home,
                              const Threads& threads) {
  PERPEND_CHECK(!ensemble.architecture.quantity);
  LabelledAnswers out{home_answers(ensemble, decision, home, threads), {}, {}};
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
