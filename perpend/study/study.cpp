#include "perpend/study/study.h"

#include <nlohmann/json.hpp>

#include "perpend/base/contract.h"
#include "perpend/base/error.h"
#include "perpend/base/sha256.h"
#include "perpend/data/source.h"
#include "perpend/run/option_table.h"

namespace perpend {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kIdDigits = 32;

std::string id_of(const Study& study, const StudyTrial& trial) {
  static const RunOptions defaults;
  const RunOptions options = options_of(study, trial);
  const StudyDataset& dataset = study.datasets[trial.dataset];
  Json changed = Json::object();
  for (const auto& option : option_table()) {
    const std::string value = option.json(options);
    if (option.name != "threads" && value != option.json(defaults)) changed[option.name] = Json::parse(value);
  }
  const bool published = study.published && public_set_of(dataset.source) != nullptr;
  const Json key = {{"contract", kContractVersion},
                    {"data", dataset.sha256},
                    {"encoding", published ? "published" : "training rows"},
                    {"row_visits", study.row_visits ? Json(*study.row_visits) : Json(nullptr)},
                    {"options", changed}};
  return sha256_hex(key.dump()).substr(0, kIdDigits);
}

}  // namespace

RunOptions options_of(const Study& study, const StudyTrial& trial) {
  RunOptions options = study.options;
  options.schema.target = study.datasets[trial.dataset].target;
  options.split.kind = trial.trial.split;
  options.train.method = trial.trial.method;
  options.train.members = trial.trial.members;
  options.train.lambda = trial.trial.lambda;
  options.train.seed += static_cast<std::uint64_t>(trial.trial.restart);
  return options;
}

std::vector<StudyTrial> trials_of(const Study& study) {
  std::vector<StudyTrial> trials;
  for (std::size_t d = 0; d < study.datasets.size(); ++d) {
    PERPEND_CHECK(!study.datasets[d].sha256.empty());
    for (const auto split : study.splits) {
      for (int restart = 0; restart < study.restarts; ++restart) {
        for (const auto method : study.methods) {
          for (const auto& trial : grid(study.grid, method, split, restart)) trials.push_back({d, trial, ""});
        }
      }
    }
  }
  for (auto& trial : trials) trial.id = id_of(study, trial);
  return trials;
}

Study table1_study(bool quick) {
  Study study;
  for (const char* name : {"mushroom", "ionosphere", "sonar", "spectf", "electricity"}) {
    study.datasets.push_back({name, find_public_set(name)->target, ""});
  }
  study.grid.members = quick ? std::vector{2, 5, 13} : std::vector{2, 3, 5, 8, 13};
  const auto lambdas = log_spaced(1e-4, 1e1, quick ? 6 : 16);
  study.grid.ncl = study.grid.ace = study.grid.lit = lambdas;
  study.restarts = quick ? 3 : 10;
  study.row_visits = quick ? kRowVisits / 4 : kRowVisits;
  study.published = true;
  apply_preset("published", study.options);
  return study;
}

}  // namespace perpend
