// What the members of an ensemble look at, and which columns stand in for one another.
//
// Everything is read from input gradients g = d s / d x of a member's score s (model/ensemble.h). With two classes s is
// the log-odds. With K > 2 classes it is the log-odds of the class that the member predicts against the rest.
//
// Where the schema is by column (models with views), there is one g per column of the user's table. For a number it
// says how the score changes per training sd. For a category it is a contrast: by how much the row's level moves the
// score compared with the mean over levels (model/column_view.h). A missing number has g = 0, because there is nothing
// to change. Plain features have g in units of the encoded inputs: one sd of a standardised number, or the whole step
// of a level from 0 to 1.
//
// Boosted trees have no gradients. In place of g they have contributions (trees/contributions.h): what the row's cell
// adds to the score compared with the mean over training rows. Shares, levels and substitutes are made in the same way
// from these. Cosines between gradients leave the trees out.
//
//   share        of a member on a column of the user's table: the sum of |g| over rows, divided by that sum over all
//                columns. So a category counts by how far its levels move the score, not by how many it has. Where
//                plain features encode a category, the sum is over these features too. A cell can only go from one
//                level to another, so what the gradients of the levels have in common moves nothing: it is taken out
//                first.
//   level        of a category by column: the distribution of g among the rows that have the level. Its mean says which
//                way the level moves a member.
//   substitutes  members i and j reach the same answers from different columns when
//                (a) they predict alike: Cohen's kappa of their predicted classes is at least 0.8, so that agreeing on
//                    a common class by chance does not count;
//                (b) each relies on columns that the other does not: column c is i's own, not j's, when share_i(c) is
//                at
//                    least twice the even share 1 / columns (or a quarter, if that is less) and twice share_j(c).
//                i's own columns and j's own columns then substitute one another. Pairs of members with the same two
//                sets of columns are one finding.
//
// With tangents J(x) of the data, a member is also read along them. A row that stays on the data's surface can feel
// only the part of g within the span of J. The shares of this part tell what the member looks at there.
//
// A share says what moves a member's score near these rows. It does not say what moves the world. Substitutes are a
// statement about these rows: on rows where the members differ, (a) fails and nothing is found.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/base/tangents.h"
#include "perpend/data/schema.h"
#include "perpend/model/ensemble.h"
#include "perpend/records/evaluation.h"

namespace perpend {

inline constexpr std::array kGradientQuantiles = {0.05, 0.25, 0.5, 0.75, 0.95};
constexpr double kSubstituteKappa = 0.8;

// The distribution over rows of one member's gradient by one encoded feature.
struct GradientSummary {
  double mean = 0;
  double sd = 0;                  // divided by the number of rows
  std::vector<double> quantiles;  // as kGradientQuantiles
};

// The same among the rows with one level of a category.
struct LevelSummary {
  std::size_t level = 0;  // index into the column's levels; one past the last: the cell is missing
  std::size_t rows = 0;   // that have it
  GradientSummary contrast;
};

struct MemberExplanation {
  bool is_contribution = false;           // boosted trees: contributions stand in place of gradients
  std::size_t rows = 0;                   // that these were taken at
  std::vector<GradientSummary> features;  // per encoded feature
  // By column: per feature, the levels that these rows have, in the schema's order; a number has none. Empty for plain
  // features.
  std::vector<std::vector<LevelSummary>> levels;
  std::vector<double> shares;          // per column, sum 1; all 0 for a member whose gradients vanish
  std::vector<double> tangent_shares;  // the same of the part of g that lies along the data; empty without tangents
};

struct PairExplanation {
  std::size_t first = 0;
  std::size_t second = 0;  // > first
  Metric cos2;             // mean over rows, as in diversity.h; undefined with trees, like the next two
  Metric cosine;           // mean over rows
  Metric tangent_cos2;     // of J^T g (base/tangents.h); undefined without tangents
  double same = 0;         // share of rows on which both predict the same class
  Metric kappa;            // Cohen's; undefined when both predict one and the same class everywhere
};

struct Substitutes {
  std::array<std::vector<std::size_t>, 2> columns;  // these stand in for those
  std::array<std::vector<std::size_t>, 2> members;  // members[0] rely on columns[0], members[1] on columns[1]
};

struct Explanation {
  std::vector<MemberExplanation> members;
  std::vector<PairExplanation> pairs;
  std::vector<Substitutes> substitutes;
};

// What each member is read from on these rows: gradients, and contributions for trees, which are the last member.
struct Attributions {
  Stack<float, axis::Row, axis::Feature> gradients;
  Inputs contributions;  // of `rows`; none without trees
  // Contributions take a millisecond per row and more. So they are taken at every row only while rows times leaves are
  // at most kMostContributionLeaves. Otherwise they are taken at rows that are evenly spread, at least
  // kFewestContributionRows.
  Inputs rows;

  std::size_t members() const { return gradients.members() + (contributions.rows() > 0 ? 1 : 0); }
  InputsView of(std::size_t member) const {
    return member < gradients.members() ? gradients[member] : contributions.view();
  }
};
constexpr std::size_t kMostContributionLeaves = 20'000'000;
constexpr std::size_t kFewestContributionRows = 200;
Attributions attributions(const Ensemble& ensemble, InputsView inputs, const Threads& threads);

// attributions: one (rows, features) matrix per member; the first `differentiable` of them are gradients. predictions:
// one list per member with one class per row. schema: whose features these are. tangents: of these rows, or empty.
// There must be at least one row.
Explanation explain(std::span<const InputsView> attributions, std::size_t differentiable,
                    std::span<const std::vector<std::int32_t>> predictions, const Schema& schema,
                    const Threads& threads, const Tangents& tangents = {});

// Explains an ensemble on these rows; by column also the levels. `seen`: the ensemble's attributions on them, where
// they are known already.
Explanation explain(const Ensemble& ensemble, const Schema& schema, InputsView inputs, const Threads& threads,
                    const Tangents& tangents = {}, const Attributions* seen = nullptr);

// How much the ensemble looks at a column: the mean of the members' shares, weighted as in the mean of their answers.
struct ColumnImportance {
  std::size_t column = 0;
  double share = 0;
  double least = 0, most = 0;  // of the members' shares
};
// Largest first. `weights`: per member, with sum 1.
std::vector<ColumnImportance> importances(const Explanation& explanation, std::span<const double> weights);

// Returns the shares that importances() gives, per column in the schema's order, at no more than kImportanceRows rows
// that are evenly spread. They are rounded to millionths, which is finer than such a figure means.
constexpr std::size_t kImportanceRows = 500;
std::vector<double> column_importances(const Ensemble& ensemble, std::span<const double> weights, const Schema& schema,
                                       InputsView inputs, const Threads& threads);

// "f", or "missing".
std::string level_name(const InputColumn& column, std::size_t level);

}  // namespace perpend
