#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <future>
#include <iterator>
#include <optional>
#include <span>

#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/familiar.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/find_classes.h"
#include "perpend/data/need_column.h"
#include "perpend/data/read_csv.h"
#include "perpend/data/source.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/evaluate/selective.h"
#include "perpend/model/decision.h"
#include "perpend/model/predict.h"
#include "perpend/store/trained_model.h"

namespace perpend::app {

namespace {

// A block is at most this many rows, and this many cells of a wide table.
constexpr std::size_t kBlockRows = 16384;
constexpr std::size_t kBlockCells = std::size_t{1} << 21;

struct PredictArguments {
  std::string model, data, output, id, data_dir;
  std::optional<double> abstain;
  int threads = 0;
  bool members = false;
  bool force = false;
};

// Rows as they come: blocks of a CSV, each read while the one before is used, or one whole table of any other source.
void for_each_block(const PredictArguments& arguments, const std::function<void(const Table&)>& use) {
  const std::string folder = data_folder(arguments.data_dir).string();
  const std::string& source = arguments.data;
  const bool csv = source == "-" || source.ends_with(".csv") || source.ends_with(".csv.gz");
  if (!csv) return use(read_source(source, folder));
  CsvReader reader(open_bytes(source));
  const std::size_t rows = std::clamp<std::size_t>(kBlockCells / reader.names().size(), 1, kBlockRows);
  const auto read = [&]() -> std::optional<Table> {
    Table block;
    if (!reader.next(block, rows)) return std::nullopt;
    return block;
  };
  auto next = std::async(std::launch::async, read);
  while (const auto block = next.get()) {
    next = std::async(std::launch::async, read);
    use(*block);
  }
}

// The disagreement above which a row is left to a human: what this share of familiar rows is above.
double abstain_threshold(const TrainedModel& model, double share) {
  const auto familiar = FamiliarDisagreement::of(model);
  if (!familiar) throw ConfigError("--abstain needs a model that knows its familiar rows; train it anew");
  return familiar->at(1 - share);
}

class Predictor {
 public:
  Predictor(const TrainedModel& model, const PredictArguments& arguments)
      : model_(model), arguments_(arguments), threads_(arguments.threads) {
    for (const auto& name : model.schema.classes) class_cells_.push_back("," + csv_cell(name) + ",");
    if (arguments.abstain) threshold_ = abstain_threshold(model, *arguments.abstain);
  }

  std::string header() const {
    std::string text = arguments_.id.empty() ? "" : csv_cell(arguments_.id) + ",";
    text += "probability,prediction,disagreement";
    if (threshold_) text += ",abstain";
    const std::size_t classes = model_.schema.classes.size();
    for (std::size_t k = 0; classes > 2 && k < classes; ++k)
      text += "," + csv_cell("probability=" + model_.schema.classes[k]);
    for (std::size_t m = 0; arguments_.members && m < model_.ensemble.members.size(); ++m) {
      text += fmt::format(",member_{}", m + 1);
    }
    return text + "\n";
  }

  std::string rows(const Table& table) {
    const Column* id = arguments_.id.empty() ? nullptr : &need_column(table, arguments_.id);
    EncodeReport report;
    const Inputs inputs = encode_inputs(table, model_.schema, all_rows(table), &report);
    report_ += report;
    const Answers answers = model_.schema.classes.size() == 2 ? answer_two(inputs) : answer_many(inputs);
    std::string text;
    for (std::size_t r = 0; r < table.rows; ++r) {
      if (id != nullptr) text += csv_cell(id->text(r)) + ",";
      append_row(answers, r, text);
    }
    return text;
  }

  std::vector<std::string> warnings() const {
    auto lines = report_.warnings();
    if (auto line = formula_warning(model_.schema.classes)) lines.push_back(std::move(*line));
    return lines;
  }

 private:
  struct Answers {
    std::vector<std::size_t> predicted;
    std::vector<double> probability, disagreement;
    std::vector<std::vector<double>> more;  // further columns: classes when there are more than two, then members
  };

  Answers answer_two(const Inputs& inputs) const {
    const auto members = binary_probabilities(model_.ensemble, inputs.view(), threads_);
    Answers out;
    out.probability = decide(model_.decision, members.view());
    out.disagreement = row_disagreement(members.view());
    // A probability of exactly one half predicts the first class, as the metrics do.
    for (const double p : out.probability) out.predicted.push_back(p > 0.5 ? 1 : 0);
    for (std::size_t m = 0; arguments_.members && m < members.rows(); ++m) {
      out.more.emplace_back(members.row(m), members.row(m) + members.cols());
    }
    return out;
  }

  Answers answer_many(const Inputs& inputs) const {
    const auto members = member_probabilities(model_.ensemble, inputs.view(), threads_);
    const auto decided = decide(model_.decision, members);
    const std::size_t classes = decided.cols();
    Answers out;
    out.disagreement = row_disagreement(members);
    out.more.resize(classes + (arguments_.members ? members.members() : 0));
    for (std::size_t r = 0; r < inputs.rows(); ++r) {
      const double* p = decided.row(r);
      const auto best = static_cast<std::size_t>(std::max_element(p, p + classes) - p);
      out.predicted.push_back(best);
      out.probability.push_back(p[best]);
      for (std::size_t k = 0; k < classes; ++k) out.more[k].push_back(p[k]);
      for (std::size_t m = 0; arguments_.members && m < members.members(); ++m) {
        out.more[classes + m].push_back(members[m](r, best));
      }
    }
    return out;
  }

  void append_row(const Answers& answers, std::size_t r, std::string& text) const {
    append_share(answers.probability[r], text);
    text += class_cells_[answers.predicted[r]];
    append_share(answers.disagreement[r], text);
    if (threshold_) text += answers.disagreement[r] > *threshold_ ? ",true" : ",false";
    for (const auto& column : answers.more) {
      text += ',';
      append_share(column[r], text);
    }
    text += '\n';
  }

  // A number from 0 to 1 with six decimals, many times as fast as a general formatter.
  static void append_share(double share, std::string& text) {
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

  const TrainedModel& model_;
  const PredictArguments& arguments_;
  Threads threads_;
  std::optional<double> threshold_;
  std::vector<std::string> class_cells_;
  EncodeReport report_;
};

void predict_verb(const PredictArguments& arguments) {
  const TrainedModel model = load_model(arguments.model);
  Predictor predictor(model, arguments);
  std::optional<DurableFile> file;
  if (!arguments.output.empty() && arguments.output != "-") file.emplace(arguments.output, arguments.force);
  const auto write = [&](const std::string& text) {
    if (file) {
      file->write(text);
    } else {
      write_data(text);
    }
  };
  std::size_t rows = 0;
  ProgressLine progress;
  for_each_block(arguments, [&](const Table& block) {
    const std::string text = predictor.rows(block);
    if (rows == 0) write(predictor.header());
    write(text);
    rows += block.rows;
    progress.show(fmt::format("{} predicted", counted(rows, "row")));
  });
  if (file) file->commit();
  progress.clear();
  for (const auto& warning : predictor.warnings()) warn(warning);
}

}  // namespace

void add_predict(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<PredictArguments>();
  auto* verb = program.add_subcommand(
      "predict", "Predict rows: probability, prediction, disagreement (sd over members, each counted once)");
  verb->footer(
      "  perpend predict loans.safetensors new.csv -o predictions.csv --id loan_id\n"
      "  perpend predict loans.safetensors new.csv --abstain 0.05   mark what is stranger than 95 % of familiar rows\n"
      "  zcat big.csv.gz | perpend predict m.safetensors - > out.csv\n");
  verb->add_option("model", arguments->model, "Model file")->required();
  verb->add_option("data", arguments->data, "Rows: CSV, ARFF, npy, builtin:NAME, - for stdin")->required();
  verb->add_option("-o,--output", arguments->output, "CSV to write (stdout)")->type_name("FILE");
  verb->add_option("--id", arguments->id, "Column to carry along")->type_name("COL");
  verb->add_flag("--members", arguments->members, "One more column per member");
  verb->add_option("--abstain", arguments->abstain,
                   "Mark rows on which members disagree more than on all but this share of familiar rows")
      ->check(between(0, 1))
      ->type_name("SHARE");
  verb->add_option("--data-dir", arguments->data_dir, "Folder of the public sets")->type_name("DIR");
  verb->add_option("--threads", arguments->threads, "0: all (0)")->check(whole_between(0, 1024));
  verb->add_flag("--force", arguments->force, "Overwrite the output file");
  verb->callback([arguments, &chosen] { chosen = [arguments] { predict_verb(*arguments); }; });
}

}  // namespace perpend::app
