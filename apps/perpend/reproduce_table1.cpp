#include "apps/perpend/reproduce.h"
#include "apps/perpend/sweep_run.h"
#include "apps/perpend/terminal.h"
#include "perpend/study/table_format.h"

namespace perpend::app {

void reproduce_table1(const ReproduceArguments& arguments) {
  SweepArguments sweep;
  sweep.folder = arguments.folder;
  sweep.data_dir = arguments.data_dir;
  sweep.again = words_again("table1", arguments);
  sweep.threads = arguments.threads;
  Study study = table1_study(arguments.quick);
  study.options.train.seed = arguments.seed;
  if (!run_sweep(std::move(study), sweep)) return;
  write_text("\n" + format_table(table_of(read_study_folder(arguments.folder)), TableFormat::text, true));
}

}  // namespace perpend::app
