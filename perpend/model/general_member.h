// The seam between a network and an objective, for any depth and activation: the reference for the collapsed form.
//
//   forward          X -> scores
//   input_gradient   -> G = d s / d x, per row
//   backward         (adjoint of the scores, adjoint R of G) -> gradient of the weights
//
// Second order without a second-order tape: with R held constant, <R, G> is the directional derivative of s along R, so
// its gradient is ordinary reverse mode through (value, tangent along R). With z_l = a_{l-1} W_l + b_l, tz_l = t_{l-1}
// W_l, a_l = phi(z_l) and t_l = phi'(z_l) tz_l (t_0 = R), and the adjoints
//     omega_l of tz_l, which are exactly what input_gradient computed on its way down,
//     zeta_l  of z_l = phi'(z_l) (zeta_{l+1} W_{l+1}^T) + phi''(z_l) tz_l (omega_{l+1} W_{l+1}^T)
// the weight gradient is dW_l = a_{l-1}^T zeta_l + t_{l-1}^T omega_l. Drop-out masks (with 1 / keep) multiply phi,
// phi', phi''.
//
// Rows are independent until the weight gradient, which is a chain over all rows in order. So work may be cut by rows,
// then by inputs of a layer, anywhere. Training uses T = float; checks use double and complex<double>.
#pragma once

#include <cstddef>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/model/dropout.h"
#include "perpend/model/ensemble.h"

namespace perpend {

template <class T>
class GeneralMember {
 public:
  using RowsByFeatures = MatrixView<const T, axis::Row, axis::Feature>;
  using RowsByScores = MatrixView<const T, axis::Row, axis::Score>;

  // Sizes the memory for batches of up to max_rows rows, and for the calls that will be made besides forward.
  struct Uses {
    bool input_gradient = true;
    bool backward = true;  // uses both adjoints if input gradients are used too
  };
  GeneralMember(const Architecture& architecture, std::size_t max_rows, Uses uses);

  // Rows first .. first + count of the batch X; first is a multiple of 64. All calls but forward need
  // transpose(network) first.
  void forward(const Network<T>& network, RowsByFeatures inputs, std::size_t first, std::size_t count,
               const Dropout& dropout, std::size_t member, MatrixView<T, axis::Row, axis::Score> scores);
  void input_gradient(std::size_t first, std::size_t count, MatrixView<T, axis::Row, axis::Feature> gradient);
  // d_gradient may be an empty view, for no penalty on input gradients. Must follow forward (and input_gradient, if it
  // is not empty).
  void backward_rows(const Network<T>& network, RowsByScores d_scores, RowsByFeatures d_gradient, std::size_t first,
                     std::size_t count);
  // Computes the rows of one layer's weight gradient from in_first on. With in_first = 0 it computes the bias gradient
  // too.
  void weight_gradient(RowsByFeatures inputs, RowsByFeatures d_gradient, std::size_t rows, std::size_t layer,
                       std::size_t in_first, std::size_t in_count, Layer<T>& gradient) const;

  // Keeps W^T of every layer, which the downward products need. Call it after each change of the network, or after each
  // change of the inputs first .. first + count of a layer.
  void transpose(const Network<T>& network);
  void transpose(const Network<T>& network, std::size_t layer, std::size_t first, std::size_t count);

 private:
  using Activations = Matrix<T, axis::Row, axis::Unit>;
  struct Hidden {
    Activations value, first;  // a and phi', with the mask in each
    Activations omega, down;   // by input_gradient: the adjoints of tz and t; backward overwrites down with that of a
    Activations zeta;          // by backward: the adjoint of z
    Activations second, tangent;  // by both: phi'' with the mask, and t; zeta holds tz until zeta is known
  };
  void activate(std::size_t layer, std::size_t first, std::size_t count, const Dropout& dropout, std::size_t member);
  void output_scores(std::size_t first, std::size_t count, MatrixView<T, axis::Row, axis::Score> scores);
  void output_adjoint(RowsByScores d_scores, std::size_t row, const T* tangent);

  Architecture architecture_;
  std::vector<Hidden> hidden_;
  Matrix<T, axis::Row, axis::Out> logits_, output_omega_, output_zeta_, output_tangent_;
  std::vector<Matrix<T, axis::Out, axis::In>> transposed_;
};

}  // namespace perpend
