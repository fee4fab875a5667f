#include "paper/table1.h"

#include <algorithm>
#include <iterator>

#include "perpend/data/public.h"
#include "perpend/run/option_table.h"

namespace perpend::paper {

namespace {

using enum SplitKind;
using enum Method;

struct Line {
  SplitKind split;
  std::string_view dataset;
  Method method;
  PrintedEntry entry;
};
constexpr Line kTable1[] = {
    {random, "mushroom", restarts, {.auc = {"1.0", ""}, .rho_av = {"1", ".1"}, .grad_cos2 = {".9", "0"}, .best = true}},
    {random, "ionosphere", restarts, {.auc = {".95", ".03"}, .rho_av = {".9", ".1"}, .grad_cos2 = {"1", "0"}}},
    {random, "sonar", restarts, {.auc = {".91", ".06"}, .rho_av = {".9", ".1"}, .grad_cos2 = {"1", "0"}}},
    {random,
     "spectf",
     restarts,
     {.auc = {".80", ".06"}, .rho_av = {".9", ".1"}, .grad_cos2 = {"1", "0"}, .best = true}},
    {random, "electricity", restarts, {.auc = {".87", ".00"}, .rho_av = {"1", "0"}, .grad_cos2 = {"1", "0"}}},
    {random, "mushroom", bagging, {.auc = {"1.0", ""}, .rho_av = {"1", "0"}, .grad_cos2 = {".9", "0"}, .best = true}},
    {random, "ionosphere", bagging, {.auc = {".96", ".02"}, .rho_av = {".7", ".1"}, .grad_cos2 = {".5", ".1"}}},
    {random, "sonar", bagging, {.auc = {".90", ".06"}, .rho_av = {".5", ".2"}, .grad_cos2 = {".5", ".1"}}},
    {random,
     "spectf",
     bagging,
     {.auc = {".80", ".05"}, .rho_av = {".6", ".1"}, .grad_cos2 = {".4", ".1"}, .best = true}},
    {random, "electricity", bagging, {.auc = {".87", ".00"}, .rho_av = {".9", "0"}, .grad_cos2 = {"1", "0"}}},
    {random, "mushroom", adaboost, {.auc = {"1.0", ""}, .rho_av = {"", ""}, .grad_cos2 = {"", ""}, .best = true}},
    {random, "ionosphere", adaboost, {.auc = {".95", ".03"}, .rho_av = {"", ""}, .grad_cos2 = {"", ""}}},
    {random, "sonar", adaboost, {.auc = {".91", ".06"}, .rho_av = {"", ""}, .grad_cos2 = {"", ""}}},
    {random, "spectf", adaboost, {.auc = {".80", ".06"}, .rho_av = {"", ""}, .grad_cos2 = {"", ""}, .best = true}},
    {random,
     "electricity",
     adaboost,
     {.auc = {".88", ".00"}, .rho_av = {".2", "0"}, .grad_cos2 = {".2", ".1"}, .best = true}},
    {random, "mushroom", ncl, {.auc = {"1.0", ""}, .rho_av = {"1", "0"}, .grad_cos2 = {".8", "0"}, .best = true}},
    {random, "ionosphere", ncl, {.auc = {".96", ".04"}, .rho_av = {".6", ".5"}, .grad_cos2 = {".7", ".3"}}},
    {random, "sonar", ncl, {.auc = {".91", ".06"}, .rho_av = {".6", ".5"}, .grad_cos2 = {".7", ".4"}, .best = true}},
    {random, "spectf", ncl, {.auc = {".80", ".07"}, .rho_av = {".6", ".5"}, .grad_cos2 = {".7", ".3"}, .best = true}},
    {random, "electricity", ncl, {.auc = {".87", ".00"}, .rho_av = {".4", ".1"}, .grad_cos2 = {".6", "0"}}},
    {random, "mushroom", ace, {.auc = {"1.0", ""}, .rho_av = {"1", "0"}, .grad_cos2 = {".9", "0"}, .best = true}},
    {random, "ionosphere", ace, {.auc = {".94", ".04"}, .rho_av = {".8", ".3"}, .grad_cos2 = {".9", ".2"}}},
    {random, "sonar", ace, {.auc = {".90", ".06"}, .rho_av = {".9", ".2"}, .grad_cos2 = {"1", ".1"}}},
    {random, "spectf", ace, {.auc = {".79", ".06"}, .rho_av = {".8", ".4"}, .grad_cos2 = {".9", ".2"}, .best = true}},
    {random, "electricity", ace, {.auc = {".87", ".00"}, .rho_av = {".9", "0"}, .grad_cos2 = {"1", "0"}}},
    {random, "mushroom", lit, {.auc = {"1.0", ""}, .rho_av = {".9", ".1"}, .grad_cos2 = {"0", "0"}, .best = true}},
    {random, "ionosphere", lit, {.auc = {".98", ".01"}, .rho_av = {".3", ".1"}, .grad_cos2 = {"0", "0"}, .best = true}},
    {random, "sonar", lit, {.auc = {".92", ".05"}, .rho_av = {".5", ".2"}, .grad_cos2 = {"0", "0"}, .best = true}},
    {random, "spectf", lit, {.auc = {".81", ".06"}, .rho_av = {".4", ".1"}, .grad_cos2 = {"0", "0"}, .best = true}},
    {random, "electricity", lit, {.auc = {".87", ".00"}, .rho_av = {".9", "0"}, .grad_cos2 = {".3", ".1"}}},
    {extrapolation, "mushroom", restarts, {.auc = {".92", ".00"}, .rho_av = {".9", "0"}, .grad_cos2 = {".8", "0"}}},
    {extrapolation, "ionosphere", restarts, {.auc = {".87", ".02"}, .rho_av = {"1", "0"}, .grad_cos2 = {"1", "0"}}},
    {extrapolation, "sonar", restarts, {.auc = {".81", ".02"}, .rho_av = {"1", "0"}, .grad_cos2 = {"1", "0"}}},
    {extrapolation,
     "spectf",
     restarts,
     {.auc = {".83", ".05"}, .rho_av = {"1", "0"}, .grad_cos2 = {"1", "0"}, .best = true}},
    {extrapolation, "electricity", restarts, {.auc = {".86", ".00"}, .rho_av = {"1", "0"}, .grad_cos2 = {"1", "0"}}},
    {extrapolation, "mushroom", bagging, {.auc = {".91", ".00"}, .rho_av = {".9", "0"}, .grad_cos2 = {".9", "0"}}},
    {extrapolation, "ionosphere", bagging, {.auc = {".89", ".04"}, .rho_av = {".6", ".1"}, .grad_cos2 = {".5", ".1"}}},
    {extrapolation,
     "sonar",
     bagging,
     {.auc = {".82", ".03"}, .rho_av = {".7", ".1"}, .grad_cos2 = {".6", "0"}, .best = true}},
    {extrapolation,
     "spectf",
     bagging,
     {.auc = {".83", ".05"}, .rho_av = {".6", ".1"}, .grad_cos2 = {".4", "0"}, .best = true}},
    {extrapolation, "electricity", bagging, {.auc = {".86", ".00"}, .rho_av = {".9", "0"}, .grad_cos2 = {".9", "0"}}},
    {extrapolation, "mushroom", adaboost, {.auc = {".92", ".01"}, .rho_av = {"", ""}, .grad_cos2 = {"", ""}}},
    {extrapolation, "ionosphere", adaboost, {.auc = {".87", ".02"}, .rho_av = {"", ""}, .grad_cos2 = {"", ""}}},
    {extrapolation, "sonar", adaboost, {.auc = {".81", ".03"}, .rho_av = {"", ""}, .grad_cos2 = {"", ""}}},
    {extrapolation,
     "spectf",
     adaboost,
     {.auc = {".83", ".05"}, .rho_av = {"", ""}, .grad_cos2 = {"", ""}, .best = true}},
    {extrapolation,
     "electricity",
     adaboost,
     {.auc = {".86", ".00"}, .rho_av = {".3", ".1"}, .grad_cos2 = {".3", ".2"}}},
    {extrapolation, "mushroom", ncl, {.auc = {".94", ".01"}, .rho_av = {".6", ".2"}, .grad_cos2 = {".6", ".1"}}},
    {extrapolation, "ionosphere", ncl, {.auc = {".90", ".02"}, .rho_av = {".8", ".3"}, .grad_cos2 = {".9", ".2"}}},
    {extrapolation, "sonar", ncl, {.auc = {".78", ".06"}, .rho_av = {".5", ".5"}, .grad_cos2 = {".6", ".3"}}},
    {extrapolation, "spectf", ncl, {.auc = {".81", ".12"}, .rho_av = {".5", ".6"}, .grad_cos2 = {".7", ".3"}}},
    {extrapolation, "electricity", ncl, {.auc = {".86", ".00"}, .rho_av = {".9", ".2"}, .grad_cos2 = {"1", ".1"}}},
    {extrapolation, "mushroom", ace, {.auc = {".92", ".00"}, .rho_av = {".9", "0"}, .grad_cos2 = {".8", "0"}}},
    {extrapolation, "ionosphere", ace, {.auc = {".90", ".03"}, .rho_av = {".3", ".4"}, .grad_cos2 = {".5", ".3"}}},
    {extrapolation, "sonar", ace, {.auc = {".77", ".06"}, .rho_av = {".6", ".5"}, .grad_cos2 = {".7", ".3"}}},
    {extrapolation, "spectf", ace, {.auc = {".72", ".16"}, .rho_av = {".5", ".6"}, .grad_cos2 = {".7", ".4"}}},
    {extrapolation, "electricity", ace, {.auc = {".86", ".00"}, .rho_av = {"1", "0"}, .grad_cos2 = {"1", "0"}}},
    {extrapolation,
     "mushroom",
     lit,
     {.auc = {".96", ".01"}, .rho_av = {".3", ".1"}, .grad_cos2 = {"0", "0"}, .best = true}},
    {extrapolation,
     "ionosphere",
     lit,
     {.auc = {".96", ".02"}, .rho_av = {".2", ".1"}, .grad_cos2 = {"0", "0"}, .best = true}},
    {extrapolation,
     "sonar",
     lit,
     {.auc = {".81", ".03"}, .rho_av = {".5", ".1"}, .grad_cos2 = {"0", "0"}, .best = true}},
    {extrapolation,
     "spectf",
     lit,
     {.auc = {".84", ".05"}, .rho_av = {".4", ".1"}, .grad_cos2 = {"0", "0"}, .best = true}},
    {extrapolation,
     "electricity",
     lit,
     {.auc = {".87", ".00"}, .rho_av = {".4", ".2"}, .grad_cos2 = {"0", "0"}, .best = true}},
};

}  // namespace

Study table1_study(bool quick) {
  Study study;
  for (const char* name : {"mushroom", "ionosphere", "sonar", "spectf", "electricity"}) {
    study.datasets.push_back({name, find_public_set(name)->target, ""});
  }
  study.grid.members = quick ? std::vector{2, 5, 13} : std::vector{2, 3, 5, 8, 13};
  const auto lambdas = log_spaced(1e-4, 1e1, quick ? 6 : 16);
  set_lambdas(study.grid, lambdas, false);
  study.restarts = quick ? 3 : 10;
  study.row_visits = quick ? kRowVisits / 4 : kRowVisits;
  study.published = true;
  apply_preset("published", study.options);
  return study;
}

const PrintedEntry* table1_entry(SplitKind split, std::string_view dataset, Method method) {
  const auto* found = std::ranges::find_if(kTable1, [&](const Line& line) {
    return line.split == split && line.dataset == dataset && line.method == method;
  });
  return found == std::end(kTable1) ? nullptr : &found->entry;
}

}  // namespace perpend::paper
