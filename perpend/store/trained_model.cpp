#include "perpend/store/trained_model.h"

#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/records/json.h"
#include "perpend/store/model_file.h"
#include "perpend/store/model_metadata.h"

namespace perpend {

namespace {

ModelFile file_of(const TrainedModel& model) {
  return {model.ensemble,
          model.decision,
          {{"options", model.options}, {"schema", schema_to_json(model.schema)}, {"summary", to_json(model.summary)}},
          model.basis};
}

// All that a verb may later read of the model; every message is one line that tells what is wrong.
TrainedModel checked_model(ModelFile file) {
  for (const char* key : {"options", "schema", "summary"}) {
    if (!file.metadata.contains(key)) {
      throw ModelFileError(std::string("there are no ") + key + "; the file was not written by perpend train");
    }
  }
  check_options(file.metadata["options"]);
  RunSummary summary = read_summary(file.metadata["summary"], file.ensemble.members.size());
  TrainedModel model{std::move(file.ensemble), std::move(file.decision), schema_from_json(file.metadata["schema"]),
                     file.metadata["options"], std::move(summary),       std::move(file.basis)};
  if (model.schema.features.size() != model.ensemble.architecture.features ||
      model.schema.classes.size() != model.ensemble.architecture.classes) {
    throw ModelFileError("its schema has " + std::to_string(model.schema.features.size()) + " features and " +
                         std::to_string(model.schema.classes.size()) + " classes, its networks " +
                         std::to_string(model.ensemble.architecture.features) + " and " +
                         std::to_string(model.ensemble.architecture.classes));
  }
  return model;
}

// `name` begins every message.
TrainedModel model_in(ModelFile file, const std::string& name) try {
  return checked_model(std::move(file));
} catch (const ModelFileError& error) {
  throw ModelFileError(name + ": " + error.what());
}

}  // namespace

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
