// The paper's tables. Each is a sweep, printed beside the paper's figures.
#include "apps/perpend/sweep_run.h"
#include "apps/perpend/terminal.h"
#include "paper/printed.h"
#include "paper/reproduce.h"
#include "paper/table1.h"
#include "paper/table1_page.h"
#include "paper/table2.h"
#include "perpend/base/durable_file.h"
#include "perpend/study/table_format.h"

namespace perpend::paper {

namespace {

void reproduce(const char* subject, Study study, const ReproduceArguments& arguments) {
  study.options.train.seed = arguments.seed;
  app::SweepArguments sweep;
  sweep.folder = arguments.folder;
  sweep.data_dir = arguments.data_dir;
  sweep.again = words_again(subject, arguments);
  sweep.threads = arguments.threads;
  sweep.printed = &printed_figures();
  if (!app::run_sweep(std::move(study), sweep)) return;
  const StudyTable table = table_of(read_study_folder(arguments.folder), &printed_figures());
  app::write_text("\n" + format_table(table, TableFormat::text));
}

}  // namespace

void reproduce_table1(const ReproduceArguments& arguments) {
  if (!arguments.page.empty()) {
    write_file_durably(arguments.page, table1_page(read_study_folder(arguments.folder)));
    return;
  }
  reproduce("table1", table1_study(arguments.quick), arguments);
}

void reproduce_table2(const ReproduceArguments& arguments) {
  reproduce("table2", table2_study(arguments.data, arguments.quick), arguments);
}

}  // namespace perpend::paper
