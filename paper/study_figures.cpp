#include "paper/study_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "paper/ridge.h"
#include "perpend/base/message.h"
#include "perpend/report/picture.h"
#include "perpend/report/study_charts.h"

namespace perpend::paper {

namespace {

struct Range {
  double low = 1e300, high = -1e300;
  void see(const Metric& value) {
    low = std::min(low, value.value_or(low));
    high = std::max(high, value.value_or(high));
  }
  // The axis of shares, which end at 1.
  PlotAxis axis() const {
    if (low > high) return linear_axis(0, 1);
    PlotAxis axis = linear_axis(low, std::min(high, 1.0), 0.04);
    std::erase_if(axis.ticks, [](double tick) { return tick > 1 + 1e-9; });
    return axis;
  }
};

PlotAxis fixed_axis(double low, double high, std::vector<double> ticks) { return {low, high, std::move(ticks)}; }

PlotAxis lambdas_of(const StudyView& view) {
  Range range;
  for (const auto& cell : view.cells) range.see(cell.lambda);
  return range.low > range.high ? decade_axis(0.1, 1) : decade_axis(range.low, range.high);
}

PlotAxis sizes_of(const StudyView& view) {
  PlotAxis axis{view.members.front() * 0.85, view.members.back() * 1.18, {}, true};
  for (const int members : view.members) axis.ticks.push_back(members);
  return axis;
}

Page page_of(const std::string& figure, const StudyView& view, const std::string& headline, const std::string& look,
             const std::string& axes) {
  Page page;
  page.title = headline + " – perpend";
  page.kicker = fmt::format("perpend reproduce {} · {}", figure, view.name);
  page.headline = headline;
  std::string state = fmt::format("{} of {}, {}", view.in == view.trials ? "All" : thousands(view.in),
                                  counted(view.trials, "trial"), counted(view.restarts, "restart"));
  page.lede = {look};
  page.sections = {
      {.id = "figure", .name = "Figure", .heading = "What to look for", .text = {axes, state + "."}, .blocks = {}}};
  return page;
}

void add_drawing(StudyPicture& picture, const std::string& name, const std::string& title, const std::string& reading,
                 const Picture& figure) {
  picture.pictures.push_back({name, picture_svg(figure)});
  picture.page.sections.front().blocks.emplace_back(
      Drawing{name, title, reading, fmt::format("{}; {} panels.", figure.title, figure.panels.size()),
              picture.pictures.back().svg});
}

// One row of figure-lambda.
struct Measure {
  const char* title;
  Spread StudyCell::*value;
  bool fixed;
  double low, high;
};
constexpr Measure kMeasures[] = {{"AUC of a member", &StudyCell::member_auc, false, 0, 0},
                                 {"accuracy of a member", &StudyCell::member_accuracy, false, 0, 0},
                                 {"error correlation", &StudyCell::rho_av, true, -1, 1},
                                 {"gradients' cos²", &StudyCell::grad_cos2, true, 0, 1}};

using CellFilter = std::function<bool(const StudyCell&)>;

// Draws a method's points as a line with markers, in the method's look.
void add_line(Panel& panel, const MethodStyle& method, const std::vector<CurvePoint>& points) {
  if (points.empty()) return;
  panel.marks.push_back({MarkKind::line, method_ink(method), {points}});
  panel.marks.push_back({MarkKind::markers, method_ink(method), {points}});
}

// Draws those cells of one (place, method) that pass a filter. They are a line over lambda, or a level from side to
// side where the method has no lambda. The panel must already have its horizontal axis.
void add_cells(Panel& panel, Range& range, const StudyView& view, std::size_t place, std::size_t method,
               Spread StudyCell::*value, const CellFilter& takes) {
  std::vector<CurvePoint> points;
  bool level = false;
  for (const auto& cell : view.cells) {
    if (cell.place != place || cell.method != method || !takes(cell) || !(cell.*value).mean) continue;
    level = !cell.lambda;
    points.push_back({cell.lambda.value_or(0), *(cell.*value).mean});
    range.see(points.back().y);
  }
  std::ranges::sort(points, {}, &CurvePoint::x);
  if (!level) return add_line(panel, view.styles[method], points);
  const double y = points.front().y;
  panel.marks.push_back({MarkKind::line, method_ink(view.styles[method]), {{{panel.x.low, y}, {panel.x.high, y}}}});
}

std::vector<LegendItem> legend_of(const std::vector<MethodStyle>& methods) {
  std::vector<LegendItem> legend;
  for (const auto& style : methods) legend.push_back({std::string(style.name), MarkKind::line, method_ink(style)});
  return legend;
}

std::vector<std::size_t> places_in(const StudyView& view) {
  std::vector<std::size_t> places;
  for (std::size_t p = 0; p < view.places.size(); ++p) {
    if (view.places[p].in > 0) places.push_back(p);
  }
  return places;
}

bool is_of_the_figure(std::string_view method) { return method != "Bagging" && method != "AdaBoost"; }

Panel lambda_panel(const StudyView& view, std::size_t place, const Measure& measure, int members) {
  Panel panel{.x = lambdas_of(view)};
  Range range;
  for (std::size_t m = 0; m < view.methods.size(); ++m) {
    if (!is_of_the_figure(view.methods[m])) continue;
    add_cells(panel, range, view, place, m, measure.value, [&](const StudyCell& c) { return c.members == members; });
  }
  panel.y = measure.fixed ? fixed_axis(measure.low, measure.high,
                                       measure.low < 0 ? std::vector{-1.0, -0.5, 0.0, 0.5, 1.0}
                                                       : std::vector{0.0, 0.25, 0.5, 0.75, 1.0})
                          : range.axis();
  return panel;
}

}  // namespace

namespace {

constexpr std::size_t kMostColumns = 5;

Picture lambda_figure_of(const StudyView& view, const std::vector<std::size_t>& places, int members) {
  std::vector<MethodStyle> methods = view.styles;
  std::erase_if(methods, [](const MethodStyle& style) { return !is_of_the_figure(style.name); });
  Picture figure{.title = fmt::format("What lambda does to ensembles of {}", members),
                 .legend = legend_of(methods),
                 .columns = places.size()};
  for (const auto& measure : kMeasures) {
    for (const std::size_t place : places) {
      Panel panel = lambda_panel(view, place, measure, members);
      if (&measure == std::begin(kMeasures)) panel.title = place_name(view.places[place]);
      if (place == places.front()) panel.y_title = measure.title;
      if (&measure == std::end(kMeasures) - 1) panel.x_title = "lambda";
      figure.panels.push_back(std::move(panel));
    }
  }
  return figure;
}

}  // namespace

StudyPicture lambda_figure(const StudyView& view) {
  const int members = view.members.front();
  StudyPicture picture{
      {},
      page_of(
          "figure-lambda", view, "What lambda does to members and to their diversity",
          "Follow each line to the right. In the paper NCL and ACE stay at the restarts' level over most of lambda, "
          "have a short stretch of real diversity, and then fall apart: error correlation goes to -1 when one member "
          "always says yes and the other always no. LIT's members lose accuracy slowly, and their error correlation "
          "falls towards 0.",
          fmt::format("Horizontal: lambda, logarithmic. Vertical, from above: AUC and accuracy of a single member, "
                      "error correlation, squared cosine of the input gradients, on test rows. Ensembles of {}, means "
                      "over restarts without error bars, as in the paper, which shows its own ICU cohort.",
                      members))};
  // Five columns are readable. The last split, where training and test rows differ most, comes first.
  auto places = places_in(view);
  std::ranges::reverse(places);
  std::map<std::string, std::vector<std::size_t>> groups;
  std::vector<std::string> order;
  for (const std::size_t place : places) {
    const std::string& split = view.places[place].split;
    if (groups[split].empty()) order.push_back(split);
    groups[split].insert(groups[split].begin(), place);
  }
  for (const auto& split : order) {
    auto& group = groups[split];
    const std::size_t left_out = group.size() - std::min(group.size(), kMostColumns);
    group.resize(group.size() - left_out);
    add_drawing(picture, split == order.front() ? "figure-lambda" : "figure-lambda-" + split,
                fmt::format("Members and their diversity against lambda, {} split", split),
                left_out == 0 ? "Dashed: random restarts."
                              : fmt::format("Dashed: random restarts. The first {} of {} data sets.", kMostColumns,
                                            group.size() + left_out),
                lambda_figure_of(view, group, members));
  }
  return picture;
}

namespace {

Panel size_panel(const StudyView& view, std::size_t place, Spread StudySize::*value) {
  Panel panel;
  Range range;
  for (std::size_t m = 0; m < view.methods.size(); ++m) {
    std::vector<CurvePoint> points;
    Mark bars{MarkKind::line, {.colour = method_ink(view.styles[m]).colour, .width = 1.2, .opacity = 0.6}};
    for (const auto& size : view.sizes) {
      if (size.place != place || size.method != m || !(size.*value).mean) continue;
      const Spread& spread = size.*value;
      // Markers stand side by side, so that their bars do not overlap.
      const double aside = std::pow(1.03, static_cast<double>(m) - static_cast<double>(view.methods.size() - 1) / 2);
      const CurvePoint p{size.members * aside, *spread.mean};
      const double sd = spread.sd.value_or(0);
      points.push_back(p);
      if (spread.sd) bars.parts.push_back({{p.x, p.y - sd}, {p.x, p.y + sd}});
      range.see(p.y - sd);
      range.see(p.y + sd);
    }
    add_line(panel, view.styles[m], points);
    panel.marks.push_back(std::move(bars));
  }
  panel.x = sizes_of(view);
  panel.y = range.axis();
  return panel;
}

// One row per split, or one row with all splits of a single data set.
std::size_t columns_of(const StudyView& view) {
  return view.datasets > 1 ? std::min(view.datasets, kMostColumns) : std::max<std::size_t>(view.places.size(), 1);
}

Picture sizes_figure(const StudyView& view) {
  Picture figure{.title = "AUC and accuracy by method and ensemble size",
                 .legend = legend_of(view.styles),
                 .columns = columns_of(view)};
  for (const auto& [title, value] : {std::pair("AUC", &StudySize::auc), std::pair("accuracy", &StudySize::accuracy)}) {
    for (std::size_t p = 0; p < view.places.size(); ++p) {
      Panel panel = size_panel(view, p, value);
      panel.title = place_name(view.places[p]);
      if (p % figure.columns == 0) panel.y_title = title;
      if (value == &StudySize::accuracy && p + figure.columns >= view.places.size()) panel.x_title = "networks";
      figure.panels.push_back(std::move(panel));
    }
  }
  return figure;
}

// The paper's other picture of lambda and size: for LIT and NCL, one panel per size, so that the best lambda is seen to
// move.
Picture lambda_by_size_figure(const StudyView& view) {
  std::vector<MethodStyle> methods = view.styles;
  std::erase_if(methods, [](const MethodStyle& style) { return style.name != "NCL" && style.name != "LIT"; });
  Picture figure{
      .title = "AUC against lambda, by ensemble size", .legend = legend_of(methods), .columns = view.members.size()};
  if (methods.empty()) return figure;
  for (const std::size_t place : places_in(view)) {
    std::vector<Panel> row;
    Range range;
    for (const int members : view.members) {
      Panel panel{.x = lambdas_of(view)};
      for (std::size_t m = 0; m < view.methods.size(); ++m) {
        if (std::ranges::find(methods, view.methods[m], &MethodStyle::name) == methods.end()) continue;
        add_cells(panel, range, view, place, m, &StudyCell::auc,
                  [&](const StudyCell& c) { return c.members == members; });
      }
      panel.title = fmt::format("{}{} networks",
                                members == view.members.front() ? place_name(view.places[place]) + ": " : "", members);
      row.push_back(std::move(panel));
    }
    for (auto& panel : row) {
      panel.y = range.axis();
      if (&panel == row.data()) panel.y_title = "AUC";
      if (place == places_in(view).back()) panel.x_title = "lambda";
      figure.panels.push_back(std::move(panel));
    }
  }
  return figure;
}

// The edges of cells around values on a logarithmic axis: half-way to the neighbours.
std::vector<double> edges_of(const std::vector<double>& values) {
  std::vector<double> edges;
  for (std::size_t i = 0; i <= values.size(); ++i) {
    const std::size_t right = std::clamp<std::size_t>(i, 1, values.size() - 1);
    const double half = std::sqrt(values[right] / values[right - 1]);
    edges.push_back(i < values.size() ? values[i] / half : values.back() * half);
  }
  return edges;
}

std::vector<double> lambdas_in(const StudyView& view) {
  std::vector<double> lambdas;
  for (const auto& cell : view.cells) {
    if (cell.lambda) lambdas.push_back(*cell.lambda);
  }
  std::ranges::sort(lambdas);
  lambdas.erase(std::ranges::unique(lambdas).begin(), lambdas.end());
  return lambdas;
}

constexpr std::string_view kHeat = "#08306b";
constexpr Ink kSummit = {.colour = "#e66100", .radius = 5};
constexpr Ink kFit = {.colour = "#e66100", .dash = "6 4", .width = 2};

// AUC over (M, lambda) as shades, the best lambda of each size as a marker, and the line through these markers.
Panel heat_panel(const StudyView& view, const Ridge& ridge) {
  const auto lambdas = lambdas_in(view);
  std::vector<double> sizes(view.members.begin(), view.members.end());
  const auto across = edges_of(sizes);
  const auto up = edges_of(lambdas);
  Range range;
  for (const auto& cell : view.cells) {
    if (cell.place == ridge.place && cell.method == ridge.method) range.see(cell.auc.mean);
  }
  Panel panel{.title = fmt::format("{}, {}", view.methods[ridge.method], place_name(view.places[ridge.place])),
              .x = sizes_of(view),
              .y = decade_axis(lambdas.front(), lambdas.back()),
              .x_title = "networks",
              .y_title = "lambda"};
  panel.x.low = across.front(), panel.x.high = across.back();
  panel.y.low = up.front(), panel.y.high = up.back();
  for (const auto& cell : view.cells) {
    if (cell.place != ridge.place || cell.method != ridge.method || !cell.lambda || !cell.auc.mean) continue;
    const auto i = static_cast<std::size_t>(std::ranges::find(view.members, cell.members) - view.members.begin());
    const auto j = static_cast<std::size_t>(std::ranges::find(lambdas, *cell.lambda) - lambdas.begin());
    const double shade = range.high > range.low ? (*cell.auc.mean - range.low) / (range.high - range.low) : 1;
    // Shades are squared, so that the maximum stands out from the plateau.
    panel.marks.push_back({MarkKind::boxes,
                           {.colour = kHeat, .opacity = 0.03 + 0.97 * shade * shade},
                           {{{across[i], up[j]}, {across[i + 1], up[j + 1]}}}});
  }
  const auto fitted = [&](double members) { return std::pow(10, ridge.intercept + ridge.slope * std::log10(members)); };
  panel.marks.push_back(
      {MarkKind::line, kFit, {{{sizes.front(), fitted(sizes.front())}, {sizes.back(), fitted(sizes.back())}}}});
  Mark summits{MarkKind::markers, kSummit, {{}}};
  for (const auto& point : ridge.points) summits.parts[0].push_back({static_cast<double>(point.members), point.lambda});
  panel.marks.push_back(std::move(summits));
  panel.caption = {fmt::format("AUC {:.3f} (light) to {:.3f} (dark)", range.low, range.high),
                   fmt::format("best lambda goes as M to the power {:.1f}", ridge.slope)};
  return panel;
}

// LIT and NCL, as in the paper. One row per place.
Picture heat_figure(const StudyView& view) {
  Picture figure{
      .title = "AUC by lambda and ensemble size",
      .legend = {{"best lambda of a size", MarkKind::markers, kSummit}, {"their line", MarkKind::line, kFit}},
      .width = 230,
      .height = 230};
  for (const auto& ridge : ridges(view)) {
    const std::string& method = view.methods[ridge.method];
    if (method != "LIT" && method != "NCL") continue;
    figure.panels.push_back(heat_panel(view, ridge));
  }
  const bool both = std::ranges::count(view.methods, "LIT") + std::ranges::count(view.methods, "NCL") == 2;
  figure.columns =
      both ? std::min<std::size_t>(figure.panels.size(), 4) : std::min<std::size_t>(figure.panels.size(), 3);
  return figure;
}

}  // namespace

StudyPicture size_figure(const StudyView& view) {
  StudyPicture picture{
      {},
      page_of("figure-size", view, "How many networks, and how much lambda for them",
              "In the paper LIT is usually ahead where training and test rows differ (extrapolation), and the best "
              "size differs from set to set. On its ICU table the lambda at which LIT is best falls as networks are "
              "added, on logarithmic axes along a line; NCL's stays where it is and AUC drops steeply behind it: look "
              "for where the summits of the second picture lie.",
              "Horizontal: networks in an ensemble. Vertical: test AUC, and below it accuracy; mean over restarts, the "
              "bar is one sd. Each is at the lambda that validation rows chose for that size.")};
  add_drawing(picture, "figure-size", "AUC and accuracy by method and ensemble size", "Each panel has axes of its own.",
              sizes_figure(view));
  const Picture by_size = lambda_by_size_figure(view);
  if (!by_size.panels.empty()) {
    add_drawing(picture, "figure-size-lambda", "The best lambda depends on the size",
                "One row per data set and split; its panels share one scale.", by_size);
  }
  const Picture heat = heat_figure(view);
  if (!heat.panels.empty()) {
    add_drawing(picture, "figure-size-heat", "The ridge of the best lambda",
                "Darker is a higher AUC, on each panel's own scale. A ridge that falls to the right on these "
                "logarithmic axes is the paper's log-linear relationship.",
                heat);
  }
  return picture;
}

StudyPicture metrics_figure(const StudyView& view) {
  Picture figure{.title = "Similarity of gradients and of errors",
                 .legend = legend_of(view.styles),
                 .columns = 2,
                 .width = 380,
                 .height = 300};
  for (const bool all : {false, true}) {
    for (const auto& [title, value] :
         {std::pair("error correlation", &StudyMarker::rho_av), std::pair("Q statistic", &StudyMarker::q_av)}) {
      Panel panel;
      panel.title = all ? "all methods" : "methods that do not train on cos²";
      panel.x = fixed_axis(0, 1, {0, 0.25, 0.5, 0.75, 1});
      panel.y = fixed_axis(-1, 1, {-1, -0.5, 0, 0.5, 1});
      panel.x_title = "gradients' cos²";
      panel.y_title = title;
      for (std::size_t m = 0; m < view.methods.size(); ++m) {
        if (!all && view.methods[m] == "LIT") continue;
        Mark markers{MarkKind::markers, method_ink(view.styles[m]), {{}}};
        markers.ink.radius = 2.2;
        markers.ink.opacity = 0.4;
        for (const auto& marker : view.markers) {
          if (marker.method != m || !marker.grad_cos2 || !(marker.*value)) continue;
          markers.parts[0].push_back({*marker.grad_cos2, *(marker.*value)});
        }
        panel.marks.push_back(std::move(markers));
      }
      figure.panels.push_back(std::move(panel));
    }
  }
  StudyPicture picture{{},
                       page_of("figure-metrics", view, "Similar gradients and similar errors",
                               "In the paper, for methods that do not train on it (above), cos² rises with error "
                               "correlation and with Q: members whose gradients "
                               "point the same way make the same mistakes, and cos² needs no labels to say so. LIT's "
                               "markers (green, below) lie lower and spread "
                               "wider: lambda controls how alike its members' answers are.",
                               "Horizontal: squared cosine of the members' input gradients. Vertical: error "
                               "correlation (left) and Yule's Q (right). One marker for every "
                               "method, lambda, data set, split, ensemble size and restart, on test rows.")};
  add_drawing(picture, "figure-metrics", "Error correlation and Q against cos²",
              "Markers on the same spot are drawn once.", figure);
  return picture;
}

}  // namespace perpend::paper
