#include "perpend/report/page.h"

#include <gtest/gtest.h>

#include "perpend/base/error.h"
#include "perpend/report/assets.h"

namespace perpend {
namespace {

Page small_page() {
  Page page;
  page.title = "{{script}}</title>";
  page.headline = "<b>& {{charts}}";
  page.footer = {"foot"};
  Chart chart{.id = "one", .title = "t", .reading = "r", .alt = "a", .spec = R"({"mark":"bar"})"};
  chart.data = {{"name", "value"}, {{std::string("</script>"), 0.1}, {std::string("x"), Cell()}}};
  page.sections = {{.id = "s", .name = "S", .heading = "H", .text = {}, .blocks = {chart}}};
  return page;
}

TEST(PageHtml, WithoutItsPartsSaysWhatToInstall) {
  if (!page_assets().page.empty()) GTEST_SKIP() << "perpend was built with its page";
  try {
    page_html(small_page());
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("npm"), std::string::npos);
  }
}

TEST(PageHtml, EscapesEveryStringAndFillsEachSlotOnce) {
  if (page_assets().page.empty()) GTEST_SKIP() << "perpend was built without npm, so it has no page";
  const std::string html = page_html(small_page());
  EXPECT_NE(html.find("<title>{{script}}&lt;/title&gt;</title>"), std::string::npos);
  EXPECT_NE(html.find("<h1>&lt;b&gt;&amp; {{charts}}</h1>"), std::string::npos);
  EXPECT_NE(html.find(R"("rows":[["\u003c/script\u003e",0.1],["x",null]])"), std::string::npos);
  EXPECT_LT(html.size(), 2'000'000U);
}

TEST(PageHtml, FoldsAwayWhatIsRarelyNeededAndEndsWithWhatToDo) {
  Page page = small_page();
  Section& section = page.sections[0];
  section.folded_name = "<rare>";
  section.folded = section.blocks;
  std::get<Chart>(section.folded[0]).id = "two";
  section.conclusion = "Keep <it>.";
  ASSERT_EQ(section.charts().size(), 2U);
  EXPECT_EQ(section.charts()[1]->id, "two");
  if (page_assets().page.empty()) GTEST_SKIP() << "perpend was built without npm, so it has no page";
  const std::string html = page_html(page);
  const std::size_t fold = html.find("<details class=\"fold\"><summary>&lt;rare&gt;</summary>");
  ASSERT_NE(fold, html.npos);
  EXPECT_GT(html.find("<figure id=\"two\""), fold);
  EXPECT_LT(html.find("<figure id=\"one\""), fold);
  EXPECT_GT(html.find("<b>What to do.</b> Keep &lt;it&gt;."), html.find("<figure id=\"two\""));
  EXPECT_NE(html.find(R"("id":"two","spec")"), html.npos);
}

TEST(PageHtml, AsksForNothingFromElsewhere) {
  if (page_assets().page.empty()) GTEST_SKIP() << "perpend was built without npm, so it has no page";
  const std::string html = page_html(small_page());
  const std::string own = html.substr(0, html.find("<script>"));  // Vega itself names its schemas
  for (const char* outside : {"http:", "https:", "//cdn", "src=\"h", "@import", "url("}) {
    EXPECT_EQ(own.find(outside), std::string::npos) << outside;
  }
  EXPECT_NE(html.find("default-src 'none'; script-src 'sha256-"), std::string::npos);
}

}  // namespace
}  // namespace perpend
