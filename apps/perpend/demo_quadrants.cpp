#include "apps/perpend/demo_quadrants.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "apps/perpend/boundary_terminal.h"
#include "apps/perpend/interrupt.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/parallel.h"
#include "perpend/perpend.h"
#include "perpend/report/boundary_picture.h"

namespace perpend::app {

namespace {

constexpr std::size_t kQuadrantRows = 600;
constexpr float kPicturedExtent = 1.9F;    // half a side, in scaled units: the training rows reach sqrt(3)
constexpr std::size_t kPictureSide = 201;  // points of the grid behind boundaries.svg, per side

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

std::string title_of(const TrainOptions& options) {
  std::string title = method_title(method_info(options.method).word, lambda_of(options));
  title[0] = static_cast<char>(std::toupper(title[0]));
  return title;
}

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

// Returns the share of the empty quadrants, as far out as the training rows reach, where both members answer the same.
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

double mean_cos2(const Ensemble& ensemble, const Dataset& data) {
  const auto gradients = input_gradients(ensemble, data.inputs.view(), Threads(1));
  return gradient_diversity(std::vector<InputsView>{gradients[0], gradients[1]}).cos2.value();
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
  Watcher watcher(title_of(options));
  TrainResult result = train({.train = &data, .initial = &start, .callback = &watcher}, options);
  throw_if_interrupted();
  PERPEND_CHECK(result.status == TrainStatus::ok);
  Outcome outcome{title_of(options), std::move(result.ensemble), {}, 0, mean_cos2(start, data), 0};
  for (std::size_t m = 0; m < 2; ++m) outcome.accuracy[m] = accuracy(outcome.ensemble, m, data);
  outcome.agreement = agreement_in_empty_quadrants(outcome.ensemble);
  outcome.cos2_after = mean_cos2(outcome.ensemble, data);
  return outcome;
}

void print_table(const std::vector<Outcome>& outcomes) {
  print("{:<16}{:^20} {:^18} {:^21}\n", "", "training accuracy", "agreement where", "penalty (mean cos^2)");
  print("{:<16}{:>9} {:>10} {:^18} {:>10} {:>10}\n", "", "member 1", "member 2", "nothing was seen", "before", "after");
  for (const auto& o : outcomes) {
    print("{:<16}{:>7.1f} % {:>8.1f} % {:>10.1f} % {:>16.3f} {:>10.3f}\n", o.title, 100 * o.accuracy[0],
          100 * o.accuracy[1], 100 * o.agreement, o.cos2_before, o.cos2_after);
  }
}

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw IoError(fmt::format("cannot make folder {}: {}", folder, error.message()));
}

PlaneRows rows_of(const Dataset& data) {
  PlaneRows rows;
  for (std::size_t r = 0; r < data.rows(); ++r) {
    (data.labels[r] == 1 ? rows.positive : rows.negative).push_back({data.inputs(r, 0), data.inputs(r, 1)});
  }
  return rows;
}

void write_picture(const Dataset& data, const std::vector<Outcome>& outcomes, const std::string& folder) {
  std::vector<BoundaryPanel> panels;
  panels.reserve(outcomes.size());
  for (const auto& o : outcomes) {
    panels.push_back(
        {o.title,
         {fmt::format("Members agree on {:.1f} % of the empty quadrants.", 100 * o.agreement),
          fmt::format("Penalty (mean cos²): {:.3f} before training, {:.3f} after.", o.cos2_before, o.cos2_after)},
         score_grid(o.ensemble, kPictureSide, kPictureSide, kPicturedExtent)});
  }
  const auto path = std::filesystem::path(folder) / "boundaries.svg";
  write_file_durably(path, boundary_picture(rows_of(data), panels));
  print("\nPicture: {}\n", printable(path.string()));
}

}  // namespace

void show_quadrants(const std::string& folder) {
  if (!folder.empty()) make_folder(folder);
  const Dataset data = generate("quadrants", {.seed = 0, .rows = kQuadrantRows});
  const bool rich = results_are_rich() && speaks_utf8();
  print(
      "{} generated rows in two opposite quadrants: class 1 where x and y are both\n"
      "positive, class 0 where both are negative. Either column explains the classes\n"
      "alone; where the signs differ, no network sees a single row.\n"
      "Training two networks (256 softplus units, 300 epochs) by random restarts, then\n"
      "two by local independence training (LIT).\n",
      kQuadrantRows);
  std::vector<Outcome> outcomes;
  for (const Method method : {kBaseline, kDefaultMethod}) {
    outcomes.push_back(train_and_measure(data, method));
    print("\n{}\n", outcomes.back().title);
    const ScoreGrid grid = score_grid(outcomes.back().ensemble, kTerminalColumns, terminal_rows(rich), kPicturedExtent);
    write_drawing(draw_in_terminal(grid, rich));
  }
  write_drawing(terminal_legend(rich) + "\n");
  print_table(outcomes);
  print(
      "\nAll four networks fit what they saw. Where nothing was seen, restarts repeat one\n"
      "guess (they agree on {:.1f} %), while LIT's members cut at right angles and agree\n"
      "on {:.1f} %: they disagree where the data say nothing.\n",
      100 * outcomes[0].agreement, 100 * outcomes[1].agreement);
  if (!folder.empty()) write_picture(data, outcomes, folder);
}

}  // namespace perpend::app
