#include "perpend/base/portable_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace perpend {
namespace {

TEST(PortableLog, AgreesWithTheLibrary) {
  for (double x = 1e-300; x < 1e300; x *= 1.37)
    EXPECT_NEAR(portable_log(x), std::log(x), 1e-15 * std::abs(std::log(x)));
  EXPECT_EQ(portable_log(1.0), 0.0);
}

TEST(PortableExp, AgreesWithTheLibrary) {
  for (double x = -708; x < 709.7; x += 0.0371) EXPECT_NEAR(portable_exp(x) / std::exp(x), 1, 1e-15) << x;
  EXPECT_EQ(portable_exp(0.0), 1.0);
}

TEST(PortableExp, ReachesZeroAndInfinity) {
  EXPECT_EQ(portable_exp(-746.0), 0.0);
  EXPECT_EQ(portable_exp(710.0), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(portable_exp(-740.0), std::exp(-740.0), 1e-323);
}

TEST(PortableMath, IsPinned) {
  EXPECT_EQ(portable_exp(-1.25), 0x1.25618372a584fp-2);
  EXPECT_EQ(portable_log(0.3), -0x1.34378fcbda721p+0);
}

}  // namespace
}  // namespace perpend
