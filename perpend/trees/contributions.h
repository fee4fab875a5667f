// What each column adds to the score of a row: exact Shapley values of the trees (Lundberg et al., 2020,
// "path-dependent TreeSHAP"), the same that LightGBM's pred_contrib gives.
//
// The game: a set of columns is known, and the value of a set is the tree's value for the row where each node with an
// unknown column takes both sides, by the weight of the training rows that went there. A column's contribution is what
// it adds to this value, averaged over all orders in which the columns can become known. So all contributions of a row
// sum up to its score less mean_score(), and columns that play the same part get the same.
//
// A row and tree cost about leaves times depth squared; tens of thousands of rows are minutes, not hours.
#pragma once

#include "perpend/trees/tree.h"

namespace perpend {

// (rows, columns), of one output's score.
Inputs contributions(const BoostedTrees& trees, std::size_t output, InputsView rows, const Threads& threads);

// The mean score of the training rows by the leaves' weights: what contributions start from.
double mean_score(const BoostedTrees& trees, std::size_t output);

}  // namespace perpend
