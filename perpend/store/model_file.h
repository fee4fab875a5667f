// A trained ensemble as one file, and back.
//
// The file is a safetensors file, so any safetensors reader opens it:
//
//   8 bytes        length of the header, little-endian
//   header         JSON, padded with spaces so that the tensors begin at a multiple of 64; at most 1 MiB
//   tensors        member.<m>.layer.<l>.weight (in, out), then .bias (out); float32 little-endian, row-major, without
//                  gaps, by member, then layer; behind them, where the penalty acted along one basis of tangents,
//                  manifold.basis (directions, features), one tangent vector per row; then, where a member is boosted
//                  trees, the lists of tree_tensors.h; last, where the model remembers its rows, those of
//                  home_tensors.h
//
// Beside the tensors' places the header has `__metadata__`, strings only, in this order:
//
//   sha256             of the whole file, taken with these 64 digits as zeros: no flipped bit passes
//   format             perpend
//   format_version     1; 2 where a member is boosted trees, so that a perpend that knows no trees refuses the file; 3
//                      where the model remembers its rows, whether or not there are trees
//   contract_version   of the predictions (base/contract.h) that the weights give
//   architecture       {"activation", "classes", "features", "hidden"}, and where members see columns through views
//                      (model/column_view.h), "views", a list of words that members take in turn, and "columns", one
//                      per feature: {"missing", "edges", "means"} of a number, {"missing", "shares"} of a category
//   member_weights     a list, one number per member
//   rule               how members decide (model/decision.h): samme_r or samme. Absent if the mean decides. It is not
//                      JSON, so that a reader that does not know the key refuses the file instead of using the mean
//   calibration        of a calibrated ensemble (model/probability_map.h): "temperature 1.25", or "isotonic" and its
//                      knots, "isotonic 0.02:0.01 0.4:0.5 0.97:0.99". Absent if there is none; no JSON, like rule
//   threshold          of an ensemble that has one, "above 0.3". Absent if the most probable class is answered; no JSON
//   correction         of an ensemble that was adapted (model/decision.h): "bias", one number per class (one of a
//                      regression), "pull", one per member, "bias -0.1 0.1 pull 0.5 -0.25 0". Absent if there is none;
//                      no JSON
//   gate               of an ensemble that has one (model/gate.h): "centre 0 scale 1 theta" and four numbers per
//   member.
//                      Absent if there is none; no JSON
//   and the caller's   each key ([a-z0-9_]) with one JSON text, kept to the byte: options, schema, classes, summary ...
//
// Nothing depends on clock, machine or threads: the same model is the same bytes.
//
// The header's limit also bounds the schema: at about 200 bytes per column, 1 MiB holds about 5,000 columns. Models of
// wider tables cannot be saved; check_header_fits says so before hours of training are lost.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "perpend/base/file_system.h"
#include "perpend/base/tangents.h"
#include "perpend/model/decision.h"
#include "perpend/model/ensemble.h"
#include "perpend/records/home.h"

namespace perpend {

constexpr int kFormatVersion = 1;
constexpr int kFormatVersionOfTrees = 2;
constexpr int kFormatVersionOfHome = 3;
constexpr std::size_t kMaxHeaderBytes = std::size_t{1} << 20;

struct ModelFile {
  Ensemble ensemble;
  Decision decision;
  std::map<std::string, std::string> metadata;  // key -> JSON text, as above
  Tangents basis = {};                          // one for all rows, or empty
  Home home = {};                               // or empty
};

// Throws ModelFileError when the header would be longer than 1 MiB. The header contains everything except the weights
// of the networks, so the ensemble may still have no members: `decision` says how many there will be.
void check_header_fits(const ModelFile& model);

// Throws ModelFileError when the header would be longer than 1 MiB. Weights that are not finite, texts that are not
// JSON and member weights that do not fit are bugs of the caller.
std::string to_bytes(const ModelFile& model);

// Trusts nothing in the bytes. Every size is compared with the real one before memory is allocated for it. Every name,
// type, shape and offset must agree with the architecture. Every number must be finite and no larger than training
// allows. No JSON key may be doubled, unknown or absent, and the checksum must hold. Throws ModelFileError, one line
// that begins with `name`.
ModelFile from_bytes(std::string_view bytes, const std::string& name);

// By write_file_durably: the old file or the new one, never half. Throws IoError.
void save(const std::filesystem::path& path, const ModelFile& model, bool overwrite,
          FileSystem& files = real_file_system());

// from_bytes of a file; a file that is not a model is refused after its first MiB. Throws IoError when it cannot be
// read.
ModelFile load(const std::filesystem::path& path, FileSystem& files = real_file_system());

}  // namespace perpend
