// The paper's comparison of decision boundaries on two-dimensional sets with gaps.
//
// Rows follow the paper. They are restarts; NCL with a small lambda; NCL with the largest lambda at which both members
// are still right on 90 % of the training rows (ten halvings of [1, 2]); NCL with lambda 2; LIT with a small and a
// large lambda.
//
// The paper gives neither learning rates nor LIT's lambdas. LIT learns at 1e-3 here, as restarts do: at 1e-4, the rate
// of the authors' notebook, a member often stays at chance on set 4 (paper/tools/toy_recipes).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <vector>

#include "apps/perpend/epoch_line.h"
#include "apps/perpend/interrupt.h"
#include "apps/perpend/terminal.h"
#include "paper/reproduce.h"
#include "perpend/base/error.h"
#include "perpend/base/parallel.h"
#include "perpend/base/quantile.h"
#include "perpend/data/grid.h"
#include "perpend/evaluate/score_grid.h"
#include "perpend/model/predict.h"
#include "perpend/report/picture.h"
#include "perpend/study/select.h"
#include "perpend/train/train.h"

namespace perpend::paper {

namespace {

constexpr double kLeastAccuracy = 0.9;  // of NCL's members, as in the paper
constexpr int kHalvings = 10;

constexpr double kExtent = 10;      // axes from -10 to 10
constexpr std::size_t kSide = 100;  // grid points per side
constexpr std::int8_t kEmpty = -1;  // a grid point without a training row
// The paper's colours: member 1 is orange, member 2 dashed blue.
constexpr Ink kMembers[] = {{.colour = "#e66100", .width = 3, .radius = 0},
                            {.colour = "#1a4fb0", .dash = "8 5", .width = 3, .radius = 0}};
constexpr Ink kRowInks[] = {{.colour = "#f0c9bd"}, {.colour = "#c5d6e8"}};  // by class

struct Row {
  const char* title;
  Method method;
  double lambda;
  bool search = false;  // for NCL's largest lambda
};
constexpr Row kRows[] = {{"Random restarts", Method::restarts, 0}, {"NCL, lambda 0.1", Method::ncl, 0.1},
                         {"NCL, searched", Method::ncl, 1, true},  {"NCL, lambda 2", Method::ncl, 2},
                         {"LIT, lambda 0.01", Method::lit, 0.01},  {"LIT, lambda 1", Method::lit, 1}};

TrainOptions recipe(const Row& row, double lambda, std::uint64_t seed) {
  TrainOptions options;
  options.method = row.method;
  options.members = 2;
  if (has_lambda(row.method)) options.lambda = lambda;
  options.activation = Activation::softplus;
  options.dropout = 0;
  options.weight_decay = 0;
  options.learning_rate = row.method == Method::ncl ? 1e-4 : 1e-3;
  options.epochs = 200;
  options.seed = seed;
  return options;
}

std::optional<Ensemble> train_pair(const Dataset& data, const Row& row, double lambda, std::uint64_t seed,
                                   const std::string& title) {
  app::EpochLine watcher(title);
  TrainResult result = train({.train = &data, .callback = &watcher}, recipe(row, lambda, seed));
  app::throw_if_interrupted();
  if (result.status != TrainStatus::ok) return std::nullopt;
  return std::move(result.ensemble);
}

// Returns the accuracy of the worse of the two.
double least_accuracy(const Ensemble& ensemble, const Dataset& data) {
  const auto scores = member_scores(ensemble, data.inputs.view(), Threads(0));
  double least = 1;
  for (std::size_t m = 0; m < scores.members(); ++m) {
    double right = 0;
    for (std::size_t r = 0; r < data.rows(); ++r) right += (scores[m](r, 0) > 0) == (data.labels[r] == 1) ? 1 : 0;
    least = std::min(least, right / static_cast<double>(data.rows()));
  }
  return least;
}

// Returns the largest lambda in [1, 2] at which both members still fit, by ten halvings.
double largest_lambda(const Dataset& data, const Row& row, std::uint64_t seed, const std::string& title) {
  double fits = 1;
  double fails = 2;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (fits + fails) / 2;
    const auto tried = train_pair(data, row, middle, seed, fmt::format("{}, lambda {:.4f}", title, middle));
    (tried && least_accuracy(*tried, data) >= kLeastAccuracy ? fits : fails) = middle;
  }
  return fits;
}

std::vector<std::int8_t> cells_of(const Dataset& data) {
  std::vector<std::int8_t> cells(kSide * kSide, kEmpty);
  const auto place = [](double value) {
    return static_cast<std::size_t>(std::lround((value / kExtent + 1) * (kSide - 1) / 2));
  };
  for (std::size_t r = 0; r < data.rows(); ++r) {
    const std::size_t row = kSide - 1 - place(data.inputs(r, 1));
    cells[row * kSide + place(data.inputs(r, 0))] = static_cast<std::int8_t>(data.labels[r]);
  }
  return cells;
}

bool is_empty_at(const std::vector<std::int8_t>& cells, const CurvePoint& p) {
  const auto place = [](double value) {
    return static_cast<std::size_t>(
        std::clamp(std::lround((value / kExtent + 1) * (kSide - 1) / 2), 0L, static_cast<long>(kSide) - 1));
  };
  return cells[(kSide - 1 - place(p.y)) * kSide + place(p.x)] == kEmpty;
}

double acute(double degrees) {
  const double turned = std::fmod(std::abs(degrees), 180);
  return std::min(turned, 180 - turned);
}

// Returns the direction, in degrees, of the boundary where no row lies: the main axis of its points there.
std::optional<double> direction(const std::vector<std::vector<CurvePoint>>& lines,
                                const std::vector<std::int8_t>& cells) {
  std::vector<CurvePoint> points;
  for (const auto& line : lines) {
    for (const auto& p : line) {
      if (is_empty_at(cells, p)) points.push_back(p);
    }
  }
  if (points.size() < 10) return std::nullopt;
  double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (const auto& p : points) x += p.x, y += p.y;
  x /= static_cast<double>(points.size()), y /= static_cast<double>(points.size());
  for (const auto& p : points) xx += (p.x - x) * (p.x - x), xy += (p.x - x) * (p.y - y), yy += (p.y - y) * (p.y - y);
  return std::atan2(2 * xy, xx - yy) / 2 * 180 / std::numbers::pi;
}

// Returns the angle between the members' input gradients: the median over the grid points without a row.
double gradient_angle(const Ensemble& ensemble, const std::vector<std::int8_t>& cells) {
  const auto empty = static_cast<std::size_t>(std::ranges::count(cells, kEmpty));
  Inputs inputs(empty, 2);
  for (std::size_t i = 0, at = 0; i < cells.size(); ++i) {
    if (cells[i] != kEmpty) continue;
    const auto coordinate = [](std::size_t k) { return kExtent * (2 * static_cast<double>(k) / (kSide - 1) - 1); };
    inputs(at, 0) = static_cast<float>(coordinate(i % kSide));
    inputs(at, 1) = static_cast<float>(-coordinate(i / kSide));
    ++at;
  }
  const auto g = input_gradients(ensemble, inputs.view(), Threads(0));
  std::vector<double> angles;
  for (std::size_t r = 0; r < empty; ++r) {
    const double across = g[0](r, 0) * g[1](r, 1) - g[0](r, 1) * g[1](r, 0);
    const double along = g[0](r, 0) * g[1](r, 0) + g[0](r, 1) * g[1](r, 1);
    angles.push_back(acute(std::atan2(across, along) * 180 / std::numbers::pi));
  }
  return quantile(angles, 0.5);
}

// The training rows as runs of grid cells, by class.
std::vector<Mark> row_marks(const std::vector<std::int8_t>& cells) {
  const auto edge = [](std::size_t cell) { return kExtent * (2 * static_cast<double>(cell) / kSide - 1); };
  std::vector<Mark> marks = {{MarkKind::boxes, kRowInks[0]}, {MarkKind::boxes, kRowInks[1]}};
  for (std::size_t row = 0; row < kSide; ++row) {
    for (std::size_t first = 0, end = 0; first < kSide; first = end) {
      const std::int8_t value = cells[row * kSide + first];
      while (end < kSide && cells[row * kSide + end] == value) ++end;
      if (value == kEmpty) continue;
      marks[static_cast<std::uint8_t>(value)].parts.push_back({{edge(first), -edge(row)}, {edge(end), -edge(row + 1)}});
    }
  }
  return marks;
}

// What is measured of one pair of members.
struct PairMeasures {
  Metric boundaries;  // degrees between their main directions where no row is; set 4's bend and have none
  double gradients = 0, accuracy = 0, lambda = 0;
};

// Measures a pair, and draws its boundaries.
PairMeasures measure_pair(const Ensemble& ensemble, const Dataset& data, int set, const std::vector<std::int8_t>& cells,
                          std::vector<Mark>& marks) {
  const ScoreGrid grid = score_grid(ensemble, kSide, kSide, static_cast<float>(kExtent));
  std::vector<std::optional<double>> directions;
  for (std::size_t m = 0; m < 2; ++m) {
    auto lines = decision_boundary(grid, m);
    directions.push_back(direction(lines, cells));
    marks.push_back({MarkKind::line, kMembers[m], std::move(lines)});
  }
  PairMeasures found;
  if (set < 4 && directions[0] && directions[1]) found.boundaries = acute(*directions[0] - *directions[1]);
  found.gradients = gradient_angle(ensemble, cells);
  found.accuracy = 100 * least_accuracy(ensemble, data);
  return found;
}

std::vector<std::string> caption_of(const PairMeasures& found, bool searched) {
  const std::string boundaries = found.boundaries ? fmt::format("boundaries {:.1f}°, ", *found.boundaries) : "";
  const std::string lambda = searched ? fmt::format(", lambda {:.3f}", found.lambda) : "";
  return {fmt::format("{}gradients {:.1f}°", boundaries, found.gradients),
          fmt::format("accuracy {:.1f} %{}", found.accuracy, lambda)};
}

// "12.3 ± 1.2": mean and standard error over seeds.
std::string over_seeds(const std::vector<PairMeasures>& pairs, const std::function<Metric(const PairMeasures&)>& value,
                       int digits = 1) {
  std::vector<Metric> values;
  for (const auto& pair : pairs) values.push_back(value(pair));
  const Summary summary = summarize(values);
  if (!summary.mean) return "-";
  if (!summary.standard_error) return fmt::format("{:.{}f}", *summary.mean, digits);
  return fmt::format("{:.{}f} ± {:.{}f}", *summary.mean, digits, *summary.standard_error, digits);
}

void print_pairs(int set, const Row& row, const std::vector<PairMeasures>& pairs) {
  const auto fit = std::ranges::count_if(pairs, [](const PairMeasures& pair) { return pair.accuracy >= 99; });
  app::print("{:>3}  {:<16} {:>13} {:>13} {:>14} {:>8} {:>15}\n", set, row.title,
             over_seeds(pairs, [](const PairMeasures& p) { return p.boundaries; }),
             over_seeds(pairs, [](const PairMeasures& p) { return Metric(p.gradients); }),
             over_seeds(pairs, [](const PairMeasures& p) { return Metric(p.accuracy); }),
             fmt::format("{} of {}", fit, pairs.size()),
             row.search ? over_seeds(
                              pairs, [](const PairMeasures& p) { return Metric(p.lambda); }, 3)
                        : "");
}

// Trains the pair of a row on a set, measures and draws it.
Panel measured_panel(int set, const Row& row, std::uint64_t seed, std::vector<PairMeasures>& pairs) {
  const Dataset data = toy_set(set, seed);
  const auto cells = cells_of(data);
  const std::string title = fmt::format("set {}, {}, seed {}", set, row.title, seed);
  const double lambda = row.search ? largest_lambda(data, row, seed, title) : row.lambda;
  const auto pair = train_pair(data, row, lambda, seed, title);
  PERPEND_CHECK(pair.has_value());
  const PlotAxis axis{-kExtent, kExtent, {-10, -5, 0, 5, 10}};
  Panel panel{.title = fmt::format("Dataset {}: {}", set, row.title), .x = axis, .y = axis, .marks = row_marks(cells)};
  pairs.push_back(measure_pair(*pair, data, set, cells, panel.marks));
  pairs.back().lambda = lambda;
  panel.caption = caption_of(pairs.back(), row.search);
  return panel;
}

// Data sets side by side, one row per method.
std::string picture_of(const std::vector<std::vector<Panel>>& columns) {
  Picture picture{.title = "Where two members draw the line",
                  .subtitle = "Coloured: the training rows. Nothing was seen on white.",
                  .legend = {{"member 1", MarkKind::line, kMembers[0]},
                             {"member 2", MarkKind::line, kMembers[1]},
                             {"rows of class 0", MarkKind::boxes, kRowInks[0]},
                             {"rows of class 1", MarkKind::boxes, kRowInks[1]}},
                  .columns = columns.size(),
                  .width = 220,
                  .height = 220};
  for (std::size_t r = 0; r < columns.front().size(); ++r) {
    for (const auto& column : columns) picture.panels.push_back(column[r]);
  }
  return picture_svg(picture);
}

Page page_of(const std::string& svg, bool quick) {
  Page page;
  page.title = "Decision boundaries on sets with gaps – perpend";
  page.kicker = "perpend reproduce figure-toy · the paper’s comparison on 2D sets";
  page.headline = "Restarts draw one line twice; LIT draws two";
  page.lede = {
      "Where nothing was seen, random restarts repeat one guess: their boundaries "
      "coincide. Members trained for local independence cut the gaps at right angles, so they disagree exactly where "
      "the "
      "data say nothing."};
  page.sections = {
      {.id = "figure",
       .name = "Figure",
       .heading = "What to look for",
       .text =
           {"Look at the white gaps: the orange and the blue line run together for restarts and cross at a right angle "
            "for "
            "LIT. With a small lambda NCL does as restarts do. Where it is searched, it moves its lines inside the "
            "coloured "
            "regions, where it costs accuracy; at lambda 2 one member answers at random.",
            "Axes run from -10 to 10 as in the paper. Angles are measured in the gaps: between the boundaries' main "
            "directions, and the median between the members' input gradients. Accuracy is that of the worse member on "
            "the "
            "training rows: where it is low, the penalty was too strong for the set."},
       .blocks = {Drawing{"figure-toy", quick ? "One set, quick" : "Four sets, six ensembles",
                          "Orange: member 1. Dashed blue: member 2.",
                          "Decision boundaries of two members on data sets with gaps; the angles are below each panel.",
                          svg}}}};
  return page;
}

}  // namespace

void reproduce_figure_toy(const ReproduceArguments& arguments) {
  make_output_folder(arguments.folder);
  const app::InterruptsWait wait;
  const int seeds = arguments.quick ? 1 : arguments.seeds;
  app::print("Angles in degrees where no training row is, accuracy of the worse member in %: {}.\n\n",
             seeds == 1 ? "one seed" : fmt::format("mean ± standard error over {} seeds", seeds));
  app::print("{:>3}  {:<16} {:>13} {:>13} {:>14} {:>8} {:>15}\n", "set", "trained by", "boundaries", "gradients",
             "accuracy", "fit 99 %", "lambda found");
  std::vector<std::vector<Panel>> columns;  // by set
  for (int set = 1; set <= (arguments.quick ? 1 : 4); ++set) {
    auto& column = columns.emplace_back();
    for (const Row& row : kRows) {
      if (arguments.quick && row.method == Method::ncl) continue;
      if (arguments.quick && row.method == Method::lit && row.lambda < 1) continue;
      std::vector<PairMeasures> pairs;
      for (int i = 0; i < seeds; ++i) {
        Panel panel = measured_panel(set, row, arguments.seed + static_cast<std::uint64_t>(i), pairs);
        if (i == 0) column.push_back(std::move(panel));
      }
      print_pairs(set, row, pairs);
    }
  }
  const std::string svg = picture_of(columns);
  write_figure(arguments.folder, "figure-toy", svg, page_of(svg, arguments.quick));
}

}  // namespace perpend::paper
