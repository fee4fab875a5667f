// What pairs do not see: three gradients with the same cos² for each pair, once in one plane and once spanning a
// volume.
//
// Three unit gradients stand like the ribs of an umbrella, and each pair has the same cosine c. At c = -1/2 the
// umbrella is flat, a star in a plane. At c = 0 they are orthogonal, and at c = 1 it is closed: three copies.
//
//     cos² of each pair = c²        det K = (1 - c)² (1 + 2c)
//
// So c = -1/2 and c = 1/2 both have a cos² of 1/4. In the first case each of the three gradients is minus the sum of
// the other two: what moves two members moves the third, and det K is 0. In the second case det K is 1/2.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "apps/perpend/terminal.h"
#include "paper/reproduce.h"
#include "perpend/evaluate/diversity.h"
#include "perpend/objective/dpp.h"
#include "perpend/report/picture.h"

namespace perpend::paper {

namespace {

using Gradient = std::array<float, 3>;
using Gradients = std::array<Gradient, 3>;

constexpr Ink kCos2Ink = {.colour = "#e66100", .width = 3};
constexpr Ink kVolumeInk = {.colour = "#1a4fb0", .width = 3};
constexpr Ink kRibInk = {.colour = "#222222", .width = 3};
constexpr Ink kFloorInk = {.colour = "#dcebf5"};

// Each pair has the cosine c: cos(120°) times the squared length in the plane, plus the squared height.
Gradients umbrella(double c) {
  const double height = std::sqrt((1 + 2 * c) / 3);
  const double reach = std::sqrt(2 * (1 - c) / 3);
  Gradients ribs;
  for (std::size_t i = 0; i < 3; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / 3 + std::numbers::pi / 2;
    ribs[i] = {static_cast<float>(reach * std::cos(angle)), static_cast<float>(reach * std::sin(angle)),
               static_cast<float>(height)};
  }
  return ribs;
}

// The mean over pairs, computed by the engine.
double mean_cos2(const Gradients& g) {
  return (squared_cosine(g[0], g[1]) + squared_cosine(g[0], g[2]) + squared_cosine(g[1], g[2])) / 3;
}

// The determinant of the cosines, with eps added to the diagonal.
double gram_determinant(const Gradients& g, double eps) {
  const auto dot = [&](std::size_t i, std::size_t j) {
    double sum = i == j ? eps : 0;
    for (std::size_t k = 0; k < 3; ++k) sum += static_cast<double>(g[i][k]) * g[j][k];
    return sum;
  };
  return dot(0, 0) * (dot(1, 1) * dot(2, 2) - dot(1, 2) * dot(1, 2)) -
         dot(0, 1) * (dot(0, 1) * dot(2, 2) - dot(1, 2) * dot(0, 2)) +
         dot(0, 2) * (dot(0, 1) * dot(1, 2) - dot(1, 1) * dot(0, 2));
}

double dpp_penalty(const Gradients& g) { return -std::log(gram_determinant(g, kDppEpsilon)); }

// Returns the point as it is seen from the side, a little from above.
CurvePoint seen(double x, double y, double z) { return {x, 0.35 * y + 0.9 * z}; }

Panel umbrella_panel(double c, const std::string& title) {
  const Gradients ribs = umbrella(c);
  Panel panel{.title = title, .x = {-1.1, 1.1}, .y = {-0.6, 1.1}, .framed = false};
  Mark floor{MarkKind::area, kFloorInk, {{}}};
  for (int i = 0; i <= 72; ++i) {
    const double angle = 2 * std::numbers::pi * i / 72;
    floor.parts[0].push_back(seen(std::cos(angle), std::sin(angle), 0));
  }
  panel.marks.push_back(std::move(floor));
  Mark lines{MarkKind::line, kRibInk};
  for (const auto& rib : ribs) lines.parts.push_back({seen(0, 0, 0), seen(rib[0], rib[1], rib[2])});
  panel.marks.push_back(std::move(lines));
  for (std::size_t i = 0; i < 3; ++i) {
    const CurvePoint tip = seen(1.08 * ribs[i][0], 1.08 * ribs[i][1], 1.08 * ribs[i][2]);
    panel.marks.push_back({MarkKind::text, {.colour = "#222222"}, {{tip}}, std::to_string(i + 1)});
  }
  panel.caption = {fmt::format("cos² of each pair {:.2f}", mean_cos2(ribs)),
                   fmt::format("det {:.2f}, penalty {:.2f}", std::abs(gram_determinant(ribs, 0)), dpp_penalty(ribs))};
  return panel;
}

Panel curve_panel() {
  Panel panel{.title = "the same cos², not the same volume",
              .x = {-0.58, 1.02, {-0.5, 0, 0.5, 1}},
              .y = {-0.04, 1.05, {0, 0.25, 0.5, 0.75, 1}},
              .x_title = "cosine c of each pair"};
  Mark cos2{MarkKind::line, kCos2Ink, {{}}};
  Mark volume{MarkKind::line, kVolumeInk, {{}}};
  for (int i = 0; i <= 150; ++i) {
    const double c = -0.5 + 0.01 * i;
    cos2.parts[0].push_back({c, mean_cos2(umbrella(c))});
    volume.parts[0].push_back({c, gram_determinant(umbrella(c), 0)});
  }
  Mark pairs{MarkKind::markers, {.colour = "#e66100", .radius = 6}, {{{-0.5, 0.25}, {0.5, 0.25}}}};
  Mark volumes{MarkKind::markers, {.colour = "#1a4fb0", .radius = 6}, {{{-0.5, 0}, {0.5, 0.5}}}};
  panel.marks = {std::move(cos2), std::move(volume), std::move(pairs), std::move(volumes)};
  panel.caption = {"The penalty dpp is -log det(K + 0.01 I)."};
  return panel;
}

std::string dpp_svg() {
  return picture_svg({.title = "What pairs of gradients do not see",
                      .subtitle = "Three gradients; each pair has a cos² of 1/4 on the left and in the middle.",
                      .legend = {{"cos² of each pair", MarkKind::line, kCos2Ink},
                                 {"det K, the squared volume that they span", MarkKind::line, kVolumeInk}},
                      .columns = 3,
                      .panels = {umbrella_panel(-0.5, "120° apart, in one plane"),
                                 umbrella_panel(0.5, "60° apart, in three dimensions"), curve_panel()},
                      .width = 260,
                      .height = 200});
}

Page page_of(const std::string& svg) {
  Page page;
  page.title = "What pairs of gradients do not see – perpend";
  page.kicker = "perpend reproduce figure-dpp";
  page.headline = "The same cos² for every pair, and no volume";
  page.lede = {
      "Three gradients in one plane, 120 degrees apart, have a cos² of 1/4 for each pair. So have three that are "
      "60 degrees apart in space. Only the determinant of their cosines tells the two apart."};
  page.sections = {
      {.id = "figure",
       .name = "Figure",
       .heading = "What to look for",
       .text = {"On the left each gradient is minus the sum of the other two: three members, two directions, "
                "and the third says nothing new. cos² counts pairs and cannot see it; its value is that of "
                "the gradients in the middle, which span a volume. The penalty dpp sees all members at once."},
       .blocks = {Drawing{"figure-dpp", "Pairs and volumes",
                          "Left and middle: three gradients above their plane. Right: cos² and det K as the "
                          "umbrella closes.",
                          "Two drawings of three arrows, and the curves of cos² and of the determinant.", svg}}}};
  return page;
}

}  // namespace

void reproduce_figure_dpp(const ReproduceArguments& arguments) {
  make_output_folder(arguments.folder);
  app::print("{:<32} {:>8} {:>12} {:>8} {:>14}\n", "three gradients", "cosine", "pairs' cos²", "det K", "penalty dpp");
  for (const auto& [name, c] : {std::pair("120° apart, in one plane", -0.5), std::pair("orthogonal", 0.0),
                                std::pair("60° apart, in three dimensions", 0.5), std::pair("copies", 1.0)}) {
    const Gradients g = umbrella(c);
    app::print("{:<32} {:>8.2f} {:>12.2f} {:>8.2f} {:>14.2f}\n", name, c, mean_cos2(g),
               std::abs(gram_determinant(g, 0)), dpp_penalty(g));
  }
  const std::string svg = dpp_svg();
  write_figure(arguments.folder, "figure-dpp", svg, page_of(svg));
}

}  // namespace perpend::paper
