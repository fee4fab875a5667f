#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/predict.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/need_column.h"
#include "perpend/data/source.h"

namespace perpend::app {

namespace {

struct PredictArguments {
  std::string model, data, output, id, data_dir;
  std::string abstain;
  std::optional<double> interval, sets;
  int threads = 0;
  bool members = false;
  bool flags = false;
  bool shifted = false;
  bool uncertainty = false;
  bool json = false;
  bool force = false;
};

// Writes a number from 0 to 1 with six decimals, many times as fast as a general formatter.
void append_share(double share, std::string& text) {
  constexpr int kDecimals = 6;
  if (!(share >= 0 && share < 2)) {  // weights near the end of float range
    fmt::format_to(std::back_inserter(text), "{:.6f}", share);
    return;
  }
  auto millionths = static_cast<unsigned>(std::lround(share * 1e6));
  char digits[2 + kDecimals];
  digits[0] = static_cast<char>('0' + millionths / 1'000'000);
  digits[1] = '.';
  for (int i = kDecimals + 1; i > 1; --i, millionths /= 10) digits[i] = static_cast<char>('0' + millionths % 10);
  text.append(digits, sizeof digits);
}

// Predictions as lines of CSV: a header, then one line per row.
class PredictionLines {
 public:
  PredictionLines(const TrainedModel& model, const PredictArguments& arguments) : model_(model), arguments_(arguments) {
    for (const auto& name : model.schema.classes) class_cells_.push_back("," + csv_cell(name) + ",");
  }

  std::string header() const {
    std::string text = arguments_.id.empty() ? "" : csv_cell(arguments_.id) + ",";
    text += model_.schema.quantity ? "prediction,disagreement" : "probability,prediction,disagreement";
    if (arguments_.interval) text += ",low,high";
    if (!arguments_.abstain.empty()) text += ",abstain";
    if (arguments_.sets) text += ",set";
    if (arguments_.uncertainty) text += ",data,knowledge";
    for (std::size_t k = 0; has_class_columns() && k < model_.schema.classes.size(); ++k) {
      text += "," + csv_cell("probability=" + model_.schema.classes[k]);
    }
    for (std::size_t m = 0; arguments_.members && m < model_.ensemble.members.size(); ++m) {
      text += fmt::format(",member_{}", m + 1);
    }
    if (arguments_.flags) text += ",unseen,outside";
    return text + "\n";
  }

  std::string of(const Table& table, const Predictions& answers) const {
    const Column* id = arguments_.id.empty() ? nullptr : &need_column(table, arguments_.id);
    std::string text;
    for (std::size_t r = 0; r < table.rows; ++r) {
      if (id != nullptr) text += csv_cell(id->text(r)) + ",";
      append_row(answers, r, text);
    }
    return text;
  }

 private:
  bool has_class_columns() const { return model_.schema.classes.size() > 2; }

  // Numbers are written so that they read back unchanged.
  void append_numbers(const Predictions& answers, std::size_t r, std::string& text) const {
    fmt::format_to(std::back_inserter(text), "{},{}", answers.numbers[r], answers.disagreement[r]);
    if (arguments_.interval) fmt::format_to(std::back_inserter(text), ",{},{}", answers.low[r], answers.high[r]);
    if (!arguments_.abstain.empty()) text += answers.abstained[r] ? ",true" : ",false";
    for (std::size_t m = 0; arguments_.members && m < answers.members; ++m) {
      fmt::format_to(std::back_inserter(text), ",{}", answers.numbers_of_members[m * answers.rows + r]);
    }
    text += '\n';
  }

  void append_row(const Predictions& answers, std::size_t r, std::string& text) const {
    if (answers.is_regression()) return append_numbers(answers, r, text);
    const std::size_t shown = answers.shown_class(r);
    append_share(answers.probability(r, shown), text);
    text += class_cells_[answers.predicted[r]];
    append_share(answers.disagreement[r], text);
    if (!arguments_.abstain.empty()) text += answers.abstained[r] ? ",true" : ",false";
    if (arguments_.sets) append_set(answers, r, text);
    if (arguments_.uncertainty) {
      append_cell(answers.data_part[r], text);
      append_cell(answers.knowledge_part[r], text);
    }
    for (std::size_t k = 0; has_class_columns() && k < answers.classes; ++k)
      append_cell(answers.probability(r, k), text);
    for (std::size_t m = 0; arguments_.members && m < answers.members; ++m) {
      append_cell(answers.of_member(m, r, shown), text);
    }
    if (arguments_.flags) {
      fmt::format_to(std::back_inserter(text), ",{},{}", answers.unlike.unseen[r], answers.unlike.outside[r]);
    }
    text += '\n';
  }

  // Writes the names of the classes, with | between them.
  void append_set(const Predictions& answers, std::size_t r, std::string& text) const {
    std::string names;
    for (std::size_t k = 0; k < answers.classes; ++k) {
      if (answers.sets[r * answers.classes + k] == 0) continue;
      if (!names.empty()) names += '|';
      names += model_.schema.classes[k];
    }
    text += ',' + csv_cell(names);
  }

  static void append_cell(double share, std::string& text) {
    text += ',';
    append_share(share, text);
  }

  const TrainedModel& model_;
  const PredictArguments& arguments_;
  std::vector<std::string> class_cells_;
};

void tell(const PredictArguments& arguments, const TrainedModel& model, const PredictOptions& options,
          const EncodeReport& encoded, std::optional<std::size_t> abstained) {
  if (arguments.json) {
    Json json = {{"model", arguments.model}, {"output", arguments.output}};
    json.update(Json::parse(prediction_json(encoded, abstained)));
    if (abstained) json["abstain"] = Json::parse(abstain_json(abstain_rule(model, options)));
    write_json(json);
  } else {
    if (abstained) say("{}\n", abstain_text(model, options));
    say("{}\n", prediction_counts(encoded, abstained));
  }
}

// Says why predict cannot abstain by this text. Empty when it can. The flag's name stands before it.
std::string abstain_problem(const std::string& text) try {
  PredictOptions options;
  read_abstain(text, options);
  return "";
} catch (const ConfigError&) {
  return "it must be a share of rows from 0 to 1, such as 0.05, or the share of answered rows that may be wrong, such "
         "as error=0.05";
}

void predict_verb(const PredictArguments& arguments) {
  const bool to_file = !arguments.output.empty() && arguments.output != "-";
  if (arguments.json && !to_file) throw UsageError("--json needs -o FILE for the predictions");
  const TrainedModel model = load_model(arguments.model);
  const PredictionLines lines(model, arguments);
  if (arguments.shifted && !arguments.sets) throw UsageError("--shifted is for --sets SHARE; give both");
  PredictOptions options{.sets = arguments.sets,
                         .weigh_sets = arguments.shifted,
                         .uncertainty = arguments.uncertainty,
                         .interval = arguments.interval,
                         .members = arguments.members,
                         .threads = arguments.threads};
  if (!arguments.abstain.empty()) read_abstain(arguments.abstain, options);
  std::optional<DurableFile> file;
  if (to_file) file.emplace(arguments.output, arguments.force);
  const auto write = [&](const std::string& text) { file ? file->write(text) : write_data(text); };
  std::size_t rows = 0;
  std::optional<std::size_t> abstained;
  if (!arguments.abstain.empty()) abstained = 0;
  EncodeReport encoded;
  ProgressLine progress;
  const auto predict_block = [&](const Table& block) {
    const Predictions answers = predict(model, block, options);
    const std::string text = lines.of(block, answers);
    if (rows == 0) write(lines.header());
    write(text);
    encoded += answers.encoded;
    if (abstained) *abstained += static_cast<std::size_t>(std::ranges::count(answers.abstained, true));
    rows += block.rows;
    progress.show(fmt::format("{} predicted", counted(rows, "row")));
  };
  const std::string folder = data_folder(arguments.data_dir).string();
  if (arguments.shifted) {  // the sets of a row depend on all others
    predict_block(read_source(arguments.data, folder));
  } else {
    read_source_in_blocks(arguments.data, folder, predict_block);
  }
  if (file) file->commit();
  progress.clear();
  for (const auto& warning : prediction_warnings(model, encoded)) warn(warning);
  tell(arguments, model, options, encoded, abstained);
}

}  // namespace

void add_predict(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<PredictArguments>();
  auto* verb = program.add_subcommand(
      "predict", "Predict rows: the probability, the prediction, and how much the members disagree");
  verb->footer(
      "  perpend predict loans.safetensors new.csv -o predictions.csv --id loan_id\n"
      "  perpend predict loans.safetensors new.csv --abstain 0.05   mark rows that are less sure than 95 % of familiar "
      "ones\n"
      "  perpend predict loans.safetensors new.csv --abstain error=0.05   answer so that at most 5 % are wrong\n"
      "  perpend predict loans.safetensors new.csv --sets 0.9 --shifted   sets of classes for rows from another place\n"
      "  perpend predict loans.safetensors new.csv --flags          count what is new to the model in each row\n"
      "  zcat big.csv.gz | perpend predict m.safetensors - > out.csv\n");
  add_model(*verb, arguments->model);
  add_data(*verb, arguments->data, "Rows to predict")->required();
  verb->add_option("-o,--output", arguments->output, "CSV file to write [stdout]")->type_name("FILE");
  verb->add_option("--id", arguments->id, "Column of DATA to copy into the output, such as a row id")->type_name("COL");
  verb->add_flag("--members", arguments->members, "Add one column per member");
  verb->add_flag("--flags", arguments->flags,
                 "Add columns unseen and outside: how many levels of the row are new to the model, and how many of its "
                 "numbers lie outside the range of the training rows");
  verb->add_option("--abstain", arguments->abstain,
                   "Flag the rows that are less sure than (1 - SHARE) of the validation rows. With error=SHARE, flag "
                   "so many rows that at most this share of the others is wrong, if they are like the validation rows")
      ->check(CLI::Validator(abstain_problem, ""))
      ->type_name("SHARE|error=SHARE");
  verb->add_option("--sets", arguments->sets,
                   "For classes: add a set of classes per row. For this share of rows like the validation rows, the "
                   "set holds the true class")
      ->check(between(0, 1))
      ->type_name("SHARE");
  verb->add_flag(
      "--shifted", arguments->shifted,
      "With --sets: weight the validation rows so that they resemble these rows, which are all read at once");
  verb->add_flag("--uncertainty", arguments->uncertainty,
                 "For classes: add columns data and knowledge, the two parts of the entropy: the members' own doubt, "
                 "and their disagreement");
  verb->add_option("--interval", arguments->interval,
                   "For numbers: add columns low and high. For this share of rows like the validation rows, the target "
                   "lies between them")
      ->check(between(0, 1))
      ->type_name("SHARE");
  add_data_dir(*verb, arguments->data_dir);
  add_threads(*verb, arguments->threads);
  add_json(*verb, arguments->json);
  add_force(*verb, arguments->force, "the output file");
  verb->callback([arguments, &chosen] { chosen = [arguments] { predict_verb(*arguments); }; });
}

}  // namespace perpend::app
