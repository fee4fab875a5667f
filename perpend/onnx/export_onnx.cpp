#include "perpend/onnx/export_onnx.h"

#include <vector>

#include "perpend/base/error.h"
#include "perpend/base/option_mention.h"
#include "perpend/onnx/graph.h"
#include "perpend/onnx/member_inputs.h"
#include "perpend/onnx/operators.h"
#include "perpend/onnx/tree_scores.h"

namespace perpend {

namespace {

using onnx::Attribute;
using onnx::FirstInputs;
using onnx::Graph;
using onnx::kRows;
using onnx::Type;

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

// The logits of a network, (rows, K) float32.
std::string add_network(Graph& graph, const Ensemble& ensemble, std::size_t m, const FirstInputs& inputs) {
  const Architecture& a = ensemble.architecture;
  std::string value = inputs.value;
  for (std::size_t l = 0; l < a.layers(); ++l) {
    const std::string name = "member_" + std::to_string(m) + "_layer_" + std::to_string(l);
    const Layer<float>& layer = ensemble.members[m].layers[l];
    std::vector<float> weight;
    for (std::size_t i = 0; i < layer.weight.rows(); ++i) {
      const float* from = layer.weight.row(l == 0 ? inputs.order[i] : i);
      weight.insert(weight.end(), from, from + a.out(l));
    }
    const auto in = static_cast<std::int64_t>(layer.weight.rows());
    const auto out = static_cast<std::int64_t>(a.out(l));
    value = graph.node(name, "Gemm",
                       {value, graph.constant(name + "_weight", {in, out}, std::span<const float>(weight)),
                        graph.constant(name + "_bias", {out}, std::span<const float>(layer.bias).first(a.out(l)))});
    if (l + 1 < a.layers()) value = graph.node(name + "_active", operator_of(a.activation), {value});
  }
  return value;
}

// The logits of boosted trees, (rows, K) float32. For two classes trees have the log-odds s, which give the logits 0
// and s.
std::string add_trees(Graph& graph, const TrainedModel& model, const onnx::MemberInputs& inputs) {
  const std::string scores = tree_scores(graph, model.schema, model.ensemble, inputs);
  if (model.ensemble.architecture.classes > 2) return scores;
  return graph.node("tree_logits", "Mul", {scores, row(graph, "tree_classes", std::vector<float>{0, 1})});
}

// The probabilities of one member, (1, rows, K) float32.
std::string add_member(Graph& graph, const TrainedModel& model, std::size_t m, onnx::MemberInputs& inputs) {
  const bool is_trees = m >= model.ensemble.differentiable();
  const std::string logits =
      is_trees ? add_trees(graph, model, inputs) : add_network(graph, model.ensemble, m, inputs.of(m));
  const std::string name = "member_" + std::to_string(m);
  const std::string probabilities =
      graph.node(name + "_probabilities", "Softmax", {logits}, {Attribute::of("axis", std::int64_t{1})});
  return graph.node(name, "Unsqueeze", {probabilities, indices(graph, name + "_axis", {0})});
}

// The predictions of one member in the units of the target, (1, rows, 1) float64: mean + sd (z1 - z0).
std::string add_number(Graph& graph, const TrainedModel& model, std::size_t m, onnx::MemberInputs& inputs) {
  const bool is_trees = m >= model.ensemble.differentiable();
  const std::string logits =
      is_trees ? add_trees(graph, model, inputs) : add_network(graph, model.ensemble, m, inputs.of(m));
  const std::string name = "member_" + std::to_string(m);
  const std::vector<float> difference = {-1, 1};
  const std::string score =
      graph.node(name + "_score", "MatMul",
                 {logits, graph.constant(name + "_difference", {2, 1}, std::span<const float>(difference))});
  const std::string scaled = graph.node(
      name + "_scaled", "Mul",
      {cast(graph, name + "_float64", score, Type::float64), number(graph, name + "_sd", model.schema.quantity->sd)});
  const std::string moved =
      graph.node(name + "_prediction", "Add", {scaled, number(graph, name + "_mean", model.schema.quantity->mean)});
  return graph.node(name, "Unsqueeze", {moved, indices(graph, name + "_axis", {0})});
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

std::string softmax(Graph& graph, const std::string& name, const std::string& scores) {
  return graph.node(name, "Softmax", {scores}, {Attribute::of("axis", std::int64_t{1})});
}

// model/decision.h has the rules.
std::string combine(Graph& graph, const Decision& decision, const std::string& members, std::size_t classes) {
  const bool is_last = decision.map.kind == Calibrator::none && !decision.correction;
  const std::string name = is_last ? "probabilities" : "decided";
  if (decision.rule == Rule::mean) return weighted_sum(graph, name, decision.weights, members);
  if (decision.rule == Rule::samme_r) {
    const std::string least = number(graph, "least_probability", kLeastBoostedProbability);
    const std::string logs = graph.node("logs", "Log", {graph.node("clipped", "Max", {members, least})});
    return softmax(graph, name, weighted_sum(graph, "mean_logs", decision.weights, logs));
  }
  std::vector<std::int64_t> numbers(classes);
  for (std::size_t k = 0; k < classes; ++k) numbers[k] = static_cast<std::int64_t>(k);
  const std::string vote = graph.node("votes", "ArgMax", {members}, {Attribute::of("axis", std::int64_t{2})});
  const std::string hit = graph.node("hits", "Equal", {vote, indices(graph, "class_numbers", numbers)});
  const std::string votes =
      weighted_sum(graph, "vote_weights", decision.weights, cast(graph, "hit_numbers", hit, Type::float64));
  const auto k = static_cast<double>(classes);
  return softmax(graph, name,
                 graph.node("vote_scores", "Mul", {votes, number(graph, "vote_scale", k / ((k - 1) * (k - 1)))}));
}

// The probability of the second class by the curve through the knots. It is the first value, plus for each piece its
// slope times the part of the piece that lies below p.
std::string on_curve(Graph& graph, const std::vector<Knot>& knots, const std::string& p) {
  std::vector<double> starts, widths, slopes;
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    starts.push_back(knots[i].from);
    widths.push_back(knots[i + 1].from - knots[i].from);
    slopes.push_back((knots[i + 1].to - knots[i].to) / widths.back());
  }
  const std::string beyond = graph.node("beyond_knots", "Sub", {p, row(graph, "knots", starts)});
  const std::string inside = graph.node(
      "into_pieces", "Min", {graph.node("reached_knots", "Relu", {beyond}), row(graph, "piece_widths", widths)});
  const std::string risen = graph.node(
      "rises", "ReduceSum",
      {graph.node("piece_rises", "Mul", {inside, row(graph, "slopes", slopes)}), indices(graph, "piece_axis", {1})});
  return graph.node("curve", "Add", {risen, number(graph, "first_value", knots[0].to)});
}

// model/probability_map.h has the maps.
std::string calibrate(Graph& graph, const ProbabilityMap& map, const std::string& decided, const std::string& name) {
  if (map.kind == Calibrator::none) return decided;
  if (map.kind == Calibrator::temperature) {
    const std::string logs =
        graph.node("decided_logs", "Log",
                   {graph.node("decided_clipped", "Max", {decided, number(graph, "least_tempered", kLeastTempered)})});
    return softmax(graph, name, graph.node("tempered", "Div", {logs, number(graph, "temperature", map.temperature)}));
  }
  const std::string second =
      on_curve(graph, map.knots, gather(graph, "decided_second", decided, indices(graph, "second_place", {1})));
  const std::string first = graph.node("calibrated_first", "Sub", {number(graph, "one", 1.0), second});
  return concat(graph, name, {first, second}, 1);
}

// The sum over members of pull times (member - answer), (rows, K). members: (members, rows, K).
std::string pulled(Graph& graph, const Correction& correction, const std::string& members, const std::string& answer) {
  const std::string away = graph.node("away_from_answer", "Sub", {members, answer});
  const std::string pulls = graph.constant("pulls", {static_cast<std::int64_t>(correction.pull.size()), 1, 1},
                                           std::span<const double>(correction.pull));
  return graph.node("pulled", "ReduceSum",
                    {graph.node("pulled_members", "Mul", {away, pulls}), indices(graph, "pulled_axis", {0})},
                    {Attribute::of("keepdims", std::int64_t{0})});
}

std::string log_of(Graph& graph, const std::string& name, const std::string& value, double least) {
  return graph.node(name, "Log",
                    {graph.node(name + "_limited", "Max", {value, number(graph, name + "_least", least)})});
}

// model/decision.h has the correction.
std::string correct(Graph& graph, const Decision& decision, const std::string& members, const std::string& answer) {
  if (!decision.correction) return answer;
  const std::string moved = pulled(graph, *decision.correction, log_of(graph, "member_logs", members, kLeastMoved),
                                   log_of(graph, "answer_logs", answer, kLeastMoved));
  const std::string biased = graph.node(
      "biased", "Add",
      {log_of(graph, "precise_logs", answer, kLeastCorrected), row(graph, "biases", decision.correction->bias)});
  return softmax(graph, "probabilities", graph.node("corrected", "Add", {biased, moved}));
}

// The number of the answered class, (rows) int64.
std::string add_answer(Graph& graph, const std::optional<double>& threshold, const std::string& probabilities) {
  const auto flat = Attribute::of("keepdims", std::int64_t{0});
  if (!threshold) {
    return graph.node("winner", "ArgMax", {probabilities}, {Attribute::of("axis", std::int64_t{1}), flat});
  }
  const std::string second =
      graph.node("second_probability", "Squeeze",
                 {gather(graph, "second_column", probabilities, indices(graph, "second_class", {1})),
                  indices(graph, "columns_axis", {1})});
  return cast(graph, "winner", graph.node("is_second", "Greater", {second, number(graph, "threshold", *threshold)}),
              Type::int64);
}

// sqrt(share * mean over members of the squared distance to their plain mean, summed over classes). For classes the
// share is 1/2, so that with two classes it is the sd of either probability. For one number the share is 1.
std::string add_disagreement(Graph& graph, const std::string& members, double share) {
  const std::vector<std::int64_t> over_members = {0};
  const auto axes = Attribute::of("axes", std::span<const std::int64_t>(over_members));
  const auto drop = Attribute::of("keepdims", std::int64_t{0});
  const std::string away =
      graph.node("away", "Sub", {members, graph.node("members_mean", "ReduceMean", {members}, {axes})});
  const std::string squares = graph.node("squares", "Mul", {away, away});
  const std::string of_classes =
      graph.node("squared_distance", "ReduceSum", {squares, indices(graph, "class_axis", {2})}, {drop});
  const std::string half = graph.node("half_distance", "Mul", {of_classes, number(graph, "half", share)});
  return graph.node("disagreement", "Sqrt", {graph.node("variance", "ReduceMean", {half}, {axes, drop})});
}

// The outputs of a regression: prediction and disagreement, (rows), and the members' predictions, (members, rows, 1).
std::string numbers_model(Graph& graph, const TrainedModel& model, const std::vector<std::string>& each,
                          std::string_view version) {
  const std::string members = concat(graph, "member_predictions", each, 0);
  std::string column = weighted_sum(graph, "prediction_column", model.decision.weights, members);
  if (const auto& correction = model.decision.correction) {
    const std::string biased = graph.node("biased", "Add", {column, number(graph, "bias", correction->bias[0])});
    column = graph.node("corrected", "Add", {biased, pulled(graph, *correction, members, column)});
  }
  const std::string prediction = graph.node("prediction", "Squeeze", {column, indices(graph, "column_axis", {1})});
  const std::string disagreement = add_disagreement(graph, members, 1);
  graph.output(prediction, Type::float64, {kRows});
  graph.output(disagreement, Type::float64, {kRows});
  graph.output(members, Type::float64, {static_cast<std::int64_t>(each.size()), kRows, 1});
  return graph.model("perpend", version);
}

}  // namespace

std::string to_onnx(const TrainedModel& model, std::string_view version) {
  if (model.decision.rule == Rule::median) {
    throw ConfigError(
        "AdaBoost.R2 predicts a weighted median, which is not written as an ONNX graph; use another method");
  }
  if (model.decision.gate) {
    throw ConfigError("a model with a gate is not written as an ONNX graph; train it with " +
                      option_mention("aggregate", "stack") + ", or without " + option_mention("aggregate"));
  }
  Graph graph;
  onnx::MemberInputs inputs(graph, model.schema, model.ensemble.architecture);
  const auto count = static_cast<std::int64_t>(model.ensemble.members.size());
  const auto classes = static_cast<std::int64_t>(model.schema.classes.size());
  std::vector<std::string> each;
  for (std::size_t m = 0; m < model.ensemble.members.size(); ++m) {
    each.push_back(model.schema.quantity ? add_number(graph, model, m, inputs) : add_member(graph, model, m, inputs));
  }
  if (model.schema.quantity) return numbers_model(graph, model, each, version);
  const std::string members = concat(graph, "member_probabilities", each, 0);
  const std::string precise = cast(graph, "members_float64", members, Type::float64);
  const std::string decided = combine(graph, model.decision, precise, model.schema.classes.size());
  const std::string probabilities = correct(
      graph, model.decision, precise,
      calibrate(graph, model.decision.map, decided, model.decision.correction ? "calibrated" : "probabilities"));
  const std::string winner = add_answer(graph, model.decision.threshold, probabilities);
  const std::string names = graph.constant("classes", {classes}, std::span<const std::string>(model.schema.classes));
  const std::string label = graph.node("label", "Gather", {names, winner});
  const std::string disagreement = add_disagreement(graph, precise, 0.5);
  graph.output(probabilities, Type::float64, {kRows, classes});
  graph.output(label, Type::text, {kRows});
  graph.output(disagreement, Type::float64, {kRows});
  graph.output(members, Type::float32, {count, kRows, classes});
  return graph.model("perpend", version);
}

}  // namespace perpend
