#include "paper/table1.h"

#include <gtest/gtest.h>

namespace perpend::paper {
namespace {

std::size_t trials(Study study) {
  for (auto& dataset : study.datasets) dataset.sha256 = std::string(64, 'a');
  return trials_of(study).size();
}

TEST(Table1Study, HasThePapers25500Trials) {
  EXPECT_EQ(trials(table1_study(false)), 25500U);
  EXPECT_EQ(trials(table1_study(true)), 1890U);
}

TEST(Table1Study, ComesBackFromItsFullText) {
  for (const bool quick : {true, false}) {
    const std::string text = to_toml(table1_study(quick));
    EXPECT_EQ(to_toml(parse_study(text, "study.toml")), text);
  }
}

}  // namespace
}  // namespace perpend::paper
