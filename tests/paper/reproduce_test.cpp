// What `reproduce` does at the command line. tests/web opens its pages.
#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/cli/json_output.h"
#include "tests/cli/small_model.h"

namespace perpend::test {
namespace {

using Json = nlohmann::json;

// Returns the numbers after a title in a table.
std::vector<double> figures(const std::string& text, const std::string& title) {
  const std::size_t at = text.find(title);
  if (at == text.npos) return {};
  std::istringstream in(text.substr(at + title.size(), text.find('\n', at) - at - title.size()));
  return {std::istream_iterator<double>(in), {}};
}

TEST(ReproduceFigureToy, RestartsCoincideAndLitIsOrthogonalWhereNothingWasSeen) {
  const TemporaryFolder folder;
  const auto run = perpend({"reproduce", "figure-toy", "--quick", "-o", folder.path().string()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  // The figures are the angle of the boundaries, that of the gradients, the accuracy of the worse member, and how many
  // pairs fit.
  const auto restarts = figures(run.out, "Random restarts ");
  const auto lit = figures(run.out, "LIT, lambda 1 ");
  ASSERT_EQ(restarts.size(), 4U) << run.out;
  ASSERT_EQ(lit.size(), 4U) << run.out;
  EXPECT_LE(restarts[0], 10);
  EXPECT_LE(restarts[1], 15);
  EXPECT_GE(lit[0], 75);
  EXPECT_GE(lit[1], 75);
  EXPECT_GE(restarts[2], 99);
  EXPECT_GE(lit[2], 98);
  const std::string svg = file_content(folder.path() / "figure-toy.svg");
  EXPECT_EQ(svg.rfind("<svg ", 0), 0U);
  EXPECT_TRUE(contains(svg, ">member 2<"));
}

TEST(ReproduceFigureGradients, DrawsRestartsAboveLit) {
  const TemporaryFolder folder;
  const auto run = perpend({"reproduce", "figure-gradients", "--quick", "-o", folder.path().string()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string svg = file_content(folder.path() / "figure-gradients.svg");
  EXPECT_LT(svg.find(">Random restarts<"), svg.find(">LIT, lambda 1<"));
  for (const char* name : {">ward<", ">sodium<", ">member 2<"}) EXPECT_TRUE(contains(svg, name)) << name;
}

TEST(ReproduceFigureGradients, OfAnIcuTableDrawsThePapersColumns) {
  const TemporaryFolder folder;
  const std::string data = (folder.path() / "icu.csv").string();
  std::ofstream(data) << icu_table();
  const auto run = perpend({"reproduce", "figure-gradients", "--quick", "--data", data, "--target", "in_hospital_death",
                            "-o", folder.path().string()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string svg = file_content(folder.path() / "figure-gradients.svg");
  for (const char* name : {">Age<", ">BUN_last<"}) EXPECT_TRUE(contains(svg, name)) << name;
  EXPECT_FALSE(contains(svg, ">HR_last<"));
}

// A star in a plane and three ribs in space have the same pairs and different volumes.
TEST(ReproduceFigureDpp, PairsAreAlikeAndVolumesAreNot) {
  const TemporaryFolder folder;
  const auto run = perpend({"reproduce", "figure-dpp", "-o", folder.path().string()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto plane = figures(run.out, "in one plane");
  const auto space = figures(run.out, "in three dimensions");
  ASSERT_EQ(plane.size(), 4U) << run.out;
  ASSERT_EQ(space.size(), 4U) << run.out;
  EXPECT_EQ(plane[1], 0.25);
  EXPECT_EQ(space[1], 0.25);
  EXPECT_EQ(plane[2], 0);
  EXPECT_EQ(space[2], 0.5);
  EXPECT_GT(plane[3], space[3]);
  EXPECT_EQ(file_content(folder.path() / "figure-dpp.svg").rfind("<svg ", 0), 0U);
}

TEST(Reproduce, MistakesAreOneLine) {
  expect_error(perpend({"reproduce"}), 2);
  EXPECT_TRUE(contains(expect_error(perpend({"reproduce", "figure-toy", "-o", "/dev/null/f"}), 6), "/dev/null/f"));
}

// The paper's appendix says that orthogonal gradients in three dimensions need not differ along the surface.
TEST(ManifoldFigure, OnlyTangentsMakeMembersDifferAlongTheSurface) {
  const TemporaryFolder folder;
  const Json seen =
      json_of({"reproduce", "figure-manifold", "--quick", "-o", (folder.path() / "new").string(), "--json"});
  const auto ensemble = [&](std::size_t i, const char* name) -> const Json& {
    EXPECT_EQ(seen.at("ensembles").at(i).at("name"), name);
    EXPECT_EQ(seen.at("ensembles").at(i).at("surface"), 1);
    return seen.at("ensembles").at(i);
  };
  const Json& restarts = ensemble(0, "restarts");
  const Json& input = ensemble(1, "input_space");
  const Json& tangent = ensemble(2, "tangent_space");
  for (const Json* one : {&restarts, &input, &tangent}) {
    for (const double accuracy : one->at("accuracy")) EXPECT_GT(accuracy, 0.95);
  }
  const auto along = [](const Json& one, const char* when) { return one.at("tangent_cos2").at(when).get<double>(); };
  EXPECT_GT(along(restarts, "after"), 0.9);
  EXPECT_LT(input.at("grad_cos2").at("after"), 0.1);
  EXPECT_GT(along(input, "after"), 0.5);
  EXPECT_GT(along(tangent, "before"), 0.2);
  EXPECT_LT(along(tangent, "after"), 0.15);
  EXPECT_LT(tangent.at("agreement_where_no_rows_are").get<double>(),
            input.at("agreement_where_no_rows_are").get<double>());
  EXPECT_FALSE(restarts.at("worked"));
  EXPECT_TRUE(tangent.at("worked"));
  EXPECT_TRUE(contains(file_content(folder.path() / "new" / "manifold.svg"), "</svg>"));
}

}  // namespace
}  // namespace perpend::test
