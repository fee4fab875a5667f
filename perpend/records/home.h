// What a model remembers of the rows it was made with, so that later rows can be compared with them ("home").
//
// No cell of any row is kept. A column is a histogram of the training and validation rows. For at most 1,000 validation
// rows, the model keeps what its members answered, the label, and 256 yes-or-no marks (evaluate/marks.h). The members
// had not trained on these rows when they answered them.
//
// Example: `monitor` compares a new table with the histograms to find the columns that moved, with the marks to find a
// change that no single column shows, and with the answers and labels to say how accurate the model still is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perpend {

// One column of the schema, as the rows at home had it.
struct HomeColumn {
  // For a number, ascending, in encoded units. Bin 0 holds the cells up to edges[0], bin b those above edges[b - 1] and
  // up to edges[b], and the last bin all above. A category has none.
  std::vector<float> edges;
  // For a number: one count per bin, then the missing cells. For a category: one count per level, then the missing
  // cells, then all cells whose level the schema does not have.
  std::vector<std::uint32_t> counts;

  bool operator==(const HomeColumn&) const = default;
};

constexpr std::size_t kMostHomeRows = 1000;
constexpr std::size_t kMarks = 256;
constexpr std::size_t kMarkWords = kMarks / 32;

struct Home {
  std::vector<HomeColumn> columns;   // one per column of the schema; empty where members see plain features
  std::size_t values = 0;            // numbers per row of `scores`: members times the scores of each
  std::vector<float> scores;         // (rows, values): as model/predict.h gives them, member after member
  std::vector<float> targets;        // per row: the index of its class, or the standardised target
  std::vector<std::uint32_t> marks;  // (rows, kMarkWords); empty where `columns` is

  std::size_t rows() const { return targets.size(); }
  bool empty() const { return targets.empty(); }
  std::span<const float> row_scores(std::size_t row) const { return std::span(scores).subspan(row * values, values); }

  bool operator==(const Home&) const = default;
};

}  // namespace perpend
