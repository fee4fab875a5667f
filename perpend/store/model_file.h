// A model file holds one trained ensemble. It is a safetensors file, so any safetensors reader opens it:
//
//   8 bytes        length of the header, little-endian
//   header         JSON, padded with spaces so that the tensors begin at a multiple of 64; at most 1 MiB
//   tensors        float32 little-endian, row-major, without gaps, in this order:
//                    member.<m>.layer.<l>.weight (in, out), then .bias (out), by member, then layer
//                    manifold.basis (directions, features), one tangent vector per row, if the penalty acted along one
//                      basis of tangents
//                    the lists of tree_tensors.h, if a member is boosted trees
//                    the lists of home_tensors.h, if the model remembers its rows
//
// The header has the places of the tensors, and `__metadata__`, which has only strings, in this order:
//
//   sha256             the sum of the whole file, computed with these 64 digits as zeros, so that any flipped bit shows
//   format             perpend
//   format_version     3 for a model that remembers its rows; else 2 for one with boosted trees; else 1. An older
//                      perpend refuses a version that it does not know.
//   contract_version   the contract (base/contract.h) of the predictions that the weights give
//   architecture       {"activation", "classes", "features", "hidden"}. If members see columns through views
//                      (model/column_view.h), it also has "views", a list of words that members take in turn, and
//                      "columns", one per feature: {"missing", "edges", "means"} for a number, {"missing", "shares"}
//                      for a category
//   member_weights     a list, one number per member
//   rule               how members decide (model/decision.h): samme_r, samme or median. Absent if the mean decides.
//                      This key and the next four are absent if the ensemble has no such thing. Their values are no
//                      JSON texts on purpose: an older perpend refuses a value that is not JSON, and so does not answer
//                      by the mean alone.
//   calibration        the calibration (model/probability_map.h): "temperature 1.25", or "isotonic" and its knots:
//                      "isotonic 0.02:0.01 0.4:0.5 0.97:0.99"
//   threshold          "above 0.3". Without it the answer is the most probable class.
//   correction         the result of adapt (model/decision.h): "bias" and one number per class (a regression has one),
//                      then "pull" and one per member: "bias -0.1 0.1 pull 0.5 -0.25 0"
//   gate               the gate (model/gate.h): its centre, its scale, and theta as four numbers per member. With two
//                      members: "centre 0 scale 1 theta 0.5 0 -0.25 1 0 0 0 0"
//   and the caller's   each key ([a-z0-9_]) with one JSON text, kept to the byte: options, schema, classes, summary ...
//
// Nothing depends on clock, machine or threads, so the same model gives the same bytes.
//
// The limit of the header also bounds the schema: at about 200 bytes per column, 1 MiB is enough for about 5,000
// columns. Models of wider tables cannot be saved. check_header_fits says so before hours of training are lost.
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
  Tangents basis = {};                          // one basis for all rows, or empty
  Home home = {};                               // may be empty
};

// Throws ModelFileError if the header would be longer than 1 MiB. The header contains everything except the weights of
// the networks, so the ensemble may still have no members. `decision` says how many there will be.
void check_header_fits(const ModelFile& model);

// Throws ModelFileError if the header would be longer than 1 MiB. Weights that are not finite, texts that are not JSON
// and member weights that do not fit are bugs of the caller.
std::string to_bytes(const ModelFile& model);

// Trusts nothing in the bytes. Every size is compared with the real one before memory is allocated for it. Every name,
// type, shape and offset must agree with the architecture. Every number must be finite and no larger than training
// allows. No JSON key may be doubled, unknown or absent, and the checksum must hold. Throws ModelFileError, one line
// that begins with `name`.
ModelFile from_bytes(std::string_view bytes, const std::string& name);

// Writes by write_file_durably, which leaves the old file or the new one, never half. Throws IoError.
void save(const std::filesystem::path& path, const ModelFile& model, bool overwrite,
          FileSystem& files = real_file_system());

// from_bytes of a file. A file that is not a model is refused after its first MiB. Throws IoError if the file cannot be
// read.
ModelFile load(const std::filesystem::path& path, FileSystem& files = real_file_system());

}  // namespace perpend
