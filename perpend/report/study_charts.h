// The charts of a study's page, as Vega-Lite specifications. All but the last two draw the same table, that of
// lambda_chart: one row for each (place, method, M, lambda), averaged over restarts.
#pragma once

#include <string>
#include <vector>

#include "perpend/records/study_view.h"
#include "perpend/report/page.h"

namespace perpend {

// A page stays small: with more cells than this, whole places are left out of its charts.
constexpr std::size_t kMostCells = 6000;
std::size_t drawn_places(const StudyView& view);

// AUC against lambda: one panel per place, a band of one sd, methods without lambda as horizontal lines. The reader
// chooses M.
Chart lambda_chart(const StudyView& view);
// Error correlation, and Q, against cos^2: the axes of the paper's figure.
Chart similarity_chart(const StudyView& view);
Chart q_chart(const StudyView& view);
// AUC against cos^2 and against error correlation, one panel per place.
Chart auc_cos2_chart(const StudyView& view);
Chart auc_rho_chart(const StudyView& view);

// AUC against M, each with the lambda that validation chose.
Chart size_chart(const StudyView& view);
Chart time_chart(const StudyView& view);

std::string place_name(const StudyPlace& place);  // "ionosphere, extrapolation"
std::string duration_text(double seconds);        // "12 s", "4 min 10 s", "3 h 20 min"

}  // namespace perpend
