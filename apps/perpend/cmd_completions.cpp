#include <fmt/format.h>

#include "apps/perpend/command.h"
#include "apps/perpend/completions.h"
#include "apps/perpend/man_page.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"

namespace perpend::app {

namespace {

void completions_verb(const CLI::App& program, const std::string& shell) {
  const VerbInfo tree = describe(program);
  if (shell == "bash") {
    write_data(bash_completion(tree));
  } else if (shell == "zsh") {
    write_data(zsh_completion(tree));
  } else if (shell == "fish") {
    write_data(fish_completion(tree));
  } else {
    throw UsageError("there is no completion for " + quote(shell) + "; choose bash, zsh or fish");
  }
}

}  // namespace

void add_completions(CLI::App& program, Action& chosen) {
  auto shell = std::make_shared<std::string>();
  auto* verb =
      program.add_subcommand("completions", "Print the completion of verbs, options and choices for your shell");
  verb->footer(
      "  perpend completions bash > ~/.local/share/bash-completion/completions/perpend\n"
      "  perpend completions zsh > ~/.zfunc/_perpend      a folder of $fpath\n"
      "  perpend completions fish > ~/.config/fish/completions/perpend.fish\n");
  verb->add_option("shell", *shell, "Your shell")->type_name("bash|zsh|fish")->required();
  verb->callback([shell, &program, &chosen] { chosen = [shell, &program] { completions_verb(program, *shell); }; });
}

void add_man(CLI::App& program, Action& chosen) {
  program
      .add_flag_callback(
          "--man", [&] { chosen = [&program] { write_data(man_page(describe(program), PERPEND_VERSION)); }; },
          "Print the manual page and exit")
      ->group("");
}

}  // namespace perpend::app
