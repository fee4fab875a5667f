#include "perpend/api/explain.h"

#include <fmt/format.h>

#include <iterator>

#include "perpend/api/measure.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/option_mention.h"
#include "perpend/data/encode.h"
#include "perpend/data/source.h"
#include "perpend/evaluate/dependence.h"
#include "perpend/evaluate/permutation.h"

namespace perpend {

namespace {

RowExplained explain_row(const TrainedModel& model, std::size_t number, InputsView row, const Threads& threads) {
  RowExplained out;
  out.row = number;
  out.answer = Answers(1, model.ensemble.members.size(), model.schema.classes.size(), true);
  answer_block(model.ensemble, model.decision, row, threads, 0, out.answer);
  out.members = explain(model.ensemble, model.schema, row, threads).members;
  if (const auto familiar = FamiliarDisagreement::of(model.summary)) {
    out.familiar_percent = familiar->percent_below(out.answer.disagreement[0]);
  }
  return out;
}

void need_rows(const Table& table) {
  if (table.rows == 0) throw DataError(printable(table.source) + " has no rows");
}

}  // namespace

std::string no_such_row(std::size_t row, const Table& table) {
  return fmt::format("there is no row {} in {}: it has {}", thousands(row + 1), printable(table.source),
                     counted(table.rows, "row"));
}

Explained explain(const TrainedModel& model, const Table& table, const ExplainOptions& options) {
  if (options.row && *options.row >= table.rows) {
    throw DataError(no_such_row(*options.row, table));
  }
  EncodeReport report;
  const Inputs inputs = encode_inputs(table, model.schema, all_rows(table), &report);
  const Threads threads(options.threads);
  MeasuredTangents along = tangents_for(options.manifold, model, inputs.view(), threads);
  Explained found{.rows = table.rows,
                  .all = explain(model.ensemble, model.schema, inputs.view(), threads, along.tangents),
                  .row = std::nullopt,
                  .warnings = report.warnings(),
                  .encoded = report,
                  .notes = std::move(along.notes)};
  if (options.row) found.row = explain_row(model, *options.row, inputs.view().middle_rows(*options.row, 1), threads);
  return found;
}

ColumnsWorth permutation_importance(const TrainedModel& model, const Table& table, const PermuteOptions& options,
                                    EncodeReport* report) {
  if (options.repeats < 2 || options.repeats > 1000) {
    throw ConfigError(option_mention("repeats") + " must be from 2 to 1,000");
  }
  need_rows(table);
  if (table.find(model.schema.target) == nullptr) {
    throw DataError(fmt::format("{} has no column {}; it is needed to measure what a shuffled column costs",
                                printable(table.source), quote(model.schema.target)));
  }
  const Dataset data = encode(table, model.schema, all_rows(table), report);
  return permutation_importance(model.ensemble, model.decision, model.schema,
                                {data.inputs.view(), data.labels, data.targets},
                                {.repeats = static_cast<std::size_t>(options.repeats)}, Threads(options.threads));
}

Dependence partial_dependence(const TrainedModel& model, const Table& table, const std::string& column, int threads,
                              EncodeReport* report) {
  need_rows(table);
  const std::size_t input = input_named(model.schema, column);
  const Inputs inputs = encode_inputs(table, model.schema, all_rows(table), report);
  Dependence found =
      partial_dependence(model.ensemble, model.decision, model.schema, inputs.view(), input, Threads(threads));
  if (found.points() > 0) return found;
  throw DataError(fmt::format("no row of {} has a value of column {} that the model knows", printable(table.source),
                              quote(found.column)));
}

std::string familiar_words(int percent_below) {
  if (percent_below == 100) return "they disagree more than on any familiar row";
  if (percent_below >= 50) return fmt::format("they disagree more than on {} % of familiar rows", percent_below);
  return fmt::format("they disagree no more than on {} % of familiar rows", 100 - percent_below);
}

std::string explanation_csv(const Explanation& explanation, const Schema& schema) {
  std::string text = "member,feature,column,column_share,mean,sd,q05,q25,q50,q75,q95\n";
  for (std::size_t m = 0; m < explanation.members.size(); ++m) {
    const auto& member = explanation.members[m];
    for (std::size_t f = 0; f < schema.features.size(); ++f) {
      const Feature& feature = schema.features[f];
      const InputColumn& column = schema.columns[feature.column];
      const double share = member.shares[feature.column];
      const auto add = [&](const std::string& name, const GradientSummary& gradient) {
        auto out = std::back_inserter(text);
        fmt::format_to(out, "{},{},{},{},{},{}", m + 1, csv_cell(name), csv_cell(column.name), share, gradient.mean,
                       gradient.sd);
        for (const double q : gradient.quantiles) fmt::format_to(out, ",{}", q);
        text += '\n';
      };
      add(feature.name, member.features[f]);
      if (member.levels.empty()) continue;
      for (const auto& level : member.levels[f])
        add(column.name + "=" + level_name(column, level.level), level.contrast);
    }
  }
  return text;
}

std::string worth_csv(const ColumnsWorth& worth) {
  std::string text = "column,who,increase,standard_error\n";
  auto out = std::back_inserter(text);
  for (const auto& column : worth.columns) {
    const std::string name = csv_cell(column.name);
    fmt::format_to(out, "{},ensemble,{},{}\n", name, column.increase, column.standard_error);
    for (std::size_t m = 0; m < column.members.size(); ++m) {
      fmt::format_to(out, "{},{},{},\n", name, m + 1, column.members[m]);
    }
  }
  return text;
}

std::string dependence_csv(const Dependence& found) {
  std::string text = "column,value,class,who,mean\n";
  auto out = std::back_inserter(text);
  for (const auto& curve : found.curves) {
    for (std::size_t i = 0; i < found.points(); ++i) {
      const std::string value =
          found.is_number ? number_name(found.numbers[i]) : csv_cell(found.levels[i].value_or(""));
      const std::string start = csv_cell(found.column) + "," + value + "," + csv_cell(curve.of_class);
      fmt::format_to(out, "{},ensemble,{}\n", start, curve.ensemble[i]);
      for (std::size_t m = 0; m < curve.members.size(); ++m) {
        fmt::format_to(out, "{},{},{}\n", start, m + 1, curve.members[m][i]);
      }
    }
  }
  return text;
}

}  // namespace perpend
