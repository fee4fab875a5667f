#include "perpend/manifold/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/file_system.h"
#include "perpend/base/json_text.h"
#include "perpend/base/message.h"
#include "perpend/kernels/dense.h"
#include "perpend/kernels/elementwise.h"

namespace perpend {

namespace {

using Json = nlohmann::json;
using Values = Matrix<float, axis::Row, axis::Unit>;

constexpr std::size_t kLargestFile = std::size_t{64} << 20;
constexpr std::size_t kBytesPerRead = std::size_t{1} << 20;
constexpr std::size_t kRowsPerPiece = 64;
constexpr std::array<std::pair<std::string_view, Activation>, 4> kActivations = {{{"relu", Activation::relu},
                                                                                  {"softplus", Activation::softplus},
                                                                                  {"tanh", Activation::tanh},
                                                                                  {"sigmoid", Activation::sigmoid}}};

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw DataError(fmt::format(
      "{}: {}; an autoencoder is {{\"activation\": ..., \"encoder\": [{{\"weight\": ..., \"bias\": ...}}, ...], "
      "\"decoder\": [...]}}",
      printable(name), what));
}

float number_of(const Json& number, const std::string& name, const std::string& where) {
  const auto value = number.is_number() ? number.get<float>() : NAN;
  if (!std::isfinite(value)) refuse(name, where + " has an entry that is not a finite number");
  return value;
}

DecoderLayer layer_of(const Json& json, std::size_t in, const std::string& name, const std::string& where) {
  if (!json.is_object() || !json.contains("weight") || !json.contains("bias") || !json["weight"].is_array() ||
      !json["bias"].is_array() || json["weight"].empty() || json["bias"].empty()) {
    refuse(name, where + " has no weight and bias");
  }
  const Json& weight = json["weight"];
  const std::size_t out = json["bias"].size();
  if (in != 0 && weight.size() != in) {
    refuse(name, fmt::format("{} takes {} numbers, but {} come in", where, weight.size(), in));
  }
  DecoderLayer layer{{weight.size(), out}, AlignedVector<float>(round_up(out, 16), 0.0F)};
  for (std::size_t i = 0; i < weight.size(); ++i) {
    if (!weight[i].is_array() || weight[i].size() != out) {
      refuse(name, fmt::format("{} has a row of weights whose length is not {}, the length of its bias", where, out));
    }
    for (std::size_t j = 0; j < out; ++j) layer.weight(i, j) = number_of(weight[i][j], name, where);
  }
  for (std::size_t j = 0; j < out; ++j) layer.bias[j] = number_of(json["bias"][j], name, where);
  return layer;
}

std::vector<DecoderLayer> layers_of(const Json& json, const char* half, std::size_t in, const std::string& name) {
  if (!json.contains(half) || !json[half].is_array() || json[half].empty()) {
    refuse(name, fmt::format("there is no list '{}'", half));
  }
  std::vector<DecoderLayer> layers;
  for (const Json& layer : json[half]) {
    layers.push_back(layer_of(layer, in, name, fmt::format("{} layer {}", half, layers.size() + 1)));
    in = layers.back().weight.cols();
  }
  return layers;
}

void multiply(const Values& x, const DecoderLayer& layer, bool with_bias, Values& out) {
  kernels::product<float>({.m = x.rows(),
                           .n = layer.weight.cols(),
                           .k = layer.weight.rows(),
                           .a = x.data(),
                           .a_row_stride = x.stride(),
                           .b = layer.weight.data(),
                           .b_stride = layer.weight.stride(),
                           .bias = with_bias ? layer.bias.data() : nullptr,
                           .c = out.data(),
                           .c_stride = out.stride()});
}

// The value behind the last layer. With `slopes` it also gives phi' behind each of the others.
Values forward(Activation activation, const std::vector<DecoderLayer>& layers, Values x, std::vector<Values>* slopes) {
  for (std::size_t l = 0; l < layers.size(); ++l) {
    Values z(x.rows(), layers[l].weight.cols());
    multiply(x, layers[l], true, z);
    if (l + 1 < layers.size()) {
      Values slope(z.rows(), z.cols());
      kernels::activate<float>(activation,
                               {.n = z.rows() * z.stride(), .z = z.data(), .value = z.data(), .first = slope.data()});
      if (slopes != nullptr) slopes->push_back(std::move(slope));
    }
    x = std::move(z);
  }
  return x;
}

// The change of the decoder's output along latent number k, per row.
Values along(const std::vector<DecoderLayer>& layers, const std::vector<Values>& slopes, std::size_t rows,
             std::size_t k) {
  Values tangent(rows, layers[0].weight.cols());
  for (std::size_t r = 0; r < rows; ++r) std::copy_n(layers[0].weight.row(k), tangent.cols(), tangent.row(r));
  for (std::size_t l = 1; l < layers.size(); ++l) {
    kernels::multiply<float>(rows * tangent.stride(), tangent.data(), slopes[l - 1].data(), tangent.data());
    Values next(rows, layers[l].weight.cols());
    multiply(tangent, layers[l], false, next);
    tangent = std::move(next);
  }
  return tangent;
}

void check_tangent(std::span<const float> tangent) {
  if (std::ranges::all_of(tangent, [](float x) { return std::abs(x) <= kLargestTangent; })) return;
  throw DataError("the autoencoder's tangents leave float range on these rows; its weights are too large for them");
}

}  // namespace

Autoencoder parse_autoencoder(const std::string& text, const std::string& name) {
  if (const auto problem = json_problem(text, kLargestFile)) refuse(name, "it has " + *problem);
  const Json json = Json::parse(text);
  if (!json.is_object()) refuse(name, "it is not a JSON object");
  Autoencoder out;
  const auto* known = std::ranges::find_if(
      kActivations, [&](const auto& one) { return json.contains("activation") && json["activation"] == one.first; });
  if (known == kActivations.end()) refuse(name, "its activation is not one of relu, softplus, tanh and sigmoid");
  out.activation = known->second;
  out.encoder = layers_of(json, "encoder", 0, name);
  out.decoder = layers_of(json, "decoder", out.encoder.back().weight.cols(), name);
  if (out.decoder.back().weight.cols() != out.features()) {
    refuse(name, fmt::format("the decoder gives {} numbers, but the encoder takes {}", out.decoder.back().weight.cols(),
                             out.features()));
  }
  return out;
}

Autoencoder read_autoencoder(const std::string& path) {
  File file(real_file_system(), path, FileSystem::Use::read, "cannot read " + printable(path));
  std::string text;
  for (std::string more = file.read(kBytesPerRead); !more.empty(); more = file.read(kBytesPerRead)) {
    text += more;
    if (text.size() > kLargestFile) refuse(path, "it is larger than 64 MiB");
  }
  return parse_autoencoder(text, path);
}

Tangents decoder_tangents(const Autoencoder& autoencoder, InputsView rows, const Threads& threads) {
  PERPEND_CHECK(rows.cols() == autoencoder.features());
  Tangents tangents = Tangents::per_row(rows.rows(), rows.cols(), autoencoder.directions());
  threads.for_each((rows.rows() + kRowsPerPiece - 1) / kRowsPerPiece, [&](std::size_t piece) {
    const std::size_t first = piece * kRowsPerPiece;
    const std::size_t count = std::min(kRowsPerPiece, rows.rows() - first);
    Values x(count, rows.cols());
    for (std::size_t r = 0; r < count; ++r) std::copy_n(rows.row(first + r), rows.cols(), x.row(r));
    const Values latent = forward(autoencoder.activation, autoencoder.encoder, std::move(x), nullptr);
    std::vector<Values> slopes;
    forward(autoencoder.activation, autoencoder.decoder, latent, &slopes);
    for (std::size_t k = 0; k < autoencoder.directions(); ++k) {
      const Values tangent = along(autoencoder.decoder, slopes, count, k);
      for (std::size_t r = 0; r < count; ++r) {
        check_tangent({tangent.row(r), rows.cols()});
        std::copy_n(tangent.row(r), rows.cols(), tangents.direction(first + r, k));
      }
    }
  });
  return tangents;
}

}  // namespace perpend
