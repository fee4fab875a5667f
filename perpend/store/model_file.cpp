#include "perpend/store/model_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/sha256.h"
#include "perpend/store/model_header.h"

namespace perpend {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied between file and memory as they are");

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kDigits = 64;
constexpr std::size_t kDigestAt = kLengthBytes + kHeaderStart.size();

// Calls use(numbers, count) for each run of numbers that is contiguous in memory, in the order of the file.
template <class Networks, class Basis, class Use>
void for_each_run(Networks& members, Basis& basis, const Use& use) {
  for (auto& network : members) {
    for (auto& layer : network.layers) {
      for (std::size_t r = 0; r < layer.weight.rows(); ++r) use(layer.weight.row(r), layer.weight.cols());
      use(layer.bias.data(), layer.weight.cols());
    }
  }
  for (std::size_t k = 0; k < basis.directions(); ++k) use(basis.direction(0, k), basis.features());
}

std::string digest_of(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes.substr(0, kDigestAt));
  hash.update(std::string(kDigits, '0'));
  hash.update(bytes.substr(kDigestAt + kDigits));
  return hash.hex();
}

void check_shapes(const ModelFile& model) {
  const Architecture& architecture = model.ensemble.architecture;
  PERPEND_CHECK(architecture.features > 0 && architecture.classes > 1);
  PERPEND_CHECK(model.decision.weights.size() == model.ensemble.members.size());
  PERPEND_CHECK(are_member_weights(model.decision.weights));
  PERPEND_CHECK(problem_of(model.decision.map, architecture.classes).empty());
  PERPEND_CHECK(!model.decision.threshold || (architecture.classes == 2 && is_threshold(*model.decision.threshold)));
  if (const auto& correction = model.decision.correction) {
    PERPEND_CHECK(
        problem_of(*correction, correction->bias.size() == 1 ? 1 : architecture.classes, model.ensemble.members.size())
            .empty());
  }
  if (const auto& gate = model.decision.gate) {
    PERPEND_CHECK(model.decision.rule == Rule::mean && problem_of(*gate, model.ensemble.members.size()).empty());
  }
  PERPEND_CHECK(model.basis.empty() || (model.basis.is_shared() && model.basis.features() == architecture.features));
  for (std::size_t m = 0; m < model.ensemble.members.size(); ++m) {
    const Network<float>& network = model.ensemble.members[m];
    if (m >= model.ensemble.differentiable()) continue;
    PERPEND_CHECK(network.layers.size() == architecture.layers());
    for (std::size_t l = 0; l < architecture.layers(); ++l) {
      const Layer<float>& layer = network.layers[l];
      PERPEND_CHECK(layer.weight.rows() == architecture.in(l, m) && layer.weight.cols() == architecture.out(l));
      PERPEND_CHECK(layer.weight.cols() > 0 && layer.bias.size() >= layer.weight.cols());
    }
  }
  if (!architecture.has_trees()) return;
  PERPEND_CHECK(architecture.views.size() == model.ensemble.members.size());
  PERPEND_CHECK(model.ensemble.trees.outputs() == architecture.scores());
  PERPEND_CHECK(problem_of(model.ensemble.trees, architecture.columns).empty());
}

std::string padded_header(const ModelFile& model) {
  std::string header = header_to_json({.architecture = model.ensemble.architecture,
                                       .decision = model.decision,
                                       .metadata = model.metadata,
                                       .sha256 = std::string(kDigits, '0'),
                                       .directions = model.basis.directions(),
                                       .trees = sizes_of(model.ensemble.trees),
                                       .home = sizes_of(model.home)});
  header.resize(round_up(kLengthBytes + header.size(), kAlignment) - kLengthBytes, ' ');
  if (header.size() > kMaxHeaderBytes) {
    throw ModelFileError("the model's description takes " + counted(header.size(), "byte") +
                         ", but a model file holds at most " + thousands(kMaxHeaderBytes) +
                         "; drop columns, or train fewer members");
  }
  return header;
}

// The length of the header, once the first 8 bytes are known.
std::size_t header_length(std::string_view first, std::size_t file_bytes, const std::string& name) {
  if (std::min(first.size(), file_bytes) < kLengthBytes) {
    throw_foreign(name, "the file has " + counted(file_bytes, "byte") + ", too few for a header");
  }
  std::uint64_t length = 0;
  std::memcpy(&length, first.data(), kLengthBytes);
  if (length > kMaxHeaderBytes) {
    throw_foreign(name, "the header would have " + thousands(length) + " bytes where at most " +
                            thousands(kMaxHeaderBytes) + " are allowed");
  }
  if (length > file_bytes - kLengthBytes) {
    throw_damaged(name, "the header should have " + counted(length, "byte") + " but only " +
                            thousands(file_bytes - kLengthBytes) + " follow");
  }
  return length;
}

// Reads the header. `start` has the bytes of the file up to the end of the header.
ModelHeader read_header(std::string_view start, std::size_t file_bytes, const std::string& name) {
  const std::string_view json = start.substr(kLengthBytes);
  ModelHeader header = header_from_json(json, file_bytes - start.size(), name);
  if (!json.starts_with(kHeaderStart) || header.sha256.size() != kDigits) {
    throw_damaged(name, "the header does not begin with a sha256 of 64 digits");
  }
  if (start.size() % kAlignment != 0) {
    throw_damaged(name, "the tensors begin at byte " + thousands(start.size()) + ", which is not a multiple of 64");
  }
  return header;
}

void check_numbers(std::span<const float> numbers, float largest, const std::string& name) {
  for (const float x : numbers) {
    if (!std::isfinite(x)) throw_damaged(name, "a weight is not a finite number");
    if (std::abs(x) > largest) {
      throw_damaged(name, "a number is larger than " + thousands(static_cast<std::size_t>(largest)) +
                              ", which no training leaves behind");
    }
  }
}

BoostedTrees read_trees(const ModelHeader& header, std::string_view data, const std::string& name) {
  std::string problem;
  BoostedTrees trees = trees_from_bytes(data, header.trees, problem);
  if (problem.empty()) problem = problem_of(trees, header.architecture.columns);
  if (!problem.empty()) throw_damaged(name, problem);
  check_numbers(trees.start, kLargestWeight, name);
  for (const Tree& tree : trees.trees) check_numbers(tree.value, kLargestWeight, name);
  return trees;
}

ModelFile read_tensors(ModelHeader header, std::string_view bytes, std::string_view data, const std::string& name) {
  if (const std::string digest = digest_of(bytes); digest != header.sha256) {
    throw_damaged(name, "the sha256 of the file is " + digest + " where " + printable(header.sha256) + " is expected");
  }
  ModelFile model;
  model.ensemble.architecture = header.architecture;
  for (std::size_t m = 0; m < header.members(); ++m) {
    model.ensemble.members.push_back(zero_network<float>(header.architecture, m));
  }
  if (header.directions > 0) model.basis = Tangents::shared(header.architecture.features, header.directions);
  std::size_t tree_bytes = 0;
  for (const TreeTensor& list : tree_tensors(header.trees)) tree_bytes += list.count * sizeof(float);
  const std::size_t home_bytes = bytes_of(header.home);
  const std::size_t basis_bytes = header.directions * header.architecture.features * sizeof(float);
  for_each_run(model.ensemble.members, model.basis, [&](float* numbers, std::size_t count) {
    const bool is_weight = data.size() > basis_bytes + tree_bytes + home_bytes;
    std::memcpy(numbers, data.data(), count * sizeof(float));
    data.remove_prefix(count * sizeof(float));
    check_numbers({numbers, count}, is_weight ? kLargestWeight : kLargestTangent, name);
  });
  if (header.architecture.has_trees()) model.ensemble.trees = read_trees(header, data, name);
  if (header.home.rows > 0) {
    std::string problem;
    model.home = home_from_bytes(data.substr(data.size() - home_bytes), header.home, problem);
    if (!problem.empty()) throw_damaged(name, problem);
  }
  model.decision = std::move(header.decision);
  model.metadata = std::move(header.metadata);
  return model;
}

}  // namespace

void check_header_fits(const ModelFile& model) { padded_header(model); }

std::string to_bytes(const ModelFile& model) {
  check_shapes(model);
  const std::string header = padded_header(model);
  const std::uint64_t length = header.size();
  std::string bytes(kLengthBytes, '\0');
  std::memcpy(bytes.data(), &length, kLengthBytes);
  bytes += header;
  for_each_run(model.ensemble.members, model.basis, [&](const float* numbers, std::size_t count) {
    PERPEND_CHECK(std::all_of(numbers, numbers + count, [](float x) { return std::isfinite(x); }));
    bytes.append(reinterpret_cast<const char*>(numbers), count * sizeof(float));
  });
  if (model.ensemble.has_trees()) bytes += tree_bytes(model.ensemble.trees);
  if (!model.home.empty()) bytes += home_bytes(model.home);
  bytes.replace(kDigestAt, kDigits, digest_of(bytes));
  return bytes;
}

ModelFile from_bytes(std::string_view bytes, const std::string& name) {
  const std::string shown = printable(name);
  const std::size_t start = kLengthBytes + header_length(bytes.substr(0, kLengthBytes), bytes.size(), shown);
  ModelHeader header = read_header(bytes.substr(0, start), bytes.size(), shown);
  return read_tensors(std::move(header), bytes, bytes.substr(start), shown);
}

void save(const std::filesystem::path& path, const ModelFile& model, bool overwrite, FileSystem& files) {
  write_file_durably(path, to_bytes(model), overwrite, files);
}

ModelFile load(const std::filesystem::path& path, FileSystem& files) {
  const std::string name = printable(path.string());
  File file(files, path.string(), FileSystem::Use::read, "cannot read " + name);
  const std::size_t size = file.size();
  std::string bytes = file.read(kLengthBytes);
  bytes += file.read(header_length(bytes, size, name));
  // This refuses a file that is not a model before all of it is read.
  read_header(bytes, size, name);
  bytes += file.read(size - bytes.size());
  return from_bytes(bytes, path.string());
}

}  // namespace perpend
