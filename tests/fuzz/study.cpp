// What may happen to any study.toml: a study that is the same when it is written and read again, or one line of
// ConfigError that begins with the file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "perpend/base/error.h"
#include "perpend/study/study.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  perpend::Study study;
  try {
    study = perpend::parse_study(text, "s.toml");
  } catch (const perpend::ConfigError& error) {
    const std::string_view line = error.what();
    require(line.starts_with("s.toml:"));
    for (const char c : line) require(static_cast<unsigned char>(c) >= 0x20);
    return 0;
  }
  perpend::checked_toml(study);  // anything it throws is a finding
  return 0;
}
