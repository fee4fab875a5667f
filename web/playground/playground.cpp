// What the page asks of the engine, as functions that JavaScript can call: one training at a time, epoch by epoch.
//
//   begin(set, method, members, lambda, views, epochs, seed, from_here)   prepares rows as `perpend train --split none`
//   next_epoch()                trains one; 0 when there was none left
//   scores(), accuracy(), ...   what the members answer now
//
// With from_here the present members are trained further, with a new state of the optimizer, as `perpend train --init`
// does.
//
// Arrays are returned as addresses. The page knows their lengths, and reads them before its next call.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/base/error.h"
#include "perpend/data/encode.h"
#include "perpend/data/generate.h"
#include "perpend/data/grid.h"
#include "perpend/data/source.h"
#include "perpend/evaluate/diversity.h"
#include "perpend/model/predict.h"
#include "perpend/run/run.h"
#include "perpend/train/train.h"

#define PAGE_CALLS(name) extern "C" [[clang::export_name(#name)]]

namespace {

using namespace perpend;

constexpr std::string_view kPainted = "painted";
constexpr std::string_view kManifold = "manifold";
constexpr std::size_t kGrid = 72;           // points of the grid along a side
constexpr std::size_t kMeasuredRows = 400;  // gradients are measured on at most this many, evenly spread

// Rows before they are encoded, and where each of them lies on the picture.
struct World {
  Dataset rows;
  Inputs places;      // (rows, 2)
  float extent = 10;  // the picture shows [-extent, extent]^2
};

struct Painted {
  std::vector<float> x, y;
  std::vector<std::int32_t> labels;
};
Painted painted;

Dataset painted_rows() {
  Dataset rows{.inputs = Inputs(painted.labels.size(), 2),
               .labels = painted.labels,
               .classes = {"blue", "red"},
               .features = {"x", "y"},
               .weights = {}};
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    rows.inputs(r, 0) = painted.x[r];
    rows.inputs(r, 1) = painted.y[r];
  }
  return rows;
}

// A set with more than two columns is drawn by its first two. The manifold is drawn by its chart.
World world_of(std::string_view set) {
  World world{.rows = set == kPainted ? painted_rows() : generate(set), .places = {}};
  world.places = Inputs(world.rows.rows(), 2);
  const Inputs chart = set == kManifold ? manifold_set(0).chart : Inputs();
  float largest = 0;
  for (std::size_t r = 0; r < world.rows.rows(); ++r) {
    for (std::size_t c = 0; c < 2; ++c) {
      const float place = set == kManifold ? chart(r, c) : world.rows.inputs(r, c);
      world.places(r, c) = place;
      largest = std::max(largest, std::abs(place));
    }
  }
  world.extent = set == kPainted ? 10 : 1.04F * largest;
  return world;
}

// Returns the rows at the points of a grid over the picture, the top row first. A column that the picture does not show
// is 0.
Dataset grid_rows(std::string_view set, const World& world) {
  Dataset rows = world.rows;
  rows.inputs = Inputs(kGrid * kGrid, world.rows.inputs.cols());
  rows.labels.assign(kGrid * kGrid, 0);
  const auto manifold = set == kManifold ? std::optional(random_manifold(0)) : std::nullopt;
  for (std::size_t i = 0; i < kGrid * kGrid; ++i) {
    const auto along = [&](std::size_t step) {
      return world.extent * (2 * static_cast<float>(step) / static_cast<float>(kGrid - 1) - 1);
    };
    const float x = along(i % kGrid);
    const float y = -along(i / kGrid);
    rows.inputs(i, 0) = x;
    rows.inputs(i, 1) = y;
    if (!manifold) continue;
    const auto point = manifold_point(*manifold, static_cast<double>(x), static_cast<double>(y)).point;
    for (std::size_t c = 0; c < point.size(); ++c) rows.inputs(i, c) = static_cast<float>(point[c]);
  }
  return rows;
}

RunOptions options_of(std::string_view method, int members, double lambda, std::string_view views, int epochs,
                      unsigned seed) {
  RunOptions options;
  options.schema.target = kGeneratedTarget;
  options.split.kind = SplitKind::none;
  const MethodInfo* found = find_method(method);
  if (found == nullptr) throw ConfigError("there is no method " + std::string(method));
  options.train.method = found->id;
  options.train.members = members;
  if (has_lambda(found->id)) options.train.lambda = lambda;
  options.train.epochs = epochs;
  options.train.early_stopping = 0;
  options.train.seed = seed;
  options.views_auto = false;
  for (const View view : {View::linear, View::piecewise}) {
    if (views.find(word_of(view)) != std::string_view::npos) options.train.views.push_back(view);
  }
  return options;
}

// A sample of the rows stands for all of them where that is enough.
std::size_t measured_step(std::size_t rows) { return (rows + kMeasuredRows - 1) / kMeasuredRows; }
Inputs some_rows(const Inputs& all) {
  const std::size_t step = measured_step(all.rows());
  Inputs some((all.rows() + step - 1) / step, all.cols());
  for (std::size_t r = 0; r < some.rows(); ++r) std::copy_n(all.row(r * step), all.cols(), some.row(r));
  return some;
}

// What is trained, and what the page asked about it last.
class Play {
 public:
  Play(std::string_view set, const RunOptions& options, const Ensemble* initial)
      : world_(world_of(set)),
        data_(prepare(table_of(world_.rows, std::string(set)), options)),
        grid_(encoded(grid_rows(set, world_))),
        step_(measured_step(data_.train.rows())),
        measured_(some_rows(data_.train.inputs)),
        training_({.train = &data_.train, .initial = initial}, train_options_for(data_, options)),
        members_(training_.ensemble()) {}

  bool next_epoch() {
    if (!training_.next_epoch()) return false;
    members_ = training_.ensemble();
    return true;
  }

  const World& world() const { return world_; }

  // Returns the class of each row of the world, with the members' numbering, which is by name.
  const std::vector<std::int32_t>& labels() {
    labels_.clear();
    for (const std::int32_t label : world_.rows.labels) {
      const std::string& name = world_.rows.classes[static_cast<std::size_t>(label)];
      labels_.push_back(name == data_.schema.classes[1] ? 1 : 0);
    }
    return labels_;
  }
  std::size_t columns() const { return data_.train.inputs.cols(); }
  std::size_t members() const { return members_.members.size(); }
  const Ensemble& ensemble() const { return members_; }

  // (members, kGrid * kGrid): log-odds of the second class.
  const std::vector<float>& scores() { return flat(member_scores(members_, grid_.view(), threads_)); }

  // Returns (members + 1) values: of each member, then of the mean of their probabilities. On all rows, or on the
  // measured ones alone.
  const std::vector<float>& accuracy(bool on_all) {
    const std::size_t step = on_all ? 1 : step_;
    const auto probabilities =
        positive_probabilities(members_, on_all ? data_.train.inputs.view() : measured_.view(), threads_);
    std::vector<std::size_t> right(members() + 1, 0);
    for (std::size_t r = 0; r < probabilities.rows(); ++r) {
      const bool second = data_.train.labels[r * step] == 1;
      double sum = 0;
      for (std::size_t m = 0; m < members(); ++m) {
        const auto p = static_cast<double>(probabilities[m](r, 0));
        sum += p;
        if ((p > 0.5) == second) ++right[m];
      }
      if ((sum / static_cast<double>(members()) > 0.5) == second) ++right[members()];
    }
    values_.clear();
    for (const std::size_t count : right) {
      values_.push_back(static_cast<float>(static_cast<double>(count) / static_cast<double>(probabilities.rows())));
    }
    return values_;
  }

  // Describes the input gradients at the measured rows. First comes cos^2 over rows and pairs. Then comes, per pair of
  // members (0, 1), (0, 2), ... (1, 2), ..., the mean angle between the two boundaries' directions in degrees (0
  // parallel, 90 perpendicular). Last comes, per member and column, the column's share of the gradient's squared
  // length.
  const std::vector<float>& gradients() {
    const auto stack = input_gradients(members_, measured_.view(), threads_);
    std::vector<InputsView> views;
    for (std::size_t m = 0; m < members(); ++m) views.push_back(stack[m]);
    values_ = {static_cast<float>(gradient_diversity(views).cos2.value())};
    for (std::size_t l = 0; l < members(); ++l) {
      for (std::size_t m = l + 1; m < members(); ++m) values_.push_back(mean_angle(views[l], views[m]));
    }
    for (const InputsView& gradient : views) add_shares(gradient);
    return values_;
  }

  // Returns the weights in the order of a model file: by member, layer, then weight and bias.
  const std::vector<float>& weights() {
    values_.clear();
    for (const auto& member : members_.members) {
      for (const auto& layer : member.layers) {
        for (std::size_t i = 0; i < layer.weight.rows(); ++i) {
          values_.insert(values_.end(), layer.weight.row(i), layer.weight.row(i) + layer.weight.cols());
        }
        values_.insert(values_.end(), layer.bias.begin(),
                       layer.bias.begin() + static_cast<std::ptrdiff_t>(layer.weight.cols()));
      }
    }
    return values_;
  }

 private:
  Inputs encoded(const Dataset& rows) const {
    const Table table = table_of(rows, "grid");
    return encode_inputs(table, data_.schema, all_rows(table));
  }

  const std::vector<float>& flat(const Stack<float, axis::Row, axis::Score>& stack) {
    values_.clear();
    for (std::size_t m = 0; m < stack.members(); ++m) {
      for (std::size_t r = 0; r < stack.rows(); ++r) values_.push_back(stack[m](r, 0));
    }
    return values_;
  }

  static float mean_angle(const InputsView& a, const InputsView& b) {
    constexpr double kDegrees = 180 / 3.14159265358979323846;
    double sum = 0;
    for (std::size_t r = 0; r < a.rows(); ++r) {
      const double cos2 = squared_cosine({a.row(r), a.cols()}, {b.row(r), b.cols()});
      sum += std::acos(std::sqrt(std::min(1.0, cos2))) * kDegrees;
    }
    return static_cast<float>(sum / static_cast<double>(a.rows()));
  }

  void add_shares(const InputsView& gradient) {
    std::vector<double> squares(gradient.cols(), 0.0);
    double all = 0;
    for (std::size_t r = 0; r < gradient.rows(); ++r) {
      for (std::size_t c = 0; c < gradient.cols(); ++c) {
        const double square = static_cast<double>(gradient(r, c)) * static_cast<double>(gradient(r, c));
        squares[c] += square;
        all += square;
      }
    }
    for (const double square : squares) values_.push_back(static_cast<float>(all > 0 ? square / all : 0));
  }

  Threads threads_{1};
  World world_;
  Prepared data_;
  Inputs grid_;
  std::size_t step_;  // from a measured row to the next
  Inputs measured_;
  EpochTraining training_;
  Ensemble members_;
  std::vector<float> values_;  // what was returned last
  std::vector<std::int32_t> labels_;
};

std::optional<Play> play;
std::array<char, 256> words;

}  // namespace

// The page puts the words of begin() here, each ended by a zero byte.
PAGE_CALLS(word_buffer) char* word_buffer() { return words.data(); }

PAGE_CALLS(forget_points) void forget_points() { painted = {}; }
PAGE_CALLS(add_point) void add_point(float x, float y, int label) {
  painted.x.push_back(x);
  painted.y.push_back(y);
  painted.labels.push_back(label);
}

PAGE_CALLS(begin)
void begin(const char* set, const char* method, int members, double lambda, const char* views, int epochs,
           unsigned seed, int from_here) {
  std::optional<Ensemble> initial;
  if (from_here != 0) initial = play->ensemble();
  play.reset();
  play.emplace(set, options_of(method, members, lambda, views, epochs, seed), initial ? &*initial : nullptr);
}
PAGE_CALLS(next_epoch) int next_epoch() { return play->next_epoch() ? 1 : 0; }

PAGE_CALLS(rows) int rows() { return static_cast<int>(play->world().rows.rows()); }
PAGE_CALLS(columns) int columns() { return static_cast<int>(play->columns()); }
PAGE_CALLS(extent) float extent() { return play->world().extent; }
PAGE_CALLS(grid_side) int grid_side() { return static_cast<int>(kGrid); }
// (rows, 16): the first two numbers of each are its place.
PAGE_CALLS(places) const float* places() { return play->world().places.data(); }
PAGE_CALLS(place_stride) int place_stride() { return static_cast<int>(play->world().places.stride()); }
PAGE_CALLS(labels) const std::int32_t* labels() { return play->labels().data(); }

PAGE_CALLS(scores) const float* scores() { return play->scores().data(); }
PAGE_CALLS(accuracy) const float* accuracy(int on_all) { return play->accuracy(on_all != 0).data(); }
PAGE_CALLS(gradients) const float* gradients() { return play->gradients().data(); }
PAGE_CALLS(weights) const float* weights() { return play->weights().data(); }
PAGE_CALLS(weight_count) int weight_count() { return static_cast<int>(play->weights().size()); }
