#include "perpend/study/paper_table1.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace perpend {

namespace {

using enum SplitKind;
using enum Method;

constexpr PaperEntry kTable1[] = {
    {random, "mushroom", restarts, {"1.0", ""}, {"1", ".1"}, {".9", "0"}, true},
    {random, "ionosphere", restarts, {".95", ".03"}, {".9", ".1"}, {"1", "0"}, false},
    {random, "sonar", restarts, {".91", ".06"}, {".9", ".1"}, {"1", "0"}, false},
    {random, "spectf", restarts, {".80", ".06"}, {".9", ".1"}, {"1", "0"}, true},
    {random, "electricity", restarts, {".87", ".00"}, {"1", "0"}, {"1", "0"}, false},
    {random, "mushroom", bagging, {"1.0", ""}, {"1", "0"}, {".9", "0"}, true},
    {random, "ionosphere", bagging, {".96", ".02"}, {".7", ".1"}, {".5", ".1"}, false},
    {random, "sonar", bagging, {".90", ".06"}, {".5", ".2"}, {".5", ".1"}, false},
    {random, "spectf", bagging, {".80", ".05"}, {".6", ".1"}, {".4", ".1"}, true},
    {random, "electricity", bagging, {".87", ".00"}, {".9", "0"}, {"1", "0"}, false},
    {random, "mushroom", adaboost, {"1.0", ""}, {"", ""}, {"", ""}, true},
    {random, "ionosphere", adaboost, {".95", ".03"}, {"", ""}, {"", ""}, false},
    {random, "sonar", adaboost, {".91", ".06"}, {"", ""}, {"", ""}, false},
    {random, "spectf", adaboost, {".80", ".06"}, {"", ""}, {"", ""}, true},
    {random, "electricity", adaboost, {".88", ".00"}, {".2", "0"}, {".2", ".1"}, true},
    {random, "mushroom", ncl, {"1.0", ""}, {"1", "0"}, {".8", "0"}, true},
    {random, "ionosphere", ncl, {".96", ".04"}, {".6", ".5"}, {".7", ".3"}, false},
    {random, "sonar", ncl, {".91", ".06"}, {".6", ".5"}, {".7", ".4"}, true},
    {random, "spectf", ncl, {".80", ".07"}, {".6", ".5"}, {".7", ".3"}, true},
    {random, "electricity", ncl, {".87", ".00"}, {".4", ".1"}, {".6", "0"}, false},
    {random, "mushroom", ace, {"1.0", ""}, {"1", "0"}, {".9", "0"}, true},
    {random, "ionosphere", ace, {".94", ".04"}, {".8", ".3"}, {".9", ".2"}, false},
    {random, "sonar", ace, {".90", ".06"}, {".9", ".2"}, {"1", ".1"}, false},
    {random, "spectf", ace, {".79", ".06"}, {".8", ".4"}, {".9", ".2"}, true},
    {random, "electricity", ace, {".87", ".00"}, {".9", "0"}, {"1", "0"}, false},
    {random, "mushroom", lit, {"1.0", ""}, {".9", ".1"}, {"0", "0"}, true},
    {random, "ionosphere", lit, {".98", ".01"}, {".3", ".1"}, {"0", "0"}, true},
    {random, "sonar", lit, {".92", ".05"}, {".5", ".2"}, {"0", "0"}, true},
    {random, "spectf", lit, {".81", ".06"}, {".4", ".1"}, {"0", "0"}, true},
    {random, "electricity", lit, {".87", ".00"}, {".9", "0"}, {".3", ".1"}, false},
    {extrapolation, "mushroom", restarts, {".92", ".00"}, {".9", "0"}, {".8", "0"}, false},
    {extrapolation, "ionosphere", restarts, {".87", ".02"}, {"1", "0"}, {"1", "0"}, false},
    {extrapolation, "sonar", restarts, {".81", ".02"}, {"1", "0"}, {"1", "0"}, false},
    {extrapolation, "spectf", restarts, {".83", ".05"}, {"1", "0"}, {"1", "0"}, true},
    {extrapolation, "electricity", restarts, {".86", ".00"}, {"1", "0"}, {"1", "0"}, false},
    {extrapolation, "mushroom", bagging, {".91", ".00"}, {".9", "0"}, {".9", "0"}, false},
    {extrapolation, "ionosphere", bagging, {".89", ".04"}, {".6", ".1"}, {".5", ".1"}, false},
    {extrapolation, "sonar", bagging, {".82", ".03"}, {".7", ".1"}, {".6", "0"}, true},
    {extrapolation, "spectf", bagging, {".83", ".05"}, {".6", ".1"}, {".4", "0"}, true},
    {extrapolation, "electricity", bagging, {".86", ".00"}, {".9", "0"}, {".9", "0"}, false},
    {extrapolation, "mushroom", adaboost, {".92", ".01"}, {"", ""}, {"", ""}, false},
    {extrapolation, "ionosphere", adaboost, {".87", ".02"}, {"", ""}, {"", ""}, false},
    {extrapolation, "sonar", adaboost, {".81", ".03"}, {"", ""}, {"", ""}, false},
    {extrapolation, "spectf", adaboost, {".83", ".05"}, {"", ""}, {"", ""}, true},
    {extrapolation, "electricity", adaboost, {".86", ".00"}, {".3", ".1"}, {".3", ".2"}, false},
    {extrapolation, "mushroom", ncl, {".94", ".01"}, {".6", ".2"}, {".6", ".1"}, false},
    {extrapolation, "ionosphere", ncl, {".90", ".02"}, {".8", ".3"}, {".9", ".2"}, false},
    {extrapolation, "sonar", ncl, {".78", ".06"}, {".5", ".5"}, {".6", ".3"}, false},
    {extrapolation, "spectf", ncl, {".81", ".12"}, {".5", ".6"}, {".7", ".3"}, false},
    {extrapolation, "electricity", ncl, {".86", ".00"}, {".9", ".2"}, {"1", ".1"}, false},
    {extrapolation, "mushroom", ace, {".92", ".00"}, {".9", "0"}, {".8", "0"}, false},
    {extrapolation, "ionosphere", ace, {".90", ".03"}, {".3", ".4"}, {".5", ".3"}, false},
    {extrapolation, "sonar", ace, {".77", ".06"}, {".6", ".5"}, {".7", ".3"}, false},
    {extrapolation, "spectf", ace, {".72", ".16"}, {".5", ".6"}, {".7", ".4"}, false},
    {extrapolation, "electricity", ace, {".86", ".00"}, {"1", "0"}, {"1", "0"}, false},
    {extrapolation, "mushroom", lit, {".96", ".01"}, {".3", ".1"}, {"0", "0"}, true},
    {extrapolation, "ionosphere", lit, {".96", ".02"}, {".2", ".1"}, {"0", "0"}, true},
    {extrapolation, "sonar", lit, {".81", ".03"}, {".5", ".1"}, {"0", "0"}, true},
    {extrapolation, "spectf", lit, {".84", ".05"}, {".4", ".1"}, {"0", "0"}, true},
    {extrapolation, "electricity", lit, {".87", ".00"}, {".4", ".2"}, {"0", "0"}, true},
};

Metric number(std::string_view text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() ? Metric(value) : Metric();
}

}  // namespace

Metric PaperFigure::mean() const { return number(mean_text); }
Metric PaperFigure::sd() const { return number(sd_text); }

double PaperFigure::half_unit() const {
  const auto point = mean_text.find('.');
  const std::size_t digits = point == mean_text.npos ? 1 : mean_text.size() - point - 1;
  return digits == 1 ? 0.05 : 0.005;
}

const PaperEntry* paper_table1(SplitKind split, std::string_view dataset, Method method) {
  const auto* found = std::ranges::find_if(kTable1, [&](const PaperEntry& entry) {
    return entry.split == split && entry.dataset == dataset && entry.method == method;
  });
  return found == std::end(kTable1) ? nullptr : found;
}

}  // namespace perpend
