#include "perpend/data/split.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/quantile.h"
#include "perpend/base/random.h"

namespace perpend {
namespace {

using Rows = std::vector<std::uint32_t>;

// The third part of a stream's name, so that no two draws of one split share random numbers.
enum Stage : std::uint32_t { kFirstCut = 0, kSecondCut = 1, kTrainOrder = 2 };

std::vector<std::size_t> count_classes(const SplitInput& input, const Rows& rows) {
  std::vector<std::size_t> counts(input.classes.size(), 0);
  for (const std::uint32_t row : rows) ++counts[static_cast<std::size_t>(input.labels[row])];
  return counts;
}

std::string list_counts(const SplitInput& input, const std::vector<std::size_t>& counts) {
  std::string list;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    list += (k == 0 ? "'" : ", '") + input.classes[k] + "' " + std::to_string(counts[k]);
  }
  return list;
}

void demand_two_classes(const SplitInput& input, const Rows& rows) {
  const auto counts = count_classes(input, rows);
  if (std::ranges::count_if(counts, [](std::size_t c) { return c > 0; }) >= 2) return;
  throw DataError("the target needs two classes, but the rows per class are " + list_counts(input, counts) +
                  "; check the target column");
}

void demand_each_class(const SplitInput& input, const Rows& rows, std::size_t least, const std::string& where) {
  const auto counts = count_classes(input, rows);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const bool absent = std::ranges::find(input.labels, static_cast<std::int32_t>(k)) == input.labels.end();
    if (absent || counts[k] >= least) continue;
    throw DataError("class '" + input.classes[k] + "' has " + std::to_string(counts[k]) +
                    (counts[k] == 1 ? " row " : " rows ") + where + ", the split needs " + std::to_string(least) +
                    " (rows per class there: " + list_counts(input, counts) +
                    "); merge or drop the class, or choose another split");
  }
}

// How many rows of each class stay, see the header.
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

Cut stratified_cut(const SplitInput& input, const Rows& rows, std::uint64_t seed, Stage stage) {
  const auto counts = count_classes(input, rows);
  const auto kept = kept_counts(counts);
  Cut cut;
  for (std::uint32_t k = 0; k < counts.size(); ++k) {
    Rows of_class;
    std::ranges::copy_if(rows, std::back_inserter(of_class),
                         [&](std::uint32_t row) { return input.labels[row] == static_cast<std::int32_t>(k); });
    const Stream stream({.seed = seed, .purpose = Purpose::split, .member = k, .step = stage});
    const auto order = stream.permutation(of_class.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      (i < kept[k] ? cut.kept : cut.held_out).push_back(of_class[order[i]]);
  }
  std::ranges::sort(cut.kept);
  std::ranges::sort(cut.held_out);
  return cut;
}

Split random_split(const SplitInput& input, const Rows& all, std::uint64_t seed) {
  demand_each_class(input, all, 3, "in all");
  Cut outer = stratified_cut(input, all, seed, kFirstCut);
  Cut inner = stratified_cut(input, outer.kept, seed, kSecondCut);
  Split split{.train = {}, .validation = std::move(inner.held_out), .test = std::move(outer.held_out)};
  const Stream stream({.seed = seed, .purpose = Purpose::split, .member = 0, .step = kTrainOrder});
  for (const std::uint32_t i : stream.permutation(inner.kept.size())) split.train.push_back(inner.kept[i]);
  return split;
}

Split limited_split(const SplitInput& input, const Rows& all, const SplitOptions& options) {
  Split split = random_split(input, all, options.seed);
  split.train.resize(std::min(split.train.size(), options.limit));
  demand_each_class(input, split.train, 1, "among the first " + std::to_string(options.limit) + " training rows");
  return split;
}

Split threshold_split(const SplitInput& input, std::span<const double> values, const SplitOptions& options,
                      const std::string& what) {
  const double threshold =
      quantile({values.begin(), values.end()}, options.kind == SplitKind::extrapolation ? 0.5 : options.quantile);
  Split split;
  Rows far;
  for (std::uint32_t row = 0; row < values.size(); ++row) (values[row] <= threshold ? split.train : far).push_back(row);
  demand_each_class(input, split.train, 1, "with a " + what + " at or below the threshold");
  demand_each_class(input, far, 2, "with a " + what + " above the threshold");
  Cut cut = stratified_cut(input, far, options.seed, kFirstCut);
  split.test = std::move(cut.kept);
  split.validation = std::move(cut.held_out);
  return split;
}

Split labelled_split(const SplitInput& input) {
  Split split;
  for (std::uint32_t row = 0; row < input.parts.size(); ++row) {
    switch (input.parts[row]) {
      case Part::train:
        split.train.push_back(row);
        break;
      case Part::validation:
        split.validation.push_back(row);
        break;
      case Part::test:
        split.test.push_back(row);
        break;
    }
  }
  demand_each_class(input, split.train, 1, "labelled train");
  return split;
}

void demand_column(const SplitInput& input, double wanted) {
  PERPEND_CHECK(input.column.size() == input.labels.size());
  if (!(wanted >= 0 && wanted <= 1)) {
    throw ConfigError("the split's quantile is " + std::to_string(wanted) + "; give a number from 0 to 1");
  }
  const auto missing = std::ranges::count_if(input.column, [](double v) { return !std::isfinite(v); });
  if (missing > 0) {
    throw DataError("the split column has no finite value in " + std::to_string(missing) + " of " +
                    std::to_string(input.column.size()) + " rows; choose a column without gaps");
  }
}

}  // namespace

Split split_rows(const SplitInput& input, const SplitOptions& options) {
  Rows all(input.labels.size());
  std::iota(all.begin(), all.end(), 0U);
  demand_two_classes(input, all);
  switch (options.kind) {
    case SplitKind::random:
      return random_split(input, all, options.seed);
    case SplitKind::limited:
      return limited_split(input, all, options);
    case SplitKind::extrapolation:
      PERPEND_CHECK(input.norms.size() == input.labels.size());
      return threshold_split(input, input.norms, options, "norm");
    case SplitKind::by_column:
      demand_column(input, options.quantile);
      return threshold_split(input, input.column, options, "split column");
    case SplitKind::labels:
      PERPEND_CHECK(input.parts.size() == input.labels.size());
      return labelled_split(input);
    case SplitKind::none:
      return {.train = std::move(all), .validation = {}, .test = {}};
  }
  PERPEND_CHECK(false);
  return {};
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
    if (word == "train")
      parts.push_back(Part::train);
    else if (word == "validation")
      parts.push_back(Part::validation);
    else if (word == "test")
      parts.push_back(Part::test);
    else {
      throw DataError("row " + std::to_string(parts.size() + 1) + " of the split column says '" + word.substr(0, 40) +
                      "'; use train, validation or test");
    }
  }
  return parts;
}

}  // namespace perpend
