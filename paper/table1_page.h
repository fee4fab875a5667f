// The page docs/table1.md: the results in a folder of Table 1's study, beside the paper's, as Markdown.
//
// A cell agrees when our mean lies within the paper's standard deviation of its mean, with half a unit of the last
// printed digit for rounding:
//
//     |ours - paper| <= sd + half a unit
//
// The table's own mark (≠, study/printed.h) asks a stricter question: are the two means further apart than chance
// explains?
//
// LIT's rank on a data set is taken in each restart, among the methods whose grids are complete there. 1 is the best
// test AUC, and equal AUCs share the mean of their ranks.
//
// A trial's record has its wall time and processor time in seconds, and when it was finished. The sum of processor time
// is the time of one rank on a machine without other work. Wall time is the length of the union of the trials'
// intervals, so pauses do not count.
#pragma once

#include <string>
#include <vector>

#include "perpend/study/table.h"

namespace perpend::paper {

// Applies the rule above. False where one of the two figures is missing.
bool within_printed_sd(const Summary& ours, const PrintedFigure& printed);

// The mean rank, over restarts, of one method by test AUC.
Summary mean_rank(const StudyFolder& folder, std::size_t dataset, SplitKind split, Method method);

struct StudyClock {
  double worked = 0;   // seconds of processor time, summed over trials
  double wall = 0;     // seconds in which at least one trial ran
  double longest = 0;  // seconds of processor time of one trial
  double all = 0;      // expected sum over all trials of the study; missing trials are estimated by their cost
};
StudyClock clock_of(const StudyFolder& folder);

// The same folder gives the same bytes.
std::string table1_page(const StudyFolder& folder);

}  // namespace perpend::paper
