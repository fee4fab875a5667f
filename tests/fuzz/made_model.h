// Makes models whose metadata is any text. An input has three lines: options, schema and summary. If there is a schema,
// the networks are made to fit it. The file gets the right checksum, so that the fuzzer gets behind that check. The
// second member is boosted trees if the options say trees and columns are tables.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/base/json_text.h"
#include "perpend/store/model_file.h"
#include "perpend/store/trained_model.h"
#include "tests/fuzz/require.h"
#include "tests/support/ensembles.h"
#include "tests/support/tree_models.h"

namespace perpend {

inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// A table for a column of a schema, with room for missing cells.
inline ColumnTable some_column(std::size_t levels) {
  if (levels == 0) return {.edges = {-1, 0, 2.5F}, .means = {0.75F, 0.25F}, .missing = 0.125F};
  return {.means = std::vector<float>(levels, 0.5F / static_cast<float>(levels)), .is_category = true, .missing = 0.5F};
}

inline Architecture architecture_for(const std::string& schema, std::size_t bytes, View last) {
  Architecture architecture{.features = 3, .hidden = {4}};
  if (bytes % 3 == 0) architecture.hidden = {3, 3, 3};
  expect_one_line(ErrorKind::model_file, [&] {
    const Schema found = schema_from_json(schema);
    architecture.features = found.features.size();
    architecture.classes = found.classes.size();
    if (!found.by_column) return;
    architecture.views = {View::linear, last};
    for (const std::size_t levels : found.level_counts()) architecture.columns.push_back(some_column(levels));
  });
  return architecture;
}

// Ordinary weights, or the largest that a model file may have.
inline Ensemble ensemble_for(const Architecture& architecture, std::size_t bytes) {
  Ensemble ensemble =
      bytes % 2 == 0 ? initial_ensemble(architecture, 2, bytes) : test::extreme_ensemble(architecture, bytes);
  if (!ensemble.has_trees()) return ensemble;
  ensemble.trees = test::made_up_trees(architecture, bytes % 4, bytes);
  for (Tree& tree : ensemble.trees.trees) {
    for (float& value : tree.value) value = bytes % 2 == 0 ? value : std::copysign(kLargestWeight, value);
  }
  return ensemble;
}

// The mean, sometimes with the largest possible gate.
inline Decision decision_for(std::size_t bytes) {
  Decision decision = equal_mean(2);
  if (bytes % 4 == 1) decision.gate = Gate{.theta = {0.5, -1, 0, 2, kMostTheta, -kMostTheta, kMostTheta, -kMostTheta}};
  return decision;
}

// Loads the text as a model. Returns nothing if the loader throws a ModelFileError of one line.
inline std::optional<TrainedModel> made_model(std::string_view text) {
  const auto lines = lines_of(text);
  if (lines.size() != 3 || std::ranges::any_of(lines, [](const auto& line) {
        return json_problem(line, kMaxHeaderBytes / 8).has_value();
      })) {
    return std::nullopt;  // the reader of the header refuses these; fuzz_model_file tests that
  }
  const Architecture architecture = architecture_for(
      lines[1], text.size(), lines[0].find("trees") == std::string::npos ? View::piecewise : View::trees);
  if (architecture.features > 64 || architecture.classes > 64) return std::nullopt;
  std::optional<TrainedModel> model;
  expect_one_line(ErrorKind::model_file, [&] {
    model = model_from_bytes(
        to_bytes(ModelFile{.ensemble = ensemble_for(architecture, text.size()),
                           .decision = decision_for(text.size()),
                           .metadata = {{"options", lines[0]}, {"schema", lines[1]}, {"summary", lines[2]}},
                           .basis = {}}),
        "m");
  });
  return model;
}

}  // namespace perpend
