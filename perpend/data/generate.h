// Generated data sets, in which the truth is known.
//
// toy-1 .. toy-4, manifold   the paper's 2-D sets (figure 2) and its manifold set (appendix), on fixed 100 x 100 grids
// quadrants                  two opposite quadrants: either coordinate explains the labels
// shortcut, shortcut-*       one column gives the answer here and fails elsewhere; the truth is a ring in two others
// planted-D                  D of five pairs of columns tell the class, each by its sum; so D models are planted
// blocks, blocks-*           three groups of near-duplicate sensors, one of which fails elsewhere
//
// The same name, seed and number of rows give the same bytes on every machine. A sampled set of n rows begins with the
// rows of every smaller one. A grid set has fixed rows, in an order drawn from the seed. For the manifold the seed also
// draws the map. The twins -failed and -flipped have new rows, which are never rows of the set that they belong to. The
// two twins of shortcut differ from each other only in column `ward`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "perpend/data/dataset.h"

namespace perpend {

struct GeneratedSet {
  std::string_view name;
  std::string_view description;  // one line
  std::size_t rows;              // the number of rows if none is given
  bool sampled;                  // whether any number of rows is possible; else exactly `rows`
};

constexpr std::size_t kMostGeneratedRows = 100'000'000;

struct GenerateOptions {
  std::uint64_t seed = 0;
  std::size_t rows = 0;  // 0 stands for the set's own number
};

std::vector<GeneratedSet> generated_sets();  // sorted by name

// Throws DataError for an unknown name, and ConfigError if a grid set is asked for another number of rows.
Dataset generate(std::string_view name, const GenerateOptions& options = {});

}  // namespace perpend
