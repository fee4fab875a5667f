#include "perpend/run/card.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "perpend/base/message.h"
#include "perpend/records/run_summary.h"
#include "perpend/run/option_table.h"
#include "perpend/run/run.h"

namespace perpend {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostColumns = 50;  // that a card lists

// The options as the file has them: one word for each that the training was given or chose.
class Options {
 public:
  explicit Options(const std::string& text) : json_(Json::parse(text, nullptr, false)) {}
  std::string word(const char* name) const {
    const auto found = json_.is_object() ? json_.find(name) : json_.end();
    if (!json_.is_object() || found == json_.end() || found->is_null()) return "";
    return found->is_string() ? found->get<std::string>() : found->dump();
  }
  std::vector<std::string> list(const char* name) const {
    std::vector<std::string> words;
    if (!json_.is_object() || !json_.contains(name) || !json_[name].is_array()) return words;
    for (const Json& item : json_[name]) {
      if (item.is_string()) words.push_back(item.get<std::string>());
    }
    return words;
  }

 private:
  Json json_;
};

CardSection what_it_is(const TrainedModel& model, const Options& options, const std::string& sha256) {
  const Schema& schema = model.schema;
  CardSection section{.heading = "What it is"};
  section.sentences.push_back(fmt::format("{} trained by method {} predict {} from {}.",
                                          counted(model.ensemble.members.size(), "member"), options.word("method"),
                                          quote(schema.target), counted(schema.columns.size(), "input column")));
  if (schema.quantity) {
    section.sentences.push_back(fmt::format("The target is a number with mean {:.4g} and standard deviation {:.4g}.",
                                            schema.quantity->mean, schema.quantity->sd));
  } else {
    section.sentences.push_back(fmt::format("The classes are {}.", quote_all(schema.classes)));
  }
  if (model.decision.threshold) {
    section.sentences.push_back(fmt::format("The answer is {} where its probability is above {:.4g}.",
                                            quote(schema.classes.at(1)), *model.decision.threshold));
  }
  if (model.decision.gate) section.sentences.push_back("A gate says how much each member counts on which row.");
  const std::string calibration = options.word("calibrate");
  if (!calibration.empty() && calibration != "none") {
    section.sentences.push_back(fmt::format("Its probabilities were calibrated on validation rows ({}).", calibration));
  }
  for (const char* direction : {"increasing", "decreasing"}) {
    const auto columns = options.list(direction);
    if (!columns.empty())
      section.sentences.push_back(fmt::format("Its answers are {} in {}.", direction, quote_all(columns)));
  }
  if (model.summary.adapted) {
    section.sentences.push_back(
        fmt::format("The answer was adapted to {} afterwards.", counted(model.summary.adapted->rows, "labelled row")));
  }
  section.sentences.push_back("The sha256 of the model file is " + sha256 + ".");
  return section;
}

std::vector<std::string> column_cells(const InputColumn& column) {
  if (column.kind == ColumnKind::numeric) {
    const bool date = column.reading.part == Reading::Part::time && column.reading.is_date();
    const std::string range =
        column.range && !date ? fmt::format("from {:.6g} to {:.6g}", column.range->low, column.range->high) : "";
    return {printable(column.name), date ? "date" : "number", range};
  }
  std::string levels = counted(column.levels.size(), "level");
  if (column.pooled > 0) levels += fmt::format(", and {} that are rare and pooled", thousands(column.pooled));
  return {printable(column.name), "category", levels};
}

CardSection what_it_was_trained_on(const TrainedModel& model, const Options& options) {
  const Schema& schema = model.schema;
  CardSection section{.heading = "What it was trained on"};
  const RowCounts& rows = model.summary.rows;
  section.sentences.push_back(fmt::format("{} trained it.", counted(model.summary.final_rows(), "row")));
  if (rows.unlabeled > 0) {
    section.sentences.push_back(
        fmt::format("{} without labels also helped to keep its members apart.", counted(rows.unlabeled, "row")));
  }
  if (!model.summary.data_sha256.empty()) {
    section.sentences.push_back("The sha256 of all rows, as the model reads them, is " + model.summary.data_sha256 +
                                ". Training on the same table with the same options gives the same sha256.");
  }
  if (const std::string weight = options.word("sample_weight"); !weight.empty())
    section.sentences.push_back(fmt::format("The column {} weighs the rows.", quote(weight)));
  if (const auto weights = options.list("class_weight"); !weights.empty())
    section.sentences.push_back(fmt::format("Classes are weighted: {}.", quote_all(weights)));
  if (!schema.ignored.empty())
    section.sentences.push_back(fmt::format("These columns of the table are not used: {}.", quote_all(schema.ignored)));
  section.table.push_back({"column", "kind", "in training"});
  for (const InputColumn& column : schema.columns) {
    if (section.table.size() > kMostColumns) break;
    if (column.name == column.table_column()) section.table.push_back(column_cells(column));
  }
  return section;
}

CardSection how_it_was_split(const TrainedModel& model, const Options& options) {
  const RowCounts& rows = model.summary.rows;
  CardSection section{.heading = "How the rows were split"};
  std::string text = fmt::format("The split was {}, with seed {}", quote(options.word("split")), options.word("seed"));
  if (const std::string column = options.word("split_column"); !column.empty())
    text += fmt::format(", by the column {}", quote(column));
  if (const std::string domain = options.word("domain"); !domain.empty())
    text += fmt::format(", by the domains in {}", quote(domain));
  section.sentences.push_back(text + ".");
  section.sentences.push_back(fmt::format("There were {} for training, {} for validation and {} for the test.",
                                          counted(rows.train, "row"), thousands(rows.validation),
                                          thousands(rows.test)));
  if (model.summary.refitted) {
    section.sentences.push_back(fmt::format(
        "The validation rows decided when the training stopped. Then a refit trained the final members on all {}.",
        counted(model.summary.final_rows(), "training and validation row")));
  }
  return section;
}

// What a reader who cares for privacy should know before passing the file on.
CardSection what_the_file_keeps(const TrainedModel& model) {
  CardSection section{.heading = "What the file keeps of the rows"};
  section.sentences.push_back(
      "Levels of categories, ranges and cuts of numbers, means and standard deviations come from the training rows.");
  if (model.home.empty()) {
    section.sentences.push_back("The file keeps no label of any row, and no answer.");
    return section;
  }
  section.sentences.push_back(
      fmt::format("Of {} the file keeps the label and the answer of each member. Whoever has the file can read them.",
                  counted(model.home.rows(), "validation row")));
  if (!model.home.columns.empty()) {
    section.sentences.push_back(
        "It also keeps 256 yes-or-no marks of each of these rows, and a histogram of each column. No cell of a row is "
        "kept.");
  }
  section.sentences.push_back("If the option remember is switched off, training leaves all of this out.");
  return section;
}

struct ShownMetric {
  const char* name;  // in MetricRange
  const char* words;
  Metric Scores::*value;
};
constexpr ShownMetric kClassMetrics[] = {{"auc", "AUC", &Scores::auc},
                                         {"accuracy", "accuracy", &Scores::accuracy},
                                         {"log_loss", "log-loss", &Scores::log_loss}};
constexpr ShownMetric kNumberMetrics[] = {
    {"rmse", "RMSE", &Scores::rmse}, {"mae", "mean absolute error", &Scores::mae}, {"r2", "R²", &Scores::r2}};

std::string cell(const Metric& metric) { return metric ? fmt::format("{:.4g}", *metric) : "–"; }

std::string sentence_on(Standing standing, bool number) {
  const std::string line = number ? "one linear regression" : "one logistic regression";
  switch (standing) {
    case Standing::below_majority:
      return number ? "It is worse than answering with one number for all rows. Do not use it."
                    : "It is worse than answering with the classes' shares. Do not use it.";
    case Standing::below_logistic:
      return "It is worse than " + line + ".";
    case Standing::as_logistic:
      return "It is about as good as " + line + ".";
    case Standing::above_logistic:
      return "It is better than " + line + ".";
    case Standing::unknown:
      break;
  }
  return "";
}

CardSection how_good_it_is(const TrainedModel& model) {
  const RunSummary& summary = model.summary;
  CardSection section{.heading = "How good it is"};
  const JudgedPart judged = summary.judged();
  if (judged.evaluation == nullptr) {
    section.sentences.push_back("It was never measured.");
    return section;
  }
  section.sentences.push_back(fmt::format("These figures are of {}.", counted(judged.rows, judged.name + " row")));
  if (summary.refitted && judged.name == "validation") {
    section.sentences.emplace_back(
        "They were measured before the refit, on members that had not trained on these rows.");
  }
  if (const std::string text = sentence_on(standing(summary), judged.evaluation->regression); !text.empty())
    section.sentences.push_back(text);
  section.table.push_back({"metric", "ensemble"});
  if (!summary.ranges.empty()) section.table[0].push_back("95 % interval");
  if (summary.baselines) {
    const bool number = judged.evaluation->regression;
    section.table[0].push_back(number ? "linear regression" : "logistic regression");
    section.table[0].push_back(number ? "one number" : "majority class");
  }
  for (const ShownMetric& metric :
       judged.evaluation->regression ? std::span(kNumberMetrics) : std::span(kClassMetrics)) {
    std::vector<std::string> row = {metric.words, cell((*judged.evaluation).*metric.value)};
    if (!summary.ranges.empty()) {
      const auto found = summary.ranges.find(metric.name);
      row.push_back(
          found == summary.ranges.end() ? "–" : fmt::format("{:.4g} to {:.4g}", found->second.low, found->second.high));
    }
    if (summary.baselines) {
      row.push_back(cell(summary.baselines->logistic.*metric.value));
      row.push_back(cell(summary.baselines->majority.*metric.value));
    }
    section.table.push_back(std::move(row));
  }
  return section;
}

CardSection what_it_was_not_tested_on(const TrainedModel& model, const Options& options) {
  CardSection section{.heading = "What it was not tested on"};
  const RowCounts& rows = model.summary.rows;
  const std::string split = options.word("split");
  if (rows.test == 0) {
    section.sentences.push_back(
        rows.validation > 0 ? "No rows were kept for a test. The validation rows also decided when the training "
                              "stopped, so the figures above flatter the model."
                            : "No rows were held out. The figures above are of the training rows and say little "
                              "about new rows.");
  } else if (split == "random" || split == "limited") {
    section.sentences.push_back(
        "The test rows were drawn at random from the same table. The figures above hold for rows like these. Nothing "
        "was measured on rows of another place, time or source.");
  } else {
    section.sentences.push_back(fmt::format(
        "The test rows differ from the training rows in one way, that of the split {}. Other changes were not tested.",
        quote(split)));
  }
  section.sentences.push_back(
      "Rows with levels or with numbers outside the ranges of the columns above were not in the training.");
  section.sentences.push_back("Groups of rows, such as men and women, were not compared.");
  return section;
}

CardSection how_to_use_it(const TrainedModel& model) {
  CardSection section{.heading = "How to use it"};
  section.commands.emplace_back("perpend predict MODEL NEW.csv -o predictions.csv --flags");
  if (!model.summary.disagreement_percentiles.empty())
    section.commands.emplace_back("perpend predict MODEL NEW.csv -o predictions.csv --abstain 0.05");
  return section;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_{}[]<>()#+!|~&$").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string table_markdown(const std::vector<std::vector<std::string>>& table) {
  std::string text;
  for (std::size_t r = 0; r < table.size(); ++r) {
    for (const std::string& cell_text : table[r]) text += "| " + escaped(cell_text) + " ";
    text += "|\n";
    if (r > 0) continue;
    for (std::size_t k = 0; k < table[0].size(); ++k) text += "| --- ";
    text += "|\n";
  }
  return text;
}

}  // namespace

ModelCard model_card(const TrainedModel& model, const std::string& sha256) {
  const Options options(model.options);
  return {what_it_is(model, options, sha256),
          what_it_was_trained_on(model, options),
          how_it_was_split(model, options),
          how_good_it_is(model),
          what_it_was_not_tested_on(model, options),
          what_the_file_keeps(model),
          how_to_use_it(model)};
}

std::string card_markdown(const ModelCard& card) {
  std::string text = "# Model card\n";
  for (const CardSection& section : card) {
    text += "\n## " + section.heading + "\n\n";
    for (const std::string& sentence : section.sentences) text += "- " + escaped(sentence) + "\n";
    if (!section.table.empty()) text += (section.sentences.empty() ? "" : "\n") + table_markdown(section.table);
    if (section.commands.empty()) continue;
    text += "```\n";
    for (const std::string& command : section.commands) text += command + "\n";
    text += "```\n";
  }
  return text;
}

}  // namespace perpend
