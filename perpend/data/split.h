// Which rows train, which validate, which test.
//
// kind           train                                     the rest
// random         80 % of what is not test                  20 % of the rows test, then 20 % of the others validate
// extrapolation  rows with norm <= median norm (sec. 4.2)  the far half: 80 % test, 20 % validate
// limited        the first `limit` rows of random's train  validation and test as random; other rows are left out
// by_column      rows with column <= its quantile          the rest: 80 % test, 20 % validate
// domain         80 % of what is not test                  the test domains' rows test, then 20 % of the others
// validate labels         rows that say so                          rows that say so none           every row nothing;
// prepare (run/run.h) orders them by content
//
// Every cut "80/20" is stratified. Of n rows in K classes, ceil(n / 5) rows are held out, but at least K. Class k has
// c_k rows and the quota q_k = c_k * kept / n; it keeps floor(q_k) rows. The rows still to keep go, one each, to the
// classes of largest remainder (the earlier class on a tie). A class that would have no row left to hold out gets none.
// So the counts per class depend only on the class counts, and which rows they are depends only on the seed.
//
// Row numbers are ascending, except in `train` of random, limited and domain: there they are in an order drawn from the
// seed, as scikit-learn's train_test_split leaves them. "The first 1000 training rows" are meant in that order, and
// fixed contiguous batches follow it.
//
// Domains (hospitals, years, sites) are the places, times or groups that rows come from. Every row of a test domain
// tests, and no other row does. A user names the test domains. Without names one domain is left out: seed s leaves out
// domain number s modulo their count, so the seeds 0, 1, 2, ... go through all domains. A test domain may miss a class,
// as a new place may.
//
// Groups (the hours of a patient, the photos of a person): a group goes to one part as a whole. Then groups are cut as
// rows are above, and "80/20" counts groups:
//   class          for the strata, a group is of the rarest class among its rows (of equally rare ones the later), so
//                  that one positive hour makes a positive patient
//   extrapolation  a group is as far out as the median of its rows' norms, and half of the groups train; by_column
//                  likewise with the median of its column
//   limited        the first `limit` rows as above: rows of many groups. The other rows of these groups are left out,
//                  and appear in no part
//   labels         a group labelled two ways is a DataError
//   domain         a group with rows inside and outside the test domains is a DataError
// The order of `train` in random and domain is drawn over rows, so a batch mixes groups. One group per row is the same
// as no groups.
//
// The median is numpy's (of an even number of rows, the mean of the two middle norms), the quantile numpy's default
// (linear between the two neighbours). Do not use extrapolation on columns of different scale: the norm would be that
// of the largest column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perpend/base/matrix.h"

namespace perpend {

enum class SplitKind : std::uint8_t { random, extrapolation, limited, by_column, domain, labels, none };
enum class Part : std::uint8_t { train, validation, test };

struct SplitOptions {
  SplitKind kind = SplitKind::random;
  std::uint64_t seed = 0;
  std::size_t limit = 1000;                    // limited
  double quantile = 0.5;                       // by_column, in [0, 1]
  std::vector<std::string> test_domains = {};  // domain; empty: the seed leaves one out
};

// What a split looks at, a value per row; only labels and classes are always needed.
struct SplitInput {
  std::span<const std::int32_t> labels;  // indices into classes
  std::span<const std::string> classes;  // names, for messages
  // The labels are strata of a number (target_strata): cuts follow them, but a part may lack one.
  bool strata = false;
  std::span<const double> norms = {};              // extrapolation: row_norms of the encoded rows
  std::span<const double> column = {};             // by_column: raw values
  std::span<const Part> parts = {};                // labels
  std::span<const std::uint32_t> domains = {};     // domain: indices into domain_names, each of which has a row
  std::span<const std::string> domain_names = {};  // in the order that the seed counts
  std::span<const std::uint32_t> groups = {};      // indices into group_names, each of which has a row; empty: none
  std::span<const std::string> group_names = {};   // for messages
};

struct Split {
  std::vector<std::uint32_t> train;
  std::vector<std::uint32_t> validation;
  std::vector<std::uint32_t> test;

  bool operator==(const Split&) const = default;
};

// Labels for the split of a regression: the rows in the order of their targets, cut into kTargetStrata runs of equal
// length. So every part of a random split has small, middling and large targets.
constexpr std::size_t kTargetStrata = 4;
std::vector<std::int32_t> target_strata(std::span<const double> targets);
std::span<const std::string> strata_names();

// Throws DataError with the class counts when the labels hold one class only, or when a part would miss a class: random
// and limited need three rows of each class, extrapolation and by_column one at or below the threshold and two above
// it, domain two outside the test domains, limited and labels one in train; with groups, as many groups of each class,
// and a row of each class in every part (but for the test rows of domain). A missing or infinite value in `column` is a
// DataError too, and so is what left_out_domains throws.
Split split_rows(const SplitInput& input, const SplitOptions& options);

// Divides training rows once more, 80/20 as above, so that early stopping has rows to validate on: the places in
// `labels` (and `groups`) that go on training, and those that validate. Nothing where a class has fewer than
// kFewestToDivide rows (or groups), because so few can neither train nor judge when they are divided.
constexpr std::size_t kFewestToDivide = 5;
struct Division {
  std::vector<std::uint32_t> train, validation;
};
std::optional<Division> divide_training_rows(const SplitInput& input, std::uint64_t seed);

// The domains that test, as indices into `names`, ascending. A number is known by its value: 2004.0 names '2004'.
// Throws DataError when a test domain is not among the names, or when no domain would be left to train on.
std::vector<std::uint32_t> left_out_domains(std::span<const std::string> names, const SplitOptions& options);

// Euclidean norms, summed in double from the first feature to the last.
std::vector<double> row_norms(InputsView inputs);

// Reads "train", "validation" and "test"; anything else is a DataError with the row's number, counted from 1.
std::vector<Part> parse_parts(std::span<const std::string> words);

}  // namespace perpend
