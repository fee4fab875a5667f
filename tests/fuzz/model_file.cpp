// Any bytes must give a model that is written again as the same bytes, or a ModelFileError of one line. Anything else
// (a crash, another exception, a failed check) is a finding.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "perpend/base/error.h"
#include "perpend/store/model_file.h"
#include "tests/fuzz/require.h"
#include "tests/support/model_files.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using perpend::test::FileParts;

void run(const std::string& bytes) {
  perpend::ModelFile model;
  try {
    model = perpend::from_bytes(bytes, "m");
  } catch (const perpend::ModelFileError& error) {
    perpend::require(std::string_view(error.what()).find('\n') == std::string_view::npos);
    return;
  }
  const std::string written = perpend::to_bytes(model);
  perpend::require(perpend::to_bytes(perpend::from_bytes(written, "m")) == written);
}

bool has_parts(const std::string& bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < 8) return false;
  std::memcpy(&length, bytes.data(), sizeof length);
  return length <= bytes.size() - 8;
}

void mutate(std::string& part, std::size_t room) {
  const std::size_t size = part.size();
  part.resize(size + room);
  part.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(part.data()), size, size + room));
}

}  // namespace

// Tries the bytes as they are, and then with the right length, padding and checksum, to get behind these checks.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  run(bytes);
  if (has_parts(bytes)) run(perpend::test::put_together_sealed(perpend::test::take_apart(bytes)));
  return 0;
}

// Changes either the header or the tensors if the file has these parts, else any byte.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (!has_parts(bytes) || seed % 8 == 0) return LLVMFuzzerMutate(data, size, max_size);
  FileParts parts = perpend::test::take_apart(bytes);
  parts.header.erase(parts.header.find_last_not_of(' ') + 1);
  mutate(seed % 8 == 1 ? parts.data : parts.header, 64);
  const std::string changed = perpend::test::put_together_sealed(parts);
  if (changed.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  changed.copy(reinterpret_cast<char*>(data), changed.size());
  return changed.size();
}
