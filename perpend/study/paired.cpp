#include "perpend/study/paired.h"

#include <fmt/format.h>

#include <algorithm>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/study/table_format.h"

namespace perpend {

namespace {

std::string title(Method method) {
  return fmt::format("Paired by restart, test AUC of {} less that of the others:", name_of(method));
}

std::string verdict(const Lead& lead) {
  if (!lead.interval) return "one restart cannot tell";
  return lead.more_than_noise() ? "more than noise" : "no more than noise";
}

std::string interval_text(const Lead& lead) {
  return lead.interval ? fmt::format("{:+.3f} to {:+.3f}", lead.interval->low, lead.interval->high) : "-";
}

std::string mean_text(const Lead& lead) {
  return lead.difference.mean ? fmt::format("{:+.3f}", *lead.difference.mean) : "-";
}

}  // namespace

std::vector<PairedLead> paired_leads(const StudyFolder& folder, Method method) {
  const Study& study = folder.study;
  if (std::ranges::find(study.methods, method) == study.methods.end()) {
    throw ConfigError(fmt::format("the study has no method {} to pair with", name_of(method)));
  }
  const auto names = dataset_names(study);
  std::vector<std::vector<TrialResult>> selected;
  for (std::size_t d = 0; d < names.size(); ++d) selected.push_back(select_by_validation(complete_results(folder, d)));
  std::vector<PairedLead> leads;
  for (const auto split : study.splits) {
    for (std::size_t d = 0; d < names.size(); ++d) {
      for (const auto other : study.methods) {
        if (other == method) continue;
        leads.push_back({.split = split, .dataset = names[d], .lead = lead(selected[d], split, method, other)});
      }
    }
  }
  return leads;
}

std::string paired_text(const std::vector<PairedLead>& leads, Method method) {
  std::string text = "\n" + title(method) + "\n";
  std::size_t widest = 0;
  for (const auto& one : leads) widest = std::max(widest, printable(one.dataset).size());
  for (const auto& one : leads) {
    text += fmt::format("{:<14} {:<{}}  {:<9} {:>7}  ({})  ahead in {} of {}, {}\n", name_of(one.split),
                        printable(one.dataset), widest, name_of(one.lead.over), mean_text(one.lead),
                        interval_text(one.lead), one.lead.ahead, one.lead.difference.count, verdict(one.lead));
  }
  return text;
}

std::string paired_markdown(const std::vector<PairedLead>& leads, Method method) {
  std::string text = fmt::format(
      "\n{}\n\n| split | data set | over | mean | 95 % interval | ahead | |\n|---|---|---|---|---|---|---|\n",
      title(method));
  for (const auto& one : leads) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} of {} | {} |\n", name_of(one.split),
                        markdown_escaped(one.dataset), name_of(one.lead.over), mean_text(one.lead),
                        interval_text(one.lead), one.lead.ahead, one.lead.difference.count, verdict(one.lead));
  }
  return text;
}

}  // namespace perpend
