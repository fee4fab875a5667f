#include "perpend/study/table2.h"

#include <algorithm>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/read_csv.h"
#include "perpend/icu/mimic.h"
#include "perpend/run/option_table.h"

namespace perpend {

namespace {

constexpr auto kFull = SplitKind::random;
constexpr auto kLimited = SplitKind::limited;

// clang-format off
constexpr Table2Figure kPaper[] = {
  {kFull,    Method::restarts, .750, .000, .9, 0,  .9, 0,  13, {}},
  {kFull,    Method::bagging,  .751, .000, .9, 0,  .9, 0,  8,  {}},
  {kFull,    Method::adaboost, .752, .003, 0,  0,  0,  0,  8,  {}},
  {kFull,    Method::ace,      .750, .000, .9, 0,  .9, 0,  13, 0.33},
  {kFull,    Method::ncl,      .753, .001, .3, .2, .2, .2, 13, 0.00},
  {kFull,    Method::lit,      .750, .001, .8, 0,  .3, 0,  3,  -4.00},
  {kLimited, Method::restarts, .684, .001, .8, 0,  .8, 0,  8,  {}},
  {kLimited, Method::bagging,  .690, .002, .5, 0,  .3, 0,  8,  {}},
  {kLimited, Method::adaboost, .678, .003, .6, 0,  .5, 0,  2,  {}},
  {kLimited, Method::ace,      .684, .001, .8, 0,  .8, 0,  2,  -2.67},
  {kLimited, Method::ncl,      .697, .006, .2, .4, .6, .2, 13, 0.33},
  {kLimited, Method::lit,      .711, .001, .1, 0,  0,  0,  13, -2.33},
};
// clang-format on

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
  study.splits = {kFull, kLimited};
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

std::span<const Table2Figure> paper_table2() { return kPaper; }

}  // namespace perpend
