// A study's table for a terminal (at most 100 columns but for long names), Markdown, LaTeX (booktabs) and CSV.
//
// Text, Markdown and LaTeX show mean +- sd, one block per split, a row per data set and method: AUC to three digits,
// rho_av and cos^2 to two. The best methods carry a star, in Markdown and LaTeX a bold mean. Where a sweep still runs
// they say how much is in. LaTeX uses the short names of the methods (RRs, Bag, Ada, NCL, ACE, LIT), all others ours.
//
// A table with printed figures (StudyTable::printed) has a column for them beside each of ours, which marks those that
// differ, and a note that counts them. Below, NAME is the publication's.
//
// CSV: split,dataset,method,metric,mean,sd,standard_error,restarts,best[,NAME_mean,NAME_sd], a line for every figure of
// the study. Numbers keep every digit; what is undefined, not yet in, or not printed is empty. restarts: how many
// values were averaged; best: 1 or 0, and 0 for metrics other than auc.
#pragma once

#include <string>
#include <string_view>

#include "perpend/study/table.h"

namespace perpend {

enum class TableFormat { text, markdown, latex, csv };

std::string format_table(const StudyTable& table, TableFormat format);

// A name for a Markdown table: nothing in it is markup.
std::string markdown_escaped(std::string_view name);

}  // namespace perpend
