// Curves and densities for pictures. They have few points, each of them exact.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "perpend/evaluate/metrics.h"
#include "perpend/records/model_view.h"

namespace perpend {

// The ROC curve: x the false-positive rate, y the true-positive rate, from (0, 0) to (1, 1), one point per distinct
// score. Joined by straight lines, the area below it is auc(). No points when a class has no row.
std::vector<CurvePoint> roc_curve(std::span<const double> scores, LabelsView labels);

// Returns about `most` of the points, never more than most + 2. The first and the last are among them, and the others
// are evenly spread along the curve.
std::vector<CurvePoint> thinned(std::span<const CurvePoint> points, std::size_t most);

// Values outside [low, high] are left out.
Histogram histogram(std::span<const double> values, double low, double high, std::size_t bins);

// Gaussian kernel density of finite values at `points` places, evenly spaced over their middle 99 %. Its bandwidth is
// Silverman's, 0.9 min(sd, interquartile range / 1.34) n^(-1/5); values are first counted in 512 bins, which is finer
// than any picture. Values that are all equal give the one point (value, 1).
std::vector<CurvePoint> kernel_density(std::vector<double> values, std::size_t points);

}  // namespace perpend
