#include "perpend/kernels/target.h"

#include <hwy/highway.h>

#include "perpend/base/error.h"

namespace perpend::kernels {

namespace {

// The lowest bit is the best target, and the plain target runs everywhere. Highway is asked only once, because its
// SupportedTargets() forgets which target was chosen.
std::int64_t runnable() {
  static const std::int64_t targets = (hwy::SupportedTargets() & HWY_TARGETS) | HWY_SCALAR;
  return targets;
}

}  // namespace

std::vector<std::string> available_targets() {
  std::vector<std::string> names;
  for (std::int64_t bits = runnable(); bits != 0; bits &= bits - 1) names.emplace_back(hwy::TargetName(bits & -bits));
  return names;
}

std::string active_target() {
  auto& chosen = hwy::GetChosenTarget();
  if (!chosen.IsInitialized()) chosen.Update(runnable());
  const auto names = available_targets();
  std::size_t i = 0;
  const auto index = chosen.GetIndex();
  for (std::int64_t bits = runnable(); bits != 0; bits &= bits - 1, ++i) {
    hwy::ChosenTarget one;
    one.Update(bits & -bits);
    if (one.GetIndex() == index) return names[i];
  }
  return names.back();
}

std::string highway_version() {
  return std::to_string(HWY_MAJOR) + "." + std::to_string(HWY_MINOR) + "." + std::to_string(HWY_PATCH);
}

void use_target(const std::string& name) {
  for (std::int64_t bits = runnable(); bits != 0; bits &= bits - 1) {
    const std::int64_t target = bits & -bits;
    if (name.empty() || name == hwy::TargetName(target)) {
      hwy::GetChosenTarget().Update(target);
      return;
    }
  }
  throw ConfigError("this machine cannot run kernel target '" + name + "'");
}

}  // namespace perpend::kernels
