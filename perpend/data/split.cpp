#include "perpend/data/split.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/option_mention.h"
#include "perpend/base/quantile.h"
#include "perpend/base/random.h"
#include "perpend/data/table.h"

namespace perpend {
namespace {

using Rows = std::vector<std::uint32_t>;

// The third part of a stream's name, so that no two draws of one split share random numbers.
enum Stage : std::uint32_t { kFirstCut = 0, kSecondCut = 1, kTrainOrder = 2, kInnerCut = 3 };

Rows numbers_below(std::size_t count) {
  Rows numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

// The units that are cut: rows, or groups of rows.
struct Units {
  std::span<const std::int32_t> labels;
  std::span<const std::string> classes;
  std::string noun = "row";
  bool strata = false;
};

std::vector<std::size_t> count_classes(const Units& units, const Rows& chosen) {
  std::vector<std::size_t> counts(units.classes.size(), 0);
  for (const std::uint32_t u : chosen) ++counts[static_cast<std::size_t>(units.labels[u])];
  return counts;
}

// If a regression has few units, they are one stratum, because a cut holds out at least one unit of each stratum.
Units with_strata_for(const Units& units, const Rows& chosen, std::vector<std::int32_t>& one_stratum) {
  if (!units.strata || chosen.size() >= 5 * kTargetStrata) return units;
  one_stratum.assign(units.labels.size(), 0);
  return {one_stratum, units.classes, units.noun, units.strata};
}

std::string list_counts(const Units& units, const std::vector<std::size_t>& counts) {
  constexpr std::size_t kShown = 5;
  std::string list;
  for (std::size_t k = 0; k < std::min(counts.size(), kShown); ++k) {
    list += (k == 0 ? "" : ", ") + quote(units.classes[k]) + " " + std::to_string(counts[k]);
  }
  if (counts.size() > kShown) list += " and " + thousands(counts.size() - kShown) + " more";
  return list;
}

void demand_two_classes(const Units& rows, const Rows& all) {
  if (rows.strata) return;
  const auto counts = count_classes(rows, all);
  if (std::ranges::count_if(counts, [](std::size_t c) { return c > 0; }) >= 2) return;
  throw DataError("the target needs two classes, but the rows per class are " + list_counts(rows, counts) +
                  "; check the target column");
}

// Classes that are numbers may be counts, such as 0 to 7 children, and large counts are rare.
std::string advice_for_counts(const Units& units) {
  const auto is_number = [](const std::string& name) { return as_number(name).has_value(); };
  if (units.classes.size() <= 2 || !std::ranges::all_of(units.classes, is_number)) return "";
  return "; " + option_mention("task", "regress") + " predicts the number";
}

void demand_each_class(const Units& units, const Rows& chosen, std::size_t least, const std::string& where) {
  if (units.strata) {
    if (chosen.size() >= least) return;
    throw DataError("there " + std::string(chosen.size() == 1 ? "is " : "are ") + counted(chosen.size(), units.noun) +
                    " " + where + "; the split needs " + std::to_string(least) + "; choose another split");
  }
  const auto counts = count_classes(units, chosen);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const bool absent = std::ranges::find(units.labels, static_cast<std::int32_t>(k)) == units.labels.end();
    if (absent || counts[k] >= least) continue;
    throw DataError("class " + quote(units.classes[k]) + " has " + std::to_string(counts[k]) + " " + units.noun +
                    (counts[k] == 1 ? " " : "s ") + where + "; the split needs " + std::to_string(least) + " (" +
                    units.noun + "s per class there: " + list_counts(units, counts) +
                    "); merge or drop the class, or choose another split" + advice_for_counts(units));
  }
}

// How many rows of each class stay; split.h has the rule.
std::vector<std::size_t> kept_counts(const std::vector<std::size_t>& counts) {
  const std::size_t n = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  const auto present = static_cast<std::size_t>(std::ranges::count_if(counts, [](std::size_t c) { return c > 0; }));
  const std::size_t kept = n - std::max((n + 4) / 5, present);
  std::vector<std::size_t> result(counts.size());
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return counts[a] * kept % n > counts[b] * kept % n; });
  std::size_t left = kept;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    result[k] = counts[k] * kept / n;
    left -= result[k];
  }
  while (left > 0) {
    for (const std::size_t k : order) {
      if (left == 0) break;
      if (result[k] + 1 >= counts[k]) continue;
      ++result[k];
      --left;
    }
  }
  return result;
}

struct Cut {
  Rows kept;
  Rows held_out;
};

Cut stratified_cut(const Units& given, const Rows& chosen, std::uint64_t seed, Stage stage) {
  std::vector<std::int32_t> one_stratum;
  const Units units = with_strata_for(given, chosen, one_stratum);
  const auto counts = count_classes(units, chosen);
  const auto kept = kept_counts(counts);
  Cut cut;
  for (std::uint32_t k = 0; k < counts.size(); ++k) {
    Rows of_class;
    std::ranges::copy_if(chosen, std::back_inserter(of_class),
                         [&](std::uint32_t u) { return units.labels[u] == static_cast<std::int32_t>(k); });
    const Stream stream({.seed = seed, .purpose = Purpose::split, .member = k, .step = stage});
    const auto order = stream.permutation(of_class.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      (i < kept[k] ? cut.kept : cut.held_out).push_back(of_class[order[i]]);
  }
  std::ranges::sort(cut.kept);
  std::ranges::sort(cut.held_out);
  return cut;
}

Split cut_at_random(const Units& units, std::uint64_t seed) {
  const Rows all = numbers_below(units.labels.size());
  demand_each_class(units, all, 3, "in all");
  Cut outer = stratified_cut(units, all, seed, kFirstCut);
  Cut inner = stratified_cut(units, outer.kept, seed, kSecondCut);
  return {std::move(inner.kept), std::move(inner.held_out), std::move(outer.held_out)};
}

Split cut_by_value(const Units& units, std::span<const double> values, const SplitOptions& options,
                   const std::string& what) {
  const double threshold =
      quantile({values.begin(), values.end()}, options.kind == SplitKind::extrapolation ? 0.5 : options.quantile);
  Split split;
  Rows far;
  for (std::uint32_t u = 0; u < values.size(); ++u) (values[u] <= threshold ? split.train : far).push_back(u);
  demand_each_class(units, split.train, 1, "with a " + what + " at or below the threshold");
  demand_each_class(units, far, 2, "with a " + what + " above the threshold");
  Cut cut = stratified_cut(units, far, options.seed, kFirstCut);
  split.test = std::move(cut.kept);
  split.validation = std::move(cut.held_out);
  return split;
}

// The rows of each group, ascending.
std::vector<Rows> rows_by_group(const SplitInput& input) {
  std::vector<Rows> groups(input.group_names.size());
  for (std::uint32_t row = 0; row < input.groups.size(); ++row) groups[input.groups[row]].push_back(row);
  return groups;
}

std::vector<std::int32_t> group_labels(const Units& rows, const std::vector<Rows>& groups) {
  const auto counts = count_classes(rows, numbers_below(rows.labels.size()));
  const auto rarer = [&](std::int32_t a, std::int32_t b) {
    const auto of_a = counts[static_cast<std::size_t>(a)];
    const auto of_b = counts[static_cast<std::size_t>(b)];
    return of_a < of_b || (of_a == of_b && a > b);
  };
  std::vector<std::int32_t> labels;
  for (const Rows& group : groups) {
    std::int32_t rarest = rows.labels[group.front()];
    for (const std::uint32_t row : group) rarest = std::min(rarest, rows.labels[row], rarer);
    labels.push_back(rarest);
  }
  return labels;
}

std::vector<double> group_medians(std::span<const double> values, const std::vector<Rows>& groups) {
  std::vector<double> medians;
  for (const Rows& group : groups) {
    std::vector<double> own;
    for (const std::uint32_t row : group) own.push_back(values[row]);
    medians.push_back(quantile(std::move(own), 0.5));
  }
  return medians;
}

Rows rows_of(const Rows& chosen, const std::vector<Rows>& groups) {
  Rows rows;
  for (const std::uint32_t g : chosen) rows.insert(rows.end(), groups[g].begin(), groups[g].end());
  std::ranges::sort(rows);
  return rows;
}

Split cut_units(const Units& units, std::span<const double> values, const SplitOptions& options) {
  if (values.empty()) return cut_at_random(units, options.seed);
  return cut_by_value(units, values, options, options.kind == SplitKind::extrapolation ? "norm" : "split column");
}

// The rows of the parts, each in ascending order. Without values the cut is random.
Split cut_rows(const SplitInput& input, const Units& rows, std::span<const double> values,
               const SplitOptions& options) {
  if (input.groups.empty()) return cut_units(rows, values, options);
  const auto groups = rows_by_group(input);
  const auto labels = group_labels(rows, groups);
  const auto medians = values.empty() ? std::vector<double>() : group_medians(values, groups);
  const Split cut = cut_units({labels, input.classes, "group", input.strata}, medians, options);
  Split split{rows_of(cut.train, groups), rows_of(cut.validation, groups), rows_of(cut.test, groups)};
  demand_each_class(rows, split.train, 1, "among the training rows");
  demand_each_class(rows, split.validation, 1, "among the validation rows");
  demand_each_class(rows, split.test, 1, "among the test rows");
  return split;
}

Rows shuffled(const Rows& ascending, std::uint64_t seed) {
  const Stream stream({.seed = seed, .purpose = Purpose::split, .member = 0, .step = kTrainOrder});
  Rows rows;
  for (const std::uint32_t i : stream.permutation(ascending.size())) rows.push_back(ascending[i]);
  return rows;
}

Split random_split(const SplitInput& input, const Units& rows, const SplitOptions& options) {
  Split split = cut_rows(input, rows, {}, options);
  split.train = shuffled(split.train, options.seed);
  return split;
}

Split limited_split(const SplitInput& input, const Units& rows, const SplitOptions& options) {
  Split split = random_split(input, rows, options);
  split.train.resize(std::min(split.train.size(), options.limit));
  demand_each_class(rows, split.train, 1, "among the first " + std::to_string(options.limit) + " training rows");
  return split;
}

constexpr std::array<std::string_view, 3> kPartNames = {"train", "validation", "test"};

// words: how the message names the rows of a part.
template <class Words>
void demand_whole_groups(const SplitInput& input, std::span<const Part> parts, const Words& words) {
  std::vector<std::optional<Part>> part_of(input.group_names.size());
  for (std::size_t row = 0; row < input.groups.size(); ++row) {
    auto& part = part_of[input.groups[row]];
    if (!part) part = parts[row];
    if (*part == parts[row]) continue;
    throw DataError("group " + quote(input.group_names[input.groups[row]]) + " has rows " + words(*part) +
                    " and rows " + words(parts[row]) + "; a group belongs to one part");
  }
}

// The part is test for the rows of test domains, and train for all others.
std::vector<Part> parts_by_domain(const SplitInput& input, const SplitOptions& options) {
  const Rows left_out = left_out_domains(input.domain_names, options);
  std::vector<Part> parts;
  for (const std::uint32_t domain : input.domains) {
    parts.push_back(std::ranges::binary_search(left_out, domain) ? Part::test : Part::train);
  }
  return parts;
}

// parts: one per unit.
Split cut_outside_domains(const Units& units, const std::vector<Part>& parts, std::uint64_t seed) {
  Split split;
  Rows others;
  for (std::uint32_t u = 0; u < parts.size(); ++u) (parts[u] == Part::test ? split.test : others).push_back(u);
  demand_each_class(units, others, 2, "outside the test domains");
  Cut cut = stratified_cut(units, others, seed, kSecondCut);
  split.train = std::move(cut.kept);
  split.validation = std::move(cut.held_out);
  return split;
}

Split cut_groups_outside_domains(const SplitInput& input, const Units& rows, const std::vector<Part>& parts,
                                 std::uint64_t seed) {
  demand_whole_groups(input, parts, [](Part part) -> std::string {
    return part == Part::test ? "inside the test domains" : "outside the test domains";
  });
  const auto groups = rows_by_group(input);
  const auto labels = group_labels(rows, groups);
  std::vector<Part> group_parts;
  for (const Rows& group : groups) group_parts.push_back(parts[group.front()]);
  const Split cut = cut_outside_domains({labels, input.classes, "group", input.strata}, group_parts, seed);
  Split split{rows_of(cut.train, groups), rows_of(cut.validation, groups), rows_of(cut.test, groups)};
  demand_each_class(rows, split.train, 1, "among the training rows");
  demand_each_class(rows, split.validation, 1, "among the validation rows");
  return split;
}

Split domain_split(const SplitInput& input, const Units& rows, const SplitOptions& options) {
  PERPEND_CHECK(input.domains.size() == input.labels.size());
  const auto parts = parts_by_domain(input, options);
  Split split = input.groups.empty() ? cut_outside_domains(rows, parts, options.seed)
                                     : cut_groups_outside_domains(input, rows, parts, options.seed);
  split.train = shuffled(split.train, options.seed);
  return split;
}

Split labelled_split(const SplitInput& input, const Units& rows) {
  demand_whole_groups(input, input.parts,
                      [](Part part) { return "labelled " + std::string(kPartNames[static_cast<std::size_t>(part)]); });
  Split split;
  const std::array<Rows*, 3> parts = {&split.train, &split.validation, &split.test};
  for (std::uint32_t row = 0; row < input.parts.size(); ++row) {
    parts[static_cast<std::size_t>(input.parts[row])]->push_back(row);
  }
  demand_each_class(rows, split.train, 1, "labelled train");
  return split;
}

std::uint32_t domain_number(std::span<const std::string> names, const std::string& wanted) {
  auto found = std::ranges::find(names, wanted);
  const auto number = as_number(wanted);
  if (found == names.end() && number) found = std::ranges::find(names, number_name(*number));
  if (found == names.end()) {
    throw DataError("there is no domain " + quote(wanted) + " to test on; the domains are " + quote_all(names));
  }
  return static_cast<std::uint32_t>(found - names.begin());
}

void demand_column(const SplitInput& input, double wanted) {
  PERPEND_CHECK(input.column.size() == input.labels.size());
  if (!(wanted >= 0 && wanted <= 1)) {
    throw ConfigError(option_mention("split_quantile") + " is " + std::to_string(wanted) + "; it must be from 0 to 1");
  }
  const auto missing = std::ranges::count_if(input.column, [](double v) { return !std::isfinite(v); });
  if (missing > 0) {
    throw DataError("the split column has no finite value in " + std::to_string(missing) + " of " +
                    std::to_string(input.column.size()) + " rows; choose a column without gaps");
  }
}

}  // namespace

Split split_rows(const SplitInput& input, const SplitOptions& options) {
  const Units rows{input.labels, input.classes, "row", input.strata};
  demand_two_classes(rows, numbers_below(rows.labels.size()));
  PERPEND_CHECK(input.groups.empty() || input.groups.size() == input.labels.size());
  switch (options.kind) {
    case SplitKind::random:
      return random_split(input, rows, options);
    case SplitKind::limited:
      return limited_split(input, rows, options);
    case SplitKind::extrapolation:
      PERPEND_CHECK(input.norms.size() == input.labels.size());
      return cut_rows(input, rows, input.norms, options);
    case SplitKind::by_column:
      demand_column(input, options.quantile);
      return cut_rows(input, rows, input.column, options);
    case SplitKind::domain:
      return domain_split(input, rows, options);
    case SplitKind::labels:
      PERPEND_CHECK(input.parts.size() == input.labels.size());
      return labelled_split(input, rows);
    case SplitKind::none:
      return {.train = numbers_below(input.labels.size()), .validation = {}, .test = {}};
  }
  PERPEND_CHECK(false);
  return {};
}

std::optional<Division> divide_training_rows(const SplitInput& input, std::uint64_t seed) {
  const Units rows{input.labels, input.classes, "row", input.strata};
  const auto groups = rows_by_group(input);
  const auto labels = input.groups.empty() ? std::vector<std::int32_t>() : group_labels(rows, groups);
  const Units units = input.groups.empty() ? rows : Units{labels, input.classes, "group", input.strata};
  const auto all = numbers_below(units.labels.size());
  const auto counts = count_classes(units, all);
  const bool too_few = std::ranges::any_of(counts, [](std::size_t c) { return c > 0 && c < kFewestToDivide; });
  if (units.strata ? all.size() < 2 * kFewestToDivide : too_few) return std::nullopt;
  Cut cut = stratified_cut(units, all, seed, kInnerCut);
  if (input.groups.empty()) return Division{std::move(cut.kept), std::move(cut.held_out)};
  return Division{rows_of(cut.kept, groups), rows_of(cut.held_out, groups)};
}

std::vector<std::int32_t> target_strata(std::span<const double> targets) {
  std::vector<std::uint32_t> order = numbers_below(targets.size());
  std::ranges::stable_sort(order, {}, [&](std::uint32_t row) { return targets[row]; });
  std::vector<std::int32_t> strata(targets.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    strata[order[i]] = static_cast<std::int32_t>(i * kTargetStrata / order.size());
  }
  return strata;
}

std::span<const std::string> strata_names() {
  static const std::vector<std::string> names = {"lowest quarter", "second quarter", "third quarter",
                                                 "highest quarter"};
  return names;
}

std::vector<std::uint32_t> left_out_domains(std::span<const std::string> names, const SplitOptions& options) {
  PERPEND_CHECK(!names.empty());
  if (names.size() == 1) {
    throw DataError("all rows are of one domain, " + quote(names[0]) + "; the split needs two or more domains");
  }
  if (options.test_domains.empty()) return {static_cast<std::uint32_t>(options.seed % names.size())};
  std::vector<std::uint32_t> left_out;
  for (const std::string& wanted : options.test_domains) left_out.push_back(domain_number(names, wanted));
  std::ranges::sort(left_out);
  left_out.erase(std::unique(left_out.begin(), left_out.end()), left_out.end());
  if (left_out.size() == names.size()) {
    throw DataError("all " + thousands(names.size()) + " domains are test domains; leave one or more to train on");
  }
  return left_out;
}

std::vector<double> row_norms(InputsView inputs) {
  std::vector<double> norms(inputs.rows());
  for (std::size_t r = 0; r < inputs.rows(); ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < inputs.cols(); ++c) {
      const double x = inputs(r, c);
      sum += x * x;
    }
    norms[r] = std::sqrt(sum);
  }
  return norms;
}

std::vector<Part> parse_parts(std::span<const std::string> words) {
  std::vector<Part> parts;
  parts.reserve(words.size());
  for (const std::string& word : words) {
    const auto name = std::ranges::find(kPartNames, word);
    if (name == kPartNames.end()) {
      throw DataError("row " + std::to_string(parts.size() + 1) + " of the split column says " + quote(word) +
                      "; use train, validation or test");
    }
    parts.push_back(static_cast<Part>(name - kPartNames.begin()));
  }
  return parts;
}

}  // namespace perpend
