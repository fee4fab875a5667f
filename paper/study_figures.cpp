#include "paper/study_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "perpend/base/message.h"
#include "perpend/report/plot_svg.h"
#include "perpend/report/study_charts.h"

namespace perpend::paper {

namespace {

struct Range {
  double low = 1e300, high = -1e300;
  void see(const Metric& value) {
    low = std::min(low, value.value_or(low));
    high = std::max(high, value.value_or(high));
  }
  // Of shares, which end at 1.
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
                 const PlotFigure& figure) {
  picture.pictures.push_back({name, plot_svg(figure)});
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

// The cells of one (place, method) that a filter takes, as a line over lambda, or a level where there is none.
PlotSeries series_of(const StudyView& view, std::size_t place, std::size_t method, Spread StudyCell::*value,
                     const CellFilter& takes) {
  PlotSeries series{view.styles[method], PlotKind::line, {}};
  for (const auto& cell : view.cells) {
    if (cell.place != place || cell.method != method || !takes(cell) || !(cell.*value).mean) continue;
    if (!cell.lambda) series.kind = PlotKind::level;
    series.points.push_back({cell.lambda.value_or(0), *(cell.*value).mean, {}});
  }
  std::ranges::sort(series.points, {}, &PlotPoint::x);
  return series;
}

std::vector<std::size_t> places_in(const StudyView& view) {
  std::vector<std::size_t> places;
  for (std::size_t p = 0; p < view.places.size(); ++p) {
    if (view.places[p].in > 0) places.push_back(p);
  }
  return places;
}

bool is_of_the_figure(std::string_view method) { return method != "Bagging" && method != "AdaBoost"; }

PlotPanel lambda_panel(const StudyView& view, std::size_t place, const Measure& measure, int members) {
  PlotPanel panel;
  Range range;
  for (std::size_t m = 0; m < view.methods.size(); ++m) {
    if (!is_of_the_figure(view.methods[m])) continue;
    panel.series.push_back(
        series_of(view, place, m, measure.value, [&](const StudyCell& c) { return c.members == members; }));
    for (const auto& p : panel.series.back().points) range.see(p.y);
  }
  panel.x = lambdas_of(view);
  panel.y = measure.fixed ? fixed_axis(measure.low, measure.high,
                                       measure.low < 0 ? std::vector{-1.0, -0.5, 0.0, 0.5, 1.0}
                                                       : std::vector{0.0, 0.25, 0.5, 0.75, 1.0})
                          : range.axis();
  return panel;
}

}  // namespace

namespace {

constexpr std::size_t kMostColumns = 5;

PlotFigure lambda_figure_of(const StudyView& view, const std::vector<std::size_t>& places, int members) {
  PlotFigure figure{fmt::format("What lambda does to ensembles of {}", members), {}, places.size(), {}};
  for (const auto& style : view.styles) {
    if (is_of_the_figure(style.name)) figure.methods.push_back(style);
  }
  for (const auto& measure : kMeasures) {
    for (const std::size_t place : places) {
      PlotPanel panel = lambda_panel(view, place, measure, members);
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
  // Five columns can be read; the last split, where training and test rows differ most, comes first.
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

PlotPanel size_panel(const StudyView& view, std::size_t place, Spread StudySize::*value) {
  PlotPanel panel;
  Range range;
  for (std::size_t m = 0; m < view.methods.size(); ++m) {
    PlotSeries series{view.styles[m], PlotKind::line, {}};
    for (const auto& size : view.sizes) {
      if (size.place != place || size.method != m || !(size.*value).mean) continue;
      const Spread& spread = size.*value;
      // Side by side, so that their bars are told apart.
      const double aside = std::pow(1.03, static_cast<double>(m) - static_cast<double>(view.methods.size() - 1) / 2);
      series.points.push_back({size.members * aside, *spread.mean, spread.sd});
      range.see(*spread.mean - spread.sd.value_or(0));
      range.see(*spread.mean + spread.sd.value_or(0));
    }
    panel.series.push_back(std::move(series));
  }
  panel.x = sizes_of(view);
  panel.y = range.axis();
  return panel;
}

// A row a split, or all splits of a single data set in one.
std::size_t columns_of(const StudyView& view) {
  return view.datasets > 1 ? std::min(view.datasets, kMostColumns) : std::max<std::size_t>(view.places.size(), 1);
}

PlotFigure sizes_figure(const StudyView& view) {
  PlotFigure figure{"AUC and accuracy by method and ensemble size", view.styles, columns_of(view), {}};
  for (const auto& [title, value] : {std::pair("AUC", &StudySize::auc), std::pair("accuracy", &StudySize::accuracy)}) {
    for (std::size_t p = 0; p < view.places.size(); ++p) {
      PlotPanel panel = size_panel(view, p, value);
      panel.title = place_name(view.places[p]);
      if (p % figure.columns == 0) panel.y_title = title;
      if (value == &StudySize::accuracy && p + figure.columns >= view.places.size()) panel.x_title = "networks";
      figure.panels.push_back(std::move(panel));
    }
  }
  return figure;
}

// The paper's other picture of lambda and size: for LIT and NCL, a panel a size, so that the best lambda is seen to
// move.
PlotFigure lambda_by_size_figure(const StudyView& view) {
  PlotFigure figure{"AUC against lambda, by ensemble size", {}, view.members.size(), {}};
  for (const std::string_view name : {"NCL", "LIT"}) {
    const auto found = std::ranges::find(view.styles, name, &MethodStyle::name);
    if (found != view.styles.end()) figure.methods.push_back(*found);
  }
  if (figure.methods.empty()) return figure;
  for (const std::size_t place : places_in(view)) {
    std::vector<PlotPanel> row;
    Range range;
    for (const int members : view.members) {
      PlotPanel panel;
      for (std::size_t m = 0; m < view.methods.size(); ++m) {
        const auto found = std::ranges::find(figure.methods, view.styles[m].name, &MethodStyle::name);
        if (found == figure.methods.end()) continue;
        panel.series.push_back(
            series_of(view, place, m, &StudyCell::auc, [&](const StudyCell& c) { return c.members == members; }));
        for (const auto& p : panel.series.back().points) range.see(p.y);
      }
      panel.title = fmt::format("{}{} networks",
                                members == view.members.front() ? place_name(view.places[place]) + ": " : "", members);
      panel.x = lambdas_of(view);
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

}  // namespace

StudyPicture size_figure(const StudyView& view) {
  StudyPicture picture{
      {},
      page_of("figure-size", view, "How many networks, and how much lambda for them",
              "In the paper LIT is usually ahead where training and test rows differ (extrapolation), and the best "
              "size differs from set to set. "
              "On its ICU table the lambda at which LIT is best falls as networks are added, on logarithmic axes along "
              "a line; NCL's stays where it "
              "is and AUC drops steeply behind it: look for where the summits of the second picture lie.",
              "Horizontal: networks in an ensemble. Vertical: test AUC, and below it accuracy; mean over restarts, the "
              "bar is one sd. Each is at the "
              "lambda that validation rows chose for that size.")};
  add_drawing(picture, "figure-size", "AUC and accuracy by method and ensemble size", "Axes are a panel's own.",
              sizes_figure(view));
  const PlotFigure by_size = lambda_by_size_figure(view);
  if (!by_size.panels.empty()) {
    add_drawing(picture, "figure-size-lambda", "The best lambda depends on the size",
                "A row a data set and split, its panels on one scale.", by_size);
  }
  return picture;
}

StudyPicture metrics_figure(const StudyView& view) {
  PlotFigure figure{"Similarity of gradients and of errors", view.styles, 2, {}, 380, 300};
  for (const bool all : {false, true}) {
    for (const auto& [title, value] :
         {std::pair("error correlation", &StudyMarker::rho_av), std::pair("Q statistic", &StudyMarker::q_av)}) {
      PlotPanel panel;
      panel.title = all ? "all methods" : "methods that do not train on cos²";
      panel.x = fixed_axis(0, 1, {0, 0.25, 0.5, 0.75, 1});
      panel.y = fixed_axis(-1, 1, {-1, -0.5, 0, 0.5, 1});
      panel.x_title = "gradients' cos²";
      panel.y_title = title;
      for (std::size_t m = 0; m < view.methods.size(); ++m) {
        if (!all && view.methods[m] == "LIT") continue;
        PlotSeries series{view.styles[m], PlotKind::markers, {}, 0.4};
        for (const auto& marker : view.markers) {
          if (marker.method != m || !marker.grad_cos2 || !(marker.*value)) continue;
          series.points.push_back({*marker.grad_cos2, *(marker.*value), {}});
        }
        panel.series.push_back(std::move(series));
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
  add_drawing(picture, "figure-metrics", "Error correlation and Q against cos²", "Markers on one spot are drawn once.",
              figure);
  return picture;
}

}  // namespace perpend::paper
