// Tests which value a tree gives to a row, and which forged trees are refused.
#include "perpend/trees/tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace perpend {
namespace {

// Column 0 is a number, column 1 a category of 40 levels.
std::vector<ColumnTable> two_columns() {
  std::vector<ColumnTable> tables(2);
  tables[1].is_category = true;
  tables[1].means.assign(40, 1.0F / 40);
  return tables;
}

// Node 0: x0 <= 0.5 goes left, and missing cells too. Its left child, node 1: levels 0, 33 and unseen ones go left.
Tree small_tree() {
  Tree tree;
  tree.column = {0, 1};
  tree.threshold = {0.5F, 0};
  tree.missing_left = {1, 0};
  tree.left = {1, ~0};
  tree.right = {~2, ~1};
  tree.first_word = {0, 0, 2};
  tree.words = {0b11, 0b100};
  tree.value = {10, 20, 30};
  tree.weight = {1, 2, 3};
  return tree;
}

float value_of(const Tree& tree, float x0, float x1) {
  const float row[] = {x0, x1};
  return tree.value[tree.leaf_of(row)];
}

TEST(Tree, ThresholdItselfGoesLeft) {
  EXPECT_EQ(value_of(small_tree(), 0.5F, 0), 10);
  EXPECT_EQ(value_of(small_tree(), std::nextafter(0.5F, 1.0F), 0), 30);
}

TEST(Tree, MissingNumberGoesToItsSide) {
  Tree tree = small_tree();
  EXPECT_EQ(value_of(tree, NAN, 0), 10);
  tree.missing_left[0] = 0;
  EXPECT_EQ(value_of(tree, NAN, 0), 30);
}

TEST(Tree, LevelsOfTheSetGoLeftAndAllOthersRight) {
  EXPECT_EQ(value_of(small_tree(), 0, -1), 10);  // unseen in training
  EXPECT_EQ(value_of(small_tree(), 0, 0), 10);
  EXPECT_EQ(value_of(small_tree(), 0, 33), 10);
  EXPECT_EQ(value_of(small_tree(), 0, 1), 20);
  EXPECT_EQ(value_of(small_tree(), 0, 40), 20);  // missing
  EXPECT_EQ(value_of(small_tree(), 0, 1000), 20);
}

TEST(Tree, SoundTreesHaveNoProblem) {
  EXPECT_EQ(problem_of({.start = {0}, .trees = {small_tree(), small_tree()}}, two_columns()), "");
  Tree leaf;
  leaf.value = {1};
  leaf.weight = {1};
  EXPECT_EQ(problem_of({.start = {0}, .trees = {leaf}}, two_columns()), "");
}

// Each node is the right child of the one before.
Tree chain(std::int32_t nodes) {
  Tree tree;
  for (std::int32_t n = 0; n < nodes; ++n) {
    tree.left.push_back(~n);
    tree.right.push_back(n + 1 < nodes ? n + 1 : ~nodes);
  }
  const auto count = static_cast<std::size_t>(nodes);
  tree.column.assign(count, 0);
  tree.threshold.assign(count, 0);
  tree.missing_left.assign(count, 0);
  tree.first_word.assign(count + 1, 0);
  tree.value.assign(count + 1, 1);
  tree.weight.assign(count + 1, 1);
  return tree;
}

TEST(Tree, ThirtyTwoNodesMayLieBelowOneAnotherAndNoMore) {
  EXPECT_EQ(problem_of({.start = {0}, .trees = {chain(32)}}, two_columns()), "");
  EXPECT_NE(problem_of({.start = {0}, .trees = {chain(33)}}, two_columns()), "");
}

TEST(Tree, ForgedTreesAreRefused) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  const std::pair<const char*, std::function<void(Tree&)>> forgeries[] = {
      {"cycle", [](Tree& t) { t.left[1] = 0; }},
      {"itself", [](Tree& t) { t.left[1] = 1; }},
      {"inner child out of range", [](Tree& t) { t.left[0] = 2; }},
      {"leaf out of range", [](Tree& t) { t.right[0] = ~3; }},
      {"lowest child", [](Tree& t) { t.right[0] = std::numeric_limits<std::int32_t>::min(); }},
      {"two parents", [](Tree& t) { t.right[0] = ~0; }},
      {"column out of range", [](Tree& t) { t.column[0] = 2; }},
      {"column below 0", [](Tree& t) { t.column[0] = -1; }},
      {"number as category", [](Tree& t) { t.column[1] = 0; }},
      {"category as number", [](Tree& t) { t.column[0] = 1; }},
      {"NaN threshold", [nan](Tree& t) { t.threshold[0] = nan; }},
      {"infinite threshold", [infinite](Tree& t) { t.threshold[0] = infinite; }},
      {"category with a threshold", [](Tree& t) { t.threshold[1] = 1; }},
      {"category with a side", [](Tree& t) { t.missing_left[1] = 1; }},
      {"side 2", [](Tree& t) { t.missing_left[0] = 2; }},
      {"NaN leaf", [nan](Tree& t) { t.value[1] = nan; }},
      {"infinite leaf", [infinite](Tree& t) { t.value[1] = infinite; }},
      {"weight 0", [](Tree& t) { t.weight[1] = 0; }},
      {"NaN weight", [nan](Tree& t) { t.weight[1] = nan; }},
      {"too few leaves", [](Tree& t) { t.value.pop_back(); }},
      {"no leaves", [](Tree& t) { t = Tree(); }},
      {"too few thresholds", [](Tree& t) { t.threshold.pop_back(); }},
      {"too few sides", [](Tree& t) { t.missing_left.pop_back(); }},
      {"too few left children", [](Tree& t) { t.left.pop_back(); }},
      {"too few right children", [](Tree& t) { t.right.pop_back(); }},
      {"too few weights", [](Tree& t) { t.weight.pop_back(); }},
      {"no first words", [](Tree& t) { t.first_word.clear(); }},
      {"first words descend",
       [](Tree& t) {
         t.first_word = {0, 2, 1};
       }},
      {"first word is not 0",
       [](Tree& t) {
         t.first_word = {1, 1, 2};
       }},
      {"words missing", [](Tree& t) { t.words.pop_back(); }},
      {"words left over", [](Tree& t) { t.words.push_back(0); }},
      {"set too long",
       [](Tree& t) {
         t.words.push_back(0);
         t.first_word[2] = 3;
       }},
  };
  for (const auto& [name, forge] : forgeries) {
    BoostedTrees trees{.start = {0}, .trees = {small_tree(), small_tree()}};
    forge(trees.trees[1]);
    EXPECT_NE(problem_of(trees, two_columns()), "") << name;
  }
  EXPECT_NE(problem_of({.start = {}, .trees = {}}, two_columns()), "");
  EXPECT_NE(problem_of({.start = {nan}, .trees = {}}, two_columns()), "");
  EXPECT_NE(problem_of({.start = {0, 0}, .trees = {small_tree()}}, two_columns()), "");
}

}  // namespace
}  // namespace perpend
