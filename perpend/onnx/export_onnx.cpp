#include "perpend/onnx/export_onnx.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "perpend/base/error.h"
#include "perpend/data/table.h"
#include "perpend/onnx/graph.h"

namespace perpend {

namespace {

using onnx::Attribute;
using onnx::Graph;
using onnx::Shape;
using onnx::Type;

constexpr std::int64_t kRows = -1;

std::string cast(Graph& graph, const std::string& name, const std::string& value, Type type) {
  return graph.node(name, "Cast", {value}, {Attribute::of("to", static_cast<std::int64_t>(type))});
}

std::string concat(Graph& graph, const std::string& name, const std::vector<std::string>& values, std::int64_t axis) {
  return graph.node(name, "Concat", values, {Attribute::of("axis", axis)});
}

std::string number(Graph& graph, const std::string& name, double value) {
  return graph.constant(name, {}, std::span<const double>(&value, 1));
}

std::string indices(Graph& graph, const std::string& name, const std::vector<std::int64_t>& values) {
  return graph.constant(name, {static_cast<std::int64_t>(values.size())}, std::span<const std::int64_t>(values));
}

// From the raw columns to the encoded features, (rows, features) float32. Numeric columns go through as one matrix; the
// code of a categorical one is compared with the level of each of its features.
class Encoder {
 public:
  Encoder(Graph& graph, const Schema& schema) : graph_(graph), schema_(schema) {}

  std::string run() {
    declare_inputs();
    if (!numeric_.empty()) encode_numbers();
    for (std::size_t c = 0; c < schema_.columns.size(); ++c) {
      if (schema_.columns[c].kind == ColumnKind::categorical) encode_levels(c);
    }
    const std::string blocks = concat(graph_, "feature_blocks", blocks_, 1);
    std::vector<std::int64_t> places(schema_.features.size());
    for (std::size_t at = 0; at < order_.size(); ++at) places[order_[at]] = static_cast<std::int64_t>(at);
    return graph_.node("features", "Gather", {blocks, indices(graph_, "feature_places", places)},
                       {Attribute::of("axis", std::int64_t{1})});
  }

 private:
  void declare_inputs() {
    for (const InputColumn& column : schema_.columns) {
      const bool is_number = column.kind == ColumnKind::numeric;
      inputs_.push_back(graph_.input(column.name, is_number ? Type::float64 : Type::text, {kRows, 1}));
      if (is_number) numeric_.push_back(inputs_.back());
    }
  }

  std::vector<std::size_t> features_of(std::size_t column) const {
    std::vector<std::size_t> own;
    for (std::size_t f = 0; f < schema_.features.size(); ++f) {
      if (schema_.features[f].column == column) own.push_back(f);
    }
    return own;
  }

  std::string row(const std::string& name, const std::vector<double>& values) {
    return graph_.constant(name, {1, static_cast<std::int64_t>(values.size())}, std::span<const double>(values));
  }

  // (x - mean) / sd of these features, rounded as perpend rounds.
  void add_standardized(const std::string& name, const std::string& values, const std::vector<std::size_t>& features) {
    std::vector<double> mean, sd;
    for (const std::size_t f : features) {
      mean.push_back(schema_.features[f].mean);
      sd.push_back(schema_.features[f].sd);
    }
    const std::string moved = graph_.node(name + "_moved", "Sub", {values, row(name + "_mean", mean)});
    const std::string scaled = graph_.node(name + "_scaled", "Div", {moved, row(name + "_sd", sd)});
    blocks_.push_back(cast(graph_, name, scaled, Type::float32));
    order_.insert(order_.end(), features.begin(), features.end());
  }

  void encode_numbers() {
    std::vector<std::size_t> numbers, gaps;
    std::vector<std::int64_t> gap_columns;
    std::vector<double> fill;
    for (std::size_t c = 0; c < schema_.columns.size(); ++c) {
      if (schema_.columns[c].kind != ColumnKind::numeric) continue;
      for (const std::size_t f : features_of(c)) {
        if (schema_.features[f].level == Feature::kMissing) {
          PERPEND_CHECK(!numbers.empty() && schema_.features[numbers.back()].column == c);  // the number comes first
          gaps.push_back(f);
          gap_columns.push_back(static_cast<std::int64_t>(numbers.size()) - 1);
          continue;
        }
        numbers.push_back(f);
        fill.push_back(schema_.missing == Missing::error ? std::numeric_limits<double>::quiet_NaN()
                                                         : schema_.features[f].fill);
      }
    }
    const std::string raw = concat(graph_, "raw_numbers", numeric_, 1);
    const std::string missing = graph_.node(
        "missing", "Or", {graph_.node("is_nan", "IsNaN", {raw}), graph_.node("is_infinite", "IsInf", {raw})});
    add_standardized("numbers", graph_.node("filled_numbers", "Where", {missing, row("fill", fill), raw}), numbers);
    if (gaps.empty()) return;
    const std::string ones = cast(graph_, "missing_numbers", missing, Type::float64);
    add_standardized("gaps",
                     graph_.node("gap_columns", "Gather", {ones, indices(graph_, "gap_places", gap_columns)},
                                 {Attribute::of("axis", std::int64_t{1})}),
                     gaps);
  }

  // One row of the column's encoded features; x(feature) is the number before it is standardised.
  template <class Value>
  std::string feature_row(const std::string& name, const std::vector<std::size_t>& features, const Value& x) {
    std::vector<float> values;
    for (const std::size_t f : features) {
      const Feature& feature = schema_.features[f];
      values.push_back(static_cast<float>((x(feature) - feature.mean) / feature.sd));
    }
    return graph_.constant(name, {1, static_cast<std::int64_t>(values.size())}, std::span<const float>(values));
  }

  double missing_value(const Feature& feature) const {
    if (schema_.missing == Missing::error) return std::numeric_limits<double>::quiet_NaN();
    return feature.level == Feature::kMissing ? 1 : feature.fill;
  }

  // perpend reads the code 1 from the cells 1, 1.0 and 1e0; a graph compares texts. Programs that keep whole numbers
  // as floats write 1.0, so that spelling is known too.
  static void add_spellings(const std::vector<std::string>& levels, std::vector<std::string>& keys,
                            std::vector<std::int64_t>& codes) {
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const auto number = as_number(levels[i]);
      const bool whole = number && std::trunc(*number) == *number && number_name(*number) == levels[i];
      const std::string spelling = levels[i] + ".0";
      if (!whole || levels[i].find_first_not_of("-0123456789") != std::string::npos) continue;
      if (std::ranges::find(levels, spelling) != levels.end()) continue;
      keys.push_back(spelling);
      codes.push_back(static_cast<std::int64_t>(i));
    }
  }

  // A cell's code is its level's number, then that of missing, then that of never seen, which is no feature's.
  void encode_levels(std::size_t column) {
    const std::vector<std::string>& levels = schema_.columns[column].levels;
    const std::vector<std::size_t> features = features_of(column);
    const auto missing = static_cast<std::int64_t>(levels.size());
    std::vector<std::string> keys = levels;
    keys.emplace_back();
    std::vector<std::int64_t> codes;
    for (std::size_t i = 0; i < keys.size(); ++i) codes.push_back(static_cast<std::int64_t>(i));
    add_spellings(levels, keys, codes);
    const std::string name = "column_" + std::to_string(column);
    const std::string code = graph_.node(name + "_code", "LabelEncoder", {inputs_[column]},
                                         {Attribute::of("keys_strings", std::span<const std::string>(keys)),
                                          Attribute::of("values_int64s", std::span<const std::int64_t>(codes)),
                                          Attribute::of("default_int64", missing + 1)},
                                         "ai.onnx.ml");
    std::vector<std::int64_t> own;
    for (const std::size_t f : features)
      own.push_back(schema_.features[f].level >= 0 ? schema_.features[f].level : missing);
    const std::string is_level = graph_.node(name + "_is_level", "Equal", {code, indices(graph_, name + "_own", own)});
    const std::string known =
        graph_.node(name + "_known", "Where",
                    {is_level, feature_row(name + "_on", features, [](const Feature&) { return 1.0; }),
                     feature_row(name + "_off", features, [](const Feature&) { return 0.0; })});
    const std::string is_missing =
        graph_.node(name + "_is_missing", "Equal", {code, indices(graph_, name + "_missing_code", {missing})});
    const std::string gap =
        feature_row(name + "_gap", features, [this](const Feature& feature) { return missing_value(feature); });
    blocks_.push_back(graph_.node(name + "_features", "Where", {is_missing, gap, known}));
    order_.insert(order_.end(), features.begin(), features.end());
  }

  Graph& graph_;
  const Schema& schema_;
  std::vector<std::string> inputs_, numeric_, blocks_;
  std::vector<std::size_t> order_;  // the features in the order of blocks_
};

const char* operator_of(Activation activation) {
  switch (activation) {
    case Activation::relu:
      return "Relu";
    case Activation::softplus:
      return "Softplus";
    case Activation::tanh:
      return "Tanh";
    case Activation::sigmoid:
      return "Sigmoid";
  }
  return "";
}

// One member's probabilities, (1, rows, K) float32.
std::string add_member(Graph& graph, const Ensemble& ensemble, std::size_t m, const std::string& features) {
  const Architecture& a = ensemble.architecture;
  std::string value = features;
  for (std::size_t l = 0; l < a.layers(); ++l) {
    const std::string name = "member_" + std::to_string(m) + "_layer_" + std::to_string(l);
    const Layer<float>& layer = ensemble.members[m].layers[l];
    std::vector<float> weight;
    for (std::size_t i = 0; i < a.in(l); ++i) {
      weight.insert(weight.end(), layer.weight.row(i), layer.weight.row(i) + a.out(l));
    }
    const auto in = static_cast<std::int64_t>(a.in(l));
    const auto out = static_cast<std::int64_t>(a.out(l));
    value = graph.node(name, "Gemm",
                       {value, graph.constant(name + "_weight", {in, out}, std::span<const float>(weight)),
                        graph.constant(name + "_bias", {out}, std::span<const float>(layer.bias).first(a.out(l)))});
    if (l + 1 < a.layers()) value = graph.node(name + "_active", operator_of(a.activation), {value});
  }
  const std::string name = "member_" + std::to_string(m);
  value = graph.node(name + "_probabilities", "Softmax", {value}, {Attribute::of("axis", std::int64_t{1})});
  return graph.node(name, "Unsqueeze", {value, indices(graph, name + "_axis", {0})});
}

// The sum over members of weight times value, (rows, K).
std::string weighted_sum(Graph& graph, const std::string& name, const std::vector<double>& weights,
                         const std::string& value) {
  const std::string factors = graph.constant("member_weights", {static_cast<std::int64_t>(weights.size()), 1, 1},
                                             std::span<const double>(weights));
  const std::string weighted = graph.node("weighted_members", "Mul", {value, factors});
  return graph.node(name, "ReduceSum", {weighted, indices(graph, "member_axis", {0})},
                    {Attribute::of("keepdims", std::int64_t{0})});
}

std::string softmax(Graph& graph, const std::string& scores) {
  return graph.node("probabilities", "Softmax", {scores}, {Attribute::of("axis", std::int64_t{1})});
}

// decision.h has the rules.
std::string decide(Graph& graph, const Decision& decision, const std::string& members, std::size_t classes) {
  if (decision.rule == Rule::mean) return weighted_sum(graph, "probabilities", decision.weights, members);
  if (decision.rule == Rule::samme_r) {
    const std::string least = number(graph, "least_probability", kLeastBoostedProbability);
    const std::string logs = graph.node("logs", "Log", {graph.node("clipped", "Max", {members, least})});
    return softmax(graph, weighted_sum(graph, "mean_logs", decision.weights, logs));
  }
  std::vector<std::int64_t> numbers(classes);
  for (std::size_t k = 0; k < classes; ++k) numbers[k] = static_cast<std::int64_t>(k);
  const std::string vote = graph.node("votes", "ArgMax", {members}, {Attribute::of("axis", std::int64_t{2})});
  const std::string hit = graph.node("hits", "Equal", {vote, indices(graph, "class_numbers", numbers)});
  const std::string votes =
      weighted_sum(graph, "vote_weights", decision.weights, cast(graph, "hit_numbers", hit, Type::float64));
  const auto k = static_cast<double>(classes);
  return softmax(graph,
                 graph.node("vote_scores", "Mul", {votes, number(graph, "vote_scale", k / ((k - 1) * (k - 1)))}));
}

// sqrt of the mean over members of half the squared distance to their plain mean, summed over classes: with two classes
// the sd of either probability.
std::string add_disagreement(Graph& graph, const std::string& members) {
  const std::vector<std::int64_t> over_members = {0};
  const auto axes = Attribute::of("axes", std::span<const std::int64_t>(over_members));
  const auto drop = Attribute::of("keepdims", std::int64_t{0});
  const std::string away =
      graph.node("away", "Sub", {members, graph.node("members_mean", "ReduceMean", {members}, {axes})});
  const std::string squares = graph.node("squares", "Mul", {away, away});
  const std::string of_classes =
      graph.node("squared_distance", "ReduceSum", {squares, indices(graph, "class_axis", {2})}, {drop});
  const std::string half = graph.node("half_distance", "Mul", {of_classes, number(graph, "half", 0.5)});
  return graph.node("disagreement", "Sqrt", {graph.node("variance", "ReduceMean", {half}, {axes, drop})});
}

}  // namespace

std::string to_onnx(const TrainedModel& model, std::string_view version) {
  Graph graph;
  const std::string features = Encoder(graph, model.schema).run();
  const auto count = static_cast<std::int64_t>(model.ensemble.members.size());
  const auto classes = static_cast<std::int64_t>(model.schema.classes.size());
  std::vector<std::string> each;
  for (std::size_t m = 0; m < model.ensemble.members.size(); ++m) {
    each.push_back(add_member(graph, model.ensemble, m, features));
  }
  const std::string members = concat(graph, "member_probabilities", each, 0);
  const std::string precise = cast(graph, "members_float64", members, Type::float64);
  const std::string probabilities = decide(graph, model.decision, precise, model.schema.classes.size());
  const std::string winner =
      graph.node("winner", "ArgMax", {probabilities},
                 {Attribute::of("axis", std::int64_t{1}), Attribute::of("keepdims", std::int64_t{0})});
  const std::string names = graph.constant("classes", {classes}, std::span<const std::string>(model.schema.classes));
  const std::string label = graph.node("label", "Gather", {names, winner});
  const std::string disagreement = add_disagreement(graph, precise);
  graph.output(probabilities, Type::float64, {kRows, classes});
  graph.output(label, Type::text, {kRows});
  graph.output(disagreement, Type::float64, {kRows});
  graph.output(members, Type::float32, {count, kRows, classes});
  return graph.model("perpend", version);
}

}  // namespace perpend
