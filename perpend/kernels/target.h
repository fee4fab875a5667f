// Which instruction set the kernels run on. The results do not depend on it; only speed does.
#pragma once

#include <string>
#include <vector>

namespace perpend::kernels {

// Names of the targets that this program holds and this machine can run. The best comes first, for example AVX3_DL AVX3
// AVX2 SCALAR.
std::vector<std::string> available_targets();
std::string active_target();
std::string highway_version();  // "1.0.3"
// Makes the kernels use this target from now on ("" for the best). For tests and measurements; not thread-safe.
void use_target(const std::string& name);

}  // namespace perpend::kernels
