#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "apps/perpend/boundary_picture.h"
#include "apps/perpend/command.h"
#include "apps/perpend/interrupt.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/parallel.h"
#include "perpend/base/random.h"
#include "perpend/model/predict.h"
#include "perpend/objective/lit.h"
#include "perpend/train/train.h"

namespace perpend::app {

namespace {

constexpr std::size_t kRows = 600;

// Uniform rows of the two quadrants with x y > 0, scaled to mean 0 and sd 1 per column; label x > 0 (or y > 0: there
// the same).
Dataset quadrants() {
  Dataset data;
  data.inputs = Inputs(kRows, 2);
  data.classes = {"0", "1"};
  data.features = {"x", "y"};
  const Stream stream({.seed = 0, .purpose = Purpose::generate, .member = 0, .step = 0});
  const float reach = std::sqrt(3.0F);
  for (std::size_t r = 0; r < kRows; ++r) {
    const std::int32_t label = r % 2 == 0 ? 1 : 0;
    const float side = label == 1 ? reach : -reach;
    data.inputs(r, 0) = side * stream.uniform(2 * r);
    data.inputs(r, 1) = side * stream.uniform(2 * r + 1);
    data.labels.push_back(label);
  }
  return data;
}

TrainOptions recipe(Method method) {
  TrainOptions options;
  options.method = method;
  options.members = 2;
  options.activation = Activation::softplus;
  options.dropout = 0;
  options.weight_decay = 0;
  options.batch_size = 64;
  options.epochs = 300;
  options.threads = 1;
  return options;
}

std::string title_of(Method method) { return method == Method::lit ? "LIT, lambda 1" : "Random restarts"; }

class Watcher final : public TrainCallback {
 public:
  explicit Watcher(std::string title) : title_(std::move(title)) {}
  void on_epoch(const EpochRecord& record, int epochs) override {
    progress_.show(fmt::format("{}: epoch {} of {}, cross-entropy {:.3f} {:.3f}", title_, record.epoch, epochs,
                               record.fit[0], record.fit[1]));
  }
  bool stop_requested() override { return interrupted(); }

 private:
  std::string title_;
  ProgressLine progress_;
};

double accuracy(const Ensemble& ensemble, std::size_t member, const Dataset& data) {
  const auto scores = member_scores(ensemble, data.inputs.view(), Threads(1));
  double right = 0;
  for (std::size_t r = 0; r < data.rows(); ++r) right += (scores[member](r, 0) > 0) == (data.labels[r] == 1) ? 1 : 0;
  return right / static_cast<double>(data.rows());
}

// Share of the empty quadrants, as far out as the training rows reach, where both members answer the same.
double agreement_in_empty_quadrants(const Ensemble& ensemble) {
  constexpr std::size_t kSide = 200;
  const ScoreGrid grid = score_grid(ensemble, kSide, kSide, std::sqrt(3.0F));
  double same = 0;
  double points = 0;
  for (std::size_t row = 0; row < kSide; ++row) {
    for (std::size_t column = 0; column < kSide; ++column) {
      if (grid.x(static_cast<double>(column)) * grid.y(static_cast<double>(row)) > 0) continue;
      points += 1;
      same += grid.positive(0, column, row) == grid.positive(1, column, row) ? 1 : 0;
    }
  }
  return same / points;
}

// Mean over the training rows of cos^2 between the two members' input gradients.
double mean_cos2(const Ensemble& ensemble, const Dataset& data) {
  const auto gradients = input_gradients(ensemble, data.inputs.view(), Threads(1));
  double sum = 0;
  for (std::size_t r = 0; r < data.rows(); ++r) {
    const auto dot = [&](std::size_t i, std::size_t j) {
      return static_cast<double>(gradients[i](r, 0)) * gradients[j](r, 0) +
             static_cast<double>(gradients[i](r, 1)) * gradients[j](r, 1);
    };
    sum += dot(0, 1) * dot(0, 1) / (dot(0, 0) * dot(1, 1) + kMetricEpsilon);
  }
  return sum / static_cast<double>(data.rows());
}

struct Outcome {
  std::string title;
  Ensemble ensemble;
  double accuracy[2];
  double agreement, cos2_before, cos2_after;
};

Outcome train_and_measure(const Dataset& data, Method method) {
  const TrainOptions options = recipe(method);
  const Architecture architecture{.features = 2, .hidden = {256}, .classes = 2, .activation = options.activation};
  const Ensemble start = initial_ensemble(architecture, 2, options.seed);
  Watcher watcher(title_of(method));
  TrainResult result = train({.train = &data, .initial = &start, .callback = &watcher}, options);
  throw_if_interrupted();
  PERPEND_CHECK(result.status == TrainStatus::ok);
  Outcome outcome{title_of(method), std::move(result.ensemble), {}, 0, mean_cos2(start, data), 0};
  for (std::size_t m = 0; m < 2; ++m) outcome.accuracy[m] = accuracy(outcome.ensemble, m, data);
  outcome.agreement = agreement_in_empty_quadrants(outcome.ensemble);
  outcome.cos2_after = mean_cos2(outcome.ensemble, data);
  return outcome;
}

void print_table(const std::vector<Outcome>& outcomes) {
  fmt::print("{:<16}{:^20} {:^18} {:^21}\n", "", "training accuracy", "agreement where", "penalty (mean cos^2)");
  fmt::print("{:<16}{:>9} {:>10} {:^18} {:>10} {:>10}\n", "", "member 1", "member 2", "nothing was seen", "before",
             "after");
  for (const auto& o : outcomes) {
    fmt::print("{:<16}{:>7.1f} % {:>8.1f} % {:>10.1f} % {:>16.3f} {:>10.3f}\n", o.title, 100 * o.accuracy[0],
               100 * o.accuracy[1], 100 * o.agreement, o.cos2_before, o.cos2_after);
  }
}

void write_picture(const Dataset& data, const std::vector<Outcome>& outcomes, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw IoError(fmt::format("cannot make folder {}: {}", folder, error.message()));
  std::vector<Panel> panels;
  panels.reserve(outcomes.size());
  for (const auto& o : outcomes) {
    panels.push_back(
        {o.title,
         {fmt::format("Members agree on {:.1f} % of the empty quadrants.", 100 * o.agreement),
          fmt::format("Penalty (mean cos²): {:.3f} before training, {:.3f} after.", o.cos2_before, o.cos2_after)},
         &o.ensemble});
  }
  const auto path = std::filesystem::path(folder) / "boundaries.svg";
  write_file_durably(path, draw_svg(data, panels));
  fmt::print("\nPicture: {}\n", path.string());
}

void run_demo(const std::string& folder) {
  const InterruptsWait wait;
  const Dataset data = quadrants();
  const bool rich = is_rich(stdout) && speaks_utf8();
  fmt::print(
      "{} generated rows in two opposite quadrants: class 1 where x and y are both\n"
      "positive, class 0 where both are negative. Either column explains the classes\n"
      "alone; where the signs differ, no network sees a single row.\n"
      "Training two networks (256 softplus units, 300 epochs) by random restarts, then\n"
      "two by local independence training (LIT).\n",
      kRows);
  std::vector<Outcome> outcomes;
  for (const Method method : {Method::restarts, Method::lit}) {
    outcomes.push_back(train_and_measure(data, method));
    fmt::print("\n{}\n{}", outcomes.back().title, draw_in_terminal(outcomes.back().ensemble, rich));
  }
  fmt::print("{}\n", terminal_legend(rich));
  print_table(outcomes);
  fmt::print(
      "\nAll four networks fit what they saw. Where nothing was seen, restarts repeat one\n"
      "guess (they agree on {:.1f} %), while LIT's members cut at right angles and agree\n"
      "on {:.1f} %: they disagree where the data say nothing.\n",
      100 * outcomes[0].agreement, 100 * outcomes[1].agreement);
  if (!folder.empty()) write_picture(data, outcomes, folder);
}

}  // namespace

void add_demo(CLI::App& program, Action& chosen) {
  auto* verb = program.add_subcommand("demo", "First look: random restarts against LIT on two opposite quadrants");
  verb->footer(
      "  perpend demo                  train, draw the decision boundaries here, a table, in seconds\n"
      "  perpend demo --output DIR     ... and write DIR/boundaries.svg\n");
  auto folder = std::make_shared<std::string>();
  verb->add_option("--output", *folder, "Folder for boundaries.svg, made if absent")->option_text("DIR");
  verb->callback([folder, &chosen] { chosen = [folder] { run_demo(*folder); }; });
}

}  // namespace perpend::app
