// Generated data sets: small worlds in which the truth is known.
//
// toy-1 .. toy-4, manifold   the paper's 2-D sets (figure 2) and its manifold set (appendix), on fixed 100 x 100 grids
// quadrants                  two opposite quadrants: either coordinate explains the labels
// shortcut, shortcut-*       one column gives the answer here and fails elsewhere; the truth is a ring in two others
// planted-D                  the sum of a pair of columns tells the class, for D of five pairs; so D models are planted
// blocks, blocks-*           three groups of near-duplicate sensors, one of which fails elsewhere
//
// The same name, seed and number of rows give the same bytes on every machine. A sampled set of n rows begins with the
// rows of every smaller one. A grid set has its own rows, in an order drawn from the seed; for the manifold the seed
// also draws the map. The twins -failed and -flipped are new rows, never those of the set they follow, and the two
// twins of shortcut differ from each other in column `ward` alone.
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
  std::size_t rows;              // when no number is given
  bool sampled;                  // any number of rows; else exactly `rows`
};

constexpr std::size_t kMostGeneratedRows = 100'000'000;

struct GenerateOptions {
  std::uint64_t seed = 0;
  std::size_t rows = 0;  // 0: the set's own number
};

std::vector<GeneratedSet> generated_sets();  // by name

// Throws DataError for an unknown name, ConfigError for another number of rows than a grid set has.
Dataset generate(std::string_view name, const GenerateOptions& options = {});

}  // namespace perpend
