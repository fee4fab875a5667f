#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/portable_math.h"
#include "perpend/data/source.h"
#include "perpend/run/config.h"
#include "perpend/run/option_table.h"
#include "perpend/study/study.h"

namespace perpend {

namespace {

constexpr std::size_t kMostValues = 1000;

// Options of a run that a study has more than one of, or keeps elsewhere.
constexpr const char* kElsewhere[] = {"split", "method", "members", "lambda", "seed", "threads"};
bool stands_elsewhere(const std::string& option) {
  return std::ranges::find(kElsewhere, option) != std::end(kElsewhere);
}

// The leaves of a study file; each must be asked for, or it is unknown.
class Leaves {
 public:
  Leaves(std::vector<ConfigEntry> entries, std::string path) : entries_(std::move(entries)), path_(std::move(path)) {}

  bool has(const std::string& key) const { return !below(key).empty(); }
  // The leaf of this key, or the leaves below it, in order.
  std::vector<ConfigEntry> below(const std::string& key) const {
    std::vector<ConfigEntry> found;
    for (const auto& entry : entries_) {
      if (entry.key == key || entry.key.starts_with(key + ".")) found.push_back(entry);
    }
    return found;
  }
  std::vector<ConfigEntry> take(const std::string& key) {
    auto found = below(key);
    std::erase_if(entries_, [&](const ConfigEntry& e) { return e.key == key || e.key.starts_with(key + "."); });
    return found;
  }
  // One value; nothing when the key is absent.
  std::optional<ConfigEntry> take_one(const std::string& key) {
    const auto found = take(key);
    if (found.empty()) return std::nullopt;
    if (found.size() > 1 || found[0].key != key) throw ConfigError(found[0].place + ": " + key + " must be one value");
    return found[0];
  }
  // A list of plain values, or one value.
  std::vector<ConfigEntry> take_list(const std::string& key) {
    auto found = take(key);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const bool plain = found[i].key == key + "." + std::to_string(i) || (found.size() == 1 && found[0].key == key);
      if (!plain) throw ConfigError(found[i].place + ": " + key + " must be a list of values");
    }
    return found;
  }
  void refuse_rest() const {
    if (entries_.empty()) return;
    static const std::vector<std::string> known = {"datasets", "splits", "methods", "members",    "lambda",
                                                   "restarts", "seed",   "preset",  "row_visits", "options"};
    const std::string key = entries_[0].key.substr(0, entries_[0].key.find('.'));
    const std::string near = nearest_name(key, known);
    throw ConfigError(entries_[0].place + ": a study has no key " + quote(key) +
                      (near.empty() ? "; options of training stand below [options]" : "; did you mean " + near + "?"));
  }
  const std::string& path() const { return path_; }

 private:
  std::vector<ConfigEntry> entries_;
  std::string path_;
};

// Calls set(); a ConfigError gets the place in front.
template <class Set>
auto at(const ConfigEntry& entry, const Set& set) {
  try {
    return set();
  } catch (const ConfigError& error) {
    throw ConfigError(entry.place + ": " + error.what());
  }
}

template <class Number>
Number number_of(const ConfigEntry& entry, Number least, Number most) {
  Number value{};
  const char* end = entry.text.data() + entry.text.size();
  const auto read = std::from_chars(entry.text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || !(value >= least && value <= most)) {
    throw ConfigError(fmt::format("{}: {} is {}; it must be a {} from {} to {}", entry.place, entry.key,
                                  quote(entry.text), std::is_integral_v<Number> ? "whole number" : "number", least,
                                  most));
  }
  return value;
}

// Values of an option, each checked as `train` would; `get` reads the one that was set.
template <class Get>
auto values_of(Leaves& leaves, const std::string& key, const char* option, const Get& get) {
  std::vector<std::remove_cvref_t<decltype(get(std::declval<RunOptions&>()))>> values;
  for (const auto& entry : leaves.take_list(key)) {
    RunOptions one;
    at(entry, [&] { find_option(option).set(one, entry.text); });
    if (std::ranges::find(values, get(one)) != values.end()) {
      throw ConfigError(entry.place + ": " + quote(entry.text) + " stands twice in " + key);
    }
    values.push_back(get(one));
  }
  return values;
}

std::vector<double> lambdas_of(Leaves& leaves, const std::string& key) {
  if (!leaves.has(key + ".from")) {
    return values_of(leaves, key, "lambda", [](const RunOptions& o) { return o.train.lambda.value_or(0); });
  }
  const auto bound = [&](const char* name) {
    const auto entry = leaves.take_one(key + "." + name);
    if (!entry) throw ConfigError(printable(leaves.path()) + ": " + key + " needs from, to and count");
    return *entry;
  };
  const double from = number_of(bound("from"), 1e-30, 1e30);
  const double to = number_of(bound("to"), 1e-30, 1e30);
  return log_spaced(from, to, number_of<std::size_t>(bound("count"), 2, kMostValues));
}

void read_lambdas(Leaves& leaves, Study& study) {
  Grid& grid = study.grid;
  const auto members = grid.members;
  grid = default_grid(study.options.train.penalty_reduction);
  grid.members = members;
  const bool by_method = leaves.has("lambda.ncl") || leaves.has("lambda.ace") || leaves.has("lambda.lit");
  if (!by_method && leaves.has("lambda")) grid.ncl = grid.ace = grid.lit = lambdas_of(leaves, "lambda");
  if (!by_method) return;
  for (auto [name, values] : {std::pair("ncl", &grid.ncl), std::pair("ace", &grid.ace), std::pair("lit", &grid.lit)}) {
    const std::string key = std::string("lambda.") + name;
    if (leaves.has(key)) *values = lambdas_of(leaves, key);
  }
}

void read_options(Leaves& leaves, Study& study) {
  if (const auto preset = leaves.take_one("preset")) {
    at(*preset, [&] { apply_preset(preset->text, study.options); });
    study.published = true;
  }
  if (const auto seed = leaves.take_one("seed")) {
    at(*seed, [&] { find_option("seed").set(study.options, seed->text); });
  }
  // A list is one option: its values are joined again.
  std::vector<ConfigEntry> options;
  for (const auto& entry : leaves.take("options")) {
    const std::string rest = entry.key.substr(std::min(entry.key.size(), std::string("options.").size()));
    const std::string name = rest.substr(0, rest.find('.'));
    if (stands_elsewhere(name)) {
      throw ConfigError(entry.place + ": " + name +
                        (name == "threads" ? " is no part of a study; give it as --threads"
                                           : " stands at the top of a study, not here"));
    }
    if (!options.empty() && options.back().key == name && rest.size() > name.size()) {
      options.back().text += "," + entry.text;
    } else {
      options.push_back({name, entry.text, entry.place});
    }
  }
  apply_config(options, study.options);
}

void read_datasets(Leaves& leaves, Study& study) {
  for (const auto& entry : leaves.take("datasets")) {
    const std::string rest = entry.key.substr(std::min(entry.key.size(), std::string("datasets.").size()));
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    const auto place = static_cast<std::size_t>(std::atoi(rest.substr(0, dot).c_str()));
    study.datasets.resize(std::max(study.datasets.size(), place + 1));
    StudyDataset& dataset = study.datasets[place];
    const std::string field = dot == rest.size() ? "source" : rest.substr(dot + 1);
    if (field != "source" && field != "target" && field != "sha256") {
      throw ConfigError(entry.place + ": a data set has source, target and sha256, not " + quote(field));
    }
    (field == "source" ? dataset.source : field == "target" ? dataset.target : dataset.sha256) = entry.text;
    if (entry.text == "-") throw ConfigError(entry.place + ": a study is read again to resume it, which - cannot be");
  }
  for (auto& dataset : study.datasets) {
    if (dataset.source.empty()) throw ConfigError(printable(leaves.path()) + ": a data set has no source");
    const PublicSet* set = public_set_of(dataset.source);
    if (dataset.target.empty()) dataset.target = study.options.schema.target;
    if (dataset.target.empty() && set != nullptr) dataset.target = set->target;
    if (dataset.target.empty()) {
      throw ConfigError(printable(leaves.path()) + ": data set " + quote(dataset.source) +
                        " has no target; write {source = \"...\", target = \"COLUMN\"}");
    }
  }
  // One place for it: each data set's own.
  study.options.schema.target.clear();
  if (study.datasets.empty()) throw ConfigError(printable(leaves.path()) + ": a study needs datasets = [...]");
}

void validate_trials(const Study& study, const std::string& path) {
  RunOptions one = study.options;
  const auto check = [&] {
    for (const auto& problem : validate(one)) throw ConfigError(printable(path) + ": " + problem);
  };
  for (const auto split : study.splits) {
    one.split.kind = split;
    if (split == SplitKind::none) throw ConfigError(printable(path) + ": split none has no rows to choose and test by");
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
  // JSON with all but ASCII escaped; TOML has no surrogates, so larger code points get its own escape.
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

std::string toml_value(const nlohmann::json& value) {
  if (value.is_string()) return toml_string(value.get<std::string>());
  if (!value.is_array()) return value.dump();
  std::vector<std::string> parts;
  for (const auto& part : value) parts.push_back(toml_value(part));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

// Whether an option was changed; what a value means may depend on the method.
bool differs(const OptionInfo& option, RunOptions one, RunOptions other) {
  return std::ranges::any_of(kMethods, [&](Method method) {
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

Study read_study(const std::string& path) { return parse_study(read_config_text(path), path); }

Study parse_study(const std::string& text, const std::string& path) {
  Leaves leaves(parse_nested_config(text, path), path);
  Study study;
  read_options(leaves, study);
  read_datasets(leaves, study);
  const auto splits = values_of(leaves, "splits", "split", [](const RunOptions& o) { return o.split.kind; });
  if (!splits.empty()) study.splits = splits;
  const auto methods = values_of(leaves, "methods", "method", [](const RunOptions& o) { return o.train.method; });
  if (!methods.empty()) study.methods = methods;
  const auto members = values_of(leaves, "members", "members", [](const RunOptions& o) { return o.train.members; });
  if (!members.empty()) study.grid.members = members;
  read_lambdas(leaves, study);
  if (const auto restarts = leaves.take_one("restarts")) study.restarts = number_of(*restarts, 1, 10000);
  if (const auto visits = leaves.take_one("row_visits")) {
    study.row_visits = number_of<std::int64_t>(*visits, 1, std::int64_t{1} << 40);
    if (study.options.train.epochs) throw ConfigError(visits->place + ": a study has row_visits or epochs, not both");
  }
  leaves.refuse_rest();
  validate_trials(study, path);
  return study;
}

std::string to_toml(const Study& study) {
  std::string text = "datasets = [\n";
  for (const auto& dataset : study.datasets) {
    text += fmt::format("  {{source = {}, target = {}", toml_string(dataset.source), toml_string(dataset.target));
    text += dataset.sha256.empty() ? "},\n" : fmt::format(", sha256 = \"{}\"}},\n", dataset.sha256);
  }
  text += fmt::format("]\nsplits = {}\nmethods = {}\nmembers = [{}]\n", names_list(study.splits),
                      names_list(study.methods), fmt::join(study.grid.members, ", "));
  text += "[lambda]\n";
  for (const auto& [name, values] :
       {std::pair("ncl", &study.grid.ncl), std::pair("ace", &study.grid.ace), std::pair("lit", &study.grid.lit)}) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < values->size(); i += 8) {
      lines.push_back(fmt::format(
          "{}", fmt::join(values->begin() + static_cast<std::ptrdiff_t>(i),
                          values->begin() + static_cast<std::ptrdiff_t>(std::min(i + 8, values->size())), ", ")));
    }
    text += fmt::format("{} = [{}]\n", name, fmt::join(lines, ",\n  "));
  }
  std::string top = fmt::format("restarts = {}\nseed = {}\n", study.restarts, study.options.train.seed);
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
