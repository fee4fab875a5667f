#include "paper/study_figures.h"

#include <gtest/gtest.h>

#include "tests/report/small_study.h"
#include "tests/study/table_folder.h"

namespace perpend::paper {
namespace {

using test::contains;
using test::small_view;

TEST(StudyFigures, AreWholeWhateverNamesTheDataHas) {
  const StudyView view = small_view();
  for (const auto& picture : {lambda_figure(view), size_figure(view), metrics_figure(view)}) {
    ASSERT_FALSE(picture.pictures.empty());
    for (const auto& drawn : picture.pictures) {
      EXPECT_EQ(drawn.svg.rfind("<svg ", 0), 0U);
      EXPECT_FALSE(contains(drawn.svg, "</script>"));
      EXPECT_FALSE(contains(drawn.svg, "nan"));
    }
    EXPECT_EQ(picture.page.sections.front().blocks.size(), picture.pictures.size());
  }
  EXPECT_TRUE(contains(lambda_figure(view).pictures[0].svg, "&lt;/script&gt;"));
  EXPECT_EQ(size_figure(view).pictures[1].name, "figure-size-lambda");
}

}  // namespace
}  // namespace perpend::paper
