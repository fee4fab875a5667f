#include "perpend/kernels/target.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "perpend/base/error.h"
#include "tests/support/targets.h"

namespace perpend::kernels {
namespace {

TEST(Target, ThePlainOneIsAlwaysThereAndLast) {
  ASSERT_FALSE(available_targets().empty());
  EXPECT_EQ(available_targets().back(), "SCALAR");
}

TEST(Target, TheOneAskedForIsTheOneInUse) {
  test::on_every_target([] {});
  EXPECT_EQ(active_target(), available_targets().front());
  for (const auto& target : available_targets()) {
    use_target(target);
    EXPECT_EQ(active_target(), target);
  }
  use_target("");
  EXPECT_EQ(active_target(), available_targets().front());
}

TEST(Target, AnUnknownOneIsRefusedByName) {
  try {
    use_target("ABACUS");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("ABACUS"), std::string::npos);
  }
}

}  // namespace
}  // namespace perpend::kernels
