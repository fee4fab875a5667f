#include "perpend/study/study.h"

#include <map>
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

// An option in a key: its name and value, or nothing when it has its default.
class KeyPart {
 public:
  explicit KeyPart(const OptionInfo& option)
      : option_(&option), name_(Json(option.name).dump() + ":"), usual_(option.json({})) {}
  std::string text(const RunOptions& options) const {
    const std::string value = option_->json(options);
    return value == usual_ ? "" : name_ + Json::parse(value).dump() + ",";
  }

 private:
  const OptionInfo* option_;
  std::string name_, usual_;
};

// Makes the ids of trials that differ only in members, lambda and restart. The text of a key without those three is
// made once, because a study may have hundreds of thousands of trials, and an option thousands of names.
class Ids {
 public:
  Ids(const Study& study, const StudyTrial& first)
      : options_(options_of(study, first)), seed_(study.options.train.seed) {
    const StudyDataset& dataset = study.datasets[first.dataset];
    const bool published = study.published && public_set_of(dataset.source) != nullptr;
    const Json head = {{"contract", kContractVersion},
                       {"data", dataset.sha256},
                       {"encoding", published ? "published" : "training rows"},
                       {"row_visits", study.row_visits ? Json(*study.row_visits) : Json(nullptr)}};
    begin_ = head.dump();
    begin_.back() = ',';
    begin_ += "\"options\":{";
    for (const auto& option : option_table()) {
      if (option.name == "threads") continue;
      const bool varies = option.name == "members" || option.name == "lambda" || option.name == "seed";
      if (varies) {
        varying_.push_back({KeyPart(option), ""});
      } else {
        (varying_.empty() ? begin_ : varying_.back().second) += KeyPart(option).text(options_);
      }
    }
  }

  std::string of(const Trial& trial) {
    options_.train.members = trial.members;
    options_.train.lambda = trial.lambda;
    options_.train.seed = seed_ + static_cast<std::uint64_t>(trial.restart);
    std::string key = begin_;
    for (const auto& [part, rest] : varying_) key += part.text(options_) + rest;
    if (key.back() == ',') key.pop_back();
    return sha256_hex(key + "}}").substr(0, kIdDigits);
  }

 private:
  RunOptions options_;
  std::uint64_t seed_;
  std::string begin_;                                     // of every key, up to the first option that varies
  std::vector<std::pair<KeyPart, std::string>> varying_;  // and the text behind each
};

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
      std::map<Method, Ids> ids;
      for (const auto method : study.methods) {
        ids.try_emplace(method, study, StudyTrial{d, {.split = split, .method = method, .lambda = {}}, ""});
      }
      for (int restart = 0; restart < study.restarts; ++restart) {
        for (const auto method : study.methods) {
          for (const auto& trial : grid(study.grid, method, split, restart)) {
            trials.push_back({d, trial, ids.at(method).of(trial)});
          }
        }
      }
    }
  }
  return trials;
}

}  // namespace perpend
