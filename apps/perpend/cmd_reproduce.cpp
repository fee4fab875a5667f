#include "apps/perpend/command.h"
#include "apps/perpend/reproduce_manifold.h"

namespace perpend::app {

void add_reproduce(CLI::App& program, Action& chosen) {
  auto* verb = program.add_subcommand("reproduce", "The paper's figures and tables, ready to run");
  verb->footer(
      "  perpend reproduce figure-manifold -o runs/manifold            minutes; two cores\n"
      "  perpend reproduce figure-manifold -o runs/manifold --quick    under a minute\n");
  verb->require_subcommand(1);
  auto* manifold = verb->add_subcommand(
      "figure-manifold", "Restarts, LIT in the input space and LIT along the tangents of a surface in 3-D");
  manifold->footer("  perpend reproduce figure-manifold -o runs/manifold --quick\n");
  auto arguments = std::make_shared<ReproduceArguments>();
  manifold->add_option("-o,--output", arguments->output, "Folder for manifold.svg, made if absent")
      ->required()
      ->option_text("DIR");
  manifold->add_flag("--quick", arguments->quick, "Fewer epochs");
  manifold->add_option("--threads", arguments->threads, "0: all (0)")->check(CLI::Range(0, 1024));
  manifold->add_flag("--json", arguments->json, "One JSON document");
  manifold->callback([arguments, &chosen] { chosen = [arguments] { reproduce_figure_manifold(*arguments); }; });
}

}  // namespace perpend::app
