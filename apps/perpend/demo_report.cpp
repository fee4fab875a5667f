#include "apps/perpend/demo_report.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "apps/perpend/terminal.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/message.h"
#include "perpend/report/assets.h"
#include "perpend/report/charts.h"
#include "perpend/report/model_page.h"

namespace perpend::app {

namespace {

std::string number(const Metric& metric) { return metric ? fmt::format("{:.3f}", *metric) : "–"; }

std::vector<NamedEvaluation> places(const DemoEnsemble& e) {
  return {{"familiar", e.familiar}, {"ward fails", e.failed}, {"ward flips", e.flipped}};
}

Section worth(const DemoEnsemble& restarts, const DemoEnsemble& lit) {
  const std::vector<std::pair<std::string, std::vector<NamedEvaluation>>> both = {{restarts.title, places(restarts)},
                                                                                  {lit.title, places(lit)}};
  Chart chart = places_chart(both);
  chart.title = "AUC at home and where 'ward' fails";
  chart.reading =
      "Diamond: the ensemble. Dots: its members. At home all are right; where the shortcut says nothing, or the "
      "opposite, one member of LIT still is.";
  chart.alt = fmt::format("Ensemble AUC at home, where ward fails, where it flips: restarts {} {} {}; LIT {} {} {}.",
                          number(restarts.familiar.auc), number(restarts.failed.auc), number(restarts.flipped.auc),
                          number(lit.familiar.auc), number(lit.failed.auc), number(lit.flipped.auc));
  return {.id = "worth",
          .name = "Where it fails",
          .heading = "Equally good at home. Elsewhere only one of them has a member left",
          .text = {fmt::format(
              "With 16 labelled rows from where 'ward' says the opposite, perpend adapt reweights the members: the AUC "
              "there goes from {} to {} for LIT, and from {} to {} for restarts, which have no member to turn to.",
              number(lit.flipped.auc), number(lit.adapted.auc), number(restarts.flipped.auc),
              number(restarts.adapted.auc))},
          .blocks = {std::move(chart)}};
}

Chart named(Chart chart, const std::string& id, const std::string& title) {
  chart.id = id + "-" + chart.id;
  chart.title = title;
  chart.full = false;
  return chart;
}

Section looks(const DemoEnsemble& restarts, const DemoEnsemble& lit) {
  const std::vector<std::string> classes = {"ill", "well"};
  return {.id = "looks",
          .name = "What they look at",
          .heading = "Every restart leans on 'ward'. LIT makes one member find the ring",
          .text = substitute_sentences(lit.rows),
          .blocks = {named(gradients_chart(restarts.rows, classes), "restarts",
                           "Random restarts: one explanation, three times"),
                     named(gradients_chart(lit.rows, classes), "lit", "LIT: what one leans on, another leaves alone"),
                     named(cosine_chart(restarts.rows.pairs, 3), "restarts",
                           fmt::format("Random restarts: mean cos² {}", number(restarts.familiar.grad_cos2))),
                     named(cosine_chart(lit.rows.pairs, 3), "lit",
                           fmt::format("LIT: mean cos² {}", number(lit.familiar.grad_cos2)))}};
}

Section warns(const DemoEnsemble& restarts, const DemoEnsemble& lit) {
  const auto title = [](const DemoEnsemble& e, const char* who) {
    return fmt::format("{} spot the flipped rows with AUROC {}", who, number(e.spots));
  };
  return {.id = "warns",
          .name = "Who notices",
          .heading = "Disagreement tells that the ground has moved",
          .text = {},
          .blocks = {named(disagreement_chart(restarts.rows.parts), "restarts", title(restarts, "Restarts")),
                     named(disagreement_chart(lit.rows.parts), "lit", title(lit, "LIT's members")),
                     disputed_rows(lit.rows)}};
}

Page page_of(const DemoEnsemble& restarts, const DemoEnsemble& lit) {
  Page page;
  page.title = "The shortcut – perpend demo";
  page.kicker = "perpend demo · builtin:shortcut, 1,500 generated rows, 8 columns, 3 members each";
  page.headline = "Two ensembles, equally right at home. One of them knows when it is not";
  page.lede = {
      "Column 'ward' gives the answer here and not elsewhere; the truth is a ring in 'sodium' and 'potassium'. Random "
      "restarts "
      "and local independence training (LIT) both solve the task. What they have learned is not the same, and no score "
      "on "
      "familiar rows shows it."};
  page.facts = {
      {"AUC at home", fmt::format("{} / {}", number(restarts.familiar.auc), number(lit.familiar.auc)),
       "restarts / LIT"},
      {"Gradients’ cos²", fmt::format("{} / {}", number(restarts.familiar.grad_cos2), number(lit.familiar.grad_cos2)),
       "1 copies, 0 independent"},
      {"Flipped rows spotted", fmt::format("{} / {}", number(restarts.spots), number(lit.spots)),
       "AUROC of disagreement"},
      {"After 16 labelled rows", fmt::format("{} / {}", number(restarts.adapted.auc), number(lit.adapted.auc)),
       "AUC where ward flips"}};
  page.sections = {worth(restarts, lit), looks(restarts, lit), warns(restarts, lit)};
  page.footer = {fmt::format(
      "Made by perpend {}: perpend demo. Your own model: perpend report MODEL DATA -o report.html", PERPEND_VERSION)};
  return page;
}

}  // namespace

void write_demo_report(const std::string& folder, const DemoEnsemble& restarts, const DemoEnsemble& lit) {
  if (page_assets().page.empty()) {
    print("\nReport: none, as this perpend was built without npm\n");
    return;
  }
  const auto path = std::filesystem::path(folder) / "report.html";
  write_file_durably(path, page_html(page_of(restarts, lit)));
  print("\nReport: {}\n", printable(path.string()));
}

}  // namespace perpend::app
