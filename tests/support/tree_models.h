// Makes boosted trees from random numbers, and models whose last member they are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/support/model_files.h"

namespace perpend::test {

// A tree that splits every column once, up to the largest depth. On one side it goes on to the next column, and on the
// other side it ends in a leaf.
inline Tree made_up_tree(const std::vector<ColumnTable>& columns, const Stream& stream, std::uint64_t next = 0) {
  Tree tree;
  const auto count = static_cast<std::int32_t>(std::min(columns.size(), kMostTreeDepth));
  for (std::int32_t n = 0; n < count; ++n) {
    const ColumnTable& column = columns[static_cast<std::size_t>(n)];
    tree.column.push_back(n);
    tree.threshold.push_back(column.is_category ? 0 : static_cast<float>(stream.normal(next++)));
    tree.missing_left.push_back(!column.is_category && stream.below(next++, 2) == 1 ? 1 : 0);
    std::int32_t leaf = ~n, more = n + 1 < count ? n + 1 : ~count;
    if (stream.below(next++, 2) == 1) std::swap(leaf, more);
    tree.left.push_back(leaf);
    tree.right.push_back(more);
    const std::size_t words = column.is_category ? (column.means.size() + 2 + 31) / 32 : 0;
    for (std::size_t w = 0; w < words; ++w) tree.words.push_back(stream.below(next++, 1U << 31));
    tree.first_word.push_back(static_cast<std::uint32_t>(tree.words.size()));
  }
  for (std::int32_t leaf = 0; leaf <= count; ++leaf) {
    tree.value.push_back(static_cast<float>(stream.normal(next++)));
    tree.weight.push_back(static_cast<float>(1 + leaf));
  }
  return tree;
}

inline BoostedTrees made_up_trees(const Architecture& architecture, std::size_t rounds, std::uint64_t seed = 1) {
  BoostedTrees trees;
  for (std::size_t k = 0; k < architecture.scores(); ++k) trees.start.push_back(static_cast<float>(k) - 0.5F);
  for (std::size_t t = 0; t < rounds * architecture.scores(); ++t) {
    const Stream stream(
        {.seed = seed, .purpose = Purpose::test, .member = 1000, .step = static_cast<std::uint32_t>(t)});
    trees.trees.push_back(made_up_tree(architecture.columns, stream));
  }
  return trees;
}

// A number with bins and gaps, one without both, a category of few levels with gaps, and one whose sets take two words.
inline std::vector<ColumnTable> tree_columns() {
  return {{.edges = {-1.5F, -0.25F, 0.5F, 2}, .means = {0.75F, 0.5F, 0.25F}, .missing = 0.125F},
          {},
          {.means = {0.5F, 0.25F}, .is_category = true, .missing = 0.25F},
          {.means = std::vector<float>(40, 0.025F), .is_category = true}};
}

// A model of a network and trees.
inline ModelFile made_up_tree_model(const std::vector<ColumnTable>& columns, std::size_t classes, std::size_t rounds) {
  ModelFile model = made_up_model({.features = columns.size(),
                                   .hidden = {2},
                                   .classes = classes,
                                   .columns = columns,
                                   .views = {View::linear, View::trees}},
                                  2);
  model.ensemble.trees = made_up_trees(model.ensemble.architecture, rounds);
  return model;
}

}  // namespace perpend::test
