#include "perpend/study/study_folder.h"

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/records/json.h"
#include "perpend/run/config.h"
#include "perpend/run/option_table.h"

namespace perpend {

namespace {

using Json = nlohmann::ordered_json;

std::string study_path(const std::filesystem::path& folder) { return (folder / "study.toml").string(); }

bool is_there(const std::string& path, FileSystem& files) {
  const int found = files.exists(path);
  return found != -ENOENT && checked_call(found, "cannot look for " + printable(path)) == 0;
}

// With all folders above it.
void make_folders(const std::filesystem::path& folder, FileSystem& files) {
  const auto above = folder.parent_path();
  if (!above.empty() && above != folder && !is_there(above.string(), files)) make_folders(above, files);
  checked_call(files.make_folder(folder.string()), "cannot make " + printable(folder.string()));
}

Study read_own_study(const std::filesystem::path& folder, FileSystem& files) {
  const std::string path = study_path(folder);
  if (!is_there(path, files)) {
    throw IoError(printable(folder.string()) +
                  " is no folder of a study: it has no study.toml; perpend sweep makes one");
  }
  return parse_study(read_config_text(path, files), path);
}

// "lambda.lit.0 is 0.1 there and 0.2 here", or nothing.
std::string first_difference(const Study& there, const Study& here) {
  const auto leaves = [](const Study& study) { return parse_nested_config(to_toml(study), "study.toml"); };
  const auto ours = leaves(here);
  const auto theirs = leaves(there);
  const auto text_at = [](const std::vector<ConfigEntry>& entries, const std::string& key) {
    const auto found = std::ranges::find(entries, key, &ConfigEntry::key);
    return found == entries.end() ? std::string("not given") : quote(found->text);
  };
  for (const auto* side : {&theirs, &ours}) {
    for (const auto& entry : *side) {
      const std::string other = text_at(side == &theirs ? ours : theirs, entry.key);
      if (other == quote(entry.text)) continue;
      return entry.key + " is " + text_at(theirs, entry.key) + " there and " + text_at(ours, entry.key) + " here";
    }
  }
  return "";
}

SplitKind split_named(const std::string& name) {
  RunOptions options;
  find_option("split").set(options, name);
  return options.split.kind;
}

Method method_named(const std::string& name) {
  RunOptions options;
  find_option("method").set(options, name);
  return options.train.method;
}

}  // namespace

std::size_t StudyFolder::diverged() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      results, [](const StudyResult& stored) { return stored.result.status == TrialStatus::diverged; }));
}

StudyFolder read_study_folder(const std::filesystem::path& folder, FileSystem& files) {
  StudyFolder out;
  out.study = read_own_study(folder, files);
  out.trials = trials_of(out.study);
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < out.trials.size(); ++i) places.emplace(out.trials[i].id, i);
  const StoredResults stored = read_results(folder / "results", files);
  out.damaged = stored.damaged;
  for (const auto& record : stored.records) {
    const auto found = places.find(record.id);
    if (found == places.end()) {
      ++out.foreign;
      continue;
    }
    out.results.push_back(
        {found->second, trial_result_from_json(record.result), record.seconds, record.finished, record.file});
  }
  std::ranges::sort(out.results, {}, &StudyResult::trial);
  return out;
}

void open_study_folder(const std::filesystem::path& folder, const Study& study, FileSystem& files) {
  make_folders(folder / "results", files);
  const std::string path = study_path(folder);
  if (!is_there(path, files)) {
    try {
      write_file_durably(path, to_toml(study), false, files);
      return;
    } catch (const IoError&) {
      // Another process may have been faster; what it wrote is looked at below.
      if (files.exists(path) != 0) throw;
    }
  }
  const std::string difference = first_difference(read_own_study(folder, files), study);
  if (!difference.empty()) {
    throw MismatchError(printable(folder.string()) + " holds another study: " + difference +
                        "; give another folder, or go on with " + printable(path));
  }
}

std::string to_json(const Study& study, const StudyTrial& trial, const TrialResult& result) {
  Json json = {{"id", trial.id},
               {"dataset", study.datasets[trial.dataset].source},
               {"split", name_of(trial.trial.split)},
               {"method", name_of(trial.trial.method)},
               {"members", trial.trial.members},
               {"lambda", trial.trial.lambda ? Json(*trial.trial.lambda) : Json(nullptr)},
               {"restart", trial.trial.restart},
               {"status", result.status == TrialStatus::diverged ? "diverged" : "ok"}};
  if (result.divergence) json["divergence"] = {{"step", result.divergence->step}, {"term", result.divergence->term}};
  json["validation_auc"] = result.validation_auc ? Json(*result.validation_auc) : Json(nullptr);
  json["test"] = Json::parse(to_json(result.test));
  return json.dump();
}

TrialResult trial_result_from_json(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    const auto number = [&](const char* key) {
      return json.at(key).is_null() ? std::optional<double>() : json.at(key).get<double>();
    };
    TrialResult result;
    result.trial = {.split = split_named(json.at("split")),
                    .method = method_named(json.at("method")),
                    .members = json.at("members"),
                    .lambda = number("lambda"),
                    .restart = json.at("restart")};
    result.status = json.at("status") == "diverged" ? TrialStatus::diverged : TrialStatus::ok;
    if (json.contains("divergence")) {
      result.divergence = {json.at("divergence").at("step"), json.at("divergence").at("term")};
    }
    result.validation_auc = number("validation_auc");
    result.test = evaluation_from_json(json.at("test").dump());
    return result;
  } catch (const Json::exception& error) {
    throw DataError(std::string("a stored result cannot be read: ") + error.what());
  }
}

}  // namespace perpend
