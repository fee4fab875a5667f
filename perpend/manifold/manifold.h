// The surface that the data lie on, as a user names it, and its tangents at any rows.
//
//   none           no surface: the penalty acts in the whole input space
//   pca:K          the first K principal directions of the training rows, one basis for all rows
//   local-pca:K    the first K principal directions of each row's neighbourhood (local_pca.h)
//   FILE.npy       given: (columns, K), one basis for all rows, or (rows of the table, columns, K), one per row
//   FILE.json      the Jacobian of a decoder (decoder.h)
//   auto           what the training rows ask for:
//                    1. where the first principal directions, at most half as many as there are columns, carry 95 % of
//                       the variance, those directions: columns are strongly correlated, and the rest is mostly noise;
//                    2. else, where the rows vary in fewer directions than columns (the levels of a category sum to 1;
//                       copies; constants), the directions in which they vary at all: along the others members could be
//                       independent for free;
//                    3. else none.
//
// A basis for all rows (auto, pca, a given one) is stored in the model file. Bases per row are not: to measure such a
// model on other rows, name the surface again, and its tangents at those rows are computed.
//
// cos^2 along a surface describes that surface only. In the directions that were left out members may agree or differ,
// and the penalty does not see it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/base/tangents.h"
#include "perpend/manifold/decoder.h"

namespace perpend {

constexpr double kAutoVariance = 0.95;

enum class ManifoldKind { none, automatic, pca, local_pca, given, decoder };

struct ManifoldSpec {
  ManifoldKind kind = ManifoldKind::none;
  std::size_t directions = 0;  // K of pca and local-pca
  std::string path;            // of a file

  bool operator==(const ManifoldSpec&) const = default;
};

// Throws ConfigError with the forms there are.
ManifoldSpec parse_manifold(const std::string& text);

struct FittedManifold {
  std::string summary;         // one line: what was found; empty for none
  Tangents shared;             // one basis for all rows, or empty
  Tangents of_table;           // given: one per row of the table
  Inputs training;             // local-pca: the rows among which neighbours are sought
  std::size_t directions = 0;  // of each basis; 0: the whole input space
  std::optional<Autoencoder> autoencoder;
};

// From the training rows (and their weights, empty: equal). table_rows: how many rows the whole table has. Throws
// DataError or ConfigError where the surface does not fit the columns, or has too many for PCA.
FittedManifold fit_manifold(const ManifoldSpec& spec, InputsView training, std::span<const float> weights,
                            std::size_t table_rows, const Threads& threads);

// The tangents at these rows, which are rows `table_rows` of the table. Empty if the surface is the whole input space.
Tangents tangents_at(const FittedManifold& manifold, InputsView rows, std::span<const std::uint32_t> table_rows,
                     const Threads& threads);

}  // namespace perpend
