// `sweep --slurm`: a study as an array job.
#pragma once

#include <cstddef>
#include <string>

#include "apps/perpend/sweep_run.h"
#include "perpend/study/study.h"

namespace perpend::app {

// Makes the study's folder and writes DIR/array.sh for this many tasks. So problems with the study or its data are
// reported here, not by the cluster.
void write_slurm_array(Study study, const std::string& study_path, const SweepArguments& arguments, std::size_t tasks);

}  // namespace perpend::app
