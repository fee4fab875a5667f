#include "perpend/store/trained_model.h"

#include <cmath>

#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/model/shown_view.h"
#include "perpend/records/json.h"
#include "perpend/store/model_file.h"
#include "perpend/store/model_metadata.h"

namespace perpend {

namespace {

ModelFile file_of(const TrainedModel& model) {
  return {model.ensemble,
          model.decision,
          {{"options", model.options}, {"schema", schema_to_json(model.schema)}, {"summary", to_json(model.summary)}},
          model.basis,
          model.home};
}

// Networks with views take columns. Each of their tables must fit the cells that the schema makes.
void check_columns(const Schema& schema, const Architecture& architecture) {
  if (schema.by_column != architecture.has_views()) {
    throw ModelFileError(std::string("its schema encodes ") + (schema.by_column ? "columns" : "plain features") +
                         ", and its networks take " + (architecture.has_views() ? "columns" : "plain features"));
  }
  for (std::size_t c = 0; c < architecture.columns.size(); ++c) {
    const InputColumn& column = schema.columns[schema.features[c].column];
    const ColumnTable& table = architecture.columns[c];
    const auto described = [](bool is_category, std::size_t levels) {
      return is_category ? "a category of " + counted(levels, "level") : "a number";
    };
    const std::string there = described(column.kind == ColumnKind::categorical, column.levels.size());
    const std::string here = described(table.is_category, table.means.size());
    if (there != here) {
      throw ModelFileError("column " + quote(column.name) + " is " + there + " in its schema and " + here +
                           " in its networks");
    }
    if (table.missing > 0 && schema.missing != Missing::indicator) {
      throw ModelFileError("its networks read missing cells of column " + quote(column.name) +
                           ", which its schema does not leave");
    }
  }
}

// Histograms must have a place for every cell that the schema makes, and labels must be classes.
void check_home(const TrainedModel& model) {
  const auto levels = model.schema.level_counts();
  for (std::size_t c = 0; c < model.home.columns.size(); ++c) {
    const HomeColumn& column = model.home.columns[c];
    const std::size_t places = levels[c] > 0 ? levels[c] + 2 : column.edges.size() + 2;
    if (column.counts.size() == places && (levels[c] == 0 || column.edges.empty())) continue;
    throw ModelFileError("column " + quote(model.schema.columns[c].name) + " has " +
                         counted(column.counts.size(), "count") + " at home where " + thousands(places) +
                         " are expected");
  }
  if (model.schema.quantity) return;
  for (const float label : model.home.targets) {
    if (!(label >= 0 && label < static_cast<float>(model.schema.classes.size()) && label == std::floor(label))) {
      throw ModelFileError("a row at home has a label that is none of its classes");
    }
  }
}

// Checks everything that later code may read from the model. Every message is one line that says what is wrong.
TrainedModel checked_model(ModelFile file) {
  for (const char* key : {"options", "schema", "summary"}) {
    if (!file.metadata.contains(key)) {
      throw ModelFileError(std::string("there are no ") + key + "; the file was not written by perpend train");
    }
  }
  check_options(file.metadata["options"]);
  RunSummary summary =
      read_summary(file.metadata["summary"], file.ensemble.members.size(), count_networks(file.ensemble));
  TrainedModel model{std::move(file.ensemble), std::move(file.decision), schema_from_json(file.metadata["schema"]),
                     file.metadata["options"], std::move(summary),       std::move(file.basis),
                     std::move(file.home)};
  const std::size_t classes = model.schema.quantity ? 2 : model.schema.classes.size();
  model.ensemble.architecture.quantity = model.schema.quantity;
  if (model.schema.features.size() != model.ensemble.architecture.features ||
      classes != model.ensemble.architecture.classes) {
    throw ModelFileError("its schema has " + std::to_string(model.schema.features.size()) + " features and " +
                         std::to_string(classes) + " classes, its networks " +
                         std::to_string(model.ensemble.architecture.features) + " and " +
                         std::to_string(model.ensemble.architecture.classes));
  }
  const bool votes = model.decision.rule == Rule::samme_r || model.decision.rule == Rule::samme;
  if (model.schema.quantity ? votes : model.decision.rule == Rule::median) {
    throw ModelFileError(std::string("its rule is not one of ") + (model.schema.quantity ? "a regression" : "classes"));
  }
  if (model.decision.correction && (model.decision.correction->bias.size() == 1) != model.schema.quantity.has_value()) {
    throw ModelFileError(std::string("its correction is not one of ") +
                         (model.schema.quantity ? "a regression" : "classes"));
  }
  const auto& gate = model.decision.gate;
  if (gate && !model.schema.quantity && !(gate->centre == 0 && gate->scale == 1)) {
    throw ModelFileError("its gate is not one of classes");
  }
  check_columns(model.schema, model.ensemble.architecture);
  check_home(model);
  const auto& importances = model.summary.importances;
  if (!importances.empty() && importances.size() != model.schema.columns.size()) {
    throw ModelFileError("its summary has " + counted(importances.size(), "importance") + ", its schema " +
                         counted(model.schema.columns.size(), "column"));
  }
  return model;
}

// `name` begins every message.
TrainedModel model_in(ModelFile file, const std::string& name) try {
  return checked_model(std::move(file));
} catch (const ModelFileError& error) {
  throw ModelFileError(printable(name) + ": " + error.what());
}

}  // namespace

std::vector<MemberFacts> member_facts(const TrainedModel& model) {
  const Architecture& architecture = model.ensemble.architecture;
  const std::vector<double> says = member_says(model.decision);
  std::vector<MemberFacts> facts;
  for (std::size_t m = 0; m < model.ensemble.members.size(); ++m) {
    const bool is_trees = m >= model.ensemble.differentiable();
    facts.push_back({.view = std::string(architecture.has_views() ? shown_view(architecture, m) : "plain"),
                     .inputs = is_trees ? architecture.features : architecture.in(0, m),
                     .units = is_trees ? std::vector<std::size_t>() : architecture.hidden,
                     .rounds = is_trees ? model.ensemble.trees.rounds() : 0,
                     .weight = says[m]});
  }
  return facts;
}

std::vector<std::string> member_views(const TrainedModel& model) {
  std::vector<std::string> views;
  for (auto& facts : member_facts(model)) views.push_back(std::move(facts.view));
  return views;
}

void check_savable(const TrainedModel& model, std::size_t summary_bytes) {
  ModelFile file = file_of(model);
  file.metadata["summary"] = '"' + std::string(summary_bytes, ' ') + '"';
  check_header_fits(file);
}

std::string to_bytes(const TrainedModel& model) { return to_bytes(file_of(model)); }

void save_model(const std::filesystem::path& path, const TrainedModel& model, bool overwrite) {
  save(path, file_of(model), overwrite);
}

TrainedModel load_model(const std::filesystem::path& path) { return model_in(load(path), path.string()); }

TrainedModel model_from_bytes(std::string_view bytes, const std::string& name) {
  return model_in(from_bytes(bytes, name), name);
}

}  // namespace perpend
