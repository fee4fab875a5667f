// A model as a user keeps it: the networks and all that is needed to use them on a table again.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/base/tangents.h"
#include "perpend/data/schema.h"
#include "perpend/model/decision.h"
#include "perpend/model/ensemble.h"
#include "perpend/records/home.h"
#include "perpend/records/member_facts.h"
#include "perpend/records/run_summary.h"

namespace perpend {

struct TrainedModel {
  Ensemble ensemble;
  Decision decision;
  Schema schema;
  std::string options;      // JSON object (run/option_table.h)
  RunSummary summary = {};  // about the training; nothing in it depends on clock or machine
  // The basis for all rows along which the penalty acted. Empty if there was none, or if it is not stored (manifold.h).
  Tangents basis = {};
  Home home = {};  // empty in older models, and in those of the published recipe
};

std::vector<MemberFacts> member_facts(const TrainedModel& model);
// The view of each member, as one word.
std::vector<std::string> member_views(const TrainedModel& model);

// Throws ModelFileError if this model, with a summary of that many bytes, could not be saved. Its ensemble may still
// have no members.
void check_savable(const TrainedModel& model, std::size_t summary_bytes);

// Writes a model file. With overwrite false, a file that exists is an IoError. store/model_file.h describes the format.
void save_model(const std::filesystem::path& path, const TrainedModel& model, bool overwrite);

// Reads a model file. A model that was loaded is one that perpend could have written: its schema, options and summary
// have the right shape and fit the networks. Any other file is a ModelFileError.
TrainedModel load_model(const std::filesystem::path& path);

// Both without a file. name: what messages call the bytes.
std::string to_bytes(const TrainedModel& model);
TrainedModel model_from_bytes(std::string_view bytes, const std::string& name);

}  // namespace perpend
