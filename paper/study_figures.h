// The paper's figures about lambda, ensemble size and diversity measures, drawn from a study.
//
// The paper shows them for its ICU cohort, which cannot be shared, and for its public sets. The axes are the paper's,
// and the data are those of the study.
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

// Means over the members' own AUC and accuracy, error correlation and cos^2 against lambda, with one column per place.
// The ensembles have two members, or the fewest that the study has.
StudyPicture lambda_figure(const StudyView& view);
// AUC and accuracy against the number of networks, each with the lambda that validation chose, and AUC against lambda
// with one line per size.
StudyPicture size_figure(const StudyView& view);
// Error correlation and Yule's Q against cos^2, one marker per trial: above without LIT, below with all methods.
StudyPicture metrics_figure(const StudyView& view);

}  // namespace perpend::paper
