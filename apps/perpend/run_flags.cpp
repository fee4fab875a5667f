#include "apps/perpend/run_flags.h"

#include <algorithm>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"
#include "perpend/run/config.h"
#include "perpend/run/option_table.h"
#include "perpend/run/supported.h"

namespace perpend::app {

namespace {

std::string flag_of(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

std::string help_of(const OptionInfo& option) {
  const std::string value = default_text(option);
  const std::string off = option.yes_no() ? " --no-" + flag_of(option.name).substr(2) + " turns it off." : "";
  return option.help + off + (value.empty() ? "" : " [" + value + "]");
}

// Choices are the name of the value, so help shows them and shells complete them.
std::string value_of(const OptionInfo& option) {
  std::string choices;
  for (const auto& choice : option.choices) choices += (choices.empty() ? "" : "|") + choice;
  return choices.empty() ? option.value_name : choices;
}

}  // namespace

RunFlags::RunFlags(CLI::App& verb, const std::vector<std::string>& without) : without_(without) {
  auto typed = typed_;
  for (const auto& option : option_table()) {
    const std::string name = option.name;
    if (std::ranges::find(without, name) != without.end()) continue;
    if (option.yes_no()) {
      const std::string flag = flag_of(name);
      verb.add_flag_callback(
              flag, [typed, name] { typed->values[name] = "true"; }, help_of(option))
          ->group(option.group);
      verb.add_flag_callback("--no-" + flag.substr(2), [typed, name] { typed->values[name] = "false"; })->group("");
    } else {
      verb.add_option_function<std::string>(
              flag_of(name), [typed, name](const std::string& text) { typed->values[name] = text; }, help_of(option))
          ->type_name(value_of(option))
          ->group(option.group);
    }
  }
  verb.add_option("--config", typed->config, "TOML file with options; flags overrule it")
      ->type_name("FILE")
      ->group("Options");
  verb.add_option("--preset", typed->preset, "Recipe of the paper's tables, with its encoding of its public data sets")
      ->type_name("published")
      ->group("Options");
}

RunOptions RunFlags::options() const {
  RunOptions options;
  if (!typed_->preset.empty()) apply_preset(typed_->preset, options);
  std::vector<ConfigValue> entries;
  if (!typed_->config.empty()) entries = read_config(typed_->config);
  for (const auto& entry : entries) {
    if (std::ranges::find(without_, entry.key) == without_.end()) continue;
    throw ConfigError(entry.place + ": " + entry.key + " has several values here; give it as a flag instead");
  }
  apply_config(entries, options);
  for (const auto& [name, text] : typed_->values) find_option(name).set(options, text);
  std::erase_if(entries, [&](const ConfigValue& entry) { return typed_->values.contains(entry.key); });
  std::string problems;
  const bool one_method = std::ranges::find(without_, "method") == without_.end();
  for (const auto& list :
       {validate(options), one_method ? unsupported_in_training(options) : unsupported(options, all_methods())}) {
    for (const auto& problem : list) problems += (problems.empty() ? "" : "; ") + with_place(problem, entries);
  }
  if (!problems.empty()) throw ConfigError(problems);
  return options;
}

std::optional<Schema> RunFlags::published_schema(const std::string& data, const Table& table,
                                                 const RunOptions& options) const {
  if (typed_->preset.empty()) return std::nullopt;
  return perpend::published_schema(data, table, options.schema);
}

}  // namespace perpend::app
