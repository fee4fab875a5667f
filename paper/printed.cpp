#include "paper/printed.h"

#include "paper/table1.h"
#include "paper/table2.h"
#include "perpend/icu/mimic.h"

namespace perpend::paper {

namespace {

const PrintedEntry* find_entry(const StudyDataset& dataset, SplitKind split, Method method) {
  return dataset.target == kIcuTarget ? table2_entry(split, method) : table1_entry(split, dataset.source, method);
}

}  // namespace

const PrintedFigures& printed_figures() {
  static const PrintedFigures figures{.name = "paper",
                                      .restarts = 10,
                                      .other_data = "its own cohort of MIMIC-III",
                                      .other_data_rows = 1'053'490,
                                      .find = find_entry};
  return figures;
}

}  // namespace perpend::paper
