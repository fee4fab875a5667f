#include "perpend/study/best_so_far.h"

#include <optional>

#include "perpend/study/select.h"

namespace perpend {

std::vector<std::size_t> best_so_far(const StudyFolder& folder) {
  std::vector<std::size_t> best;
  for (std::size_t d = 0; d < folder.study.datasets.size(); ++d) {
    for (const auto split : folder.study.splits) {
      std::optional<std::size_t> found;
      for (std::size_t i = 0; i < folder.results.size(); ++i) {
        const StudyResult& one = folder.results[i];
        if (folder.trials[one.trial].dataset != d || one.result.trial.split != split) continue;
        if (!one.result.validation_merit || (found && !better(one.result, folder.results[*found].result))) continue;
        found = i;
      }
      if (found) best.push_back(*found);
    }
  }
  return best;
}

}  // namespace perpend
