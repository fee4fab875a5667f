#include <fmt/format.h>

#include "apps/perpend/command.h"
#include "apps/perpend/sweep_run.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/message.h"
#include "perpend/study/table2.h"
#include "perpend/study/table_format.h"

namespace perpend::app {

namespace {

struct Table2Arguments {
  std::string data;
  bool quick = false;
  SweepArguments sweep;
};

void reproduce_table2(Table2Arguments arguments) {
  Study study = table2_study(arguments.data, arguments.quick);
  arguments.sweep.again = fmt::format("perpend reproduce table2 --data {} -o {}{}", arguments.data,
                                      arguments.sweep.folder, arguments.quick ? " --quick" : "");
  if (!run_sweep(std::move(study), arguments.sweep) || arguments.sweep.json) return;
  write_results("\n" + format_table(table_of(read_study_folder(arguments.sweep.folder)), TableFormat::text, true));
}

}  // namespace

void add_reproduce_table2(CLI::App& program, Action& chosen) {
  const auto there = program.get_subcommands([](const CLI::App* a) { return a->get_name() == "reproduce"; });
  auto* verb = there.empty() ? nullptr : there.front();
  if (verb == nullptr) {
    verb = program.add_subcommand("reproduce", "Make the paper's figures and tables again");
    verb->footer("  perpend reproduce table2 --data icu.csv -o runs/table2 --quick\n");
    verb->require_subcommand(1);
  }
  auto arguments = std::make_shared<Table2Arguments>();
  auto* table = verb->add_subcommand("table2", "Death in hospital, all training rows and 1,000: six methods");
  table->footer(
      "  perpend data make icu --from physionet2012 set-a.csv -o icu.csv\n"
      "  perpend reproduce table2 --data icu.csv -o runs/table2 --quick\n"
      "  mpirun -n 64 perpend reproduce table2 --data icu.csv -o runs/table2 --threads 1\n"
      "  perpend table runs/table2 --against paper        at any time\n");
  table->add_option("--data", arguments->data, "Table that perpend data make icu wrote")
      ->required()
      ->type_name("FILE.csv");
  table->add_option("-o,--output", arguments->sweep.folder, "Folder of the study's results")
      ->required()
      ->type_name("DIR");
  table->add_flag("--quick", arguments->quick,
                  "One size of ensemble, six lambdas, five restarts, a quarter of the steps");
  table->add_option("--threads", arguments->sweep.threads, "Trainings at once [0: as many as the machine has threads]")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  table->add_flag("--json", arguments->sweep.json, "One JSON document of what ran, in place of the table");
  table->callback([arguments, &chosen] { chosen = [arguments] { reproduce_table2(*arguments); }; });
}

}  // namespace perpend::app
