// An ensemble's answers that a test makes up.
#pragma once

#include "perpend/evaluate/answers.h"

namespace perpend::test {

struct MadeUpRow {
  double positive = 0;  // probability of the second of two classes
  double disagreement = 0;
  int label = 0;
};

inline LabelledAnswers made_up(const std::vector<MadeUpRow>& rows) {
  LabelledAnswers out{Answers(rows.size(), 1, 2, false), {}, {}};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    out.answers.probabilities[2 * r] = 1 - rows[r].positive;
    out.answers.probabilities[2 * r + 1] = rows[r].positive;
    out.answers.predicted[r] = rows[r].positive > 0.5 ? 1 : 0;
    out.answers.disagreement[r] = rows[r].disagreement;
    out.labels.push_back(rows[r].label);
    out.wrong.push_back(out.answers.predicted[r] == static_cast<std::size_t>(rows[r].label) ? 0 : 1);
  }
  return out;
}

}  // namespace perpend::test
