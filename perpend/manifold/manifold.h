// The surface on which the data lie, as a user names it, and its tangents at any rows.
//
//   none           no surface: the penalty acts in the whole input space
//   pca:K          the first K principal directions of the training rows, one basis for all rows
//   local-pca:K    the first K principal directions of each row's neighbourhood (local_pca.h)
//   FILE.npy       a given basis: (columns, K) for all rows, or (rows of the table, columns, K) for one basis per row
//   FILE.json      the Jacobian of a decoder (decoder.h)
//   auto           the first of these that fits the training rows:
//                    1. the first principal directions, if those that carry 95 % of the variance are at most half as
//                       many as the columns. The columns are then strongly correlated, and the rest is mostly noise.
//                    2. the directions in which the rows vary at all, if they are fewer than the columns. Copies,
//                       constants and levels that sum to 1 are causes. Along the other directions members could be
//                       independent for free.
//                    3. none.
//
// The model file stores a basis for all rows (auto, pca, a given one), but not bases per row. To measure a model
// with bases per row on other rows, name the surface again. Its tangents at those rows are then computed.
//
// cos^2 along a surface describes that surface only. In the directions that are left out members may agree or differ,
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
  std::string path;            // path of a file

  bool operator==(const ManifoldSpec&) const = default;
};

// Throws a ConfigError that lists the forms above.
ManifoldSpec parse_manifold(const std::string& text);

struct FittedManifold {
  std::string summary;         // one line that says what was found; empty for none
  Tangents shared;             // one basis for all rows, or empty
  Tangents of_table;           // from a file: one basis per row of the table
  Inputs training;             // local-pca: the rows in which neighbours are searched
  std::size_t directions = 0;  // directions per basis; 0 is the whole input space
  std::optional<Autoencoder> autoencoder;
};

// Finds the surface from the training rows and their weights (if empty, all are equal). table_rows: how many rows the
// whole table has. Throws DataError or ConfigError if the surface does not fit the columns, or if they are too many for
// PCA.
FittedManifold fit_manifold(const ManifoldSpec& spec, InputsView training, std::span<const float> weights,
                            std::size_t table_rows, const Threads& threads);

// The tangents at these rows, which are rows `table_rows` of the table. Empty if the surface is the whole input space.
Tangents tangents_at(const FittedManifold& manifold, InputsView rows, std::span<const std::uint32_t> table_rows,
                     const Threads& threads);

}  // namespace perpend
