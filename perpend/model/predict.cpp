#include "perpend/model/predict.h"

#include <algorithm>

#include "perpend/kernels/dense.h"
#include "perpend/kernels/elementwise.h"
#include "perpend/model/general_member.h"

namespace perpend {

namespace {

constexpr std::size_t kRowsPerPiece = 512;

// Runs use(member, first row, rows) for every member and piece of rows.
template <class Use>
void for_each_piece(const Ensemble& ensemble, InputsView inputs, const Threads& threads, const Use& use) {
  PERPEND_CHECK(inputs.cols() == ensemble.architecture.features);
  const std::size_t pieces = (inputs.rows() + kRowsPerPiece - 1) / kRowsPerPiece;
  threads.for_each(ensemble.members.size() * pieces, [&](std::size_t i) {
    const std::size_t first = i / ensemble.members.size() * kRowsPerPiece;
    use(i % ensemble.members.size(), first, std::min(kRowsPerPiece, inputs.rows() - first));
  });
}

// The logits of a piece of rows, (rows, K) with the padding of a Matrix, in memory that the thread keeps.
const float* forward(const Architecture& architecture, const Network<float>& network, InputsView inputs) {
  thread_local AlignedVector<float> buffers[2];
  const float* in = inputs.data();
  std::size_t in_stride = inputs.stride();
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const auto& layer = network.layers[l];
    const std::size_t stride = layer.weight.stride();
    auto& out = buffers[l % 2];
    out.resize(std::max(out.size(), inputs.rows() * stride));
    kernels::product<float>(inputs.rows(), layer.weight.cols(), layer.weight.rows(), in, in_stride, 1,
                            layer.weight.data(), stride, layer.bias.data(), false, out.data(), stride);
    if (l + 1 < network.layers.size()) {
      kernels::activate<float>(architecture.activation, inputs.rows() * stride, out.data(), nullptr, out.data(),
                               nullptr, nullptr);
    }
    in = out.data();
    in_stride = stride;
  }
  return in;
}

}  // namespace

Stack<float, axis::Row, axis::Score> member_scores(const Ensemble& ensemble, InputsView inputs,
                                                   const Threads& threads) {
  const std::size_t classes = ensemble.architecture.classes;
  Stack<float, axis::Row, axis::Score> out(ensemble.members.size(), inputs.rows(), ensemble.architecture.scores());
  for_each_piece(ensemble, inputs, threads, [&](std::size_t m, std::size_t first, std::size_t count) {
    const float* logits = forward(ensemble.architecture, ensemble.members[m], inputs.middle_rows(first, count));
    const auto scores = out[m];
    for (std::size_t r = 0; r < count; ++r, logits += round_up(classes, 16)) {
      if (classes == 2) {
        scores(first + r, 0) = logits[1] - logits[0];
      } else {
        std::copy_n(logits, classes, scores.row(first + r));
      }
    }
  });
  return out;
}

Stack<float, axis::Row, axis::Out> member_probabilities(const Ensemble& ensemble, InputsView inputs,
                                                        const Threads& threads) {
  const std::size_t classes = ensemble.architecture.classes;
  auto scores = member_scores(ensemble, inputs, threads);
  Stack<float, axis::Row, axis::Out> out(ensemble.members.size(), inputs.rows(), classes);
  threads.for_each(ensemble.members.size(), [&](std::size_t m) {
    const auto s = scores[m];
    if (classes == 2) kernels::sigmoid<float>(s.rows(), s.data(), s.data());
    for (std::size_t r = 0; r < s.rows(); ++r) {
      float* p = out[m].row(r);
      if (classes == 2) {
        p[1] = s(r, 0);
        p[0] = 1 - p[1];
      } else {
        kernels::softmax<float>(classes, s.row(r), p);
        std::fill(p + classes, p + out[m].stride(), 0.0F);
      }
    }
  });
  return out;
}

Stack<float, axis::Row, axis::Feature> input_gradients(const Ensemble& ensemble, InputsView inputs,
                                                       const Threads& threads) {
  Stack<float, axis::Row, axis::Feature> out(ensemble.members.size(), inputs.rows(), inputs.cols());
  for_each_piece(ensemble, inputs, threads, [&](std::size_t m, std::size_t first, std::size_t count) {
    GeneralMember<float> pass(ensemble.architecture, count);
    pass.transpose(ensemble.members[m]);
    Stack<float, axis::Row, axis::Score> scores(1, count, ensemble.architecture.scores());
    pass.forward(ensemble.members[m], inputs.middle_rows(first, count), 0, count, {}, m, scores[0]);
    Stack<float, axis::Row, axis::Feature> gradient(1, count, inputs.cols());
    pass.input_gradient(0, count, gradient[0]);
    for (std::size_t r = 0; r < count; ++r) std::copy_n(gradient[0].row(r), inputs.cols(), out[m].row(first + r));
  });
  return out;
}

}  // namespace perpend
