// Tangents of a surface that an autoencoder has learnt: J(x) = d decoder / d z at z = encoder(x).
//
// The file is JSON. From any framework it takes a line or two to write:
//
//   {"activation": "tanh", "encoder": [LAYER, ...], "decoder": [LAYER, ...]}
//   LAYER = {"weight": [[...]], "bias": [...]}
//
// weight is (in, out). The activation (relu, softplus, tanh or sigmoid) follows every layer except the last one of each
// half. The encoder maps the encoded columns of the table to K latent numbers, and the decoder maps those back. Encoded
// columns are standardised numbers (raw ones if the option standardize is off) and levels as 0 and 1. Arithmetic is
// float32 with our own activations, so the tangents are the same on every machine.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/base/tangents.h"
#include "perpend/kernels/activation.h"

namespace perpend {

struct DecoderLayer {
  Matrix<float, axis::In, axis::Out> weight;  // (in, out)
  AlignedVector<float> bias;                  // padded with zeros to 16
};

struct Autoencoder {
  Activation activation = Activation::tanh;
  std::vector<DecoderLayer> encoder, decoder;

  std::size_t features() const { return encoder.front().weight.rows(); }
  std::size_t directions() const { return decoder.front().weight.rows(); }
};

// Throws IoError if the file cannot be read. Throws a DataError that names the layer if the file is not as above, if
// layers do not fit together, if a number is not finite, or if the file is larger than 64 MiB.
Autoencoder read_autoencoder(const std::string& path);
Autoencoder parse_autoencoder(const std::string& text, const std::string& name);

// rows has the columns of the encoder. Throws DataError if a tangent is beyond float range.
Tangents decoder_tangents(const Autoencoder& autoencoder, InputsView rows, const Threads& threads);

}  // namespace perpend
