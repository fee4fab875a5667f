#include "perpend/trees/contributions.h"

#include <algorithm>

namespace perpend {

namespace {

// The weights of training rows below each node.
std::vector<double> weights_below(const Tree& tree) {
  std::vector<double> below(tree.nodes(), 0.0);
  for (std::size_t n = tree.nodes(); n-- > 0;) {
    for (const std::int32_t child : {tree.left[n], tree.right[n]}) {
      below[n] +=
          child < 0 ? double{tree.weight[static_cast<std::size_t>(~child)]} : below[static_cast<std::size_t>(child)];
    }
  }
  return below;
}

// One column of the path so far. `unknown` is the share of training rows that pass when the column is unknown. `known`
// is 1 if the row itself passes, else 0. `weight` of place i is the share of orders in which i of the path's columns
// are known, times the shares that pass.
struct Step {
  std::int32_t column = -1;
  double unknown = 1, known = 1, weight = 1;
};
using Path = std::vector<Step>;

void extend(Path& path, std::int32_t column, double unknown, double known) {
  const std::size_t depth = path.size();
  path.push_back({column, unknown, known, depth == 0 ? 1.0 : 0.0});
  const auto length = static_cast<double>(depth + 1);
  for (std::size_t i = depth; i-- > 0;) {
    path[i + 1].weight += known * path[i].weight * static_cast<double>(i + 1) / length;
    path[i].weight *= unknown * static_cast<double>(depth - i) / length;
  }
}

// Calls use(i, weight) with the weights that the path would have without step `at`.
template <class Use>
void unwound(const Path& path, std::size_t at, const Use& use) {
  const std::size_t depth = path.size() - 1;
  const auto length = static_cast<double>(depth + 1);
  const Step& step = path[at];
  double next = path[depth].weight;
  for (std::size_t i = depth; i-- > 0;) {
    const auto lower = static_cast<double>(depth - i);
    if (step.known != 0) {
      const double weight = next * length / (static_cast<double>(i + 1) * step.known);
      next = path[i].weight - weight * step.unknown * lower / length;
      use(i, weight);
    } else {
      use(i, path[i].weight * length / (step.unknown * lower));
    }
  }
}

// Takes step `at` out, as if no node had asked the column.
void unwind(Path& path, std::size_t at) {
  std::vector<double> weights(path.size() - 1);
  unwound(path, at, [&](std::size_t i, double weight) { weights[i] = weight; });
  path.erase(path.begin() + static_cast<std::ptrdiff_t>(at));
  for (std::size_t i = 0; i < path.size(); ++i) path[i].weight = weights[i];
}

class RowContributions {
 public:
  RowContributions(const Tree& tree, const std::vector<double>& below) : tree_(tree), below_(below) {}

  void add(const float* row, double* sums) {
    row_ = row;
    sums_ = sums;
    if (tree_.nodes() > 0) visit(0, {}, -1, 1, 1);
  }

 private:
  double weight_of(std::int32_t child) const {
    return child < 0 ? double{tree_.weight[static_cast<std::size_t>(~child)]} : below_[static_cast<std::size_t>(child)];
  }
  void visit(std::int32_t at, Path path, std::int32_t column, double unknown, double known) {
    extend(path, column, unknown, known);
    if (at < 0) {
      const double value = tree_.value[static_cast<std::size_t>(~at)];
      for (std::size_t i = 1; i < path.size(); ++i) {
        double weights = 0;
        unwound(path, i, [&](std::size_t, double weight) { weights += weight; });
        sums_[path[i].column] += weights * (path[i].known - path[i].unknown) * value;
      }
      return;
    }
    const auto node = static_cast<std::size_t>(at);
    const std::int32_t asked = tree_.column[node];
    double unknown_before = 1;
    double known_before = 1;
    const auto before = std::ranges::find(path, asked, &Step::column);
    if (before != path.end()) {
      unknown_before = before->unknown;
      known_before = before->known;
      unwind(path, static_cast<std::size_t>(before - path.begin()));
    }
    const bool left = tree_.goes_left(node, row_[asked]);
    for (const std::int32_t child : {tree_.left[node], tree_.right[node]}) {
      const bool takes = (child == tree_.left[node]) == left;
      visit(child, path, asked, unknown_before * weight_of(child) / below_[node], takes ? known_before : 0);
    }
  }

  const Tree& tree_;
  const std::vector<double>& below_;
  const float* row_ = nullptr;
  double* sums_ = nullptr;
};

constexpr std::size_t kPieceRows = 16;

}  // namespace

Inputs contributions(const BoostedTrees& trees, std::size_t output, InputsView rows, const Threads& threads) {
  Inputs out(rows.rows(), rows.cols());
  std::vector<std::vector<double>> below;
  for (const Tree& tree : trees.trees) below.push_back(weights_below(tree));
  threads.for_each((rows.rows() + kPieceRows - 1) / kPieceRows, [&](std::size_t piece) {
    std::vector<double> sums(rows.cols());
    for (std::size_t r = piece * kPieceRows; r < std::min(rows.rows(), (piece + 1) * kPieceRows); ++r) {
      std::ranges::fill(sums, 0.0);
      for (std::size_t t = output; t < trees.trees.size(); t += trees.outputs()) {
        RowContributions(trees.trees[t], below[t]).add(rows.row(r), sums.data());
      }
      for (std::size_t c = 0; c < sums.size(); ++c) out(r, c) = static_cast<float>(sums[c]);
    }
  });
  return out;
}

double mean_score(const BoostedTrees& trees, std::size_t output) {
  double mean = trees.start[output];
  for (std::size_t t = output; t < trees.trees.size(); t += trees.outputs()) {
    double sum = 0;
    double weight = 0;
    for (std::size_t leaf = 0; leaf < trees.trees[t].leaves(); ++leaf) {
      sum += double{trees.trees[t].value[leaf]} * trees.trees[t].weight[leaf];
      weight += trees.trees[t].weight[leaf];
    }
    mean += sum / weight;
  }
  return mean;
}

}  // namespace perpend
