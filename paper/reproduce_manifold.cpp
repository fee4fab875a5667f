#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "apps/perpend/interrupt.h"
#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "paper/manifold_figure.h"
#include "paper/reproduce.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/evaluate/diversity.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/model/predict.h"
#include "perpend/train/train.h"

namespace perpend::paper {

namespace {

using app::Json;

// The surface, of seeds 0 to 6, whose two tangents are most nearly orthogonal. `--surfaces N` takes 0 to N - 1.
constexpr std::uint64_t kSurface = 1;

// A way worked if both members learnt the rows and they answer differently where there are no rows.
constexpr double kLearnt = 0.95;
constexpr double kMostAgreement = 0.5;

struct Way {
  const char* name;
  const char* title;
  Method method;
  bool along;  // along the surface's tangents
};
constexpr Way kWays[] = {{"restarts", "Random restarts", Method::restarts, false},
                         {"input_space", "LIT in three dimensions", Method::lit, false},
                         {"tangent_space", "LIT along the surface", Method::lit, true}};

// The recipe is that of the paper's 2-D figures (softplus, no drop-out, no decay), but with one learning rate for all
// three.
TrainOptions recipe(Method method, const ReproduceArguments& arguments) {
  TrainOptions options;
  options.method = method;
  options.members = 2;
  options.hidden = {256, 256};
  options.activation = Activation::softplus;
  options.dropout = 0;
  options.weight_decay = 0;
  options.learning_rate = 1e-3;
  options.seed = arguments.seed;
  options.epochs = arguments.quick ? (method == Method::lit ? 40 : 10) : 200;
  options.threads = arguments.threads;
  return options;
}

class Watcher final : public TrainCallback {
 public:
  explicit Watcher(std::string title) : title_(std::move(title)) {}
  void on_epoch(const EpochRecord& record, int epochs) override {
    progress_.show(fmt::format("{}: epoch {} of {}, cross-entropy {:.3f} {:.3f}, penalty {:.3f}", title_, record.epoch,
                               epochs, record.fit[0], record.fit[1], record.penalty));
  }
  bool stop_requested() override { return app::interrupted(); }

 private:
  std::string title_;
  app::ProgressLine progress_;
};

Tangents tangents_of(const ManifoldSet& set) {
  Tangents tangents = Tangents::per_row(set.dataset.rows(), 3, 2);
  for (std::size_t r = 0; r < set.dataset.rows(); ++r) {
    for (std::size_t k = 0; k < 2; ++k) std::copy_n(set.tangents[k].row(r), 3, tangents.direction(r, k));
  }
  return tangents;
}

struct Outcome {
  const Way* way;
  Ensemble ensemble;
  Evaluation before, after;  // on the training rows
  double agreement = 0;      // share of the chart's empty quadrants where both members answer the same

  double least_accuracy() const { return std::min(*after.members[0].accuracy, *after.members[1].accuracy); }
  bool worked() const { return least_accuracy() >= kLearnt && agreement <= kMostAgreement; }
};

struct Surface {
  std::uint64_t number = kSurface;
  std::vector<Outcome> outcomes;
  std::string picture;
};

double agreement_off_the_rows(const Manifold& surface, const Ensemble& ensemble) {
  constexpr std::size_t kGrid = 100;  // even: no point on an axis
  const auto scores = chart_scores(surface, ensemble, kGrid);
  double same = 0;
  double points = 0;
  for (std::size_t i = 0; i < kGrid * kGrid; ++i) {
    const bool right = i % kGrid >= kGrid / 2;
    const bool up = i / kGrid < kGrid / 2;
    if (right == up) continue;
    points += 1;
    same += (scores[0][i] > 0) == (scores[1][i] > 0) ? 1 : 0;
  }
  return same / points;
}

Outcome train_and_measure(const Way& way, const ManifoldSet& set, const Tangents& tangents, const Manifold& surface,
                          const ReproduceArguments& arguments) {
  const TrainOptions options = recipe(way.method, arguments);
  const Architecture architecture{.features = 3, .hidden = {256, 256}, .classes = 2, .activation = options.activation};
  const Ensemble start = initial_ensemble(architecture, 2, options.seed);
  Watcher watcher(way.title);
  TrainResult result = train(
      {.train = &set.dataset, .initial = &start, .callback = &watcher, .tangents = way.along ? &tangents : nullptr},
      options);
  app::throw_if_interrupted();
  if (result.status == TrainStatus::diverged) throw Error(ErrorKind::diverged, "the manifold figure diverged");
  const Threads threads(arguments.threads);
  const Decision equal = equal_mean(2);
  Outcome outcome{&way, std::move(result.ensemble), {}, {}, 0};
  outcome.before = evaluate_ensemble(start, equal, set.dataset, threads, tangents);
  outcome.after = evaluate_ensemble(outcome.ensemble, equal, set.dataset, threads, tangents);
  outcome.agreement = agreement_off_the_rows(surface, outcome.ensemble);
  return outcome;
}

std::vector<ManifoldPanel> panels_of(const std::vector<Outcome>& outcomes) {
  std::vector<ManifoldPanel> panels;
  for (const auto& o : outcomes) {
    panels.push_back({o.way->title,
                      {fmt::format("cos² in three dimensions: {:.3f} before, {:.3f} after.", *o.before.grad_cos2,
                                   *o.after.grad_cos2),
                       fmt::format("cos² along the surface: {:.3f} before, {:.3f} after.", *o.before.tangent_cos2,
                                   *o.after.tangent_cos2),
                       fmt::format("Same answer on {:.1f} % of the empty quadrants.", 100 * o.agreement)},
                      &o.ensemble});
  }
  return panels;
}

Json json_of(const Outcome& o, std::uint64_t surface) {
  Json accuracy = Json::array();
  for (const auto& member : o.after.members) accuracy.push_back(app::number_json(member.accuracy));
  return {
      {"name", o.way->name},
      {"surface", surface},
      {"accuracy", std::move(accuracy)},
      {"grad_cos2", {{"before", app::number_json(o.before.grad_cos2)}, {"after", app::number_json(o.after.grad_cos2)}}},
      {"tangent_cos2",
       {{"before", app::number_json(o.before.tangent_cos2)}, {"after", app::number_json(o.after.tangent_cos2)}}},
      {"agreement_where_no_rows_are", o.agreement},
      {"worked", o.worked()}};
}

void print_surface(const Surface& surface) {
  app::print("{:<25}{:^20}{:^22}{:^22}{:>16}\n", fmt::format("surface {}", surface.number), "training accuracy",
             "cos^2, 3 dimensions", "cos^2 along surface", "same answer");
  app::print("{:<25}{:>9} {:>9} {:>11} {:>9} {:>11} {:>9}  {:>16}\n", "", "member 1", "member 2", "before", "after",
             "before", "after", "off the rows");
  for (const auto& o : surface.outcomes) {
    app::print("{:<25}{:>7.1f} % {:>7.1f} % {:>11.3f} {:>9.3f} {:>11.3f} {:>9.3f} {:>15.1f} %\n", o.way->title,
               100 * *o.after.members[0].accuracy, 100 * *o.after.members[1].accuracy, *o.before.grad_cos2,
               *o.after.grad_cos2, *o.before.tangent_cos2, *o.after.tangent_cos2, 100 * o.agreement);
  }
  app::print("\nPicture: {}\n\n", printable(surface.picture));
}

// Says how often each way made two members that learnt the rows and differ where there are none.
void print_how_often(const std::vector<Surface>& surfaces) {
  app::print(
      "Both members right on {:.0f} % of the rows, and the same answer on at most {:.0f} % of the empty quadrants:\n",
      100 * kLearnt, 100 * kMostAgreement);
  for (std::size_t way = 0; way < std::size(kWays); ++way) {
    const auto worked =
        std::ranges::count_if(surfaces, [&](const Surface& surface) { return surface.outcomes[way].worked(); });
    app::print("{:<25}{} of {} surfaces\n", kWays[way].title, worked, surfaces.size());
  }
}

void print_json(const std::vector<Surface>& surfaces) {
  Json all = Json::array();
  Json figures = Json::array();
  for (const auto& surface : surfaces) {
    figures.push_back(surface.picture);
    for (const auto& o : surface.outcomes) all.push_back(json_of(o, surface.number));
  }
  app::write_json(Json{{"figure", surfaces.front().picture}, {"figures", figures}, {"ensembles", std::move(all)}});
}

// Trains the three ways on one surface and draws them.
Surface make_surface(std::uint64_t number, const std::string& name, const ReproduceArguments& arguments) {
  const Manifold manifold = random_manifold(number);
  const ManifoldSet set = manifold_set(number);
  const Tangents tangents = tangents_of(set);
  Surface surface{number, {}, (std::filesystem::path(arguments.folder) / name).string()};
  for (const Way& way : kWays) surface.outcomes.push_back(train_and_measure(way, set, tangents, manifold, arguments));
  write_file_durably(surface.picture, manifold_figure_svg(manifold, set, panels_of(surface.outcomes)));
  return surface;
}

}  // namespace

void reproduce_figure_manifold(const ReproduceArguments& arguments) {
  make_output_folder(arguments.folder);
  const app::InterruptsWait wait;
  std::vector<Surface> surfaces;
  if (arguments.surfaces == 0) surfaces.push_back(make_surface(kSurface, "manifold.svg", arguments));
  for (int i = 0; i < arguments.surfaces; ++i) {
    surfaces.push_back(make_surface(static_cast<std::uint64_t>(i), fmt::format("manifold-{}.svg", i), arguments));
    if (!arguments.json) print_surface(surfaces.back());
  }
  if (arguments.json) return print_json(surfaces);
  if (arguments.surfaces == 0) print_surface(surfaces.back());
  if (surfaces.size() > 1) print_how_often(surfaces);
}

}  // namespace perpend::paper
