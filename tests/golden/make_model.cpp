// make_model FOLDER writes the golden model files of the present formats, and model_v<version>.json with what must hold
// for them for ever: the sha256 of each file, the tensors of its networks and the scores of its members on a few rows.
// Run it once per format version. Version 2 is that of models with boosted trees.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "perpend/base/parallel.h"
#include "perpend/base/sha256.h"
#include "perpend/model/predict.h"
#include "tests/support/data.h"
#include "tests/support/model_files.h"
#include "tests/support/tree_models.h"

namespace perpend {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kRows = 4;

template <class View>
Json rows_of(const View& matrix) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    rows.push_back(std::vector<double>(matrix.row(r), matrix.row(r) + matrix.cols()));
  }
  return rows;
}

Json tensors_of(const Ensemble& ensemble) {
  Json tensors;
  for (std::size_t m = 0; m < ensemble.members.size(); ++m) {
    for (std::size_t l = 0; l < ensemble.members[m].layers.size(); ++l) {
      const Layer<float>& layer = ensemble.members[m].layers[l];
      const std::string name = "member." + std::to_string(m) + ".layer." + std::to_string(l);
      tensors[name + ".weight"] = rows_of(layer.weight.view());
      tensors[name + ".bias"] = std::vector<double>(layer.bias.data(), layer.bias.data() + layer.weight.cols());
    }
  }
  return tensors;
}

// Each column has cells of every kind: known ones within the edges and beyond them, a missing one (written as null),
// and a level that training never saw.
Inputs rows_for(const Architecture& architecture) {
  const Dataset known = test::mixed_data(kRows, architecture.features, 8);
  Inputs rows(kRows + 4, architecture.features);
  for (std::size_t c = 0; c < architecture.features; ++c) {
    const ColumnTable& column = architecture.columns[c];
    for (std::size_t r = 0; r < kRows; ++r) rows(r, c) = known.inputs(r, c);
    rows(kRows, c) = column.is_category ? static_cast<float>(column.means.size()) : NAN;
    rows(kRows + 1, c) = column.is_category ? -1 : 1e6F;
    rows(kRows + 2, c) = column.is_category ? 0 : -1e6F;
    rows(kRows + 3, c) = column.has_ramps() ? column.edges[2] : 1;
  }
  return rows;
}

Json make(const std::string& folder, const std::string& file, const ModelFile& model) {
  const std::string bytes = to_bytes(model);
  std::ofstream(folder + "/" + file, std::ios::binary) << bytes;
  const Architecture& architecture = model.ensemble.architecture;
  const Inputs rows =
      architecture.has_views() ? rows_for(architecture) : test::normal_data(kRows, architecture.features, 7).inputs;
  const auto scores = member_scores(model.ensemble, rows, Threads(1));
  Json members = Json::array();
  for (std::size_t m = 0; m < scores.members(); ++m) members.push_back(rows_of(scores[m]));
  return {{"file", file},
          {"sha256", sha256_hex(bytes)},
          {"member_weights", model.decision.weights},
          {"metadata", model.metadata},
          {"tensors", tensors_of(model.ensemble)},
          {"rows", rows_of(rows.view())},
          {"scores", members}};
}

}  // namespace
}  // namespace perpend

int main(int argc, char** argv) {
  using perpend::Activation;
  if (argc != 2) return std::fputs("usage: make_model FOLDER\n", stderr), 2;
  const std::string folder = argv[1];
  const std::string stem = "model_v" + std::to_string(perpend::kFormatVersion);
  perpend::Json golden = perpend::Json::array();
  golden.push_back(
      perpend::make(folder, stem + ".safetensors", perpend::test::made_up_model({.features = 3, .hidden = {5}}, 3)));
  golden.push_back(
      perpend::make(folder, stem + "_deep.safetensors",
                    perpend::test::made_up_model(
                        {.features = 2, .hidden = {4, 3}, .classes = 3, .activation = Activation::softplus}, 2)));
  const std::vector<perpend::View> views = {perpend::View::linear, perpend::View::piecewise};
  const auto columns = perpend::test::mixed_data(60, 6, 7).columns;
  golden.push_back(perpend::make(
      folder, stem + "_views.safetensors",
      perpend::test::made_up_model({.features = 6, .hidden = {5}, .columns = columns, .views = views}, 3)));
  golden.push_back(perpend::make(folder, stem + "_views_deep.safetensors",
                                 perpend::test::made_up_model({.features = 6,
                                                               .hidden = {4, 3},
                                                               .classes = 3,
                                                               .activation = Activation::softplus,
                                                               .columns = columns,
                                                               .views = views},
                                                              2)));
  std::ofstream(folder + "/" + stem + ".json") << golden.dump(1) << '\n';
  const std::string tree_stem = "model_v" + std::to_string(perpend::kFormatVersionOfTrees);
  perpend::Json with_trees = perpend::Json::array();
  with_trees.push_back(
      perpend::make(folder, tree_stem + ".safetensors", perpend::test::made_up_tree_model(columns, 2, 3)));
  with_trees.push_back(
      perpend::make(folder, tree_stem + "_classes.safetensors", perpend::test::made_up_tree_model(columns, 3, 1)));
  std::ofstream(folder + "/" + tree_stem + ".json") << with_trees.dump(1) << '\n';
}
