// Bagging (Breiman 1996): restarts, each member on its own bootstrap sample of the training rows.
//
// Member m sees n rows drawn with replacement from the n training rows: about 63 % of them, some more than once. The
// sample is fixed for the whole training, and batches pass over it as over any data set. The rows that a member has not
// seen (out of bag) tell how good the ensemble is on new rows of the same kind, without a validation part. They say
// nothing about rows from elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/data/dataset.h"
#include "perpend/model/ensemble.h"

namespace perpend {

// Draws member m's sample: its row i is below(i, rows) of the stream (seed, bootstrap, m, 0).
std::vector<std::uint32_t> bootstrap_rows(std::uint64_t seed, std::size_t member, std::size_t rows);

struct OutOfBag {
  std::vector<std::uint32_t> rows;  // training rows that at least one member has not seen, ascending
  // For each such row, the mean of the probabilities of the members that have not seen it. For a regression it has one
  // column: the mean of their predictions.
  Matrix<double, axis::Row, axis::Out> probabilities;
};
// The ensemble must have been bagged with this seed on these rows.
OutOfBag out_of_bag(const Ensemble& ensemble, const Dataset& train, std::uint64_t seed, const Threads& threads);

}  // namespace perpend
