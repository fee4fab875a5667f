#include "apps/perpend/man_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perpend::app {

namespace {

// Returns text as troff prints it: backslashes and dashes keep their meaning, and no line begins a request.
std::string troff(const std::string& text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else {
      out += c;
    }
    line_start = c == '\n';
  }
  return out;
}

std::string examples(const VerbInfo& verb) { return ".nf\n" + troff(verb.examples) + ".fi\n"; }

std::string flag_entry(const FlagInfo& flag) {
  std::vector<std::string> names;
  for (const auto& name : flag.names) names.push_back("\\fB" + troff(name) + "\\fR");
  const std::string value = flag.value.empty() ? "" : " \\fI" + troff(flag.value) + "\\fR";
  return fmt::format(".TP\n{}{}\n{}\n", fmt::join(names, ", "), value, troff(flag.help));
}

std::string usage(const VerbInfo& verb) {
  std::string text = ".B perpend " + verb.name() + "\n";
  if (!verb.verbs.empty()) text += ".I verb\n";
  for (const auto& positional : verb.positionals) {
    text += ".I " + troff(positional.required ? positional.names[0] : "[" + positional.names[0] + "]") + "\n";
  }
  return text + "[\\fIoptions\\fR]\n";
}

std::string verb_section(const VerbInfo& verb) {
  std::string text = ".SS perpend " + verb.name() + "\n" + troff(verb.help) + ".\n.PP\n" + usage(verb);
  text += ".PP\n" + examples(verb);
  for (const auto& positional : verb.positionals) {
    text += fmt::format(".TP\n\\fI{}\\fR\n{}\n", troff(positional.names[0]), troff(positional.help));
  }
  for (const auto& flag : verb.flags) {
    if (!flag.hidden && flag.names.back() != "--help") text += flag_entry(flag);
  }
  return text;
}

constexpr const char* kRest = R"(.SH EXIT STATUS
.TP
0
done
.TP
1
a bug in perpend
.TP
2
wrong usage
.TP
3
an option or configuration file has a wrong value
.TP
4
data that cannot be read as asked
.TP
5
a model file that is damaged, foreign or too new
.TP
6
input or output failed, or the memory is not enough
.TP
7
training diverged
.TP
8
a study is resumed with other options or data
.TP
75
ended by SIGTERM or SIGHUP; the same command goes on or starts again
.TP
130
interrupted by Ctrl\-C
.TP
141
the reader of the results has left, as
.B head
does
.SH ENVIRONMENT
.TP
.B PERPEND_DATA
folder of the public sets, where \-\-data\-dir is not given; else
.I $XDG_DATA_HOME/perpend
or
.I ~/.local/share/perpend
.TP
.B NO_COLOR
set to anything: no colours and no progress line
)";

}  // namespace

std::string man_page(const VerbInfo& program, const std::string& version) {
  std::string text = ".\\\" Made by perpend \\-\\-man.\n";
  text += fmt::format(".TH PERPEND 1 \"\" \"perpend {}\" \"User commands\"\n", troff(version));
  text += ".SH NAME\nperpend \\- ensembles of neural networks that agree on the data and extrapolate differently\n";
  text += ".SH SYNOPSIS\n" + usage(program) + ".SH EXAMPLES\n" + examples(program) + ".SH OPTIONS\n";
  for (const auto& flag : program.flags) {
    if (!flag.hidden) text += flag_entry(flag);
  }
  text +=
      ".SH VERBS\nResults go to standard output, messages and progress to standard error.\n"
      "Messages that cannot be written are lost; results that cannot be written end a verb with status 6.\n";
  for (const auto* verb : all_verbs(program)) {
    if (verb->verbs.empty()) text += verb_section(*verb);
  }
  return text + kRest;
}

}  // namespace perpend::app
