// What an ensemble answers on rows: probabilities and a class, or a number, and how much its members disagree.
//
// The class is the one that the decision answers (answered_class in model/decision.h). A row is shown with one
// probability: with two classes that of the second, with more classes that of the predicted class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/model/decision.h"
#include "perpend/model/ensemble.h"
#include "perpend/records/home.h"

namespace perpend {

struct Answers {
  Answers() = default;
  // class_count: 0 for a regression.
  Answers(std::size_t row_count, std::size_t member_count, std::size_t class_count, bool keep_members);

  std::size_t rows = 0, members = 0, classes = 0;
  std::vector<double> probabilities;   // (rows, classes), row after row
  std::vector<std::size_t> predicted;  // per row
  std::vector<double> disagreement;    // per row: sd over members, each counted once (selective.h)
  std::vector<float> of_members;       // (members, rows, classes), where they are kept
  // The two parts of the entropy of the members' mean, per row (row_uncertainty in selective.h). They are filled where
  // these vectors have a place per row.
  std::vector<double> data_part, knowledge_part;
  // A regression has no classes. It has predictions in the target's units.
  std::vector<double> numbers;             // per row
  std::vector<double> numbers_of_members;  // (members, rows), where they are kept

  bool is_regression() const { return classes == 0; }

  double probability(std::size_t row, std::size_t k) const { return probabilities[row * classes + k]; }
  float of_member(std::size_t member, std::size_t row, std::size_t k) const {
    return of_members[(member * rows + row) * classes + k];
  }
  // The class whose probability is shown for a row.
  std::size_t shown_class(std::size_t row) const { return classes == 2 ? 1 : predicted[row]; }
};

// Answers the rows of a block, which are rows first, first + 1, ... of `out`.
void answer_block(const Ensemble& ensemble, const Decision& decision, InputsView block, const Threads& threads,
                  std::size_t first, Answers& out);

// The same from scores that are known already.
void answer_scores(const Ensemble& ensemble, const Decision& decision,
                   const Stack<float, axis::Row, axis::Score>& scores, const Threads& threads, std::size_t first,
                   Answers& out);

// home_scores returns the scores of members that had not trained on the rows at home. home_answers has the ensemble's
// answers from them.
Stack<float, axis::Row, axis::Score> home_scores(const Home& home, const Architecture& architecture);
Answers home_answers(const Ensemble& ensemble, const Decision& decision, const Home& home, const Threads& threads);

// The same for two classes or more, with what is known of the rows.
struct LabelledAnswers {
  Answers answers;
  std::vector<std::int32_t> labels;
  std::vector<std::uint8_t> wrong;  // per row: 1 where another class than the label is answered
};
LabelledAnswers labelled_home(const Ensemble& ensemble, const Decision& decision, const Home& home,
                              const Threads& threads);

// Returns the disagreement on any number of rows, in the memory of a block.
std::vector<double> disagreement_on(const Ensemble& ensemble, InputsView rows, const Threads& threads);

}  // namespace perpend
