#include "perpend/report/study_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "perpend/base/message.h"
#include "perpend/report/model_page.h"
#include "perpend/report/study_charts.h"

namespace perpend {

namespace {

std::string where_words(const std::string& split) {
  if (split == "random") return "on random splits";
  if (split == "extrapolation") return "under extrapolation";
  if (split == "limited") return "with limited rows";
  return "on the " + split + " split";
}

std::vector<std::string> splits_of(const StudyView& view) {
  std::vector<std::string> splits;
  for (const auto& place : view.places) {
    if (std::ranges::find(splits, place.split) == splits.end()) splits.push_back(place.split);
  }
  return splits;
}

// The method that leads on most data sets of a split. A lead within its standard error does not count.
struct SplitLead {
  std::string method;
  std::size_t leads = 0, judged = 0;
  bool tied = false;  // another method leads on as many
};

SplitLead lead_on(const StudyView& view, const std::string& split) {
  std::map<std::size_t, std::size_t> counts;
  SplitLead lead;
  for (const auto& leader : view.leaders) {
    if (view.places[leader.place].split != split) continue;
    ++lead.judged;
    if (leader.is_lead()) ++counts[leader.method];
  }
  for (const auto& [method, count] : counts) {
    if (count == lead.leads) lead.tied = true;
    if (count <= lead.leads) continue;
    lead = {view.methods[method], count, lead.judged, false};
  }
  return lead;
}

// "on 4 of 5 data sets under extrapolation".
std::string where_it_leads(const StudyView& view, const SplitLead& lead, const std::string& split, bool first) {
  if (view.datasets == 1) return where_words(split);
  return fmt::format("on {} of {}{} {}", lead.leads, lead.judged, first ? " data sets" : "", where_words(split));
}

std::string headline(const StudyView& view) {
  if (view.restarts == 1 && !view.leaders.empty()) return "One restart cannot tell who leads";
  std::string text;
  std::string before;  // the method that was named last
  auto splits = splits_of(view);
  std::ranges::reverse(splits);  // how methods do away from the training rows comes first
  for (const auto& split : splits) {
    const SplitLead lead = lead_on(view, split);
    if (lead.judged == 0) continue;
    if (lead.leads == 0) {
      text += fmt::format("{} leads by more than noise {}", text.empty() ? "No method" : "; none", where_words(split));
      before.clear();
      continue;
    }
    if (lead.tied) {
      text += fmt::format("{} {}", text.empty() ? "No method leads on most data sets" : "; no method does",
                          where_words(split));
      before.clear();
      continue;
    }
    const std::string where = where_it_leads(view, lead, split, text.empty());
    if (!text.empty()) text += lead.method == before ? " and " : "; ";
    text += lead.method == before ? where : fmt::format("{} leads {}", lead.method, where);
    before = lead.method;
  }
  if (!text.empty()) return text;
  if (view.methods.size() < 2)
    return fmt::format("{} alone, on {}", view.methods.front(), counted(view.datasets, "data set"));
  return fmt::format("Too early to name a leader: {} of {} are in", thousands(view.in), counted(view.trials, "trial"));
}

std::string list_words(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text;
}

std::string size_words(const StudyView& view) {
  std::vector<std::string> sizes;
  for (const int members : view.members) sizes.push_back(std::to_string(members));
  return fmt::format("{} under {}, {}, ensembles of {} networks, {}: {}", counted(view.datasets, "data set"),
                     counted(view.splits, "split"), counted(view.methods.size(), "method"), list_words(sizes),
                     counted(view.restarts, "restart"), counted(view.trials, "trial"));
}

std::string clear_leads(const StudyView& view) {
  std::vector<std::string> clear;
  for (const auto& leader : view.leaders) {
    if (!leader.is_clear) continue;
    clear.push_back(fmt::format("{} ({} over {} by {:.3f})", place_name(view.places[leader.place]),
                                view.methods[leader.method], view.methods[leader.second], leader.margin));
  }
  const std::string rule =
      "A method leads where its mean test AUC is the highest, and above that of the second by more than the standard "
      "error of the difference. In each restart, the validation rows chose the size and lambda. ";
  if (view.leaders.empty()) return rule + "That can be said once every method has a restart whose trials are all in.";
  if (clear.empty()) return rule + "Nowhere is the lead over the second more than the noise between restarts.";
  constexpr std::size_t kMost = 6;
  const std::size_t count = clear.size();
  const bool cut = count > kMost;
  if (cut) clear.resize(kMost);
  return rule +
         fmt::format(
             "The lead over the second is more than the noise between restarts on {} of {} data sets and splits: {}{}.",
             count, view.leaders.size(), list_words(clear), cut ? " and others" : "");
}

std::vector<std::string> lede(const StudyView& view) {
  std::string state = view.in == view.trials ? ", all in"
                                             : fmt::format(", of which {} are in and {} are missing",
                                                           thousands(view.in), thousands(view.trials - view.in));
  if (view.diverged > 0) state += fmt::format(" ({} diverged)", thousands(view.diverged));
  return {size_words(view) + state + ".", clear_leads(view)};
}

double all_seconds(const StudyView& view) {
  double sum = 0;
  for (const auto& time : view.methods_time) sum += time.seconds;
  return sum;
}

std::vector<Fact> facts(const StudyView& view) {
  std::vector<Fact> list = {{"Trials in", thousands(view.in), "of " + thousands(view.trials)},
                            {"Processor time", duration_text(all_seconds(view)), "training and testing"}};
  if (view.diverged > 0) list.push_back({"Diverged", thousands(view.diverged), "never chosen, averaged nowhere"});
  if (!view.leaders.empty()) {
    const auto clear = std::ranges::count_if(view.leaders, &StudyLeader::is_clear);
    list.push_back(
        {"Clear leads", std::to_string(clear), fmt::format("of {} data sets and splits", view.leaders.size())});
  }
  if (view.compared > 0) {
    list.push_back({"Differ from the " + view.printed_name, thousands(view.differ),
                    fmt::format("of {} figures", thousands(view.compared))});
  }
  return list;
}

Section table_section(const StudyView& view) {
  Section section{.id = "table", .name = "Table", .heading = "Which method is best where?", .text = {}, .blocks = {}};
  section.text.push_back(
      "Test rows, mean ± sd over restarts. Bold: mean ± standard error overlaps that of the best AUC. Networks and "
      "lambda: chosen most often.");
  if (!view.printed_of_other_data.empty()) {
    section.text.push_back(
        fmt::format("The {}'s figures are of {}, which is not this data: they stand beside ours and are not compared.",
                    view.printed_name, view.printed_of_other_data));
  } else if (view.compared > 0) {
    section.text.push_back(
        fmt::format("≠ marks the {} of {} figures that are further from the {}'s than chance and rounding explain.",
                    view.differ, view.compared, view.printed_name));
  }
  if (view.in < view.trials) {
    section.text.push_back(
        "An entry averages the restarts whose trials are all in; a dash has none yet, or is undefined.");
  }
  for (const auto& split : splits_of(view)) section.blocks.emplace_back(results_table(view, split));
  return section;
}

Section missing_section(const StudyView& view) {
  Section section{.id = "missing", .name = "Missing", .heading = "What is missing?", .text = {}, .blocks = {}};
  if (view.in == view.trials) return section;
  section.text.push_back(
      fmt::format("{} of {} are not in yet; the command that began the study goes on with them. Curves average what is "
                  "in, restart by restart.",
                  thousands(view.trials - view.in), counted(view.trials, "trial")));
  section.blocks.emplace_back(missing_table(view));
  return section;
}

Section lambda_section(const StudyView& view) {
  Section section{
      .id = "strength", .name = "Lambda", .heading = "How much does lambda matter?", .text = {}, .blocks = {}};
  if (drawn_places(view) < view.places.size()) {
    section.text.push_back(
        fmt::format("This and the charts below show the first {} of {} data sets and splits; perpend table lists all.",
                    drawn_places(view), view.places.size()));
  }
  section.blocks.emplace_back(lambda_chart(view));
  return section;
}

Section size_section(const StudyView& view) {
  Section section{.id = "sizes", .name = "Size", .heading = "How many networks?", .text = {}, .blocks = {}};
  if (view.members.size() > 1 && !view.sizes.empty()) section.blocks.emplace_back(size_chart(view));
  return section;
}

Section diversity_section(const StudyView& view) {
  Section section{
      .id = "diversity", .name = "Diversity", .heading = "What does diversity buy?", .text = {}, .blocks = {}};
  const auto has = [&](Spread StudyCell::*value) {
    return std::ranges::any_of(view.cells, [&](const StudyCell& c) { return (c.*value).mean && c.grad_cos2.mean; });
  };
  if (has(&StudyCell::rho_av)) section.blocks.emplace_back(similarity_chart(view));
  if (has(&StudyCell::q_av)) section.blocks.emplace_back(q_chart(view));
  if (has(&StudyCell::auc)) section.blocks.emplace_back(auc_cos2_chart(view));
  if (has(&StudyCell::rho_av)) section.blocks.emplace_back(auc_rho_chart(view));
  return section;
}

Section best_section(const StudyView& view) {
  Section section{.id = "best", .name = "Best trials", .heading = "The best single trials", .text = {}, .blocks = {}};
  section.text.push_back(
      "The highest validation AUC on each data set and split. Each is one trial of one restart, chosen to be the best: "
      "the table is what counts.");
  if (!view.best.empty()) section.blocks.emplace_back(best_table(view));
  return section;
}

Section time_section(const StudyView& view) {
  Section section{.id = "work", .name = "Time", .heading = "What did it cost?", .text = {}, .blocks = {}};
  section.blocks.emplace_back(time_chart(view));
  if (view.processes_time.size() > 1) section.blocks.emplace_back(process_table(view));
  section.blocks.emplace_back(settings_table(view));
  return section;
}

}  // namespace

Page study_page(const StudyView& view, const std::string& version) {
  Page page;
  page.title = view.name + " – perpend study";
  std::vector<std::string> names;
  for (const auto& place : view.places) {
    if (std::ranges::find(names, place.dataset) == names.end()) names.push_back(place.dataset);
  }
  constexpr std::size_t kMost = 8;
  const bool cut = names.size() > kMost;
  if (cut) names.resize(kMost);
  page.kicker = fmt::format("{} · study of {}{}", view.name, fmt::join(names, ", "), cut ? ", ..." : "");
  page.headline = headline(view);
  page.lede = lede(view);
  page.facts = facts(view);
  for (Section section : {missing_section(view), table_section(view), lambda_section(view), size_section(view),
                          diversity_section(view), best_section(view), time_section(view)}) {
    if (!section.blocks.empty()) page.sections.push_back(std::move(section));
  }
  page.footer = {fmt::format("Made by perpend {} from the study {}.", version, view.name),
                 "Every figure is of test rows, which chose nothing. CSV saves all that is drawn. This page needs no "
                 "internet and sends nothing."};
  return page;
}

}  // namespace perpend
