// Any text, read as an autoencoder, must give tangents that are numbers, or a DataError of one line.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "perpend/manifold/decoder.h"
#include "tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  perpend::expect_one_line(perpend::ErrorKind::data, [&] {
    const perpend::Autoencoder autoencoder = perpend::parse_autoencoder(text, "d.json");
    perpend::Inputs rows(3, autoencoder.features());
    for (std::size_t f = 0; f < rows.cols(); ++f) rows(1, f) = 1.5F, rows(2, f) = -3e38F;
    const auto tangents = perpend::decoder_tangents(autoencoder, rows.view(), perpend::Threads(1));
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      for (std::size_t k = 0; k < tangents.directions(); ++k) {
        for (std::size_t f = 0; f < rows.cols(); ++f) perpend::require(std::isfinite(tangents.direction(r, k)[f]));
      }
    }
  });
  return 0;
}
