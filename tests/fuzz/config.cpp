// Any configuration file must set options, or give a ConfigError of one line.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "perpend/base/error.h"
#include "perpend/run/config.h"
#include "perpend/run/option_table.h"
#include "tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  perpend::RunOptions options;
  try {
    perpend::apply_config(perpend::parse_config(text, "c.toml"), options);
  } catch (const perpend::ConfigError& error) {
    const std::string_view line = error.what();
    perpend::require(line.starts_with("c.toml:"));
    for (const char c : line) perpend::require(static_cast<unsigned char>(c) >= 0x20);
    return 0;
  }
  // The options must be the same after they are written and read again.
  perpend::RunOptions again;
  perpend::options_from_json(perpend::options_to_json(options), again);
  perpend::require(perpend::options_to_json(again) == perpend::options_to_json(options));
  return 0;
}
