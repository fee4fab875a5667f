#include "perpend/onnx/tree_scores.h"

#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "perpend/onnx/operators.h"

namespace perpend::onnx {

namespace {

using Integers = std::vector<std::int64_t>;

// The lists of a TreeEnsembleRegressor. Node n of a tree has the id n, leaf l the id nodes + l.
struct TreeLists {
  Integers trees = {}, ids = {}, columns = {}, yes = {}, no = {}, missing_is_yes = {};
  std::vector<std::string> modes = {};
  std::vector<double> thresholds = {};
  Integers leaf_trees = {}, leaf_ids = {}, leaf_outputs = {};
  std::vector<double> leaf_values = {};

  void add_node(std::int64_t tree, std::int64_t id, const std::string& mode) {
    trees.push_back(tree);
    ids.push_back(id);
    modes.push_back(mode);
    for (Integers* list : {&columns, &yes, &no, &missing_is_yes}) list->push_back(0);
    thresholds.push_back(0);
  }

  std::vector<Attribute> attributes(const std::vector<float>& start) const {
    const auto whole = [](std::string_view name, const Integers& list) {
      return Attribute::of(name, std::span<const std::int64_t>(list));
    };
    const auto real = [](std::string_view name, const std::vector<double>& list) {
      return Attribute::of(name, std::span<const double>(list));
    };
    return {Attribute::of("n_targets", static_cast<std::int64_t>(start.size())),
            whole("nodes_treeids", trees),
            whole("nodes_nodeids", ids),
            whole("nodes_featureids", columns),
            Attribute::of("nodes_modes", std::span<const std::string>(modes)),
            real("nodes_values_as_tensor", thresholds),
            whole("nodes_truenodeids", yes),
            whole("nodes_falsenodeids", no),
            whole("nodes_missing_value_tracks_true", missing_is_yes),
            whole("target_treeids", leaf_trees),
            whole("target_nodeids", leaf_ids),
            whole("target_ids", leaf_outputs),
            real("target_weights_as_tensor", leaf_values),
            real("base_values_as_tensor", {start.begin(), start.end()})};
  }
};

class TreeWriter {
 public:
  TreeWriter(Graph& graph, const Schema& schema, const Ensemble& ensemble, const MemberInputs& inputs)
      : graph_(graph),
        schema_(schema),
        trees_(ensemble.trees),
        tables_(ensemble.architecture.columns),
        inputs_(inputs) {
    for (const ColumnTable& table : tables_) numbers_ += table.is_category ? 0 : 1;
  }

  std::string scores() {
    for (std::size_t t = 0; t < trees_.trees.size(); ++t) add_tree(trees_.trees[t], t);
    if (trees_.trees.empty()) add_tree({.value = {0}, .weight = {1}}, 0);  // the operator needs at least one tree
    const std::string sums =
        graph_.node("tree_scores", "TreeEnsembleRegressor", {matrix()}, lists_.attributes(trees_.start), "ai.onnx.ml");
    return schema_.missing == Missing::error ? without_refused(sums) : sums;
  }

 private:
  // Whether each code of the encoder is outside the set.
  struct LevelSet {
    std::size_t column;
    std::vector<bool> outside;
    auto operator<=>(const LevelSet&) const = default;
  };

  void add_tree(const Tree& tree, std::size_t t) {
    const auto number = static_cast<std::int64_t>(t);
    const auto nodes = static_cast<std::int64_t>(tree.nodes());
    const auto id_of = [nodes](std::int32_t child) { return child >= 0 ? child : nodes + ~child; };
    for (std::size_t n = 0; n < tree.nodes(); ++n) {
      lists_.add_node(number, static_cast<std::int64_t>(n), "BRANCH_LEQ");
      lists_.columns.back() = matrix_column(tree, n);
      lists_.thresholds.back() = tree.is_category(n) ? 0.5 : tree.threshold[n];
      lists_.missing_is_yes.back() = tree.missing_left[n];
      lists_.yes.back() = id_of(tree.left[n]);
      lists_.no.back() = id_of(tree.right[n]);
    }
    for (std::size_t leaf = 0; leaf < tree.leaves(); ++leaf) {
      const std::int64_t id = nodes + static_cast<std::int64_t>(leaf);
      lists_.add_node(number, id, "LEAF");
      lists_.leaf_trees.push_back(number);
      lists_.leaf_ids.push_back(id);
      lists_.leaf_outputs.push_back(static_cast<std::int64_t>(t % trees_.outputs()));
      lists_.leaf_values.push_back(tree.value[leaf]);
    }
  }

  std::int64_t matrix_column(const Tree& tree, std::size_t node) {
    const auto column = static_cast<std::size_t>(tree.column[node]);
    if (!tree.is_category(node)) return inputs_.place_of(column);
    const auto next = static_cast<std::int64_t>(sets_.size());
    return numbers_ + sets_.try_emplace(set_of(tree, node), next).first->second;
  }

  // The encoder's codes are the levels, then missing, then never seen (encoder.h). In the tree never seen is -1. If
  // missing cells enter as the mean, they count as never seen too.
  LevelSet set_of(const Tree& tree, std::size_t node) const {
    const auto column = static_cast<std::size_t>(tree.column[node]);
    const std::size_t levels = tables_[column].means.size();
    LevelSet set{column, {}};
    for (std::size_t code = 0; code < levels + 2; ++code) {
      const bool is_known = code < levels || (code == levels && schema_.missing == Missing::indicator);
      set.outside.push_back(!tree.goes_left(node, is_known ? static_cast<float>(code) : -1.0F));
    }
    return set;
  }

  // (rows, numbers and sets) float64
  std::string matrix() {
    const EncodedColumns& encoded = inputs_.encoded();
    std::vector<std::string> blocks;
    if (numbers_ > 0) blocks.push_back(bounded(graph_, "tree_numbers", encoded.numbers));
    if (!sets_.empty()) blocks.push_back(sets());
    if (blocks.empty()) blocks.push_back(encoded.codes);  // no node uses it
    return cast(graph_, "tree_inputs", concat(graph_, "tree_blocks", blocks, 1), Type::float64);
  }

  // (rows, sets) float32. All sets are in one list. In each set the code of the row gives its place.
  std::string sets() {
    Integers places(sets_.size()), firsts(sets_.size());
    std::size_t end = 0;
    for (const auto& [set, at] : sets_) {
      places[static_cast<std::size_t>(at)] = inputs_.place_of(set.column);
      firsts[static_cast<std::size_t>(at)] = static_cast<std::int64_t>(end);
      end += set.outside.size();
    }
    const auto outside = std::make_unique<bool[]>(end);
    bool* next = outside.get();
    for (const auto& [set, at] : sets_) next = std::copy(set.outside.begin(), set.outside.end(), next);
    const std::string list =
        graph_.constant("tree_sets", {static_cast<std::int64_t>(end)}, std::span<const bool>(outside.get(), end));
    const std::string cells =
        gather(graph_, "tree_cells", inputs_.encoded().codes, indices(graph_, "tree_places", places));
    const std::string codes = cast(graph_, "tree_codes", cells, Type::int64);
    const std::string in_list = graph_.node("tree_code_places", "Add", {codes, row(graph_, "tree_firsts", firsts)});
    return cast(graph_, "tree_levels", graph_.node("tree_outside", "Gather", {list, in_list}), Type::float32);
  }

  // Networks by themselves give NaN for a row with a missing cell. Trees would send it to one side.
  std::string without_refused(const std::string& sums) {
    std::vector<std::string> missing;
    if (numbers_ > 0) missing.push_back(graph_.node("tree_missing_numbers", "IsNaN", {inputs_.encoded().numbers}));
    if (!inputs_.encoded().codes.empty()) {
      std::vector<float> codes;
      for (const ColumnTable& table : tables_) {
        if (table.is_category) codes.push_back(static_cast<float>(table.means.size()));
      }
      missing.push_back(graph_.node("tree_missing_levels", "Equal",
                                    {inputs_.encoded().codes, row(graph_, "tree_missing_codes", codes)}));
    }
    const std::string counts =
        cast(graph_, "tree_missing_counts", concat(graph_, "tree_missing", missing, 1), Type::float32);
    const Integers across = {1};
    const std::string any = graph_.node("tree_missing_most", "ReduceMax", {counts},
                                        {Attribute::of("axes", std::span<const std::int64_t>(across))});
    const std::string refused = cast(graph_, "tree_refused", any, Type::truth);
    const std::string nan = number(graph_, "tree_refusal", std::numeric_limits<float>::quiet_NaN());
    return graph_.node("tree_answers", "Where", {refused, nan, sums});
  }

  Graph& graph_;
  const Schema& schema_;
  const BoostedTrees& trees_;
  const std::vector<ColumnTable>& tables_;
  const MemberInputs& inputs_;
  std::int64_t numbers_ = 0;
  std::map<LevelSet, std::int64_t> sets_;  // set -> its place behind the numbers
  TreeLists lists_;
};

}  // namespace

std::string tree_scores(Graph& graph, const Schema& schema, const Ensemble& ensemble, const MemberInputs& inputs) {
  return TreeWriter(graph, schema, ensemble, inputs).scores();
}

}  // namespace perpend::onnx
