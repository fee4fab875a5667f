#include "perpend/report/model_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "perpend/base/message.h"
#include "perpend/report/card_section.h"
#include "perpend/report/charts.h"
#include "perpend/report/escape.h"
#include "perpend/report/monitor_section.h"

namespace perpend {

namespace {

std::string number(const Metric& metric, int digits = 3) {
  return metric ? fmt::format("{:.{}f}", *metric, digits) : "–";
}
std::string quantity_text(const Metric& metric) { return metric ? fmt::format("{:.4g}", *metric) : "–"; }
std::string percent(const Metric& metric) { return metric ? fmt::format("{:.1f} %", 100 * *metric) : "–"; }

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + quote(names[i]);
  }
  return text;
}

std::string members_named(const std::vector<std::size_t>& members) {
  std::string text = members.size() == 1 ? "member" : "members";
  for (std::size_t i = 0; i < members.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? " " : i + 1 == members.size() ? " and " : ", ", members[i] + 1);
  }
  return text;
}

// Returns the rows that judge the model: those of a table where there is one, otherwise those of its training.
JudgedPart judged(const ModelView& view) {
  if (view.rows) {
    for (const auto& part : view.rows->parts) {
      if (part.name == view.rows->judged && part.evaluation) return {part.name, part.rows, &*part.evaluation};
    }
  }
  return view.summary.judged();
}

// Returns the baselines, if the rows that are judged here are those on which the baselines were measured.
const Baselines* baselines_here(const ModelView& view) {
  const bool same_rows = !view.rows || (view.rows->as_trained && judged(view).name == view.summary.judged().name);
  return same_rows && view.summary.baselines ? &*view.summary.baselines : nullptr;
}

const PartView* newer_part(const ModelView& view) {
  if (!view.rows || view.rows->parts.size() < 2 || view.rows->parts.back().name == view.rows->judged) return nullptr;
  return &view.rows->parts.back();
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

bool has_trees(const ModelView& view) { return !view.networks.empty() && view.networks.back().view == "trees"; }

std::string about_members(const ModelView& view) {
  const std::string count = count_word(view.members);
  const Evaluation* seen = judged(view).evaluation;
  if (view.members == 1) return "One member, and nobody to disagree with it";
  if (seen == nullptr || !seen->grad_cos2) return capitalised(count) + " members, not measured yet";
  if (is_weak(standing(view.summary))) {
    return capitalised(count) + " members that together answer worse than " +
           (standing(view.summary) == Standing::below_majority
                ? (view.classes.empty() ? "one number for all rows" : "the majority class")
                : (view.classes.empty() ? "one linear regression" : "one logistic regression"));
  }
  const Independence found = independence(*seen->grad_cos2);
  const std::string differentiable = count_word(view.members - (has_trees(view) ? 1 : 0));
  return capitalised(count) +
         (found == Independence::independent ? " members, " + differentiable + " independent explanations"
          : found == Independence::partly    ? " members with partly different explanations"
                                             : " members, one explanation") +
         (has_trees(view) ? " and boosted trees" : "");
}

const Monitoring* monitoring_of(const ModelView& view) {
  return view.rows && view.rows->monitoring ? &*view.rows->monitoring : nullptr;
}

std::string headline(const ModelView& view) {
  const PartView* newer = newer_part(view);
  const bool they_part = newer != nullptr && newer->spotted && *newer->spotted >= 0.8;
  if (const Monitoring* found = monitoring_of(view)) {
    return moved_headline(*found) +
           (they_part && found->verdict != Verdict::like ? ", and the members disagree on them" : "");
  }
  return about_members(view) + (they_part ? ", and they disagree on the new rows" : "");
}

// Says of a chart on the judged rows, which a refit has trained the members on since, from when its members are.
Chart before_refit(Chart chart, const RowsView& rows) {
  if (rows.trained_since)
    chart.reading += " It shows the answers from before the refit, which trained the members on these rows.";
  return chart;
}
Chart after_refit(Chart chart, const RowsView& rows) {
  if (rows.trained_since) {
    chart.reading += fmt::format(
        " It shows the final members, which the refit trained on these {} rows, too. So these rows are not held out "
        "here.",
        rows.judged);
  }
  return chart;
}

// Says which members answered the rows that judge a refitted model.
std::string refit_sentence(const ModelView& view) {
  if (!view.summary.refitted) return "";
  const RowCounts& rows = view.summary.rows;
  if (view.summary.test) {
    return fmt::format(" {} were held out for early stopping, and then trained the final members, too.",
                       counted(rows.validation, "validation row"));
  }
  return fmt::format(
      " These figures are from before the refit, when the members had trained on {}; the final members trained on all "
      "{}.",
      counted(rows.train, "row"), thousands(view.summary.final_rows()));
}

std::vector<std::string> lede(const ModelView& view, const std::string& title) {
  std::string text = fmt::format("{} trained {} on {} to predict {} ({}) from {}.", capitalised(title),
                                 view.members == 1 ? "one member" : counted(view.members, "member"),
                                 counted(view.summary.final_rows(), "row"), quote(view.target),
                                 view.classes.empty()       ? "a number"
                                 : view.classes.size() == 2 ? quote(view.classes[0]) + " or " + quote(view.classes[1])
                                                            : thousands(view.classes.size()) + " classes",
                                 counted(view.columns, "column"));
  if (title.find("lambda") != title.npos) {
    text += " Lambda is how strongly training kept the members apart";
    text += view.lambda == 0 ? "; 0 is not at all." : ".";
  }
  const JudgedPart seen = judged(view);
  if (seen.evaluation != nullptr) {
    text += view.classes.empty()
                ? fmt::format(" On {} {} rows the ensemble's RMSE is {} and its R² {}.", thousands(seen.rows),
                              seen.name, quantity_text(seen.evaluation->rmse), number(seen.evaluation->r2))
                : fmt::format(" On {} {} rows the ensemble's AUC is {} and its accuracy {}.", thousands(seen.rows),
                              seen.name, number(seen.evaluation->auc), percent(seen.evaluation->accuracy));
    if (view.members > 1) text += " Its members " + similarity_words(seen.evaluation->grad_cos2) + ".";
    if (seen.name == "validation" || seen.name == "test") text += refit_sentence(view);
    if (is_weak(standing(view.summary))) {
      text += " Do not read anything into that: when it was trained, the ensemble was worse than much simpler answers.";
    }
  }
  std::vector<std::string> paragraphs = {text};
  if (view.rows) {
    for (auto& sentence : substitute_sentences(*view.rows)) paragraphs.push_back(std::move(sentence));
  }
  return paragraphs;
}

// How good the answers are: AUC and similar figures, or errors in the target's units.
std::vector<Fact> quality_facts(const ModelView& view, const JudgedPart& seen) {
  const Evaluation& e = *seen.evaluation;
  if (e.regression) {
    std::vector<Fact> list = {
        {"Ensemble’s RMSE", quantity_text(e.rmse), fmt::format("{} {} rows", thousands(seen.rows), seen.name)},
        {"R²", number(e.r2), fmt::format("mean absolute error {}", quantity_text(e.mae))}};
    if (e.coverage) list.push_back({"Targets in 90 % intervals", percent(e.coverage), "of these rows"});
    if (const Baselines* beside = baselines_here(view)) {
      list.push_back({"Linear regression", quantity_text(beside->logistic.rmse),
                      fmt::format("RMSE on the same rows, R² {}", number(beside->logistic.r2))});
    }
    return list;
  }
  std::vector<Fact> list = {
      {"Ensemble’s AUC", number(e.auc), fmt::format("{} {} rows", thousands(seen.rows), seen.name)},
      {"Accuracy", percent(e.accuracy), fmt::format("log-loss {}", number(e.log_loss))},
      {"Calibration error", number(e.ece), "how far probabilities are off on average"}};
  if (const Baselines* beside = baselines_here(view)) {
    list.push_back({"Logistic regression", number(beside->logistic.log_loss),
                    fmt::format("log-loss on the same rows, AUC {}", number(beside->logistic.auc))});
  }
  return list;
}

std::vector<Fact> facts(const ModelView& view) {
  const JudgedPart seen = judged(view);
  if (seen.evaluation == nullptr) return {};
  const Evaluation& e = *seen.evaluation;
  std::vector<Fact> list = quality_facts(view, seen);
  const Monitoring* found = monitoring_of(view);
  if (view.members > 1) {
    list.push_back({"Members’ likeness", number(e.grad_cos2),
                    has_trees(view) ? "how alike they react, without trees: 0 not at all, 1 copies"
                                    : "how alike they react: 0 not at all, 1 copies"});
    list.push_back({"Shared errors", number(e.rho_av, 2),
                    e.rho_av ? "correlation of members’ errors: 0 none, 1 all" : "too few errors to say"});
  }
  const PartView* newer = newer_part(view);
  if (found == nullptr && newer != nullptr && newer->spotted) {
    list.push_back({"New rows spotted", number(newer->spotted), "AUROC of disagreement; 0.5 is blind"});
  }
  return list;
}

std::vector<NamedEvaluation> evaluations(const ModelView& view) {
  std::vector<NamedEvaluation> list;
  if (view.rows) {
    for (const auto& part : view.rows->parts) {
      if (part.evaluation) list.emplace_back(part.name, *part.evaluation);
    }
  }
  const JudgedPart seen = judged(view);
  if (list.empty() && seen.evaluation != nullptr) list.emplace_back(seen.name, *seen.evaluation);
  return list;
}

// Whether the answers to the judged rows from before a refit are not known.
bool is_forgotten(const ModelView& view) {
  const auto without = [](const PartView& part) { return part.disagreement.counts.empty(); };
  return view.rows && view.rows->trained_since && std::ranges::any_of(view.rows->parts, without);
}

Section quality(const ModelView& view) {
  Section section{
      .id = "quality", .name = "How good", .heading = "How good are its answers?", .text = {}, .blocks = {}};
  if (view.rows && !view.rows->roc.empty()) {
    section.blocks.emplace_back(before_refit(roc_chart(*view.rows, view.classes), *view.rows));
    section.blocks.emplace_back(before_refit(calibration_chart(*view.rows, view.classes), *view.rows));
  }
  if (view.rows && !view.rows->predicted.empty()) {
    section.blocks.emplace_back(before_refit(predicted_chart(*view.rows, view.target), *view.rows));
  }
  if (is_forgotten(view)) {
    section.text.push_back(fmt::format(
        "The refit trained the final members on the {} rows, and the file does not keep what the members answered "
        "before. So the curves, the disagreement and the disputed rows of the {} rows are left out.",
        view.rows->judged, view.rows->judged));
  }
  const auto parts = evaluations(view);
  if (!parts.empty()) section.blocks.emplace_back(members_chart(parts));
  if (view.rows && !view.rows->as_trained) {
    section.text.push_back(fmt::format(
        "{} is not the table this model was trained on (or not with these options), so its rows are taken as one set.",
        quote(view.rows->source)));
  }
  return section;
}

Section explanations(const ModelView& view) {
  Section section{.id = "explanations",
                  .name = "What they look at",
                  .heading = "What does each member look at?",
                  .text = {},
                  .blocks = {}};
  if (!view.rows) return section;
  if (!view.rows->named.empty()) {
    section.blocks.emplace_back(after_refit(named_gradients_chart(*view.rows, view.classes), *view.rows));
  }
  section.blocks.emplace_back(after_refit(gradients_chart(*view.rows, view.classes), *view.rows));
  const bool any_levels =
      std::ranges::any_of(view.rows->features, [](const FeatureView& feature) { return !feature.levels.empty(); });
  if (any_levels) {
    section.folded_name = "Which way each level of a category moves the members";
    section.folded.emplace_back(after_refit(levels_chart(*view.rows, view.classes), *view.rows));
  }
  if (view.rows->features_of > view.rows->features.size()) {
    section.text.push_back(fmt::format("{}he {} columns of largest share, of {}; perpend explain lists all.",
                                       view.rows->named.empty() ? "T" : "First the columns that were asked for, then t",
                                       view.rows->features.size(), thousands(view.rows->features_of)));
  }
  return section;
}

Section worth(const ModelView& view) {
  Section section{.id = "worth-of-columns",
                  .name = "What columns are worth",
                  .heading = "What is each column worth?",
                  .text = {},
                  .blocks = {}};
  if (!view.rows || !view.rows->worth) return section;
  section.blocks.emplace_back(after_refit(worth_chart(*view.rows), *view.rows));
  for (std::size_t i = 0; i < view.rows->dependence.size(); ++i) {
    section.blocks.emplace_back(
        after_refit(dependence_chart(view.rows->dependence[i], *view.rows, view.target, i + 1), *view.rows));
  }
  return section;
}

Section differences(const ModelView& view) {
  Section section{.id = "differences",
                  .name = "How different",
                  .heading = "How different are they, and where?",
                  .text = {},
                  .blocks = {}};
  if (view.members < 2) return section;
  if (view.rows) {
    Chart disagreement = disagreement_chart(view.rows->parts, view.classes.empty());
    if (view.rows->trained_since && !is_forgotten(view)) {
      disagreement.reading += fmt::format(" On {} rows it is that of the members before the refit.", view.rows->judged);
    }
    section.blocks.emplace_back(std::move(disagreement));
    section.blocks.emplace_back(
        after_refit(cosine_chart(view.rows->pairs, view.members - (has_trees(view) ? 1 : 0)), *view.rows));
    if (view.rows->distance) {
      section.folded_name = "Independence at a distance";
      section.folded = {after_refit(distance_chart(*view.rows->distance, view.rows->judged), *view.rows),
                        after_refit(distance_change_chart(*view.rows->distance, view.rows->judged), *view.rows)};
    }
  } else if (view.summary.disagreement_percentiles.size() > 1) {
    section.blocks.emplace_back(familiar_chart(view.summary.disagreement_percentiles));
  }
  return section;
}

Section trust(const ModelView& view) {
  Section section{
      .id = "trust", .name = "When to trust", .heading = "When should one trust it?", .text = {}, .blocks = {}};
  if (!view.rows) return section;
  const auto& risk = view.rows->risk_coverage;
  if (!risk.empty() && risk[0].points.back().y == 0) {
    section.text.push_back(fmt::format(
        "Not one of the {} rows is answered wrong, so there is no risk to trade against coverage.", view.rows->judged));
  } else if (!risk.empty()) {
    section.blocks.emplace_back(before_refit(risk_coverage_chart(*view.rows), *view.rows));
    std::get<Chart>(section.blocks.back()).full = true;
  }
  if (!view.rows->error_by_coverage.empty()) {
    section.blocks.emplace_back(before_refit(error_coverage_chart(*view.rows), *view.rows));
    std::get<Chart>(section.blocks.back()).full = true;
  }
  if (!view.rows->disputed.empty()) section.blocks.emplace_back(disputed_rows(*view.rows));
  return section;
}

// What each member sees of the columns, and how good it is alone.
std::string networks_html(const ModelView& view) {
  const JudgedPart seen = judged(view);
  std::string rows;
  for (std::size_t m = 0; m < view.networks.size(); ++m) {
    const MemberFacts& network = view.networks[m];
    const bool measured = seen.evaluation != nullptr && m < seen.evaluation->members.size();
    const Scores scores = measured ? seen.evaluation->members[m] : Scores();
    std::string units = network.rounds > 0 ? counted(network.rounds, "round") : "";
    for (const std::size_t count : network.units) units += (units.empty() ? "" : "-") + std::to_string(count);
    rows += fmt::format(
        "<tr><th scope=\"row\">member "
        "{}</th><td>{}</td><td>{}</td><td>{}</td><td>{:.3f}</td><td>{}</td><td>{}</td></tr>\n",
        m + 1, html_text(network.view), thousands(network.inputs), units, network.weight,
        scores.regression ? quantity_text(scores.rmse) : number(scores.auc),
        number(scores.regression ? scores.r2 : scores.log_loss));
  }
  return fmt::format(
      "<h3>The members</h3>\n<p>The view is how a member sees the columns: linear and piecewise are networks that take "
      "a number as it is or cut into pieces, logistic is a logistic regression (ridge: a linear one), and trees are "
      "boosted trees. The weight is the member's share in the ensemble's answer.</p>\n<div "
      "class=\"table\"><table><thead><tr><th scope=\"col\">member</th><th "
      "scope=\"col\">view</th><th scope=\"col\">inputs</th><th scope=\"col\">size</th><th "
      "scope=\"col\">weight</th><th scope=\"col\">{2}{0}</th><th scope=\"col\">{3}{0}</th></tr></thead><tbody>\n"
      "{1}</tbody></table></div>",
      seen.evaluation == nullptr ? "" : fmt::format(", {} rows", html_text(seen.name)), rows,
      view.classes.empty() ? "RMSE" : "AUC", view.classes.empty() ? "R²" : "log-loss");
}

std::string options_html(const ModelView& view) {
  std::string rows;
  for (const auto& option : view.options) {
    rows +=
        fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", html_text(option.name), html_text(option.value));
  }
  return "<details><summary>Every option of the training</summary>\n"
         "<div class=\"table\"><table><thead><tr><th scope=\"col\">option</th><th "
         "scope=\"col\">value</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div></details>";
}

Section training(const ModelView& view) {
  Section section{.id = "training", .name = "Training", .heading = "How was it trained?", .text = {}, .blocks = {}};
  if (!view.summary.log.epochs.empty()) {
    const bool any = std::ranges::any_of(view.summary.log.epochs, [](const EpochRecord& r) { return r.penalty != 0; });
    section.folded_name = any ? "Loss and penalty over the training" : "Loss over the training";
    section.folded.emplace_back(loss_chart(view.summary.log, view.classes.empty()));
    if (any) section.folded.emplace_back(penalty_chart(view.summary.log, view.penalty_curve));
  }
  if (!view.networks.empty()) section.blocks.emplace_back(Markup{networks_html(view)});
  section.blocks.emplace_back(Markup{options_html(view)});
  if (!view.card.empty()) section.blocks.emplace_back(Markup{card_html(view.card)});
  return section;
}

Section invitation(const ModelView& view) {
  const std::string html = fmt::format(
      "<div class=\"note\"><p>A model file holds no rows. Give the table it was trained on to see ROC and calibration, "
      "what each member looks at, the cosine matrix, disagreement on training and test rows, risk against coverage, "
      "and the rows in dispute:</p><pre><code>perpend report {0} DATA -o report.html</code></pre><p>and rows from "
      "elsewhere to see whether the members notice:</p><pre><code>perpend report {0} DATA --new NEW.csv -o "
      "report.html</code></pre></div>",
      html_text(shell_word(view.name)));
  return {.id = "more", .name = "", .heading = "There is more to see with rows", .text = {}, .blocks = {Markup{html}}};
}

}  // namespace

std::string count_word(std::size_t count) {
  constexpr std::array kWords = {"no",    "one",   "two",  "three", "four",   "five",  "six",
                                 "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  return count < kWords.size() ? kWords[count] : thousands(count);
}

std::string similarity_words(const Metric& grad_cos2) {
  if (!grad_cos2) return "have input gradients that vanish, so independence cannot be measured";
  const std::string figure = fmt::format(" (likeness {:.3f} of 1)", *grad_cos2);
  switch (independence(*grad_cos2)) {
    case Independence::independent:
      return "react to small changes of a row independently of one another" + figure;
    case Independence::partly:
      return "react to small changes of a row partly alike" + figure;
    case Independence::copies:
      break;
  }
  return "are near copies of one another: one way of reading the data, several times" + figure;
}

std::vector<std::string> substitute_sentences(const RowsView& rows) {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < std::min<std::size_t>(rows.substitutes.size(), 2); ++i) {
    const Substitution& found = rows.substitutes[i];
    sentences.push_back(
        fmt::format("{} and {} stand in for one another: {} and {} reach the same answers from different columns.",
                    listed(found.columns), listed(found.instead), members_named(found.members),
                    members_named(found.other_members)));
  }
  return sentences;
}

Page model_page(const ModelView& view, const std::string& title, const std::string& version) {
  Page page;
  page.title = view.name + " – perpend report";
  page.kicker = fmt::format("{} · {}{}", view.name, title, view.rows ? " · " + view.rows->source : "");
  page.headline = headline(view);
  page.lede = lede(view, title);
  page.facts = facts(view);
  if (const Monitoring* found = monitoring_of(view)) {
    page.answers = moved_answers(*found);
    page.lede.front() = about_members(view) + ". " + page.lede.front();
    page.sections.push_back(monitor_section(*found, view.rows->views));
  }
  for (Section section :
       {quality(view), explanations(view), worth(view), differences(view), trust(view), training(view)}) {
    if (!section.blocks.empty()) page.sections.push_back(std::move(section));
  }
  if (!view.rows) page.sections.push_back(invitation(view));
  page.footer = {fmt::format("Made by perpend {} from {} (sha256 {}).", version, view.name, view.sha256.substr(0, 16)),
                 "Every figure was measured on the rows named beside it. Each curve shows at most 160 exact points, "
                 "and CSV saves all that is drawn. This page needs no internet and sends nothing."};
  return page;
}

}  // namespace perpend
