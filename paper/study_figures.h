// The paper's figures about lambda, ensemble size and diversity measures, drawn from a study.
//
// The paper shows them for its ICU cohort, which no one else has, and for its public sets; axes are the paper's, the
// data those of the study.
#pragma once

#include <string>
#include <vector>

#include "perpend/records/study_view.h"
#include "perpend/report/page.h"

namespace perpend::paper {

struct NamedSvg {
  std::string name;  // of the file, without its ending
  std::string svg;
};
struct StudyPicture {
  std::vector<NamedSvg> pictures;
  Page page;
};

// Means over the members' own AUC and accuracy, error correlation and cos^2 against lambda, for ensembles of two (or of
// the fewest that the study has), a column a place.
StudyPicture lambda_figure(const StudyView& view);
// AUC and accuracy against the number of networks, each at its best validated lambda; AUC against lambda, a line a
// size.
StudyPicture size_figure(const StudyView& view);
// Error correlation and Yule's Q against cos^2, a marker a trial; above without LIT, below all.
StudyPicture metrics_figure(const StudyView& view);

}  // namespace perpend::paper
