#include "apps/perpend/command.h"
#include "apps/perpend/slurm_array.h"
#include "apps/perpend/sweep_run.h"

namespace perpend::app {

void add_sweep(CLI::App& program, Action& chosen, const PrintedFigures& printed) {
  struct Arguments {
    std::string study;
    SweepArguments sweep;
    std::size_t slurm_tasks = 0;
  };
  auto arguments = std::make_shared<Arguments>();
  arguments->sweep.printed = &printed;
  auto* verb =
      program.add_subcommand("sweep", "Run the trials of a study that are missing; the same command resumes it");
  verb->footer(
      "  perpend sweep study.toml -o runs/first\n"
      "  perpend status runs/first --watch            from another terminal\n"
      "  perpend table runs/first                     at any time\n"
      "  mpirun -n 64 perpend sweep study.toml -o runs/first --threads 1\n"
      "  perpend sweep study.toml -o runs/first --shard 2/8      the second of eight jobs without MPI\n"
      "  perpend sweep study.toml -o runs/first --slurm 8        an array of eight tasks: sbatch runs/first/array.sh\n"
      "\nA study:\n"
      "  datasets = [\"ionosphere\", {source = \"loans.csv\", target = \"default\"}]\n"
      "  splits   = [\"random\", \"extrapolation\"]\n"
      "  methods  = [\"restarts\", \"lit\"]\n"
      "  members  = [2, 5, 13]\n"
      "  lambda   = {from = 1e-3, to = 1e1, count = 9}\n"
      "  restarts = 5\n");
  verb->add_option("study", arguments->study, "Study file (TOML)")->required()->type_name("STUDY.toml");
  verb->add_option("-o,--output", arguments->sweep.folder, "Folder for the study's results")
      ->required()
      ->type_name("DIR")
      ->check(not_empty());
  verb->add_option("--threads", arguments->sweep.threads, "Number of trainings that run at once; 0 uses all cores [0]")
      ->type_name("N")
      ->check(whole_between(0, 1024));
  auto* shard =
      verb->add_option("--shard", arguments->sweep.shard, "Run only the I-th of N equal parts")->type_name("I/N");
  verb->add_option("--slurm", arguments->slurm_tasks,
                   "Run nothing, and write DIR/array.sh for sbatch, an array of N tasks")
      ->type_name("N")
      ->check(whole_between(1, 100'000))
      ->excludes(shard);
  verb->add_option(
          "--keep-models", arguments->sweep.keep_models,
          "Write models to DIR/models: all, or only the best of each data set, split and method by its validation rows")
      ->type_name("best|all");
  add_data_dir(*verb, arguments->sweep.data_dir);
  verb->add_flag("--list-saved", arguments->sweep.list_saved,
                 "Print the id of each trial once its result is on the disk");
  add_json(*verb, arguments->sweep.json, "Print one JSON document at the end");
  verb->callback([arguments, &chosen] {
    chosen = [arguments] {
      Study study = read_study(arguments->study);
      if (arguments->slurm_tasks > 0) {
        write_slurm_array(std::move(study), arguments->study, arguments->sweep, arguments->slurm_tasks);
        return;
      }
      arguments->sweep.again = {"sweep", arguments->study, "-o", arguments->sweep.folder};
      run_sweep(std::move(study), arguments->sweep);
    };
  });
}

}  // namespace perpend::app
