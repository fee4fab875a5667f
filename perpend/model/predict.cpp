#include "perpend/model/predict.h"

#include <algorithm>

#include "perpend/kernels/elementwise.h"
#include "perpend/model/general_member.h"

namespace perpend {

namespace {

constexpr std::size_t kRowsPerPiece = 512;

// Runs use(member, pass, piece inputs, scores, first row) for every member and piece of rows.
template <class Use>
void for_each_piece(const Ensemble& ensemble, InputsView inputs, const Threads& threads, const Use& use) {
  PERPEND_CHECK(inputs.cols() == ensemble.architecture.features);
  const std::size_t pieces = (inputs.rows() + kRowsPerPiece - 1) / kRowsPerPiece;
  threads.for_each(ensemble.members.size() * pieces, [&](std::size_t i) {
    const std::size_t m = i % ensemble.members.size();
    const std::size_t first = i / ensemble.members.size() * kRowsPerPiece;
    const std::size_t count = std::min(kRowsPerPiece, inputs.rows() - first);
    GeneralMember<float> pass(ensemble.architecture, count);
    Stack<float, axis::Row, axis::Score> scores(1, count, ensemble.architecture.scores());
    pass.forward(ensemble.members[m], inputs.middle_rows(first, count), 0, count, {}, m, scores[0]);
    use(m, pass, scores[0], first);
  });
}

}  // namespace

Stack<float, axis::Row, axis::Score> member_scores(const Ensemble& ensemble, InputsView inputs,
                                                   const Threads& threads) {
  Stack<float, axis::Row, axis::Score> out(ensemble.members.size(), inputs.rows(), ensemble.architecture.scores());
  for_each_piece(ensemble, inputs, threads, [&](std::size_t m, auto&, auto scores, std::size_t first) {
    for (std::size_t r = 0; r < scores.rows(); ++r) {
      std::copy_n(scores.row(r), scores.cols(), out[m].row(first + r));
    }
  });
  return out;
}

Stack<float, axis::Row, axis::Out> member_probabilities(const Ensemble& ensemble, InputsView inputs,
                                                        const Threads& threads) {
  const std::size_t classes = ensemble.architecture.classes;
  Stack<float, axis::Row, axis::Out> out(ensemble.members.size(), inputs.rows(), classes);
  for_each_piece(ensemble, inputs, threads, [&](std::size_t m, auto&, auto scores, std::size_t first) {
    if (classes == 2) kernels::sigmoid<float>(scores.rows(), scores.data(), scores.data());
    for (std::size_t r = 0; r < scores.rows(); ++r) {
      float* p = out[m].row(first + r);
      if (classes == 2) {
        p[1] = scores(r, 0);
        p[0] = 1 - p[1];
      } else {
        kernels::softmax<float>(classes, scores.row(r), p);
        std::fill(p + classes, p + out[m].stride(), 0.0F);
      }
    }
  });
  return out;
}

Matrix<float, axis::Row, axis::Out> mean_probabilities(const Stack<float, axis::Row, axis::Out>& members) {
  Matrix<float, axis::Row, axis::Out> mean(members.rows(), members.cols());
  for (std::size_t r = 0; r < members.rows(); ++r) {
    for (std::size_t k = 0; k < members.cols(); ++k) {
      double sum = 0;
      for (std::size_t m = 0; m < members.members(); ++m) sum += members[m](r, k);
      mean(r, k) = static_cast<float>(sum / static_cast<double>(members.members()));
    }
  }
  return mean;
}

Stack<float, axis::Row, axis::Feature> input_gradients(const Ensemble& ensemble, InputsView inputs,
                                                       const Threads& threads) {
  Stack<float, axis::Row, axis::Feature> out(ensemble.members.size(), inputs.rows(), inputs.cols());
  for_each_piece(ensemble, inputs, threads, [&](std::size_t m, auto& pass, auto scores, std::size_t first) {
    pass.transpose(ensemble.members[m]);
    Stack<float, axis::Row, axis::Feature> gradient(1, scores.rows(), inputs.cols());
    pass.input_gradient(0, scores.rows(), gradient[0]);
    for (std::size_t r = 0; r < scores.rows(); ++r) {
      std::copy_n(gradient[0].row(r), inputs.cols(), out[m].row(first + r));
    }
  });
  return out;
}

}  // namespace perpend
