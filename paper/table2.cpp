#include "paper/table2.h"

#include <algorithm>
#include <iterator>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/read_csv.h"
#include "perpend/icu/mimic.h"
#include "perpend/run/option_table.h"

namespace perpend::paper {

namespace {

using enum SplitKind;
using enum Method;

// These figures are of a cohort that cannot be shared, so none is compared with ours.
struct Line {
  SplitKind split;
  Method method;
  PrintedEntry entry;
};
constexpr Line kTable2[] = {
    {random, restarts, {.auc = {".750", ".000"}, .rho_av = {".9", "0"}, .grad_cos2 = {".9", "0"}, .same_data = false}},
    {random, bagging, {.auc = {".751", ".000"}, .rho_av = {".9", "0"}, .grad_cos2 = {".9", "0"}, .same_data = false}},
    {random,
     adaboost,
     {.auc = {".752", ".003"}, .rho_av = {"0", "0"}, .grad_cos2 = {"0", "0"}, .best = true, .same_data = false}},
    {random, ace, {.auc = {".750", ".000"}, .rho_av = {".9", "0"}, .grad_cos2 = {".9", "0"}, .same_data = false}},
    {random,
     ncl,
     {.auc = {".753", ".001"}, .rho_av = {".3", ".2"}, .grad_cos2 = {".2", ".2"}, .best = true, .same_data = false}},
    {random, lit, {.auc = {".750", ".001"}, .rho_av = {".8", "0"}, .grad_cos2 = {".3", "0"}, .same_data = false}},
    {limited, restarts, {.auc = {".684", ".001"}, .rho_av = {".8", "0"}, .grad_cos2 = {".8", "0"}, .same_data = false}},
    {limited, bagging, {.auc = {".690", ".002"}, .rho_av = {".5", "0"}, .grad_cos2 = {".3", "0"}, .same_data = false}},
    {limited, adaboost, {.auc = {".678", ".003"}, .rho_av = {".6", "0"}, .grad_cos2 = {".5", "0"}, .same_data = false}},
    {limited, ace, {.auc = {".684", ".001"}, .rho_av = {".8", "0"}, .grad_cos2 = {".8", "0"}, .same_data = false}},
    {limited, ncl, {.auc = {".697", ".006"}, .rho_av = {".2", ".4"}, .grad_cos2 = {".6", ".2"}, .same_data = false}},
    {limited,
     lit,
     {.auc = {".711", ".001"}, .rho_av = {".1", "0"}, .grad_cos2 = {"0", "0"}, .best = true, .same_data = false}},
};

}  // namespace

Study table2_study(const std::string& table, bool quick) {
  const std::vector<std::string> names = CsvReader(open_bytes(table)).names();
  const auto has = [&](std::string_view name) { return std::ranges::find(names, name) != names.end(); };
  if (!has(kIcuTarget)) {
    throw DataError(printable(table) + " has no column " + quote(kIcuTarget) +
                    "; make the table with: perpend data make icu");
  }
  Study study;
  study.datasets.push_back({table, std::string(kIcuTarget), ""});
  study.splits = {SplitKind::random, SplitKind::limited};
  study.grid.members = quick ? std::vector{5} : std::vector{2, 3, 5, 8, 13};
  set_lambdas(study.grid, log_spaced(1e-4, 1e1, quick ? 6 : 16), false);
  study.restarts = quick ? 5 : 10;
  study.row_visits = quick ? kRowVisits / 4 : kRowVisits;
  study.published = true;
  apply_preset("published", study.options);
  study.options.schema.missing = Missing::mean;
  if (has(kIcuGroup)) study.options.group = kIcuGroup;
  return study;
}

const PrintedEntry* table2_entry(SplitKind split, Method method) {
  const auto* found =
      std::ranges::find_if(kTable2, [&](const Line& line) { return line.split == split && line.method == method; });
  return found == std::end(kTable2) ? nullptr : &found->entry;
}

}  // namespace perpend::paper
