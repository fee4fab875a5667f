#include "apps/perpend/completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perpend::app {

namespace {

// Escapes text inside single quotes of any of these shells except fish, which takes \'.
std::string escaped(const std::string& text, const std::string& special, const std::string& quote) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += quote;
    } else {
      if (special.find(c) != std::string::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string flag_words(const VerbInfo& verb) {
  std::string words;
  for (const auto& flag : verb.flags) {
    if (flag.names.back().starts_with("--")) words += (words.empty() ? "" : " ") + flag.names.back();
  }
  return words;
}

// Returns what may stand where no flag has begun: deeper verbs and the choices of positional arguments.
std::string plain_words(const VerbInfo& verb) {
  std::vector<std::string> words;
  for (const auto& sub : verb.verbs) words.push_back(sub.words.back());
  for (const auto& positional : verb.positionals) {
    words.insert(words.end(), positional.choices.begin(), positional.choices.end());
  }
  return fmt::format("{}", fmt::join(words, " "));
}

constexpr const char* kBashStart = R"(# bash completion of perpend. Now: source <(perpend completions bash)
_perpend() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb= offers= words= flags= i
  # bash cuts --flag=value in three.
  if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi
)";

constexpr const char* kBashEnd = R"(  if [[ -z $offers ]]; then
    if [[ $current == -* ]]; then offers=$flags; else offers=$words; fi
  fi
  COMPREPLY=($(compgen -W "$offers" -- "$current"))
}
complete -o default -F _perpend perpend
)";

std::string bash_values(const VerbInfo& verb) {
  std::string text;
  for (const auto& flag : verb.flags) {
    if (flag.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const auto& name : flag.names) patterns.push_back("'" + verb.name() + " " + name + "'");
    text += fmt::format(
        "    {}) {} ;;\n", fmt::join(patterns, " | "),
        flag.choices.empty() ? "COMPREPLY=(); return" : fmt::format("offers='{}'", fmt::join(flag.choices, " ")));
  }
  return text;
}

std::string zsh_text(const std::string& text) { return escaped(text, "[]:\\", "'\\''"); }

std::string zsh_function(const VerbInfo& verb) {
  std::string name = "_perpend";
  for (const auto& word : verb.words) name += "_" + word;
  return name;
}

// Returns what follows a flag or stands for a positional argument: ":message:action".
std::string zsh_value(const FlagInfo& flag) {
  if (flag.choices.empty()) return ":" + zsh_text(flag.value) + ":_files";
  return fmt::format(":choice:({})", fmt::join(flag.choices, " "));
}

std::string zsh_flag(const FlagInfo& flag) {
  const std::string value = flag.value.empty() ? "" : zsh_value(flag);
  const std::string help = "'[" + zsh_text(flag.help) + "]" + value + "'";
  if (flag.names.size() == 1) return flag.names[0] + help;
  return fmt::format("'({})'{{{}}}{}", fmt::join(flag.names, " "), fmt::join(flag.names, ","), help);
}

std::string zsh_verb(const VerbInfo& verb) {
  std::string text = zsh_function(verb) + "() {\n";
  if (!verb.verbs.empty()) text += "  local line state\n";
  text += verb.verbs.empty() ? "  _arguments" : "  _arguments -C";
  for (const auto& flag : verb.flags) text += " \\\n    " + zsh_flag(flag);
  for (std::size_t i = 0; i < verb.positionals.size(); ++i) {
    text += fmt::format(" \\\n    '{}{}'", i + 1, zsh_value(verb.positionals[i]));
  }
  if (verb.verbs.empty()) return text + "\n}\n";
  text +=
      " \\\n    '1: :->verb' \\\n    '*:: :->rest'\n  case $state in\n    verb)\n      local -a verbs\n      verbs=(\n";
  for (const auto& sub : verb.verbs) {
    text += fmt::format("        '{}:{}'\n", sub.words.back(), zsh_text(sub.help));
  }
  text += "      )\n      _describe verb verbs\n      ;;\n    rest)\n      case $words[1] in\n";
  for (const auto& sub : verb.verbs) text += fmt::format("        {}) {} ;;\n", sub.words.back(), zsh_function(sub));
  return text + "      esac\n      ;;\n  esac\n}\n";
}

std::string fish_text(const std::string& text) { return "'" + escaped(text, "\\", "\\'") + "'"; }

// A condition that is true where the words typed so far have reached this verb and no deeper one.
std::string fish_condition(const VerbInfo& verb) {
  if (verb.words.empty()) return "__fish_use_subcommand";
  std::string text;
  for (const auto& word : verb.words) {
    text += (text.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + word);
  }
  if (!verb.verbs.empty()) text += "; and not __fish_seen_subcommand_from " + plain_words(verb);
  return "'" + text + "'";
}

std::string fish_flag(const FlagInfo& flag) {
  std::string text;
  for (const auto& name : flag.names) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!flag.choices.empty()) {
    text += fmt::format(" -x -a '{}'", fmt::join(flag.choices, " "));
  } else if (!flag.value.empty()) {
    text += " -r -F";
  }
  return text + (flag.help.empty() ? "" : " -d " + fish_text(flag.help));
}

}  // namespace

std::string bash_completion(const VerbInfo& program) {
  std::string reach;
  std::string values;
  std::string offers;
  for (const auto* verb : all_verbs(program)) {
    for (const auto& sub : verb->verbs) {
      reach += fmt::format("{}'{} {}'", reach.empty() ? "" : " | ", verb->name(), sub.words.back());
    }
    values += bash_values(*verb);
    offers += fmt::format("    '{}') words='{}' flags='{}' ;;\n", verb->name(), plain_words(*verb), flag_words(*verb));
  }
  return fmt::format(
      "{}  for ((i = 1; i < COMP_CWORD; ++i)); do\n    case \"$verb ${{COMP_WORDS[i]}}\" in\n"
      "      {}) verb=\"${{verb:+$verb }}${{COMP_WORDS[i]}}\" ;;\n    esac\n  done\n"
      "  case \"$verb $previous\" in\n{}  esac\n  case $verb in\n{}  esac\n{}",
      kBashStart, reach, values, offers, kBashEnd);
}

std::string zsh_completion(const VerbInfo& program) {
  std::string text =
      "#compdef perpend\n# zsh completion of perpend. To keep: write it as _perpend into a folder of $fpath.\n";
  for (const auto* verb : all_verbs(program)) text += zsh_verb(*verb);
  return text + "if [[ $funcstack[1] == _perpend ]]; then _perpend \"$@\"; else compdef _perpend perpend; fi\n";
}

std::string fish_completion(const VerbInfo& program) {
  std::string text = "# fish completion of perpend. Now: perpend completions fish | source\n";
  for (const auto* verb : all_verbs(program)) {
    const std::string start = "complete -c perpend -n " + fish_condition(*verb);
    for (const auto& sub : verb->verbs) {
      text += fmt::format("{} -f -a {} -d {}\n", start, sub.words.back(), fish_text(sub.help));
    }
    for (const auto& positional : verb->positionals) {
      if (!positional.choices.empty())
        text += fmt::format("{} -f -a '{}'\n", start, fmt::join(positional.choices, " "));
    }
    for (const auto& flag : verb->flags) text += start + fish_flag(flag) + "\n";
  }
  return text;
}

}  // namespace perpend::app
