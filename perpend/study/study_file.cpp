#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/portable_math.h"
#include "perpend/data/source.h"
#include "perpend/run/config.h"
#include "perpend/run/option_table.h"
#include "perpend/study/study.h"

namespace perpend {

namespace {

constexpr std::size_t kMostValues = 1000;    // of one axis of the grid
constexpr std::size_t kMostNames = 100'000;  // of one option, such as columns to drop
constexpr std::size_t kItemsOfALine = 8;     // in a list that is written

using Kind = ConfigValue::Kind;

// Options of a run that have several values in a study, or a place of their own.
constexpr const char* kElsewhere[] = {"split", "method", "members", "lambda", "seed", "threads"};
bool stands_elsewhere(const std::string& option) {
  return std::ranges::find(kElsewhere, option) != std::end(kElsewhere);
}

[[noreturn]] void refuse(const ConfigValue& value, const std::string& problem) {
  throw ConfigError(value.place + ": " + problem);
}

// Refuses a table with a name that is not among the known ones.
void refuse_unknown(const ConfigValue& table, const std::vector<std::string>& known, const std::string& whose,
                    const std::string& otherwise) {
  for (const auto& part : table.parts) {
    if (std::ranges::find(known, part.key) != known.end()) continue;
    const std::string near = nearest_name(part.key, known);
    refuse(part,
           whose + " has no key " + quote(part.key) + "; " + (near.empty() ? otherwise : "did you mean " + near + "?"));
  }
}

const std::string& text_of(const ConfigValue& value) {
  if (value.kind != Kind::text) refuse(value, value.key + " must be one value");
  return value.text;
}

void refuse_more_than(std::size_t most, const ConfigValue& list) {
  if (list.parts.size() <= most) return;
  refuse(list, fmt::format("{} is a list of {} values; it can have at most {}", list.key, thousands(list.parts.size()),
                           thousands(most)));
}

// Returns the values of a list, or one value. All of them must be plain.
std::vector<ConfigValue> values_in(const ConfigValue& value) {
  if (value.kind == Kind::text) return {value};
  if (value.kind == Kind::table) refuse(value, value.key + " must be a list of values");
  if (value.parts.empty()) refuse(value, value.key + " is an empty list; leave it out, or give it a value");
  refuse_more_than(kMostValues, value);
  for (const auto& part : value.parts) {
    if (part.kind != Kind::text) refuse(part, value.key + " must be a list of values");
  }
  return value.parts;
}

// Calls set(). A ConfigError gets the place in front.
template <class Set>
auto at(const ConfigValue& value, const Set& set) {
  try {
    return set();
  } catch (const ConfigError& error) {
    refuse(value, error.what());
  }
}

template <class Number>
Number number_of(const ConfigValue& value, Number least, Number most) {
  const std::string& text = text_of(value);
  Number number{};
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end || !(number >= least && number <= most)) {
    refuse(value, fmt::format("{} is {}; it must be a {} from {} to {}", value.key, quote(text),
                              std::is_integral_v<Number> ? "whole number" : "number", least, most));
  }
  return number;
}

// Returns the values of an option, each checked as `train` would check it. `get` reads the value that was set.
template <class Get>
auto values_of(const ConfigValue& list, const char* option, const Get& get) {
  using Value = std::remove_cvref_t<decltype(get(std::declval<RunOptions&>()))>;
  std::vector<Value> values;
  std::set<Value> known;
  for (const auto& value : values_in(list)) {
    RunOptions one;
    values.push_back(at(value, [&] {
      find_option(option).set(one, value.text);
      return get(one);
    }));
    if (!known.insert(values.back()).second) refuse(value, quote(value.text) + " appears twice in " + list.key);
  }
  return values;
}

double lambda_in(const RunOptions& options) {
  if (options.lambda_auto)
    throw ConfigError("lambda is 'auto', but a study tries a list of lambdas instead; give it one");
  return *options.train.lambda + 0.0;  // -0 is 0
}

std::vector<double> lambdas_of(const ConfigValue& value) {
  if (value.kind != Kind::table) return values_of(value, "lambda", lambda_in);
  refuse_unknown(value, {"from", "to", "count"}, value.key, "it has from, to and count");
  const auto bound = [&](const char* name) -> const ConfigValue& {
    const ConfigValue* part = value.find(name);
    if (part == nullptr) refuse(value, value.key + " needs from, to and count");
    return *part;
  };
  const double from = number_of(bound("from"), 1e-30, 1e30);
  const double to = number_of(bound("to"), 1e-30, 1e30);
  auto values = log_spaced(from, to, number_of<std::size_t>(bound("count"), 2, kMostValues));
  if (std::ranges::adjacent_find(values) == values.end()) return values;
  refuse(value, value.key + " has equal values: from and to are too close together for that count");
}

void read_lambdas(const ConfigValue& file, Study& study) {
  Grid& grid = study.grid;
  const auto members = grid.members;
  grid = default_grid(study.options.train.penalty_reduction);
  grid.members = members;
  const ConfigValue* lambda = file.find("lambda");
  if (lambda == nullptr) return;
  std::vector<std::string> names;
  for (const auto& [method, values] : grid.lambdas) names.push_back(name_of(method));
  const auto has = [&](const std::string& name) { return lambda->find(name) != nullptr; };
  if (std::ranges::none_of(names, has)) {
    set_lambdas(grid, lambdas_of(*lambda), false);
    return;
  }
  const std::string all_but_last = fmt::format("{}", fmt::join(names.begin(), names.end() - 1, ", "));
  refuse_unknown(*lambda, names, "lambda",
                 fmt::format("it has {} and {}, or from, to and count", all_but_last, names.back()));
  for (auto& [method, values] : grid.lambdas) {
    if (const ConfigValue* own = lambda->find(name_of(method))) values = lambdas_of(*own);
  }
}

void read_options(const ConfigValue& file, Study& study) {
  if (const ConfigValue* preset = file.find("preset")) {
    const std::string& name = text_of(*preset);
    at(*preset, [&] { apply_preset(name, study.options); });
    study.published = true;
  }
  if (const ConfigValue* seed = file.find("seed")) {
    const std::string& text = text_of(*seed);
    at(*seed, [&] { find_option("seed").set(study.options, text); });
  }
  const ConfigValue* options = file.find("options");
  if (options == nullptr) return;
  if (options->kind != Kind::table) refuse(*options, "options must be a table; write [options] and one per line");
  for (const auto& option : options->parts) {
    refuse_more_than(kMostNames, option);
    if (!stands_elsewhere(option.key)) continue;
    refuse(option, option.key == "threads" ? "threads is not part of a study; give " + option_mention("threads")
                                           : option.key + " belongs at the top of a study, not here");
  }
  apply_config(options->parts, study.options);
}

void check_sha256(const ConfigValue& value) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (text_of(value).size() == 64 && std::ranges::all_of(value.text, is_digit)) return;
  refuse(value, "sha256 is " + quote(value.text) + "; it must be 64 hexadecimal digits, a to f in small letters");
}

StudyDataset dataset_of(const ConfigValue& value) {
  if (value.kind == Kind::text) return {value.text, "", ""};
  if (value.kind == Kind::list) refuse(value, "a data set is a source or {source = \"...\", target = \"...\"}");
  refuse_unknown(value, {"source", "target", "sha256"}, "a data set", "it has source, target and sha256");
  StudyDataset dataset;
  if (const ConfigValue* source = value.find("source")) dataset.source = text_of(*source);
  if (const ConfigValue* target = value.find("target")) dataset.target = text_of(*target);
  if (const ConfigValue* sha256 = value.find("sha256")) {
    check_sha256(*sha256);
    dataset.sha256 = sha256->text;
  }
  return dataset;
}

void complete(StudyDataset& dataset, const RunOptions& options, const ConfigValue& value) {
  if (dataset.source.empty()) refuse(value, "a data set has no source");
  if (dataset.source == "-")
    refuse(value, "a study reads its data again when it is resumed, and - cannot be read twice");
  if (dataset.source.find('\0') != std::string::npos)
    refuse(value, "the source has a NUL, which no file name can have");
  const PublicSet* set = public_set_of(dataset.source);
  if (dataset.target.empty()) dataset.target = options.schema.target;
  if (dataset.target.empty() && set != nullptr) dataset.target = set->target;
  if (dataset.target.empty()) {
    refuse(value,
           "data set " + quote(dataset.source) + " has no target; write {source = \"...\", target = \"COLUMN\"}");
  }
}

void read_datasets(const ConfigValue& file, Study& study) {
  const ConfigValue* datasets = file.find("datasets");
  if (datasets == nullptr) throw ConfigError(file.place + ": a study needs datasets = [...]");
  if (datasets->kind != Kind::list) refuse(*datasets, "datasets must be a list; write datasets = [...]");
  if (datasets->parts.empty()) refuse(*datasets, "a study needs at least one data set");
  refuse_more_than(kMostNames, *datasets);
  std::set<std::pair<std::string, std::string>> known;
  for (const auto& value : datasets->parts) {
    StudyDataset dataset = dataset_of(value);
    complete(dataset, study.options, value);
    if (!known.emplace(dataset.source, dataset.target).second) {
      refuse(value, quote(dataset.source) + " appears twice in datasets");
    }
    study.datasets.push_back(std::move(dataset));
  }
  // The target has only one place: that of each data set.
  study.options.schema.target.clear();
}

void read_grid(const ConfigValue& file, Study& study) {
  if (const auto* splits = file.find("splits")) {
    study.splits = values_of(*splits, "split", [](const RunOptions& o) { return o.split.kind; });
    if (std::ranges::find(study.splits, SplitKind::none) != study.splits.end()) {
      refuse(*splits, "split none leaves no rows to choose a model by and none to test it on; choose another split");
    }
  }
  if (const auto* methods = file.find("methods")) {
    study.methods = values_of(*methods, "method", [](const RunOptions& o) { return o.train.method; });
  }
  if (const auto* members = file.find("members")) {
    study.grid.members = values_of(*members, "members", [](const RunOptions& o) { return o.train.members; });
  }
  read_lambdas(file, study);
}

void read_length(const ConfigValue& file, Study& study) {
  if (const auto* restarts = file.find("restarts")) study.restarts = number_of(*restarts, 1, 10000);
  if (const auto* visits = file.find("row_visits")) {
    study.row_visits = number_of<std::int64_t>(*visits, 1, std::int64_t{1} << 40);
    if (study.options.train.epochs) refuse(*visits, "a study has row_visits or epochs, not both");
  }
}

// Finds where an option of a trial stands: below [options], or at the top, where some have a name in the plural.
std::string place_of(const ConfigValue& file, const std::string& option) {
  const ConfigValue* options = file.find("options");
  for (const ConfigValue* table : {options, &file}) {
    for (const auto& name : {option, option + "s"}) {
      const ConfigValue* found = table == nullptr ? nullptr : table->find(name);
      if (found != nullptr) return found->place;
    }
  }
  return file.place;
}

void validate_trials(const Study& study, const ConfigValue& file) {
  RunOptions one = study.options;
  const auto check = [&] {
    for (const auto& found : validate(one)) {
      const std::string problem = spelled(found, plain_spelling);  // as the file names options
      throw ConfigError(place_of(file, problem.substr(0, problem.find(' '))) + ": " + problem);
    }
  };
  for (const auto split : study.splits) {
    one.split.kind = split;
    for (const auto method : study.methods) {
      for (const auto& trial : grid(study.grid, method, split, 0)) {
        one.train.method = method;
        one.train.members = trial.members;
        one.train.lambda = trial.lambda;
        check();
      }
    }
  }
}

std::string toml_string(const std::string& text) {
  // JSON escapes everything but ASCII. TOML has no surrogates, so larger code points get TOML's own escape.
  const std::string json = nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  std::string toml;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto unit = [&](std::size_t from) { return std::stoul(json.substr(from + 2, 4), nullptr, 16); };
    if (json[i] == '\\' && json[i + 1] == 'u' && unit(i) >= 0xd800 && unit(i) < 0xdc00) {
      toml += fmt::format("\\U{:08x}", 0x10000 + ((unit(i) - 0xd800) << 10) + (unit(i + 6) - 0xdc00));
      i += 11;
    } else {
      toml += json[i];
      if (json[i] == '\\') toml += json[++i];
    }
  }
  return toml;
}

// TOML's integers have a sign, so larger ones are written as text.
std::string toml_integer(std::uint64_t value) {
  return value <= std::numeric_limits<std::int64_t>::max() ? fmt::format("{}", value) : fmt::format("\"{}\"", value);
}

std::string toml_value(const nlohmann::json& value) {
  if (value.is_string()) return toml_string(value.get<std::string>());
  if (!value.is_array()) return value.dump();
  std::vector<std::string> parts;
  for (const auto& part : value) parts.push_back(toml_value(part));
  if (parts.size() <= kItemsOfALine) return fmt::format("[{}]", fmt::join(parts, ", "));
  return fmt::format("[\n{}]", fmt::join(parts, ",\n"));
}

// Whether an option was changed. What a value means may depend on the method.
bool differs(const OptionInfo& option, RunOptions one, RunOptions other) {
  return std::ranges::any_of(all_methods(), [&](Method method) {
    one.train.method = other.train.method = method;
    return option.json(one) != option.json(other);
  });
}

template <class Values>
std::string names_list(const Values& values) {
  std::vector<std::string> names;
  for (const auto value : values) names.push_back('"' + name_of(value) + '"');
  return fmt::format("[{}]", fmt::join(names, ", "));
}

}  // namespace

std::vector<double> log_spaced(double from, double to, std::size_t count) {
  std::vector<double> values;
  const double step = portable_log(to / from) / static_cast<double>(count - 1);
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(std::stod(fmt::format("{:.6g}", from * portable_exp(step * static_cast<double>(i)))));
  }
  return values;
}

Study read_study(const std::string& path) {
  return parse_study(read_config_text(path, FileSystem::Use::read_once), path);
}

Study parse_study(const std::string& text, const std::string& path) {
  const ConfigValue file = parse_config_tree(text, path);
  if (const ConfigValue* seeds = file.find("seeds")) {
    refuse(*seeds, "a study has no key 'seeds'; restarts is the number of seeds, and seed is the first of them");
  }
  refuse_unknown(
      file,
      {"datasets", "splits", "methods", "members", "lambda", "restarts", "seed", "preset", "row_visits", "options"},
      "a study", "options of training stand below [options]");
  Study study;
  read_options(file, study);
  read_datasets(file, study);
  read_grid(file, study);
  read_length(file, study);
  at(file, [&] {
    const std::size_t times[] = {study.datasets.size(), study.splits.size(), static_cast<std::size_t>(study.restarts)};
    refuse_too_many_trials(study.grid, study.methods, times);
  });
  validate_trials(study, file);
  return study;
}

std::string checked_toml(const Study& study) {
  for (const auto& dataset : study.datasets) {
    if (!is_utf8(dataset.source)) throw ConfigError(quote(dataset.source) + " is not UTF-8; rename the file");
  }
  std::string text = to_toml(study);
  if (text.size() > kLargestConfig) {
    throw ConfigError(
        "study.toml, which holds the study in full, would be larger than 1 MiB and could not be read "
        "again; name fewer columns, data sets or lambdas");
  }
  const Study back = parse_study(text, "study.toml");
  PERPEND_CHECK(back.datasets == study.datasets && back.splits == study.splits && back.methods == study.methods);
  PERPEND_CHECK(back.grid == study.grid && back.restarts == study.restarts && back.row_visits == study.row_visits);
  PERPEND_CHECK(back.published == study.published && to_toml(back) == text);
  return text;
}

std::string to_toml(const Study& study) {
  std::string text = "datasets = [\n";
  for (const auto& dataset : study.datasets) {
    text += fmt::format("  {{source = {}, target = {}", toml_string(dataset.source), toml_string(dataset.target));
    text += dataset.sha256.empty() ? "},\n" : fmt::format(", sha256 = {}}},\n", toml_string(dataset.sha256));
  }
  text += fmt::format("]\nsplits = {}\nmethods = {}\nmembers = [{}]\n", names_list(study.splits),
                      names_list(study.methods), fmt::join(study.grid.members, ", "));
  text += "[lambda]\n";
  for (const auto& [method, values] : study.grid.lambdas) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < values.size(); i += kItemsOfALine) {
      lines.push_back(fmt::format(
          "{}",
          fmt::join(values.begin() + static_cast<std::ptrdiff_t>(i),
                    values.begin() + static_cast<std::ptrdiff_t>(std::min(i + kItemsOfALine, values.size())), ", ")));
    }
    text += fmt::format("{} = [{}]\n", name_of(method), fmt::join(lines, ",\n  "));
  }
  std::string top = fmt::format("restarts = {}\nseed = {}\n", study.restarts, toml_integer(study.options.train.seed));
  if (study.row_visits) top += fmt::format("row_visits = {}\n", *study.row_visits);
  RunOptions base;
  if (study.published) {
    top += "preset = \"published\"\n";
    apply_preset("published", base);
  }
  text = top + text + "[options]\n";
  for (const auto& option : option_table()) {
    if (stands_elsewhere(option.name) || option.name == "target" || !differs(option, study.options, base)) continue;
    text += option.name + " = " + toml_value(nlohmann::json::parse(option.json(study.options))) + "\n";
  }
  return text;
}

}  // namespace perpend
