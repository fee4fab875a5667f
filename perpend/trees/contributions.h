// What each column adds to the score of a row. These are exact Shapley values of the trees (Lundberg et al., 2020,
// "path-dependent TreeSHAP"), the same as LightGBM's pred_contrib.
//
// In this game, a set of columns is known. The value of a set is the tree's value for the row, where each node with an
// unknown column takes both sides, by the weight of the training rows that went there. A column's contribution is what
// it adds to this value, averaged over all orders in which the columns can become known. So the contributions of a row
// sum up to its score less mean_score(), and columns that play the same part get the same.
//
// The cost per row and tree is about leaves times depth squared. Tens of thousands of rows take minutes, not hours.
#pragma once

#include "perpend/trees/tree.h"

namespace perpend {

// Contributions to one output's score, (rows, columns).
Inputs contributions(const BoostedTrees& trees, std::size_t output, InputsView rows, const Threads& threads);

// The mean score of the training rows, by the leaves' weights. Contributions are differences from it.
double mean_score(const BoostedTrees& trees, std::size_t output);

}  // namespace perpend
