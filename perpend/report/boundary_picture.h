// What two members answer over a plane: where both answer the same, their decision boundaries and the training rows.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "perpend/records/score_grid.h"
#include "perpend/report/picture.h"

namespace perpend {

// Training rows by their class.
struct PlaneRows {
  std::vector<CurvePoint> negative, positive;
};

struct BoundaryPanel {
  std::string title;
  std::vector<std::string> caption;  // lines
  ScoreGrid grid;                    // of two members
};
// The demo's picture: one panel per ensemble, all with the same training rows in two opposite quadrants.
std::string boundary_picture(const PlaneRows& rows, const std::vector<BoundaryPanel>& panels);

// The parts of such a picture.
//
// Where both answer 0, where both answer 1 and where they differ, each in its shade.
std::vector<Mark> shade_marks(const ScoreGrid& grid);
// Both members' boundaries on light edges, so that member 1 shows between the dashes of member 2 where they run
// together. `place` maps a point of the grid to where it is drawn. Empty: the point stays.
std::vector<Mark> boundary_marks(const ScoreGrid& grid, const std::function<CurvePoint(const CurvePoint&)>& place = {});
std::vector<Mark> row_marks(const PlaneRows& rows);
// Words for a row of each class and for the answer of both members, the negative class first.
std::vector<LegendItem> boundary_legend(const std::array<std::string, 2>& rows,
                                        const std::array<std::string, 2>& answers);

}  // namespace perpend
