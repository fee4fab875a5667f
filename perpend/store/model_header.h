// The JSON header of a model file, as text and as values. Internal to store; model_file.h describes the format.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "perpend/model/decision.h"
#include "perpend/model/ensemble.h"
#include "perpend/store/home_tensors.h"
#include "perpend/store/tree_tensors.h"

namespace perpend {

struct ModelHeader {
  Architecture architecture;
  Decision decision;
  std::map<std::string, std::string> metadata;  // the keys that are not the format's own
  std::string sha256;                           // 64 digits
  std::size_t directions = 0;                   // directions of manifold.basis; 0 if there is none
  TreeSizes trees = {};                         // if the last member is trees
  HomeSizes home = {};                          // if the model remembers its rows

  std::size_t members() const { return decision.weights.size(); }
  std::size_t networks() const { return members() - (architecture.has_trees() ? 1 : 0); }
};

// Every header begins like this. The 64 digits of sha256 follow.
constexpr std::string_view kHeaderStart = R"({"__metadata__":{"sha256":")";

// The JSON text, without padding.
std::string header_to_json(const ModelHeader& header);

// Checks everything that can be checked without the tensors, for example that exactly `data_bytes` bytes of them
// follow. `name` begins every message. Throws ModelFileError.
ModelHeader header_from_json(std::string_view json, std::size_t data_bytes, const std::string& name);

// The file cannot be used as it is. Both throw ModelFileError "NAME: FOUND; what to do".
[[noreturn]] void throw_damaged(const std::string& name, const std::string& found);
[[noreturn]] void throw_foreign(const std::string& name, const std::string& found);

}  // namespace perpend
