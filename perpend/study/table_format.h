// Writes a study's table for a terminal (at most 100 columns except for long names), Markdown, LaTeX (booktabs) and
// CSV.
//
// Text, Markdown and LaTeX show mean +- sd in one block per split, with one row per data set and method: AUC to three
// digits, rho_av and cos^2 to two. The best methods have a star, or in Markdown and LaTeX a bold mean. While a sweep is
// running, they say how much is finished. LaTeX uses the short names of the methods (RRs, Bag, Ada, NCL, ACE, LIT), and
// all others use ours.
//
// A table with printed figures (StudyTable::printed) has a column for them beside each of ours. It marks those that
// differ and counts them in a note. Below, NAME is the publication's.
//
// CSV: split,dataset,method,metric,mean,sd,standard_error,restarts,best[,NAME_mean,NAME_sd], one line for every figure
// of the study. Numbers keep every digit. What is undefined, not finished or not printed is empty. restarts: how many
// values were averaged. best: 1 or 0, and 0 for metrics other than auc.
#pragma once

#include <string>
#include <string_view>

#include "perpend/study/table.h"

namespace perpend {

enum class TableFormat { text, markdown, latex, csv };

std::string format_table(const StudyTable& table, TableFormat format);

// Returns a name for a Markdown table, in which nothing is markup.
std::string markdown_escaped(std::string_view name);

}  // namespace perpend
