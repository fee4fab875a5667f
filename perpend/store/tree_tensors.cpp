#include "perpend/store/tree_tensors.h"

#include <cstring>
#include <numeric>

namespace perpend {

namespace {

// The lists of the file in memory.
struct FlatTrees {
  std::vector<float> start = {};
  std::vector<std::int32_t> nodes = {}, column = {};
  std::vector<float> threshold = {};
  std::vector<std::int32_t> missing_left = {}, left = {}, right = {}, set_words = {};
  std::vector<std::uint32_t> words = {};
  std::vector<float> value = {}, weight = {};

  // Calls use for each list, in the order of the file.
  template <class Use>
  void for_each(const Use& use) {
    use(start);
    use(nodes);
    use(column);
    use(threshold);
    use(missing_left);
    use(left);
    use(right);
    use(set_words);
    use(words);
    use(value);
    use(weight);
  }
};

template <class To, class From>
void append(std::vector<To>& to, const std::vector<From>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

FlatTrees flat(const BoostedTrees& trees) {
  FlatTrees all{.start = trees.start};
  for (const Tree& tree : trees.trees) {
    all.nodes.push_back(static_cast<std::int32_t>(tree.nodes()));
    append(all.column, tree.column);
    append(all.threshold, tree.threshold);
    append(all.missing_left, tree.missing_left);
    append(all.left, tree.left);
    append(all.right, tree.right);
    for (std::size_t n = 0; n < tree.nodes(); ++n) {
      all.set_words.push_back(static_cast<std::int32_t>(tree.first_word[n + 1] - tree.first_word[n]));
    }
    append(all.words, tree.words);
    append(all.value, tree.value);
    append(all.weight, tree.weight);
  }
  return all;
}

// The sum of counts. -1 if one is negative.
std::int64_t sum_of(const std::vector<std::int32_t>& counts) {
  std::int64_t sum = 0;
  for (const std::int32_t count : counts) {
    if (count < 0) return -1;
    sum += count;
  }
  return sum;
}

// Takes the next tree off the lists.
class TreeReader {
 public:
  explicit TreeReader(const FlatTrees& all) : all_(all) {}

  Tree next(std::size_t nodes) {
    Tree tree;
    tree.column = part(all_.column, node_, nodes);
    tree.threshold = part(all_.threshold, node_, nodes);
    for (const std::int32_t side : part(all_.missing_left, node_, nodes)) {
      tree.missing_left.push_back(side == 0 || side == 1 ? static_cast<std::uint8_t>(side)
                                                         : 2);  // 2, so that problem_of refuses it
    }
    tree.left = part(all_.left, node_, nodes);
    tree.right = part(all_.right, node_, nodes);
    for (std::size_t n = 0; n < nodes; ++n) {
      tree.first_word.push_back(tree.first_word.back() + static_cast<std::uint32_t>(all_.set_words[node_ + n]));
    }
    tree.words = part(all_.words, word_, tree.first_word.back());
    tree.value = part(all_.value, leaf_, nodes + 1);
    tree.weight = part(all_.weight, leaf_, nodes + 1);
    node_ += nodes;
    leaf_ += nodes + 1;
    word_ += tree.first_word.back();
    return tree;
  }

 private:
  template <class T>
  static std::vector<T> part(const std::vector<T>& list, std::size_t first, std::size_t count) {
    const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

  const FlatTrees& all_;
  std::size_t node_ = 0, leaf_ = 0, word_ = 0;
};

}  // namespace

TreeSizes sizes_of(const BoostedTrees& trees) {
  TreeSizes sizes{.outputs = trees.outputs(), .trees = trees.trees.size()};
  for (const Tree& tree : trees.trees) {
    sizes.nodes += tree.nodes();
    sizes.words += tree.words.size();
  }
  return sizes;
}

std::array<TreeTensor, kTreeTensors> tree_tensors(const TreeSizes& sizes) {
  const std::size_t leaves = sizes.nodes + sizes.trees;
  return {{{"trees.start", "F32", sizes.outputs},
           {"trees.nodes", "I32", sizes.trees},
           {"trees.column", "I32", sizes.nodes},
           {"trees.threshold", "F32", sizes.nodes},
           {"trees.missing_left", "I32", sizes.nodes},
           {"trees.left", "I32", sizes.nodes},
           {"trees.right", "I32", sizes.nodes},
           {"trees.set_words", "I32", sizes.nodes},
           {"trees.words", "U32", sizes.words},
           {"trees.value", "F32", leaves},
           {"trees.weight", "F32", leaves}}};
}

std::string tree_bytes(const BoostedTrees& trees) {
  std::string bytes;
  flat(trees).for_each([&](const auto& list) {
    bytes.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(list[0]));
  });
  return bytes;
}

BoostedTrees trees_from_bytes(std::string_view bytes, const TreeSizes& sizes, std::string& problem) {
  FlatTrees all;
  const auto tensors = tree_tensors(sizes);
  std::size_t i = 0;
  all.for_each([&](auto& list) {
    list.resize(tensors[i++].count);
    if (!list.empty()) std::memcpy(list.data(), bytes.data(), list.size() * sizeof(list[0]));
    bytes.remove_prefix(list.size() * sizeof(list[0]));
  });
  if (sum_of(all.nodes) != static_cast<std::int64_t>(sizes.nodes) ||
      sum_of(all.set_words) != static_cast<std::int64_t>(sizes.words)) {
    problem = "the counts of the trees do not add up";
    return {};
  }
  BoostedTrees trees{.start = std::move(all.start), .trees = {}};
  TreeReader reader(all);
  for (const std::int32_t nodes : all.nodes) trees.trees.push_back(reader.next(static_cast<std::size_t>(nodes)));
  return trees;
}

}  // namespace perpend
