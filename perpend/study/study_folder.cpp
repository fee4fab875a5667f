#include "perpend/study/study_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/json_text.h"
#include "perpend/base/message.h"
#include "perpend/records/json.h"
#include "perpend/run/config.h"
#include "perpend/run/option_table.h"
#include "perpend/run/supported.h"

namespace perpend {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kOutcome = R"(,"status":)";
constexpr std::size_t kLargestResult = std::size_t{1} << 20;  // a line's (result_log.h)

std::string study_path(const std::filesystem::path& folder) { return (folder / "study.toml").string(); }

bool is_there(const std::string& path, FileSystem& files) {
  const int found = files.exists(path);
  return found != -ENOENT && checked_call(found, "cannot look for " + printable(path)) == 0;
}

// Makes a folder with all folders above it.
void make_folders(const std::filesystem::path& folder, FileSystem& files) {
  const auto above = folder.parent_path();
  if (!above.empty() && above != folder && !is_there(above.string(), files)) make_folders(above, files);
  checked_call(files.make_folder(folder.string()), "cannot make " + printable(folder.string()));
}

Study read_own_study(const std::filesystem::path& folder, FileSystem& files) {
  const std::string path = study_path(folder);
  if (!is_there(path, files)) {
    throw IoError(printable(folder.string()) +
                  " is not the folder of a study: it has no study.toml, which perpend sweep writes");
  }
  Study study = parse_study(read_config_text(path, FileSystem::Use::read, files), path);
  for (const auto& dataset : study.datasets) {
    if (!dataset.sha256.empty()) continue;
    throw ConfigError(printable(path) + ": data set " + quote(dataset.source) +
                      " has no sha256, which perpend sweep writes; it was changed by hand");
  }
  return study;
}

// Lists values with their paths, for messages only: "lambda.lit.0", "options.dropout".
void add_leaves(const ConfigValue& value, const std::string& way,
                std::vector<std::pair<std::string, std::string>>& to) {
  if (value.kind == ConfigValue::Kind::text) to.emplace_back(way, value.text);
  for (std::size_t i = 0; i < value.parts.size(); ++i) {
    const std::string name = value.kind == ConfigValue::Kind::list ? std::to_string(i) : value.parts[i].key;
    add_leaves(value.parts[i], way.empty() ? name : way + "." + name, to);
  }
}

// "lambda.lit.0 is 0.1 there and 0.2 here", or nothing.
std::string first_difference(const Study& there, const Study& here) {
  if (to_toml(there) == to_toml(here)) return "";
  const auto leaves = [](const Study& study) {
    std::vector<std::pair<std::string, std::string>> list;
    add_leaves(parse_config_tree(to_toml(study), "study.toml"), "", list);
    return list;
  };
  const auto ours = leaves(here);
  const auto theirs = leaves(there);
  using Texts = std::unordered_map<std::string, std::string>;
  const Texts our_texts(ours.begin(), ours.end());
  const Texts their_texts(theirs.begin(), theirs.end());
  const auto text_at = [](const Texts& texts, const std::string& way) -> std::optional<std::string> {
    const auto found = texts.find(way);
    return found == texts.end() ? std::nullopt : std::optional(found->second);
  };
  const auto shown = [](const std::optional<std::string>& text) { return text ? quote(*text) : "not given"; };
  for (const auto* side : {&theirs, &ours}) {
    for (const auto& leaf : *side) {
      const auto one = text_at(their_texts, leaf.first);
      const auto other = text_at(our_texts, leaf.first);
      if (one != other) return leaf.first + " is " + shown(one) + " there and " + shown(other) + " here";
    }
  }
  PERPEND_CHECK(false && "two texts of one study");
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

std::optional<double> optional_number(const Json& value) {
  return value.is_null() ? std::optional<double>() : value.get<double>();
}

// JSON's own conversion would cut off a fraction and wrap a number that is too large.
template <class Whole>
Whole whole_number(const Json& value) {
  if (value.is_number_unsigned() && std::in_range<Whole>(value.get<std::uint64_t>())) return value.get<Whole>();
  throw DataError("a stored result has " + value.dump() + " where a count is expected");
}

TrialStatus status_named(const std::string& name) {
  if (name == "ok") return TrialStatus::ok;
  if (name == "diverged") return TrialStatus::diverged;
  throw DataError("a stored result has the status " + quote(name));
}

// Boosting may end early, and without test rows there are no metrics.
bool has_members_of(const Evaluation& test, const Trial& trial) {
  const auto asked = static_cast<std::size_t>(trial.members);
  const std::size_t found = test.members.size();
  return found == asked || found == 0 || (method_info(trial.method).one_after_another && found < asked);
}

// Whether the text names the data set, split, method and everything else behind the id, which a sweep writes before the
// outcome.
bool names_trial(const std::string& text, const Study& study, const StudyTrial& trial) {
  const std::string own = to_json(study, trial, {});
  return text.starts_with(own.substr(0, own.find(kOutcome) + kOutcome.size()));
}

// Returns the result, if a sweep could have written this text for this trial.
std::optional<TrialResult> result_of(const std::string& text, const Study& study, const StudyTrial& trial) {
  try {
    TrialResult result = trial_result_from_json(text);
    const bool measured = result.validation_merit || result.test != Evaluation();
    const bool possible = result.status == TrialStatus::ok ? has_members_of(result.test, trial.trial) : !measured;
    if (names_trial(text, study, trial) && possible) return result;
  } catch (const DataError&) {
    // Anything wrong makes the record damaged.
  }
  return std::nullopt;
}

}  // namespace

std::size_t StudyFolder::diverged() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      results, [](const StudyResult& stored) { return stored.result.status == TrialStatus::diverged; }));
}

bool holds_study(const std::filesystem::path& folder, FileSystem& files) { return is_there(study_path(folder), files); }

StudyFolder read_study_folder(const std::filesystem::path& folder, FileSystem& files) {
  StudyFolder out;
  out.study = read_own_study(folder, files);
  out.trials = trials_of(out.study);
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < out.trials.size(); ++i) places.emplace(out.trials[i].id, i);
  std::unordered_map<std::string, TrialResult> results;
  const auto judge = [&](const ResultRecord& record) {
    const auto found = places.find(record.id);
    if (found == places.end()) return RecordKind::foreign;
    const auto result = result_of(record.result, out.study, out.trials[found->second]);
    if (result) results.emplace(record.id, *result);
    return result ? RecordKind::result : RecordKind::damaged;
  };
  const StoredResults stored = read_results(folder / "results", files, judge);
  out.damaged = stored.damaged;
  out.foreign = stored.foreign;
  for (const auto& record : stored.records) {
    out.results.push_back({.trial = places.at(record.id),
                           .result = std::move(results.at(record.id)),
                           .seconds = record.seconds,
                           .processor = record.processor.value_or(record.seconds),
                           .finished = record.finished,
                           .file = record.file});
  }
  std::ranges::sort(out.results, {}, &StudyResult::trial);
  return out;
}

void open_study_folder(const std::filesystem::path& folder, const Study& study, FileSystem& files) {
  const std::string text = checked_toml(study);
  const std::string path = study_path(folder);
  const bool is_new = !is_there(path, files);
  if (is_new) {
    refuse_unsupported(unsupported(study.options, study.methods));
    refuse_unsupported(unsupported_without_unlabeled(study.methods, "a study has none, so leave the method out"));
    refuse_unsupported(unsupported_by_splits(study.options, study.splits));
  }
  make_folders(folder / "results", files);
  if (is_new) {
    try {
      write_file_durably(path, text, false, files);
      return;
    } catch (const IoError&) {
      // Another process may have been faster. What it wrote is checked below.
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
  json[result.test.regression ? "validation_r2" : "validation_auc"] =
      result.validation_merit ? Json(*result.validation_merit) : Json(nullptr);
  json["test"] = Json::parse(to_json(result.test));
  return json.dump();
}

TrialResult trial_result_from_json(const std::string& text) {
  if (const auto problem = json_problem(text, kLargestResult)) throw DataError("a stored result has " + *problem);
  try {
    const Json json = Json::parse(text);
    TrialResult result;
    result.trial = {.split = split_named(json.at("split")),
                    .method = method_named(json.at("method")),
                    .members = whole_number<int>(json.at("members")),
                    .lambda = optional_number(json.at("lambda")),
                    .restart = whole_number<int>(json.at("restart"))};
    result.status = status_named(json.at("status"));
    if (json.contains("divergence")) {
      result.divergence = {whole_number<std::int64_t>(json.at("divergence").at("step")),
                           json.at("divergence").at("term")};
    }
    result.test = evaluation_from_json(json.at("test").dump());
    const bool numbers = result.test.regression;
    result.validation_merit = optional_number(json.at(numbers ? "validation_r2" : "validation_auc"));
    const bool possible =
        !result.validation_merit || (*result.validation_merit <= 1 && (numbers || *result.validation_merit >= 0));
    if (!possible) {
      throw DataError(std::string("a stored result has a ") +
                      (numbers ? "validation_r2 that is not an R^2" : "validation_auc that is not an AUC"));
    }
    return result;
  } catch (const Json::exception& error) {
    throw DataError(std::string("a stored result cannot be read: ") + error.what());
  } catch (const ConfigError& error) {
    throw DataError(std::string("a stored result cannot be read: ") + error.what());
  }
}

}  // namespace perpend
