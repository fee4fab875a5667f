#include "apps/perpend/reproduce.h"
#include "apps/perpend/sweep_run.h"
#include "apps/perpend/terminal.h"
#include "perpend/study/table2.h"
#include "perpend/study/table_format.h"

namespace perpend::app {

void reproduce_table2(const ReproduceArguments& arguments) {
  Study study = table2_study(arguments.data, arguments.quick);
  study.options.train.seed = arguments.seed;
  SweepArguments sweep;
  sweep.folder = arguments.folder;
  sweep.again = words_again("table2", arguments);
  sweep.threads = arguments.threads;
  if (!run_sweep(std::move(study), sweep)) return;
  write_text("\n" + format_table(table_of(read_study_folder(arguments.folder)), TableFormat::text, true));
}

}  // namespace perpend::app
