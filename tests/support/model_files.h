// Makes models from random numbers, takes model files apart and puts them together again.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "perpend/base/random.h"
#include "perpend/base/sha256.h"
#include "perpend/store/model_file.h"

namespace perpend::test {

// Normal weights and biases; member weights 1 : 2 : 3 ...
inline ModelFile made_up_model(const Architecture& architecture, std::size_t members, std::uint64_t seed = 1) {
  ModelFile model;
  model.ensemble.architecture = architecture;
  for (std::size_t m = 0; m < members; ++m) {
    Network<float> network = zero_network<float>(architecture, m);
    for (std::size_t l = 0; l < network.layers.size(); ++l) {
      const Stream stream({.seed = seed,
                           .purpose = Purpose::test,
                           .member = static_cast<std::uint32_t>(m),
                           .step = static_cast<std::uint32_t>(l)});
      Layer<float>& layer = network.layers[l];
      std::uint64_t next = 0;
      for (std::size_t i = 0; i < architecture.in(l, m); ++i) {
        for (std::size_t j = 0; j < architecture.out(l); ++j) {
          layer.weight(i, j) = static_cast<float>(stream.normal(next++));
        }
      }
      for (std::size_t j = 0; j < architecture.out(l); ++j) layer.bias[j] = static_cast<float>(stream.normal(next++));
    }
    model.ensemble.members.push_back(std::move(network));
    model.decision.weights.push_back(2.0 * static_cast<double>(m + 1) / static_cast<double>(members * (members + 1)));
  }
  model.metadata = {{"options", R"({"lambda":1,"method":"lit"})"}, {"classes", R"(["no","yes \"or\" ü"])"}};
  return model;
}

struct FileParts {
  std::string header;  // with its padding
  std::string data;
};

inline FileParts take_apart(const std::string& bytes) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  return {bytes.substr(8, length), bytes.substr(8 + length)};
}

// Puts the parts together with the right length of the header, but changes nothing else.
inline std::string put_together(const FileParts& parts) {
  const std::uint64_t length = parts.header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + parts.header + parts.data;
}

// Makes padding and checksum right as well, so that a reader can only find other errors.
inline std::string put_together_sealed(FileParts parts) {
  parts.header.resize(round_up(8 + parts.header.size(), 64) - 8, ' ');
  const std::string_view mark = "\"sha256\":\"";
  const std::size_t digits = parts.header.find(mark) + mark.size();
  if (digits >= mark.size() && digits + 64 <= parts.header.size()) {
    parts.header.replace(digits, 64, std::string(64, '0'));
    parts.header.replace(digits, 64, sha256_hex(put_together(parts)));
  }
  return put_together(parts);
}

}  // namespace perpend::test
