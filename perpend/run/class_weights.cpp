#include "perpend/run/class_weights.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/option_mention.h"

namespace perpend {

namespace {

constexpr const char* kBalanced = "balanced";

struct ClassWeight {
  std::string name;
  double weight = 0;
};

// "a=b=2.5" is class "a=b" with weight 2.5.
std::optional<ClassWeight> parse(const std::string& word) {
  const std::size_t at = word.rfind('=');
  if (at == std::string::npos || at == 0) return std::nullopt;
  const auto weight = as_number(word.substr(at + 1));
  if (!weight || !std::isfinite(*weight) || *weight < 0) return std::nullopt;
  return ClassWeight{word.substr(0, at), *weight};
}

float weight_of(const Dataset& data, std::size_t row) { return data.weights.empty() ? 1.0F : data.weights[row]; }

std::vector<double> balanced_weights(const Dataset& train) {
  std::vector<double> sums(train.classes.size(), 0);
  double all = 0;
  for (std::size_t r = 0; r < train.rows(); ++r) {
    sums[static_cast<std::size_t>(train.labels[r])] += weight_of(train, r);
    all += weight_of(train, r);
  }
  for (double& sum : sums) sum = sum > 0 ? all / (static_cast<double>(sums.size()) * sum) : 1;
  return sums;
}

std::vector<double> named_weights(const std::vector<std::string>& words, const Schema& schema) {
  std::vector<double> weights(schema.classes.size(), 1);
  for (const auto& word : words) {
    const auto given = parse(word);
    PERPEND_CHECK(given.has_value());
    const auto found = std::ranges::find(schema.classes, given->name);
    if (found == schema.classes.end()) {
      const std::string near = nearest_name(given->name, schema.classes);
      throw DataError(option_mention("class_weight") + " names the class " + quote(given->name) +
                      ", which the target " + quote(schema.target) + " does not have" +
                      (near.empty() ? "" : "; did you mean " + quote(near) + "?"));
    }
    weights[static_cast<std::size_t>(found - schema.classes.begin())] = given->weight;
  }
  return weights;
}

void multiply(const std::vector<double>& by_class, Dataset& data) {
  std::vector<float> weights(data.rows());
  for (std::size_t r = 0; r < weights.size(); ++r) {
    weights[r] = static_cast<float>(weight_of(data, r) * by_class[static_cast<std::size_t>(data.labels[r])]);
  }
  data.weights = std::move(weights);
}

}  // namespace

std::vector<std::string> class_weight_problems(const std::vector<std::string>& words) {
  std::vector<std::string> problems;
  if (words == std::vector<std::string>{kBalanced}) return problems;
  for (const auto& word : words) {
    if (parse(word)) continue;
    problems.push_back(option_mention("class_weight") + " has " + quote(word) +
                       "; it must be balanced, or a list of CLASS=WEIGHT with weights of at least 0");
  }
  return problems;
}

void weigh_classes(const std::vector<std::string>& words, Prepared& data) {
  if (words.empty()) return;
  const bool balanced = words == std::vector<std::string>{kBalanced};
  const auto by_class = balanced ? balanced_weights(data.train) : named_weights(words, data.schema);
  multiply(by_class, data.train);
  multiply(by_class, data.validation);
}

}  // namespace perpend
