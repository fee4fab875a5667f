#include "apps/perpend/command_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "apps/perpend/command.h"
#include "perpend/api/machine.h"
#include "perpend/base/message.h"

namespace perpend::app {

namespace {

template <class Number>
CLI::Validator between_numbers(Number low, Number high, const char* what) {
  const std::string wanted = fmt::format("it must be {} from {} to {}", what, low, high);
  return {[=](const std::string& text) {
            Number value{};
            const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
            return whole && value >= low && value <= high ? "" : quote(text) + " is out of range; " + wanted;
          },
          ""};
}

}  // namespace

std::string target_problem(const std::string& name) {
  const auto targets = kernels::available_targets();
  const bool good = std::find(targets.begin(), targets.end(), name) != targets.end();
  return good ? "" : fmt::format("{} is none of this machine's: {}", name, fmt::join(targets, ", "));
}

CLI::Validator between(double low, double high) { return between_numbers(low, high, "a number"); }
CLI::Validator whole_between(std::int64_t low, std::int64_t high) {
  return between_numbers(low, high, "a whole number");
}

namespace {

std::vector<std::string> cut(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t end = std::min(text.find(at, first), text.size());
    parts.push_back(text.substr(first, end - first));
    first = end + 1;
  }
  return parts;
}

// Value names of CLI11 and of perpend are capitals: TEXT, N, FILE. So small letters are choices.
bool lists_choices(const std::string& value) {
  return !value.empty() && std::none_of(value.begin(), value.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

FlagInfo describe_option(const CLI::Option& option) {
  FlagInfo flag;
  for (const auto& name : option.get_snames()) flag.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) flag.names.push_back("--" + name);
  if (option.get_positional()) flag.names = {option.get_name(true)};
  flag.value = value_name(option);
  if (lists_choices(flag.value)) flag.choices = cut(flag.value, '|');
  flag.help = option.get_description();
  flag.required = option.get_required();
  flag.hidden = option.get_group().empty();
  return flag;
}

VerbInfo describe_app(const CLI::App& app, std::vector<std::string> words) {
  VerbInfo verb{.words = std::move(words), .help = app.get_description(), .examples = app.get_footer()};
  for (const auto* option : app.get_options()) {
    FlagInfo flag = describe_option(*option);
    if (flag.hidden && !flag.names.back().starts_with("--no-")) continue;
    (option->get_positional() ? verb.positionals : verb.flags).push_back(std::move(flag));
  }
  for (const auto* sub : app.get_subcommands({})) {
    auto deeper = verb.words;
    deeper.push_back(sub->get_name());
    verb.verbs.push_back(describe_app(*sub, std::move(deeper)));
  }
  return verb;
}

}  // namespace

std::string VerbInfo::name() const {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

VerbInfo describe(const CLI::App& program) { return describe_app(program, {}); }

std::vector<const VerbInfo*> all_verbs(const VerbInfo& program) {
  std::vector<const VerbInfo*> list = {&program};
  for (const auto& verb : program.verbs) {
    const auto below = all_verbs(verb);
    list.insert(list.end(), below.begin(), below.end());
  }
  return list;
}

std::string value_name(const CLI::Option& option) {
  if (option.get_type_size() == 0) return "";
  if (!option.get_option_text().empty()) return option.get_option_text();
  return cut(option.get_type_name(), ':').front();
}

std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? "perpend" : full_name(*app.get_parent()) + " " + app.get_name();
}

}  // namespace perpend::app
