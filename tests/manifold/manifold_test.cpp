#include "perpend/manifold/manifold.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/base/error.h"
#include "perpend/data/generate.h"
#include "tests/data/npy_bytes.h"
#include "tests/data/temp_folder.h"
#include "tests/support/data.h"

namespace perpend {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

template <class T>
std::string npy(const char* dtype, const char* shape, const std::vector<T>& values, bool fortran = false) {
  return npy_bytes(npy_header(dtype, shape, fortran), raw_bytes(values));
}

FittedManifold fit(const std::string& spec, const Inputs& inputs) {
  return fit_manifold(parse_manifold(spec), inputs.view(), {}, inputs.rows(), Threads(1));
}

std::string refusal(const std::string& spec, const Inputs& inputs) {
  try {
    fit(spec, inputs);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ManifoldSpec, HasSixForms) {
  EXPECT_EQ(parse_manifold("none"), ManifoldSpec());
  EXPECT_EQ(parse_manifold("auto").kind, ManifoldKind::automatic);
  EXPECT_EQ(parse_manifold("pca:3"), (ManifoldSpec{ManifoldKind::pca, 3, ""}));
  EXPECT_EQ(parse_manifold("local-pca:12"), (ManifoldSpec{ManifoldKind::local_pca, 12, ""}));
  EXPECT_EQ(parse_manifold("a/t.npy"), (ManifoldSpec{ManifoldKind::given, 0, "a/t.npy"}));
  EXPECT_EQ(parse_manifold("ae.json"), (ManifoldSpec{ManifoldKind::decoder, 0, "ae.json"}));
  for (const char* bad : {"", "pca", "pca:", "pca:0", "pca:-1", "pca:3x", "local-pca:", "t.csv", "Auto"}) {
    EXPECT_THROW(parse_manifold(bad), ConfigError) << bad;
  }
}

TEST(AutoManifold, TakesThePrincipalDirectionsOfCorrelatedColumns) {
  const auto blocks = generate("blocks");
  const FittedManifold found = fit("auto", blocks.inputs);
  EXPECT_EQ(found.directions, 3U);
  EXPECT_TRUE(found.shared.is_shared());
  EXPECT_TRUE(contains(found.summary, "3 of 12 principal directions")) << found.summary;
  EXPECT_TRUE(contains(found.summary, "strongly correlated")) << found.summary;
}

TEST(AutoManifold, LeavesUncorrelatedColumnsAlone) {
  const FittedManifold found = fit("auto", test::normal_data(500, 6, 1).inputs);
  EXPECT_EQ(found.directions, 0U);
  EXPECT_TRUE(contains(found.summary, "whole input space")) << found.summary;
  const Inputs rows(3, 6);
  EXPECT_TRUE(tangents_at(found, rows.view(), {}, Threads(1)).empty());
}

// Levels of a category sum to 1, so no row moves along all of them at once.
TEST(AutoManifold, TakesOutTheDirectionCommonToAllLevelsOfACategory) {
  const auto normal = test::normal_data(500, 4, 2);
  Inputs inputs(500, 7);
  for (std::size_t r = 0; r < 500; ++r) {
    for (std::size_t f = 0; f < 4; ++f) inputs(r, f) = normal.inputs(r, f);
    inputs(r, 4 + r % 3) = 1;
  }
  const FittedManifold found = fit("auto", inputs);
  ASSERT_EQ(found.directions, 6U);
  EXPECT_TRUE(contains(found.summary, "6 directions in which the rows vary, of 7")) << found.summary;
  for (std::size_t k = 0; k < 6; ++k) {
    const float* direction = found.shared.direction(0, k);
    EXPECT_NEAR(direction[4] + direction[5] + direction[6], 0, 1e-6) << k;
  }
}

TEST(GivenTangents, AreReadForAllRowsOrForEach) {
  const TempFolder folder;
  const Inputs inputs(2, 3);
  // (columns, K) = (3, 2): entry (f, k) is 10 f + k.
  const std::string shared = folder.write("j.npy", npy("<f4", "(3, 2)", std::vector<float>{0, 1, 10, 11, 20, 21}));
  const FittedManifold one = fit(shared, inputs);
  ASSERT_TRUE(one.shared.is_shared());
  EXPECT_EQ(one.shared.direction(0, 1)[2], 21);
  EXPECT_EQ(one.shared.direction(0, 0)[1], 10);

  const std::string rows = folder.write("r.npy", npy("<f8", "(2, 3, 1)", std::vector<double>{1, 2, 3, 4, 5, 6}));
  const FittedManifold each = fit(rows, inputs);
  EXPECT_TRUE(each.shared.empty());
  const std::vector<std::uint32_t> second_only = {1};
  const Tangents at = tangents_at(each, inputs.view().middle_rows(0, 1), second_only, Threads(1));
  EXPECT_EQ(at.direction(0, 0)[0], 4);
  EXPECT_EQ(at.direction(0, 0)[2], 6);
}

TEST(GivenTangents, InFortransOrderAreTheSameNumbers) {
  const TempFolder folder;
  const Inputs inputs(2, 3);
  const std::string path = folder.write("f.npy", npy("<f4", "(3, 2)", std::vector<float>{0, 10, 20, 1, 11, 21}, true));
  EXPECT_EQ(fit(path, inputs).shared.direction(0, 1)[2], 21);
}

TEST(Manifold, ThatDoesNotFitTheTableIsRefusedWithBothSizes) {
  const TempFolder folder;
  const Inputs inputs(2, 3);
  EXPECT_TRUE(contains(refusal("pca:4", inputs), "4 directions, but the table has 3 encoded columns"));
  EXPECT_TRUE(contains(refusal("local-pca:4", inputs), "4 directions"));
  const std::string wide = folder.write("w.npy", npy("<f4", "(2, 2)", std::vector<float>{0, 1, 2, 3}));
  EXPECT_TRUE(
      contains(refusal(wide, inputs), "has the shape (2, 2); tangents must have the shape (3, K), or (2, 3, K)"));
  const std::string few = folder.write("n.npy", npy("<f4", "(1, 3, 1)", std::vector<float>{0, 1, 2}));
  EXPECT_TRUE(contains(refusal(few, inputs), "has the shape (1, 3, 1)"));
  const std::string large = folder.write("l.npy", npy("<f4", "(3, 1)", std::vector<float>{0, 2e15F, 2}));
  EXPECT_TRUE(contains(refusal(large, inputs), "at most 1e15"));
  const std::string nan = folder.write("nan.npy", npy("<f4", "(3, 1)", std::vector<float>{0, NAN, 2}));
  EXPECT_TRUE(contains(refusal(nan, inputs), "not finite"));
  EXPECT_TRUE(contains(refusal(folder.path("no.npy"), inputs), "no.npy"));
  EXPECT_TRUE(contains(refusal(folder.path("no.json"), inputs), "no.json"));
}

}  // namespace
}  // namespace perpend
