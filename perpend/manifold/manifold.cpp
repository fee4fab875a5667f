#include "perpend/manifold/manifold.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/read_npy.h"
#include "perpend/manifold/local_pca.h"
#include "perpend/manifold/principal.h"

namespace perpend {

namespace {

constexpr const char* kForms =
    "none, auto, pca:K, local-pca:K, a file of tangents (.npy) or a file of an autoencoder (.json)";

std::size_t directions_of(const std::string& text, std::size_t at) {
  std::size_t directions = 0;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), directions);
  if (error != std::errc() || end != text.data() + text.size() || directions == 0) {
    throw ConfigError(option_mention("manifold") + " is " + quote(text) +
                      "; it must have a number of directions, such as " + text.substr(0, at) + "3");
  }
  return directions;
}

void check_directions(std::size_t directions, std::size_t columns) {
  if (directions > columns) {
    throw ConfigError(fmt::format("{} asks for {}, but the table has {}; ask for at most that many",
                                  option_mention("manifold"), counted(directions, "direction"),
                                  counted(columns, "encoded column")));
  }
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

FittedManifold shared_manifold(Tangents tangents, std::string summary) {
  FittedManifold manifold;
  manifold.directions = tangents.directions();
  manifold.shared = std::move(tangents);
  manifold.summary = std::move(summary);
  return manifold;
}

FittedManifold fit_pca(std::size_t directions, InputsView training, std::span<const float> weights,
                       const Threads& threads) {
  check_directions(directions, training.cols());
  if (training.cols() > kMostPcaColumns) {
    throw ConfigError(fmt::format(
        "{} is for at most {} encoded columns, and there are {}; drop some, or give the directions in a file",
        option_mention("manifold", "pca"), thousands(kMostPcaColumns), thousands(training.cols())));
  }
  const SymmetricEigen principal = principal_directions(training, weights, threads);
  return shared_manifold(first_directions(principal, directions),
                         fmt::format("the first {} of {} principal directions, which carry {} of the "
                                     "variance",
                                     directions, training.cols(), percent(variance_share(principal, directions))));
}

FittedManifold fit_auto(InputsView training, std::span<const float> weights, const Threads& threads) {
  const std::size_t columns = training.cols();
  FittedManifold whole;
  if (columns > kMostPcaColumns) {
    whole.summary = fmt::format("the whole input space: {} encoded columns are too many for PCA", thousands(columns));
    return whole;
  }
  const SymmetricEigen principal = principal_directions(training, weights, threads);
  const std::size_t needed = directions_for(principal, kAutoVariance);
  const std::string carry = fmt::format("{} of {} principal directions carry {} of the variance", needed, columns,
                                        percent(variance_share(principal, needed)));
  if (2 * needed <= columns) {
    return shared_manifold(first_directions(principal, needed),
                           "the first principal directions: " + carry + " (columns are strongly correlated)");
  }
  const std::size_t rank = rank_of(principal);
  if (rank > 0 && rank < columns) {
    return shared_manifold(first_directions(principal, rank),
                           fmt::format("the {} directions in which the rows vary, of {} (in the others, "
                                       "such as all levels of a category at once, no row ever moves)",
                                       rank, columns));
  }
  whole.summary = "the whole input space: columns are not strongly correlated (" + carry + ")";
  return whole;
}

FittedManifold fit_local(std::size_t directions, InputsView training) {
  check_directions(directions, training.cols());
  if (training.rows() > kMostLocalRows) {
    throw ConfigError(fmt::format("{} is for at most {} training rows, and there are {}; use pca:K",
                                  option_mention("manifold", "local-pca"), thousands(kMostLocalRows),
                                  thousands(training.rows())));
  }
  FittedManifold manifold;
  manifold.directions = directions;
  manifold.training = Inputs(training.rows(), training.cols());
  for (std::size_t r = 0; r < training.rows(); ++r) {
    std::copy_n(training.row(r), training.cols(), manifold.training.row(r));
  }
  manifold.summary = fmt::format("the first {} principal directions of the {} nearest training rows", directions,
                                 std::min(local_neighbours(directions), training.rows()));
  return manifold;
}

Tangents given_tangents(const std::string& path, std::size_t columns, std::size_t table_rows) {
  const NpyNumbers numbers = read_npy_numbers(path);
  const auto& shape = numbers.shape;
  const bool per_row = shape.size() == 3;
  if ((shape.size() != 2 && !per_row) || shape[shape.size() - 2] != columns || (per_row && shape[0] != table_rows)) {
    throw DataError(
        fmt::format("{} has the shape ({}); tangents must have the shape ({}, K), or ({}, {}, K) for {} of {}",
                    printable(path), fmt::join(shape, ", "), columns, table_rows, columns, counted(table_rows, "row"),
                    counted(columns, "encoded column")));
  }
  const std::size_t directions = shape.back();
  Tangents tangents =
      per_row ? Tangents::per_row(table_rows, columns, directions) : Tangents::shared(columns, directions);
  for (std::size_t i = 0; i < numbers.values.size(); ++i) {
    if (std::abs(numbers.values[i]) > kLargestTangent) {
      throw DataError(fmt::format("{}: number {} is {:g}; tangents are at most 1e15", printable(path), thousands(i),
                                  numbers.values[i]));
    }
    const std::size_t row = i / (columns * directions);
    tangents.direction(row, i % directions)[i / directions % columns] = numbers.values[i];
  }
  return tangents;
}

FittedManifold fit_given(const std::string& path, std::size_t columns, std::size_t table_rows) {
  Tangents tangents = given_tangents(path, columns, table_rows);
  const std::string summary =
      fmt::format("{} of {}", counted(tangents.directions(), "given direction"), printable(path));
  if (tangents.is_shared()) return shared_manifold(std::move(tangents), summary);
  FittedManifold manifold;
  manifold.directions = tangents.directions();
  manifold.of_table = std::move(tangents);
  manifold.summary = summary + ", of each row";
  return manifold;
}

FittedManifold fit_decoder(const std::string& path, std::size_t columns) {
  FittedManifold manifold;
  manifold.autoencoder = read_autoencoder(path);
  if (manifold.autoencoder->features() != columns) {
    throw DataError(fmt::format("{} encodes {} columns where the table has {}", printable(path),
                                manifold.autoencoder->features(), counted(columns, "encoded column")));
  }
  manifold.directions = manifold.autoencoder->directions();
  manifold.summary =
      fmt::format("the {} of the decoder of {}", counted(manifold.directions, "tangent direction"), printable(path));
  return manifold;
}

}  // namespace

ManifoldSpec parse_manifold(const std::string& text) {
  if (text == "none") return {};
  if (text == "auto") return {ManifoldKind::automatic, 0, ""};
  if (text.starts_with("pca:")) return {ManifoldKind::pca, directions_of(text, 4), ""};
  if (text.starts_with("local-pca:")) return {ManifoldKind::local_pca, directions_of(text, 10), ""};
  if (text.ends_with(".npy")) return {ManifoldKind::given, 0, text};
  if (text.ends_with(".json")) return {ManifoldKind::decoder, 0, text};
  throw ConfigError(option_mention("manifold") + " is " + quote(text) + "; it must be " + kForms);
}

FittedManifold fit_manifold(const ManifoldSpec& spec, InputsView training, std::span<const float> weights,
                            std::size_t table_rows, const Threads& threads) {
  switch (spec.kind) {
    case ManifoldKind::none:
      break;
    case ManifoldKind::automatic:
      return fit_auto(training, weights, threads);
    case ManifoldKind::pca:
      return fit_pca(spec.directions, training, weights, threads);
    case ManifoldKind::local_pca:
      return fit_local(spec.directions, training);
    case ManifoldKind::given:
      return fit_given(spec.path, training.cols(), table_rows);
    case ManifoldKind::decoder:
      return fit_decoder(spec.path, training.cols());
  }
  return {};
}

Tangents tangents_at(const FittedManifold& manifold, InputsView rows, std::span<const std::uint32_t> table_rows,
                     const Threads& threads) {
  if (manifold.directions == 0) return {};
  if (!manifold.shared.empty()) return manifold.shared;
  if (manifold.autoencoder) return decoder_tangents(*manifold.autoencoder, rows, threads);
  if (manifold.of_table.empty()) return local_tangents(rows, manifold.training.view(), manifold.directions, threads);
  PERPEND_CHECK(table_rows.size() == rows.rows());
  const Tangents& all = manifold.of_table;
  Tangents chosen = Tangents::per_row(rows.rows(), all.features(), all.directions());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    std::copy_n(all.at(table_rows[r]), all.directions() * all.stride(), chosen.at(r));
  }
  return chosen;
}

}  // namespace perpend
