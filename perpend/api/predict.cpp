#include "perpend/api/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <numeric>

#include "perpend/base/blocks.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/option_mention.h"
#include "perpend/data/check_table.h"
#include "perpend/data/find_classes.h"
#include "perpend/evaluate/conformal.h"
#include "perpend/model/predict.h"

namespace perpend {

namespace {

void check_share(const char* option, double share, bool with_ends) {
  if (with_ends ? share >= 0 && share <= 1 : share > 0 && share < 1) return;
  throw ConfigError(option_mention(option) +
                    (with_ends ? " must be a share from 0 to 1" : " must be a share above 0 and below 1"));
}

void need_classes(const TrainedModel& model, const char* option) {
  if (!model.schema.quantity) return;
  throw ConfigError(option_mention(option) + " is for classes, and the model predicts a number; leave it out");
}

void need_home(const TrainedModel& model, const std::string& option) {
  if (!model.home.empty()) return;
  throw ConfigError(option +
                    " needs a model that knows what its members answered on validation rows; train it again "
                    "with " +
                    option_mention("remember"));
}

LabelledAnswers at_home(const TrainedModel& model, const Threads& threads) {
  return labelled_home(model.ensemble, model.decision, model.home, threads);
}

AbstainRule rule_of(const TrainedModel& model, const PredictOptions& options, const Threads& threads) {
  if (options.abstain && options.abstain_error) {
    throw ConfigError(option_mention("abstain") + " is a share of rows or an error rate, not both");
  }
  if (options.abstain_error) {
    check_share("abstain", *options.abstain_error, false);
    need_classes(model, "abstain");
    need_home(model, option_mention("abstain", fmt::format("error={}", *options.abstain_error)));
    return abstain_by_error(at_home(model, threads), *options.abstain_error);
  }
  check_share("abstain", *options.abstain, true);
  if (!model.home.empty() && !model.schema.quantity) return abstain_by_share(at_home(model, threads), *options.abstain);
  const auto familiar = FamiliarDisagreement::of(model.summary);
  if (!familiar)
    throw ConfigError(option_mention("abstain") + " needs a model that knows its familiar rows; train it again");
  return {.signal = AbstainSignal::disagreement, .most = familiar->at(1 - *options.abstain)};
}

std::vector<std::uint8_t> sets_of(const TrainedModel& model, const PredictOptions& options, const Answers& rows,
                                  const Threads& threads) {
  const LabelledAnswers home = at_home(model, threads);
  if (!options.weigh_sets || rows.rows == 0) return ConformalSets(home, *options.sets).of(rows);
  const ShiftWeights weights = shift_weights(home.answers, rows);
  return ConformalSets(home, *options.sets, weights.home).of(rows, weights.rows);
}

double interval_half_width(const TrainedModel& model, double coverage) {
  if (!model.schema.quantity) {
    throw ConfigError(option_mention("interval") + " is for numbers, and the model predicts classes; leave it out");
  }
  if (!(coverage > 0 && coverage < 1)) {
    throw ConfigError(option_mention("interval") + " must be a share above 0 and below 1");
  }
  if (model.schema.quantity->loss.kind == RegressionLoss::Kind::quantile) {
    throw ConfigError(option_mention("interval") +
                      " is around a mean or a median, and the model predicts a quantile; " + "leave it out");
  }
  if (!model.summary.residuals || model.summary.residuals->percentiles.empty()) {
    throw ConfigError(option_mention("interval") + " needs a model that knows its familiar rows; train it again");
  }
  return model.summary.residuals->half_width(coverage);
}

}  // namespace

EncodeReport for_each_encoded_block(const TrainedModel& model, const Table& table,
                                    const std::function<void(std::size_t, InputsView)>& use, RowsUnlike* unlike) {
  EncodeReport all;
  // Without rows there are no blocks, and an absent column is still an error.
  if (table.rows == 0) encode_inputs(table, model.schema, {}, &all, unlike);
  const std::size_t columns = std::max(table.columns.size(), model.schema.features.size());
  for_each_block(table.rows, columns, [&](std::size_t first, std::size_t count) {
    std::vector<std::uint32_t> rows(count);
    std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(first));
    EncodeReport of_block;
    RowsUnlike unlike_in_block;
    const Inputs inputs = encode_inputs(table, model.schema, rows, &of_block, &unlike_in_block);
    all += of_block;
    if (unlike != nullptr) unlike->append(unlike_in_block);
    use(first, inputs.view());
  });
  return all;
}

Predictions predict(const TrainedModel& model, const Table& table, const PredictOptions& options) {
  check_table(table);
  const Threads threads(options.threads);
  std::optional<AbstainRule> rule;
  if (options.abstain || options.abstain_error) rule = rule_of(model, options, threads);
  std::optional<double> half_width;
  if (options.interval) half_width = interval_half_width(model, *options.interval);
  if (options.sets) {
    check_share("sets", *options.sets, false);
    need_classes(model, "sets");
    need_home(model, option_mention("sets"));
  }
  if (options.uncertainty) need_classes(model, "uncertainty");
  Predictions out;
  static_cast<Answers&>(out) =
      Answers(table.rows, model.ensemble.members.size(), model.schema.classes.size(), options.members);
  if (options.uncertainty) {
    out.data_part.resize(table.rows);
    out.knowledge_part.resize(table.rows);
  }
  out.encoded = for_each_encoded_block(
      model, table,
      [&](std::size_t first, InputsView inputs) {
        answer_block(model.ensemble, model.decision, inputs, threads, first, out);
      },
      &out.unlike);
  if (rule) {
    for (const double value : signal_of(rule->signal, out)) out.abstained.push_back(value > rule->most);
  }
  if (options.sets) out.sets = sets_of(model, options, out, threads);
  for (std::size_t r = 0; half_width && r < out.rows; ++r) {
    out.low.push_back(out.numbers[r] - *half_width);
    out.high.push_back(out.numbers[r] + *half_width);
  }
  return out;
}

std::vector<std::string> prediction_warnings(const TrainedModel& model, const EncodeReport& encoded) {
  auto warnings = encoded.warnings();
  if (auto warning = formula_warning(model.schema.classes)) warnings.push_back(std::move(*warning));
  return warnings;
}

void read_abstain(std::string_view text, PredictOptions& options) {
  constexpr std::string_view kError = "error=";
  const bool is_error = text.starts_with(kError);
  const std::string_view number = is_error ? text.substr(kError.size()) : text;
  double share = -1;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), share);
  const bool is_number = read.ec == std::errc() && read.ptr == number.data() + number.size();
  if (!is_number || !(is_error ? share > 0 && share < 1 : share >= 0 && share <= 1)) {
    throw ConfigError(option_mention("abstain") +
                      " is a share of rows from 0 to 1, such as 0.05, or the share of "
                      "answered rows that may be wrong, such as error=0.05; it is not " +
                      quote(text));
  }
  (is_error ? options.abstain_error : options.abstain) = share;
}

AbstainRule abstain_rule(const TrainedModel& model, const PredictOptions& options) {
  return rule_of(model, options, Threads(options.threads));
}

std::string abstain_text(const TrainedModel& model, const PredictOptions& options) {
  const AbstainRule rule = abstain_rule(model, options);
  if (rule.home_rows == 0) {
    return std::string("Rows abstain where the members disagree most") +
           (model.schema.quantity ? "."
                                  : ", because the model does not know which of its validation rows it got wrong.");
  }
  if (rule.most < 0) {
    return fmt::format("Every row abstains: {} are too few, or too often wrong, to promise at most {:.4g} % errors.",
                       counted(rule.home_rows, "validation row"), 100 * *options.abstain_error);
  }
  std::string text = rule.signal == AbstainSignal::doubt
                         ? fmt::format("Rows abstain where the largest probability is below {:.4f}. ", 1 - rule.most)
                         : fmt::format("Rows abstain where the disagreement is above {:.4f}. ", rule.most);
  text += fmt::format("Of {} it answers {}, and {} of these {} wrong", counted(rule.home_rows, "validation row"),
                      thousands(rule.answered), thousands(rule.wrong), rule.wrong == 1 ? "is" : "are");
  if (!options.abstain_error) return text + ".";
  return text + fmt::format(": of answered rows like these, at most {:.4g} % are wrong.", 100 * *options.abstain_error);
}

std::string abstain_json(const AbstainRule& rule) {
  return nlohmann::ordered_json{
      {"signal", word_of(rule.signal)}, {"most", rule.most},   {"home_rows", rule.home_rows},
      {"answered", rule.answered},      {"wrong", rule.wrong}, {"error_bound", rule.error_bound}}
      .dump();
}

ExpectedPerformance expected_performance(const TrainedModel& model, const Stack<float, axis::Row, axis::Score>& scores,
                                         int threads) {
  return expected_performance(model.ensemble, model.decision, model.home, scores, Threads(threads));
}

ExpectedPerformance expected_performance(const TrainedModel& model, const Table& table, int threads) {
  if (model.schema.quantity) return expected_of_a_number(model.home.rows(), table.rows);
  const LabelledAnswers home = model.home.empty() ? LabelledAnswers{} : at_home(model, Threads(threads));
  return expected_performance(home, predict(model, table, {.threads = threads}));
}

std::string expected_json(const ExpectedPerformance& expected) {
  using Json = nlohmann::ordered_json;
  const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  const auto range = [](const std::optional<ExpectedMetric>& e) {
    return e ? Json{{"low", e->low}, {"mid", e->mid}, {"high", e->high}} : Json(nullptr);
  };
  return Json{{"home_rows", expected.home_rows},
              {"rows", expected.rows},
              {"more_disagreement", expected.more_disagreement},
              {"moved", expected.moved},
              {"home",
               {{"accuracy", number(expected.home_accuracy)},
                {"auc", number(expected.home_auc)},
                {"log_loss", number(expected.home_log_loss)}}},
              {"accuracy", range(expected.accuracy)},
              {"auc", range(expected.auc)},
              {"log_loss", range(expected.log_loss)},
              {"reason", expected.reason.empty() ? Json(nullptr) : Json(expected.reason)}}
      .dump();
}

std::string prediction_counts(const EncodeReport& encoded, std::optional<std::size_t> abstained) {
  const auto verb = [](std::size_t count, const char* one, const char* more) { return count == 1 ? one : more; };
  std::string text = "Wrote " + counted(encoded.rows, "row");
  if (abstained) {
    text += fmt::format("; {} of them {}", thousands(*abstained), verb(*abstained, "abstains", "abstain"));
  }
  text += fmt::format(". {} {} a level that training never saw, ", counted(encoded.unseen_rows, "row"),
                      verb(encoded.unseen_rows, "has", "have"));
  if (encoded.outside_rows) {
    text += fmt::format("{} {} outside the range of the training rows in at least one number, ",
                        counted(*encoded.outside_rows, "row"), verb(*encoded.outside_rows, "lies", "lie"));
  } else {
    text += "the model does not know the range of its training rows, ";
  }
  const std::size_t missing = encoded.missing_cells();
  return text + fmt::format("and {} {} missing.", counted(missing, "cell"), verb(missing, "is", "are"));
}

std::string unlike_json(const EncodeReport& encoded) {
  using Json = nlohmann::ordered_json;
  Json columns = Json::object();
  const auto add = [&](const char* what, const std::vector<ColumnCount>& counts) {
    for (const ColumnCount& c : counts) {
      if (!columns.contains(c.column)) columns[c.column] = {{"unseen", 0}, {"outside", 0}, {"missing", 0}};
      columns[c.column][what] = c.count;
    }
  };
  add("unseen", encoded.unseen);
  add("outside", encoded.outside);
  add("missing", encoded.filled);
  return Json{{"unseen_rows", encoded.unseen_rows},
              {"outside_rows", encoded.outside_rows ? Json(*encoded.outside_rows) : Json(nullptr)},
              {"missing_cells", encoded.missing_cells()},
              {"columns", std::move(columns)}}
      .dump();
}

std::string prediction_json(const EncodeReport& encoded, std::optional<std::size_t> abstained) {
  using Json = nlohmann::ordered_json;
  return Json{{"rows", encoded.rows},
              {"abstained", abstained ? Json(*abstained) : Json(nullptr)},
              {"unlike_training", Json::parse(unlike_json(encoded))}}
      .dump();
}

RowsUnlike rows_unlike(const TrainedModel& model, const Table& table, EncodeReport* report) {
  RowsUnlike found;
  const EncodeReport met = for_each_encoded_block(
      model, table, [](std::size_t, InputsView) {}, &found);
  if (report != nullptr) *report = met;
  return found;
}

Gradients input_gradients(const TrainedModel& model, const Table& table, int thread_count) {
  const Threads threads(thread_count);
  Gradients out{model.ensemble.differentiable(), table.rows, model.schema.features.size(), {}, {}};
  out.values.resize(out.members * out.rows * out.features);
  out.encoded = for_each_encoded_block(model, table, [&](std::size_t first, InputsView inputs) {
    const auto gradients = input_gradients(model.ensemble, inputs, threads);
    for (std::size_t m = 0; m < out.members; ++m) {
      for (std::size_t r = 0; r < inputs.rows(); ++r) {
        std::copy_n(gradients[m].row(r), out.features, out.values.data() + (m * out.rows + first + r) * out.features);
      }
    }
  });
  return out;
}

}  // namespace perpend
