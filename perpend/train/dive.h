// Diverse ensemble evolution (Zhou, Wang and Bilmes 2018): rows are assigned to members, again and again. First each
// member chooses rows that are easy for it and unlike one another; in the end each row chooses the members that are
// best at it.
//
// Round t looks for an assignment A, a set of pairs (member i, row j), that makes this large:
//
//   G(A) = sum over (i, j) in A of (beta - loss_i(j)) + lambda sum_i F(A_i) + gamma sum_j H(|A^j|)
//
//   A_i: the rows of member i, at most p of them.      A^j: the members of row j, at most k of them.
//   F(S) = 1 / columns * sum over columns and bins of sqrt(n |rows of S in the bin|): large where S has rows of every
//          kind; the label is one more column, whose bins are the classes           (diversity within a member)
//   H(c) = 1 + 1/2 + ... + 1/c: the first member of a row counts most                (diversity between members)
//
// F and H are submodular, and the limits are two partition matroids. As in the source, a greedy choice is made: the
// pair with the largest gain comes first, as long as its gain is above 0. Then the members train on A for a round, and
// continue from their present weights:
//
//   L = sum over (i, j) in A of weight_j loss_i(j)
//
// The curriculum of the first 7 of 8 rounds, with s = t / 7 from 0 to 6/7:
//
//   p     from a quarter of the rows to all of them:   n (1/4 + 3 s / 4)
//   k     from all members to a third of them:         M + s (ceil(M / 3) - M), rounded
//   lambda, gamma = 1 - s
//   beta  the mean loss of all pairs: a row that is harder than this needs the diversity to be chosen
//
// In the last round lambda and gamma are 0 and p does not limit. So A is each row's k best members, and every step
// finds it again (objective/experts.h). Members decide by the mean of their probabilities.
//
// Our choices. The source leaves F open; bins of the columns take the place of its features of pictures. It
// rewards rows less if two members share them, by F of the union of the members' rows. H does so row by row, without
// M^2 unions. The source's schedules are factors per epoch, found per data set; those above are the same for all
// tables. A number has four bins, by the ranks of its training cells, and a missing cell is a bin of its own.
//
// Length. Given epochs are divided evenly among the rounds. With early stopping, the first seven rounds have 10,000 row
// visits each, and the last one stops by itself. So it costs what restarts cost, plus up to 70,000 row visits per
// member. An assignment costs about as much as a pass over the rows, times the logarithm of their number.
//
// A logistic regression and boosted trees learn from all rows, if they are members too.
//
// When not to use it. In the end a row trains a third of the members, so each member sees fewer rows than a restart
// does. Where rows are few, this makes members worse. Members that specialise are good together only on rows like those
// that they have seen.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perpend/train/training.h"

namespace perpend {

// The bins of each row: one per column, counted through all columns, and one for its label where there are classes.
struct RowKinds {
  std::size_t columns = 0;         // entries per row
  std::size_t bins = 0;            // of all columns together
  std::vector<std::uint32_t> bin;  // (rows, columns)
};
RowKinds kinds_of(const Dataset& data);

struct Curriculum {
  double progress = 0;           // s
  std::size_t most_rows = 0;     // p
  std::size_t most_members = 0;  // k
};
Curriculum curriculum(double progress, std::size_t members, std::size_t rows);

// Finds A. losses[member][row] gives taken[member * rows + row], which is 1 where the pair is in A.
std::vector<char> assign(const std::vector<std::vector<double>>& losses, const RowKinds& kinds,
                         const Curriculum& curriculum);

TrainResult train_dive(const TrainingTask& task, const Threads& threads);

}  // namespace perpend
