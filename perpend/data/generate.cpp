#include "perpend/data/generate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/random.h"
#include "perpend/data/grid.h"

namespace perpend {
namespace {

// Where rows come from. The rows of a twin are not those of the set that it belongs to.
enum Place : std::uint32_t { kHome = 0, kElsewhere = 1 };

// One number per row and draw. The numbers of a row do not depend on how many rows there are.
class Draws {
 public:
  Draws(std::uint64_t seed, Place place) : seed_(seed), place_(place) {}
  double normal(std::uint32_t draw, std::size_t row) const { return stream(draw).normal(row); }
  double uniform(std::uint32_t draw, std::size_t row) const { return stream(draw).uniform_open(row); }
  std::int32_t coin(std::uint32_t draw, std::size_t row) const {
    return static_cast<std::int32_t>(uniform(draw, row) < 0.5);
  }
  std::vector<std::uint32_t> permutation(std::uint32_t draw, std::size_t rows) const {
    return stream(draw).permutation(rows);
  }

 private:
  Stream stream(std::uint32_t draw) const {
    return Stream({.seed = seed_, .purpose = Purpose::generate, .member = place_, .step = draw});
  }
  std::uint64_t seed_;
  Place place_;
};

// Reorders the first `columns` cells of the rows together, as `order` says.
void shuffle_columns(Inputs& inputs, std::size_t columns, const std::vector<std::uint32_t>& order) {
  const Inputs before = inputs;
  for (std::size_t r = 0; r < inputs.rows(); ++r) {
    for (std::size_t c = 0; c < columns; ++c) inputs(r, c) = before(order[r], c);
  }
}

Dataset quadrants(const GenerateOptions& options) {
  constexpr double kSqrt3 = 0x1.bb67ae8584caap+0;  // gives each column sd 1
  const Draws draws(options.seed, kHome);
  Dataset set{.inputs = Inputs(options.rows, 2),
              .labels = {},
              .classes = {"left", "right"},
              .features = {"x", "y"},
              .weights = {}};
  for (std::size_t r = 0; r < options.rows; ++r) {
    const std::int32_t right = draws.coin(0, r);
    const double scale = right == 1 ? kSqrt3 : -kSqrt3;
    set.inputs(r, 0) = static_cast<float>(scale * draws.uniform(1, r));
    set.inputs(r, 1) = static_cast<float>(scale * draws.uniform(2, r));
    set.labels.push_back(right);
  }
  return set;
}

Dataset shortcut_rows(const GenerateOptions& options, Place place) {
  const Draws draws(options.seed, place);
  Dataset set{.inputs = Inputs(options.rows, 8),
              .labels = {},
              .classes = {"well", "ill"},
              .features = {"ward", "sodium", "potassium", "height", "floor", "weekday", "hour", "bed"},
              .weights = {}};
  for (std::size_t r = 0; r < options.rows; ++r) {
    const std::int32_t ill = draws.coin(0, r);
    set.labels.push_back(ill);
    set.inputs(r, 0) = static_cast<float>((ill == 1 ? 2.5 : -2.5) + 0.6 * draws.normal(1, r));
    const double radius = (ill == 1 ? 2.2 : 1.0) + 0.25 * draws.normal(2, r);
    // Two normal numbers have a uniform direction. Sine and cosine would not have the same bits everywhere.
    const double a = draws.normal(3, r);
    const double b = draws.normal(4, r);
    const double length = std::sqrt(a * a + b * b);
    set.inputs(r, 1) = static_cast<float>(radius * (a / length));
    set.inputs(r, 2) = static_cast<float>(radius * (b / length));
    for (std::uint32_t c = 3; c < 8; ++c) set.inputs(r, c) = static_cast<float>(draws.normal(c + 2, r));
  }
  return set;
}

constexpr std::uint32_t kShuffleDraw = 1000;

Dataset shortcut(const GenerateOptions& options) { return shortcut_rows(options, kHome); }

Dataset shortcut_failed(const GenerateOptions& options) {
  Dataset set = shortcut_rows(options, kElsewhere);
  shuffle_columns(set.inputs, 1, Draws(options.seed, kElsewhere).permutation(kShuffleDraw, set.rows()));
  return set;
}

Dataset shortcut_flipped(const GenerateOptions& options) {
  Dataset set = shortcut_rows(options, kElsewhere);
  for (std::size_t r = 0; r < set.rows(); ++r) set.inputs(r, 0) = -set.inputs(r, 0);
  return set;
}

constexpr std::size_t kSensors = 4;  // per group

Dataset blocks_rows(const GenerateOptions& options, Place place) {
  constexpr std::array kStrength = {2.6, 1.8, 1.8};
  const Draws draws(options.seed, place);
  Dataset set{.inputs = Inputs(options.rows, kStrength.size() * kSensors),
              .labels = {},
              .classes = {"sound", "faulty"},
              .features = {},
              .weights = {}};
  for (const char* group : {"pressure", "flow", "heat"}) {
    for (std::size_t i = 1; i <= kSensors; ++i) set.features.push_back(group + std::string("_") + std::to_string(i));
  }
  for (std::size_t r = 0; r < options.rows; ++r) {
    const std::int32_t faulty = draws.coin(0, r);
    set.labels.push_back(faulty);
    std::uint32_t draw = 1;
    for (std::size_t g = 0; g < kStrength.size(); ++g) {
      const double latent = (faulty == 1 ? kStrength[g] : -kStrength[g]) + draws.normal(draw++, r);
      for (std::size_t i = 0; i < kSensors; ++i) {
        set.inputs(r, g * kSensors + i) = static_cast<float>(latent + 0.5 * draws.normal(draw++, r));
      }
    }
  }
  return set;
}

Dataset blocks(const GenerateOptions& options) { return blocks_rows(options, kHome); }

Dataset blocks_failed(const GenerateOptions& options) {
  Dataset set = blocks_rows(options, kElsewhere);
  shuffle_columns(set.inputs, kSensors, Draws(options.seed, kElsewhere).permutation(kShuffleDraw, set.rows()));
  return set;
}

// t_d is positive for one class and negative for the other, and comes arbitrarily near to 0. So every score that is
// linear in the columns and separates the classes is a sum of the t_d with weights that are not negative. And there are
// as many orthogonal scores as groups.
constexpr std::size_t kPlantedColumns = 10;  // in pairs; the pairs behind the groups are noise

template <std::size_t groups>
Dataset planted(const GenerateOptions& options) {
  constexpr double kSqrt3 = 0x1.bb67ae8584caap+0;  // gives t_d sd 1
  constexpr double kSqrtHalf = 0x1.6a09e667f3bcdp-1;
  const Draws draws(options.seed, kHome);
  Dataset set{.inputs = Inputs(options.rows, kPlantedColumns),
              .labels = {},
              .classes = {"low", "high"},
              .features = {},
              .weights = {}};
  for (std::size_t c = 0; c < kPlantedColumns; ++c) {
    const std::string pair = std::to_string(c / 2 + 1) + (c % 2 == 0 ? "a" : "b");
    set.features.push_back((c / 2 < groups ? "group_" : "noise_") + pair);
  }
  for (std::size_t r = 0; r < options.rows; ++r) {
    const std::int32_t high = draws.coin(0, r);
    set.labels.push_back(high);
    std::uint32_t draw = 1;
    for (std::size_t pair = 0; pair < kPlantedColumns / 2; ++pair) {
      const double size = kSqrt3 * draws.uniform(draw, r);
      const double t = pair >= groups ? draws.normal(draw, r) : high == 1 ? size : -size;
      const double n = draws.normal(draw + 1, r);
      draw += 2;
      set.inputs(r, 2 * pair) = static_cast<float>(kSqrtHalf * (t + n));
      set.inputs(r, 2 * pair + 1) = static_cast<float>(kSqrtHalf * (t - n));
    }
  }
  return set;
}

template <int which>
Dataset toy(const GenerateOptions& options) {
  return toy_set(which, options.seed);
}

Dataset manifold(const GenerateOptions& options) { return manifold_set(options.seed).dataset; }

struct Recipe {
  GeneratedSet set;
  Dataset (*make)(const GenerateOptions&);
};

constexpr std::array kRecipes = {
    Recipe{{"blocks", "three groups of four near-duplicate sensors; any group tells the class", 1500, true}, blocks},
    Recipe{{"blocks-failed", "like blocks, but the first and strongest group says nothing", 1500, true}, blocks_failed},
    Recipe{{"manifold", "two opposite quadrants on a random surface in 3-D (the paper's appendix)", 5000, false},
           manifold},
    Recipe{{"planted-1", "one pair of columns tells the class; eight others are noise", 1000, true}, planted<1>},
    Recipe{{"planted-2", "like planted-1, but either of two pairs tells the class", 1000, true}, planted<2>},
    Recipe{{"planted-3", "like planted-1, but any of three pairs tells the class", 1000, true}, planted<3>},
    Recipe{{"planted-5", "like planted-1, but any of five pairs tells the class", 1000, true}, planted<5>},
    Recipe{{"quadrants", "two opposite quadrants of the plane; either coordinate tells the class", 1000, true},
           quadrants},
    Recipe{{"shortcut", "column ward gives the answer; the truth is a ring in two others", 1500, true}, shortcut},
    Recipe{{"shortcut-failed", "like shortcut, but ward says nothing", 1500, true}, shortcut_failed},
    Recipe{{"shortcut-flipped", "like shortcut, but ward says the opposite", 1500, true}, shortcut_flipped},
    Recipe{{"toy-1", "two opposite quadrants on a grid (the paper's figure 2)", 5000, false}, toy<1>},
    Recipe{{"toy-2", "like toy-1, but turned by 60 degrees", 5000, false}, toy<2>},
    Recipe{{"toy-3", "like toy-2, but with more rows and narrower gaps", 6154, false}, toy<3>},
    Recipe{{"toy-4", "a pinwheel of four wedges on a grid (the paper's figure 2)", 5100, false}, toy<4>},
};

const Recipe& find_recipe(std::string_view name) {
  const auto found = std::ranges::find_if(kRecipes, [&](const Recipe& recipe) { return recipe.set.name == name; });
  if (found != kRecipes.end()) return *found;
  std::string names;
  for (const Recipe& recipe : kRecipes) names += (names.empty() ? "" : ", ") + std::string(recipe.set.name);
  throw DataError("there is no generated set " + quote(name) + "; choose one of " + names);
}

}  // namespace

std::vector<GeneratedSet> generated_sets() {
  std::vector<GeneratedSet> sets;
  sets.reserve(std::size(kRecipes));
  for (const Recipe& recipe : kRecipes) sets.push_back(recipe.set);
  return sets;
}

Dataset generate(std::string_view name, const GenerateOptions& options) {
  const Recipe& recipe = find_recipe(name);
  const std::size_t rows = options.rows == 0 ? recipe.set.rows : options.rows;
  if (rows > kMostGeneratedRows) {
    throw ConfigError("rows is " + std::to_string(rows) + "; it must be at most " + thousands(kMostGeneratedRows));
  }
  if (!recipe.set.sampled && rows != recipe.set.rows) {
    throw ConfigError("'" + std::string(name) + "' is a grid of " + std::to_string(recipe.set.rows) +
                      " rows and cannot have " + std::to_string(rows) + "; leave the number of rows out");
  }
  return recipe.make({.seed = options.seed, .rows = rows});
}

}  // namespace perpend
