// Divides rows into those that train, those that validate and those that test.
//
// kind           train                                     the rest
// random         80 % of the rows that do not test         20 % of the rows test, then 20 % of the others validate
// extrapolation  rows with norm <= median norm (sec. 4.2)  the far half: 80 % test, 20 % validate
// limited        the first `limit` rows of random's train  validation and test as random; other rows are left out
// by_column      rows with column <= its quantile          the rest: 80 % test, 20 % validate
// domain         80 % of the rows that do not test         rows of test domains test, then 20 % of the others validate
// labels         rows labelled "train"                     rows labelled "validation" or "test"
// none           every row                                 no row; prepare (run/run.h) orders the rows by content
//
// Every cut "80/20" is stratified. Of n rows in K classes, ceil(n / 5) rows are held out, but at least K. Class k has
// c_k rows and the quota q_k = c_k * kept / n, and it keeps floor(q_k) rows. The rows still to keep go, one each, to
// the classes of largest remainder (the earlier class on a tie). A class that would have no row left to hold out gets
// none. So the counts per class depend only on the class counts, and the choice of the rows depends only on the seed.
//
// Row numbers are ascending, except in `train` of random, limited and domain. There they are in an order drawn from the
// seed, as scikit-learn's train_test_split leaves them. "The first 1000 training rows" are the first in that order, and
// fixed contiguous batches follow it.
//
// Domains (hospitals, years, sites) are the places, times or groups that rows come from. Every row of a test domain
// tests, and no other row does. A user names the test domains. Without names one domain is left out: seed s leaves out
// domain number s modulo their count, so the seeds 0, 1, 2, ... go through all domains. A test domain may lack a class,
// as a new place may.
//
// A group (the hours of a patient, the photos of a person) goes to one part as a whole. Groups are cut like the rows
// above, and "80/20" counts groups:
//   class          For the strata, a group has the rarest class among its rows (of equally rare classes the later). So
//                  one positive hour makes a positive patient.
//   extrapolation  The distance of a group is the median of its rows' norms, and half of the groups train. by_column
//                  uses the median of the column in the same way.
//   limited        The first `limit` rows train, as above, and they belong to many groups. The other rows of these
//                  groups are in no part.
//   labels         It is a DataError if the rows of a group are labelled for different parts.
//   domain         It is a DataError if a group has rows inside and outside the test domains.
// The order of `train` in random and domain is drawn over rows, so a batch mixes groups. One group per row is the same
// as no groups.
//
// The median is numpy's: for an even number of rows it is the mean of the two middle norms. The quantile is numpy's
// default: it is linear between the two neighbours. Do not use extrapolation on columns of different scale, because the
// largest column would dominate the norm.
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
  std::vector<std::string> test_domains = {};  // domain; if empty, the seed chooses one
};

// What a split needs, with one value per row. Only labels and classes are needed always.
struct SplitInput {
  std::span<const std::int32_t> labels;  // indices into classes
  std::span<const std::string> classes;  // names, for messages
  // True if the labels are strata of a number (target_strata). Cuts follow them, but a part may lack a stratum.
  bool strata = false;
  std::span<const double> norms = {};              // extrapolation: row_norms of the encoded rows
  std::span<const double> column = {};             // by_column: raw values
  std::span<const Part> parts = {};                // labels
  std::span<const std::uint32_t> domains = {};     // domain: indices into domain_names, each of which has a row
  std::span<const std::string> domain_names = {};  // in the order that the seed counts
  std::span<const std::uint32_t> groups = {};      // indices into group_names, each of which has a row; may be empty
  std::span<const std::string> group_names = {};   // for messages
};

struct Split {
  std::vector<std::uint32_t> train;
  std::vector<std::uint32_t> validation;
  std::vector<std::uint32_t> test;

  bool operator==(const Split&) const = default;
};

// Labels for the split of a regression. The rows are sorted by their targets and cut into kTargetStrata runs of equal
// length. So every part of a random split has small, medium and large targets.
constexpr std::size_t kTargetStrata = 4;
std::vector<std::int32_t> target_strata(std::span<const double> targets);
std::span<const std::string> strata_names();

// Throws DataError with the class counts if there is one class only, or if a part would lack a class. Of each class,
//   random, limited            need three rows,
//   extrapolation, by_column   need one row at or below the threshold and two above it,
//   domain                     needs two rows outside the test domains,
//   limited, labels            need one row in train.
// With groups, each class needs as many groups, and every part needs a row of each class (except the test rows of
// domain). A missing or infinite value in `column` is a DataError, too. left_out_domains may also throw.
Split split_rows(const SplitInput& input, const SplitOptions& options);

// The places of the rows that still train, and of those that validate.
struct Division {
  std::vector<std::uint32_t> train, validation;
};

// Divides training rows once more, 80/20 as above, so that early stopping has rows to validate on. The result has the
// places in `labels` (and `groups`) that still train, and those that validate. There is no result if a class has fewer
// than kFewestToDivide rows (or groups), because after a division they would be too few to train and to validate on.
constexpr std::size_t kFewestToDivide = 5;
std::optional<Division> divide_training_rows(const SplitInput& input, std::uint64_t seed);

// The test domains as indices into `names`, ascending. Numbers are compared by value: 2004.0 names '2004'. Throws
// DataError if a test domain is not among the names, or if no domain would be left to train on.
std::vector<std::uint32_t> left_out_domains(std::span<const std::string> names, const SplitOptions& options);

// Euclidean norms, summed in double from the first feature to the last.
std::vector<double> row_norms(InputsView inputs);

// Reads "train", "validation" and "test". Anything else is a DataError with the row's number, counted from 1.
std::vector<Part> parse_parts(std::span<const std::string> words);

}  // namespace perpend
