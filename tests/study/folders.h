// Studies' folders made by a test, without a disk.
#pragma once

#include <string>
#include <vector>

#include "perpend/study/study_folder.h"

namespace perpend::test {

// A folder without results. Trials have the order of trials_of.
inline StudyFolder empty_folder(const std::vector<std::string>& datasets, const std::vector<Method>& methods,
                                const Grid& values, int restarts,
                                const std::vector<SplitKind>& splits = {SplitKind::random}) {
  StudyFolder folder;
  for (const auto& name : datasets) folder.study.datasets.push_back({name, "target", "5ea1"});
  folder.study.methods = methods;
  folder.study.splits = splits;
  folder.study.grid = values;
  folder.study.restarts = restarts;
  for (std::size_t d = 0; d < datasets.size(); ++d) {
    for (const auto split : splits) {
      for (int restart = 0; restart < restarts; ++restart) {
        for (const auto method : methods) {
          for (const auto& trial : grid(values, method, split, restart)) {
            folder.trials.push_back({d, trial, "trial" + std::to_string(folder.trials.size())});
          }
        }
      }
    }
  }
  return folder;
}

// Results must be added in the order of trials, as read_study_folder has them.
inline StudyResult& add_result(StudyFolder& folder, std::size_t trial, Metric validation_auc, Metric auc,
                               Metric rho_av = {}, Metric grad_cos2 = {}) {
  StudyResult result;
  result.trial = trial;
  result.result.trial = folder.trials[trial].trial;
  result.result.validation_merit = validation_auc;
  result.result.test.auc = auc;
  result.result.test.rho_av = rho_av;
  result.result.test.grad_cos2 = grad_cos2;
  folder.results.push_back(result);
  return folder.results.back();
}

inline StudyResult& add_diverged(StudyFolder& folder, std::size_t trial) {
  StudyResult& result = add_result(folder, trial, {}, {});
  result.result.status = TrialStatus::diverged;
  return result;
}

}  // namespace perpend::test
