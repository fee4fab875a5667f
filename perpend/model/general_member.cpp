#include "perpend/model/general_member.h"

#include <algorithm>
#include <complex>

#include "perpend/kernels/bits.h"
#include "perpend/kernels/dense.h"
#include "perpend/kernels/elementwise.h"

namespace perpend {

namespace {

// Multiplies rows of a row-major matrix by a row-major matrix.
template <class T, class A, class B, class C>
void rows_times(const A& a, std::size_t first, std::size_t count, const B& b, const T* bias, C& c) {
  kernels::product<T>({.m = count,
                       .n = b.cols(),
                       .k = b.rows(),
                       .a = a.row(first),
                       .a_row_stride = a.stride(),
                       .b = b.data(),
                       .b_stride = b.stride(),
                       .bias = bias,
                       .c = c.row(first),
                       .c_stride = c.stride()});
}

template <class T>
std::size_t predicted_class(std::size_t classes, const T* z) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < classes; ++k) {
    if (kernels::reference::real_part(z[k]) > kernels::reference::real_part(z[best])) best = k;
  }
  return best;
}

// omega = d s / d z of one row: 1 at the class c that s stands for, and minus the softmax of the rest elsewhere.
template <class T>
void score_gradient(std::size_t classes, const T* z, T* omega) {
  if (classes == 2) {
    omega[0] = T(-1);
    omega[1] = T(1);
    return;
  }
  const std::size_t c = predicted_class(classes, z);
  std::vector<T> rest(z, z + classes);
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(c));
  rest.resize(round_up(classes, 16), rest[0]);
  std::vector<T> p(rest.size());
  kernels::softmax<T>(classes - 1, rest.data(), p.data());
  for (std::size_t k = 0; k < classes; ++k) omega[k] = k == c ? T(1) : -p[k < c ? k : k - 1];
}

}  // namespace

template <class T>
GeneralMember<T>::GeneralMember(const Architecture& architecture, std::size_t max_rows, Uses uses)
    : architecture_(architecture),
      logits_(max_rows, architecture.classes),
      output_omega_(max_rows, architecture.classes),
      output_zeta_(max_rows, architecture.classes),
      output_tangent_(max_rows, architecture.classes) {
  PERPEND_CHECK(architecture.classes >= 2);
  for (const std::size_t units : architecture.hidden) {
    const auto room = [&](bool used) { return used ? Activations(max_rows, units) : Activations(); };
    const bool both = uses.input_gradient && uses.backward;
    hidden_.push_back({.value = room(true),
                       .first = room(true),
                       .omega = room(uses.input_gradient),
                       .down = room(uses.input_gradient),
                       .zeta = room(uses.backward),
                       .second = room(both),
                       .tangent = room(both)});
  }
  for (std::size_t l = 0; l < architecture.layers(); ++l)
    transposed_.emplace_back(architecture.out(l), architecture.in(l));
}

template <class T>
void GeneralMember<T>::transpose(const Network<T>& network) {
  for (std::size_t l = 0; l < network.layers.size(); ++l) transpose(network, l, 0, architecture_.in(l));
}

template <class T>
void GeneralMember<T>::transpose(const Network<T>& network, std::size_t layer, std::size_t first, std::size_t count) {
  const auto& weight = network.layers[layer].weight;
  auto& out = transposed_[layer];
  kernels::transpose<T>({.rows = count,
                         .cols = weight.cols(),
                         .a = weight.row(first),
                         .a_stride = weight.stride(),
                         .out = out.data() + first,
                         .out_stride = out.stride()});
}

// Replaces z by phi, and computes its derivatives; all are masked.
template <class T>
void GeneralMember<T>::activate(std::size_t layer, std::size_t first, std::size_t count, const Dropout& dropout,
                                std::size_t member) {
  Hidden& h = hidden_[layer];
  const std::size_t units = architecture_.hidden[layer];
  const bool masked = dropout.keep < 1;
  const KeepPlanes planes = keep_planes(dropout.keep);
  const T kept(static_cast<float>(1 / rounded_keep(dropout.keep)));
  std::vector<std::uint64_t> masks(masked ? round_up(units, 32) : 0);
  std::vector<std::uint32_t> words(masks.size());
  PERPEND_CHECK(first % kRowsPerGroup == 0);
  for (std::size_t r = first; r < first + count; ++r) {
    const std::size_t in_group = r % kRowsPerGroup;
    if (masked && in_group == 0) {
      kernels::dropout_masks({.stream = dropout.stream(member),
                              .keep = planes,
                              .layer = static_cast<std::uint32_t>(layer),
                              .group = static_cast<std::uint32_t>(r / kRowsPerGroup)},
                             units, masks.data());
    }
    if (masked && in_group % 32 == 0) {
      for (std::size_t u = 0; u < units; ++u) words[u] = static_cast<std::uint32_t>(masks[u] >> in_group);
    }
    kernels::RowMask<T> mask;
    if (masked) mask = {words.data(), std::uint32_t{1} << (in_group % 32), kept};
    kernels::activate<T>(architecture_.activation, {.n = units,
                                                    .z = h.value.row(r),
                                                    .mask = mask,
                                                    .value = h.value.row(r),
                                                    .first = h.first.row(r),
                                                    .second = h.second.rows() > 0 ? h.second.row(r) : nullptr});
  }
}

template <class T>
void GeneralMember<T>::forward(const Network<T>& network, RowsByFeatures inputs, std::size_t first, std::size_t count,
                               const Dropout& dropout, std::size_t member,
                               MatrixView<T, axis::Row, axis::Score> scores) {
  for (std::size_t l = 0; l < hidden_.size(); ++l) {
    Hidden& h = hidden_[l];
    const auto& layer = network.layers[l];
    if (l == 0) {
      rows_times<T>(inputs, first, count, layer.weight, layer.bias.data(), h.value);
    } else {
      rows_times<T>(hidden_[l - 1].value, first, count, layer.weight, layer.bias.data(), h.value);
    }
    activate(l, first, count, dropout, member);
  }
  const auto& last = network.layers.back();
  if (hidden_.empty()) {
    rows_times<T>(inputs, first, count, last.weight, last.bias.data(), logits_);
  } else {
    rows_times<T>(hidden_.back().value, first, count, last.weight, last.bias.data(), logits_);
  }
  output_scores(first, count, scores);
}

template <class T>
void GeneralMember<T>::output_scores(std::size_t first, std::size_t count,
                                     MatrixView<T, axis::Row, axis::Score> scores) {
  for (std::size_t r = first; r < first + count; ++r) {
    const T* z = logits_.row(r);
    if (architecture_.classes == 2) {
      scores(r, 0) = z[1] - z[0];
    } else {
      std::copy(z, z + architecture_.classes, scores.row(r));
    }
  }
}

template <class T>
void GeneralMember<T>::input_gradient(std::size_t first, std::size_t count,
                                      MatrixView<T, axis::Row, axis::Feature> gradient) {
  for (std::size_t r = first; r < first + count; ++r) {
    score_gradient(architecture_.classes, logits_.row(r), output_omega_.row(r));
  }
  for (std::size_t l = hidden_.size(); l-- > 0;) {
    Hidden& h = hidden_[l];
    if (l + 1 == hidden_.size()) {
      rows_times<T>(output_omega_, first, count, transposed_[l + 1], nullptr, h.down);
    } else {
      rows_times<T>(hidden_[l + 1].omega, first, count, transposed_[l + 1], nullptr, h.down);
    }
    for (std::size_t r = first; r < first + count; ++r) {
      kernels::multiply<T>(h.omega.cols(), h.first.row(r), h.down.row(r), h.omega.row(r));
    }
  }
  if (hidden_.empty()) {
    rows_times<T>(output_omega_, first, count, transposed_[0], nullptr, gradient);
  } else {
    rows_times<T>(hidden_[0].omega, first, count, transposed_[0], nullptr, gradient);
  }
}

// zeta of the logits of one row: from the scores, and through the score's own curvature where K > 2:
// d^2 s / dz_j dz_k = -(q_k [j = k] - q_j q_k) over the rest, q its softmax.
template <class T>
void GeneralMember<T>::output_adjoint(RowsByScores d_scores, std::size_t row, const T* tangent) {
  const std::size_t classes = architecture_.classes;
  T* zeta = output_zeta_.row(row);
  if (classes == 2) {
    zeta[1] = d_scores(row, 0);
    zeta[0] = -zeta[1];
    return;
  }
  std::copy(d_scores.row(row), d_scores.row(row) + classes, zeta);
  if (tangent == nullptr) return;
  const T* omega = output_omega_.row(row);
  const std::size_t c = predicted_class(classes, logits_.row(row));
  T mean{};
  for (std::size_t k = 0; k < classes; ++k) mean += k == c ? T(0) : -omega[k] * tangent[k];
  for (std::size_t k = 0; k < classes; ++k) zeta[k] += k == c ? T(0) : omega[k] * (tangent[k] - mean);
}

template <class T>
void GeneralMember<T>::backward_rows(const Network<T>& network, RowsByScores d_scores, RowsByFeatures d_gradient,
                                     std::size_t first, std::size_t count) {
  const bool second_order = d_gradient.data() != nullptr;
  for (std::size_t l = 0; second_order && l < hidden_.size(); ++l) {
    Hidden& h = hidden_[l];
    if (l == 0) {
      rows_times<T>(d_gradient, first, count, network.layers[l].weight, nullptr, h.zeta);
    } else {
      rows_times<T>(hidden_[l - 1].tangent, first, count, network.layers[l].weight, nullptr, h.zeta);
    }
    for (std::size_t r = first; r < first + count; ++r) {
      kernels::multiply<T>(h.tangent.cols(), h.first.row(r), h.zeta.row(r), h.tangent.row(r));
    }
  }
  if (second_order && architecture_.classes > 2) {
    if (hidden_.empty()) {
      rows_times<T>(d_gradient, first, count, network.layers.back().weight, nullptr, output_tangent_);
    } else {
      rows_times<T>(hidden_.back().tangent, first, count, network.layers.back().weight, nullptr, output_tangent_);
    }
  }
  for (std::size_t r = first; r < first + count; ++r) {
    output_adjoint(d_scores, r, second_order ? output_tangent_.row(r) : nullptr);
  }
  for (std::size_t l = hidden_.size(); l-- > 0;) {
    Hidden& h = hidden_[l];
    if (second_order) {
      // input_gradient left the adjoint of t_l in `down`, which is needed once more here.
      for (std::size_t r = first; r < first + count; ++r) {
        kernels::multiply<T>(h.zeta.cols(), h.zeta.row(r), h.down.row(r), h.zeta.row(r));
      }
    }
    Activations& above = second_order ? h.down : h.zeta;
    if (l + 1 == hidden_.size()) {
      rows_times<T>(output_zeta_, first, count, transposed_[l + 1], nullptr, above);
    } else {
      rows_times<T>(hidden_[l + 1].zeta, first, count, transposed_[l + 1], nullptr, above);
    }
    for (std::size_t r = first; r < first + count; ++r) {
      if (second_order) {
        kernels::multiply_add<T>({.n = h.zeta.cols(),
                                  .a = h.first.row(r),
                                  .b = h.down.row(r),
                                  .c = h.second.row(r),
                                  .d = h.zeta.row(r),
                                  .out = h.zeta.row(r)});
      } else {
        kernels::multiply<T>(h.zeta.cols(), h.first.row(r), h.zeta.row(r), h.zeta.row(r));
      }
    }
  }
}

template <class T>
void GeneralMember<T>::weight_gradient(RowsByFeatures inputs, RowsByFeatures d_gradient, std::size_t rows,
                                       std::size_t layer, std::size_t in_first, std::size_t in_count,
                                       Layer<T>& gradient) const {
  const bool second_order = d_gradient.data() != nullptr;
  const bool output = layer == hidden_.size();
  const T* zeta = output ? output_zeta_.data() : hidden_[layer].zeta.data();
  const T* omega = output ? output_omega_.data() : hidden_[layer].omega.data();
  const std::size_t stride = output ? output_zeta_.stride() : hidden_[layer].zeta.stride();
  const T* value = layer == 0 ? inputs.data() : hidden_[layer - 1].value.data();
  const std::size_t value_stride = layer == 0 ? inputs.stride() : hidden_[layer - 1].value.stride();
  auto& weight = gradient.weight;
  // The transpose of the layer's input takes A's place: (in_count, rows), read column by column.
  kernels::product<T>({.m = in_count,
                       .n = weight.cols(),
                       .k = rows,
                       .a = value + in_first,
                       .a_row_stride = 1,
                       .a_col_stride = value_stride,
                       .b = zeta,
                       .b_stride = stride,
                       .c = weight.row(in_first),
                       .c_stride = weight.stride()});
  if (second_order) {
    const T* tangent = layer == 0 ? d_gradient.data() : hidden_[layer - 1].tangent.data();
    const std::size_t tangent_stride = layer == 0 ? d_gradient.stride() : hidden_[layer - 1].tangent.stride();
    kernels::product<T>({.m = in_count,
                         .n = weight.cols(),
                         .k = rows,
                         .a = tangent + in_first,
                         .a_row_stride = 1,
                         .a_col_stride = tangent_stride,
                         .b = omega,
                         .b_stride = stride,
                         .accumulate = true,
                         .c = weight.row(in_first),
                         .c_stride = weight.stride()});
  }
  if (in_first > 0) return;
  const T one(1);  // read again and again, with strides of 0: the bias's gradient is the sum of the rows of zeta
  kernels::product<T>({.m = 1,
                       .n = weight.cols(),
                       .k = rows,
                       .a = &one,
                       .a_row_stride = 0,
                       .a_col_stride = 0,
                       .b = zeta,
                       .b_stride = stride,
                       .c = gradient.bias.data(),
                       .c_stride = weight.stride()});
}

template class GeneralMember<float>;
template class GeneralMember<double>;
template class GeneralMember<std::complex<double>>;

}  // namespace perpend
