#include "perpend/study/table2.h"

#include <algorithm>
#include <iterator>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/read_csv.h"
#include "perpend/icu/mimic.h"
#include "perpend/run/option_table.h"

namespace perpend {

namespace {

using enum SplitKind;
using enum Method;

constexpr PaperEntry kTable2[] = {
    {random, "icu", restarts, {".750", ".000"}, {".9", "0"}, {".9", "0"}, false, false},
    {random, "icu", bagging, {".751", ".000"}, {".9", "0"}, {".9", "0"}, false, false},
    {random, "icu", adaboost, {".752", ".003"}, {"0", "0"}, {"0", "0"}, true, false},
    {random, "icu", ace, {".750", ".000"}, {".9", "0"}, {".9", "0"}, false, false},
    {random, "icu", ncl, {".753", ".001"}, {".3", ".2"}, {".2", ".2"}, true, false},
    {random, "icu", lit, {".750", ".001"}, {".8", "0"}, {".3", "0"}, false, false},
    {limited, "icu", restarts, {".684", ".001"}, {".8", "0"}, {".8", "0"}, false, false},
    {limited, "icu", bagging, {".690", ".002"}, {".5", "0"}, {".3", "0"}, false, false},
    {limited, "icu", adaboost, {".678", ".003"}, {".6", "0"}, {".5", "0"}, false, false},
    {limited, "icu", ace, {".684", ".001"}, {".8", "0"}, {".8", "0"}, false, false},
    {limited, "icu", ncl, {".697", ".006"}, {".2", ".4"}, {".6", ".2"}, false, false},
    {limited, "icu", lit, {".711", ".001"}, {".1", "0"}, {"0", "0"}, true, false},
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
  study.grid.ncl = study.grid.ace = study.grid.lit = log_spaced(1e-4, 1e1, quick ? 6 : 16);
  study.restarts = quick ? 5 : 10;
  study.row_visits = quick ? kRowVisits / 4 : kRowVisits;
  study.published = true;
  apply_preset("published", study.options);
  study.options.schema.missing = Missing::mean;
  if (has(kIcuGroup)) study.options.group = kIcuGroup;
  return study;
}

const PaperEntry* paper_table2(SplitKind split, Method method) {
  const auto* found = std::ranges::find_if(
      kTable2, [&](const PaperEntry& entry) { return entry.split == split && entry.method == method; });
  return found == std::end(kTable2) ? nullptr : found;
}

}  // namespace perpend
