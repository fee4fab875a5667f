// Table 1 of the paper, as printed: five public sets, two splits, six methods, 10 restarts.
#pragma once

#include <string_view>

#include "perpend/data/split.h"
#include "perpend/records/evaluation.h"
#include "perpend/train/options.h"

namespace perpend {

inline constexpr int kPaperRestarts = 10;

// A mean over restarts and its standard deviation in the paper's own digits: ".95" and ".03", "1.0" and "", "" and "".
struct PaperFigure {
  std::string_view mean_text, sd_text;

  Metric mean() const;
  Metric sd() const;
  // Half a unit of the last digit of the mean. "1" and "0" stand among figures of one digit (".9") and are 1.0 and .0.
  double half_unit() const;
};

struct PaperEntry {
  SplitKind split;
  std::string_view dataset;
  Method method;
  PaperFigure auc, rho_av, grad_cos2;
  bool best;              // bold: mean +- standard error overlaps that of the best
  bool same_data = true;  // as ours; else a figure is shown beside ours and not compared
};

// nullptr: the paper has none.
const PaperEntry* paper_table1(SplitKind split, std::string_view dataset, Method method);

}  // namespace perpend
