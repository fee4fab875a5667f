// Where marks are drawn. How pictures look is left to a viewer.
#include "perpend/report/picture.h"

#include <gtest/gtest.h>

#include "perpend/report/boundary_picture.h"
#include "tests/report/hostile.h"

namespace perpend {
namespace {

using test::kHostile;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(PictureSvg, PutsPointsWhereTheAxesSay) {
  const Panel panel{.x = decade_axis(0.01, 1),
                    .y = {0, 1, {0, 1}},
                    .marks = {{MarkKind::line,
                               method_ink({"LIT", "var(--m3)", "#00855f", "", "circle"}),
                               {{{0.01, 0}, {0.1, 0.5}, {1, 1}}}}}};
  const std::string svg = picture_svg({.title = "t", .panels = {panel}, .width = 100, .height = 50});
  EXPECT_EQ(panel.x.ticks.size(), 3U);
  // The panel begins at (60, 84). The middle of the logarithm and of the height is (110, 109).
  EXPECT_TRUE(has(svg, "d=\"M60.0 134.0L110.0 109.0L160.0 84.0\"")) << svg;
}

TEST(PictureSvg, DrawsMarkersOnOneSpotOnce) {
  const std::vector<CurvePoint> points(1000, CurvePoint{0.5, 0.5});
  const Panel panel{.marks = {{MarkKind::markers, {.opacity = 0.4}, {points}}}};
  const std::string svg = picture_svg({.title = "t", .panels = {panel}});
  const auto marks = svg.substr(svg.find("fill-opacity"));
  EXPECT_EQ(marks.find("<path", marks.find("<path") + 1), std::string::npos) << marks;
}

TEST(PictureSvg, AxesTakeAllValuesAndTickAtRoundNumbers) {
  const PlotAxis axis = linear_axis(0.812, 0.967);
  EXPECT_LE(axis.low, 0.812);
  EXPECT_GE(axis.high, 0.967);
  ASSERT_GE(axis.ticks.size(), 2U);
  EXPECT_NEAR(axis.ticks[0], 0.85, 1e-9);
  EXPECT_GE(linear_axis(1, 1, 0.04).high - linear_axis(1, 1, 0.04).low, 0.04);
}

TEST(PictureSvg, KeepsEveryStringText) {
  const Panel panel{.title = kHostile,
                    .x = {0, 1, {0.5}, false, {kHostile}},
                    .x_title = kHostile,
                    .y_title = kHostile,
                    .marks = {{MarkKind::text, {}, {{{0.5, 0.5}}}, kHostile}},
                    .caption = {kHostile}};
  const std::string svg =
      picture_svg({.title = kHostile, .subtitle = kHostile, .legend = {{kHostile}}, .panels = {panel}});
  EXPECT_FALSE(has(svg, "</script>")) << svg;
  EXPECT_TRUE(has(svg, "&lt;/script&gt;"));
}

// The first member answers 1 to the right of x = 0, the second above y = 0.
TEST(BoundaryPicture, DrawsBoundariesAndShadesWhereMembersDisagree) {
  ScoreGrid grid{5, 5, 1, {{}, {}}};
  for (std::size_t i = 0; i < 25; ++i) {
    grid.scores[0].push_back(grid.x(static_cast<double>(i % 5)) + 0.1F);
    grid.scores[1].push_back(grid.y(static_cast<double>(i / 5)) + 0.1F);
  }
  const auto shades = shade_marks(grid);
  ASSERT_EQ(shades.size(), 3U);
  EXPECT_EQ(shades[0].parts.size(), 2U);  // runs of both 0, in the two lowest lines of the grid
  EXPECT_EQ(shades[1].parts.size(), 3U);
  EXPECT_EQ(shades[2].parts.size(), 5U);
  EXPECT_NEAR(shades[1].parts[0][0].x, -0.2, 1e-12);
  const auto lines = boundary_marks(grid);
  ASSERT_EQ(lines.size(), 4U);  // two edges below two lines
  for (const auto& p : lines[2].parts.at(0)) EXPECT_NEAR(p.x, -0.1, 1e-6);
  for (const auto& p : lines[3].parts.at(0)) EXPECT_NEAR(p.y, -0.1, 1e-6);
}

}  // namespace
}  // namespace perpend
