#include "perpend/model/predict.h"

#include <algorithm>
#include <cmath>

#include "perpend/base/random.h"
#include "perpend/kernels/collapsed.h"
#include "perpend/kernels/dense.h"
#include "perpend/kernels/elementwise.h"
#include "perpend/kernels/one_layer.h"
#include "perpend/model/general_member.h"
#include "perpend/model/table_member.h"

namespace perpend {

namespace {

constexpr std::size_t kRowsPerPass = 512;

constexpr float kLargestGradient = 1e30F;

bool is_within(const float* values, std::size_t count, float largest) {
  return std::all_of(values, values + count, [&](float x) { return std::abs(x) <= largest; });
}

void bound(float* values, std::size_t count, float largest) {
  for (std::size_t i = 0; i < count; ++i) values[i] = std::clamp(values[i], -largest, largest);
}

// The rows as they are. If a number is too large for networks, a copy that has the largest allowed one in its place.
class BoundedRows {
 public:
  explicit BoundedRows(InputsView rows) : view_(rows) {
    for (std::size_t r = 0; r < rows.rows() && within_; ++r)
      within_ = is_within(rows.row(r), rows.cols(), kLargestValue);
    if (within_) return;
    copy_ = Inputs(rows.rows(), rows.cols());
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      std::copy_n(rows.row(r), rows.cols(), copy_.row(r));
      bound(copy_.row(r), rows.cols(), kLargestValue);
    }
  }
  InputsView view() const { return within_ ? view_ : copy_.view(); }

 private:
  InputsView view_;
  Inputs copy_;
  bool within_ = true;
};

// With many layers even a gradient can leave the range of floats. If it is then NaN, it has no direction, so it becomes
// 0.
float defined_gradient(float g) { return std::isnan(g) ? 0.0F : std::clamp(g, -kLargestGradient, kLargestGradient); }

// Runs use(member, first row, rows) for every network and piece of rows.
template <class Use>
void for_each_piece(const Ensemble& ensemble, InputsView inputs, const Threads& threads, const Use& use) {
  PERPEND_CHECK(inputs.cols() == ensemble.architecture.features);
  const std::size_t pieces = (inputs.rows() + kRowsPerPass - 1) / kRowsPerPass;
  const std::size_t networks = ensemble.differentiable();
  threads.for_each(networks * pieces, [&](std::size_t i) {
    const std::size_t first = i / networks * kRowsPerPass;
    use(i % networks, first, std::min(kRowsPerPass, inputs.rows() - first));
  });
}

bool is_one_relu_layer(const Architecture& architecture) {
  return architecture.hidden.size() == 1 && architecture.activation == Activation::relu;
}

// The logits of a piece of rows. That of row r and class k is data[r * row_step + k * class_step].
struct Logits {
  const float* data;
  std::size_t row_step, class_step;
};

// Runs any network, layer by layer, in memory that the thread keeps.
Logits forward(const Architecture& architecture, const Network<float>& network, InputsView inputs) {
  thread_local AlignedVector<float> buffers[2];
  const float* in = inputs.data();
  std::size_t in_stride = inputs.stride();
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const auto& layer = network.layers[l];
    const std::size_t stride = layer.weight.stride();
    auto& out = buffers[l % 2];
    out.resize(std::max(out.size(), inputs.rows() * stride));
    kernels::product<float>({.m = inputs.rows(),
                             .n = layer.weight.cols(),
                             .k = layer.weight.rows(),
                             .a = in,
                             .a_row_stride = in_stride,
                             .b = layer.weight.data(),
                             .b_stride = stride,
                             .bias = layer.bias.data(),
                             .c = out.data(),
                             .c_stride = stride});
    if (l + 1 < network.layers.size()) {
      kernels::activate<float>(architecture.activation,
                               {.n = inputs.rows() * stride, .z = out.data(), .value = out.data()});
      if (network.layers.size() > 2) bound(out.data(), inputs.rows() * stride, kLargestValue);
    }
    in = out.data();
    in_stride = stride;
  }
  return {in, in_stride, 1};
}

// The rows as a member sees them: themselves, or the inputs that its view makes of them.
class SeenRows {
 public:
  SeenRows(const Architecture& architecture, std::size_t member, InputsView rows) : view_(rows) {
    if (!architecture.has_views()) return;
    const ViewLayout layout = architecture.layout_of(member);
    expanded_ = Inputs(rows.rows(), layout.rows());
    layout.expand(rows, expanded_.view());
    view_ = expanded_.view();
  }
  InputsView view() const { return view_; }

 private:
  Inputs expanded_;
  InputsView view_;
};

// Runs one ReLU layer with two classes over columns that are tables (table_member.h). Scores never depend on how many
// rows are asked for at a time.
class TablePass {
 public:
  static bool serves(const Architecture& architecture) {
    return architecture.has_views() && is_one_relu_layer(architecture) && architecture.classes == 2;
  }
  TablePass(const Ensemble& ensemble, const Threads& threads) : ensemble_(ensemble), threads_(threads) {
    for (std::size_t m = 0; m < ensemble.differentiable(); ++m) layouts_.push_back(ensemble.architecture.layout_of(m));
  }

  // Computes the scores of all networks and, unless `gradients` is null, their input gradients.
  void run(InputsView rows, Stack<float, axis::Row, axis::Score>& scores,
           Stack<float, axis::Row, axis::Feature>* gradients) const {
    threads_.for_each(layouts_.size(), [&](std::size_t m) {
      TableMember member(layouts_[m], ensemble_.members[m], {.keep = 1, .max_rows = kRows});
      TableBatch batch(layouts_[m], kRows);
      for (std::size_t first = 0; first < rows.rows(); first += kRows) {
        const std::size_t count = std::min(kRows, rows.rows() - first);
        batch.gather(layouts_[m], {.data = rows.row(first), .stride = rows.stride()}, count, nullptr,
                     gradients != nullptr);
        member.forward({.batch = &batch,
                        .first = 0,
                        .count = count,
                        .dropout = {},
                        .member = m,
                        .scores = scores[m].data() + first,
                        .gradient = gradients == nullptr ? MatrixView<float, axis::Row, axis::Feature>()
                                                         : (*gradients)[m].middle_rows(first, count)});
      }
    });
  }

 private:
  static constexpr std::size_t kRows = kernels::kRowsPerBlock;
  const Ensemble& ensemble_;
  const Threads& threads_;
  std::vector<ViewLayout> layouts_;
};

// Runs one ReLU layer, 64 rows at a time. It gives the same bits, two to three times as fast.
class OneLayerForward {
 public:
  // Below this many rows, the work on the empty rows of a group costs more than the speed gains.
  static constexpr std::size_t kFewestRows = 32;
  static bool serves(const Architecture& architecture) {
    return is_one_relu_layer(architecture) && !architecture.has_views();
  }

  explicit OneLayerForward(const Ensemble& ensemble) : ensemble_(ensemble) {
    for (const auto& network : ensemble.members) {
      const auto& weight = network.layers[0].weight;
      auto& by_unit = by_unit_.emplace_back(weight.rows() * weight.cols());
      for (std::size_t f = 0; f < weight.rows(); ++f) {
        for (std::size_t u = 0; u < weight.cols(); ++u) by_unit[u * weight.rows() + f] = weight(f, u);
      }
    }
  }

  // Runs up to 64 rows through all members: calls use(member, logits).
  template <class Use>
  void run(InputsView rows, const Use& use) const {
    const Architecture& a = ensemble_.architecture;
    thread_local AlignedVector<float> packed;
    thread_local AlignedVector<float> logits;
    packed.resize(a.features * kRowsPerGroup);
    logits.resize(a.classes * kRowsPerGroup);
    kernels::pack_group(rows.rows(), a.features, {.data = rows.data(), .stride = rows.stride()}, packed.data());
    for (std::size_t m = 0; m < by_unit_.size(); ++m) {
      const auto& layers = ensemble_.members[m].layers;
      kernels::one_layer_logits({.features = a.features,
                                 .units = a.hidden[0],
                                 .classes = a.classes,
                                 .weights = by_unit_[m].data(),
                                 .bias = layers[0].bias.data(),
                                 .out_weights = layers[1].weight.data(),
                                 .out_stride = layers[1].weight.stride(),
                                 .out_bias = layers[1].bias.data()},
                                packed.data(), logits.data());
      use(m, Logits{logits.data(), 1, kRowsPerGroup});
    }
  }

 private:
  const Ensemble& ensemble_;
  std::vector<AlignedVector<float>> by_unit_;
};

// Runs use(member, first row, rows, logits) until every network has seen every row.
template <class Use>
void for_each_logits(const Ensemble& ensemble, InputsView inputs, const Threads& threads, const Use& use) {
  if (!OneLayerForward::serves(ensemble.architecture) || inputs.rows() < OneLayerForward::kFewestRows) {
    for_each_piece(ensemble, inputs, threads, [&](std::size_t m, std::size_t first, std::size_t count) {
      const SeenRows seen(ensemble.architecture, m, inputs.middle_rows(first, count));
      use(m, first, count, forward(ensemble.architecture, ensemble.members[m], seen.view()));
    });
    return;
  }
  PERPEND_CHECK(inputs.cols() == ensemble.architecture.features);
  const OneLayerForward pass(ensemble);
  const std::size_t groups = (inputs.rows() + kRowsPerGroup - 1) / kRowsPerGroup;
  threads.for_each(groups, [&](std::size_t g) {
    const std::size_t first = g * kRowsPerGroup;
    const std::size_t count = std::min(kRowsPerGroup, inputs.rows() - first);
    pass.run(inputs.middle_rows(first, count),
             [&](std::size_t m, const Logits& logits) { use(m, first, count, logits); });
  });
}

void score_networks(const Ensemble& ensemble, InputsView inputs, const Threads& threads,
                    Stack<float, axis::Row, axis::Score>& out) {
  const std::size_t classes = ensemble.architecture.classes;
  if (TablePass::serves(ensemble.architecture)) {
    TablePass(ensemble, threads).run(inputs, out, nullptr);
    return;
  }
  for_each_logits(ensemble, inputs, threads,
                  [&](std::size_t m, std::size_t first, std::size_t count, const Logits& logits) {
                    const auto scores = out[m];
                    for (std::size_t r = 0; r < count; ++r) {
                      const float* z = logits.data + r * logits.row_step;
                      if (classes == 2) {
                        scores(first + r, 0) = z[logits.class_step] - z[0];
                      } else {
                        for (std::size_t k = 0; k < classes; ++k) scores(first + r, k) = z[k * logits.class_step];
                      }
                    }
                  });
}

}  // namespace

Stack<float, axis::Row, axis::Score> member_scores(const Ensemble& ensemble, InputsView inputs,
                                                   const Threads& threads) {
  const BoundedRows rows(inputs);
  Stack<float, axis::Row, axis::Score> out(ensemble.members.size(), inputs.rows(), ensemble.architecture.scores());
  score_networks(ensemble, rows.view(), threads, out);
  if (!ensemble.has_trees()) return out;
  const TreeScores scores = score(ensemble.trees, rows.view(), threads);
  for (std::size_t r = 0; r < inputs.rows(); ++r) {
    std::copy_n(scores.row(r), out.cols(), out[ensemble.differentiable()].row(r));
  }
  return out;
}

Stack<float, axis::Row, axis::Score> positive_probabilities(const Ensemble& ensemble, InputsView inputs,
                                                            const Threads& threads) {
  PERPEND_CHECK(ensemble.architecture.classes == 2 && !ensemble.architecture.quantity);
  return positive_probabilities_of(member_scores(ensemble, inputs, threads), threads);
}

Stack<float, axis::Row, axis::Score> positive_probabilities_of(Stack<float, axis::Row, axis::Score> scores,
                                                               const Threads& threads) {
  threads.for_each(scores.members(),
                   [&](std::size_t m) { kernels::sigmoid<float>(scores.rows(), scores[m].data(), scores[m].data()); });
  return scores;
}

Stack<float, axis::Row, axis::Out> probabilities_of(const Stack<float, axis::Row, axis::Score>& scores,
                                                    const Threads& threads) {
  const std::size_t classes = scores.cols() == 1 ? 2 : scores.cols();
  Stack<float, axis::Row, axis::Out> out(scores.members(), scores.rows(), classes);
  threads.for_each(scores.members(), [&](std::size_t m) {
    const auto s = scores[m];
    AlignedVector<float> positive(classes == 2 ? round_up(s.rows(), 16) : 0);
    if (classes == 2) kernels::sigmoid<float>(s.rows(), s.data(), positive.data());
    for (std::size_t r = 0; r < s.rows(); ++r) {
      float* p = out[m].row(r);
      if (classes == 2) {
        p[1] = positive[r];
        p[0] = 1 - p[1];
      } else {
        kernels::softmax<float>(classes, s.row(r), p);
        std::fill(p + classes, p + out[m].stride(), 0.0F);
      }
    }
  });
  return out;
}

Stack<float, axis::Row, axis::Out> member_probabilities(const Ensemble& ensemble, InputsView inputs,
                                                        const Threads& threads) {
  return probabilities_of(member_scores(ensemble, inputs, threads), threads);
}

Matrix<double, axis::Member, axis::Row> predictions_of(const Stack<float, axis::Row, axis::Score>& scores,
                                                       const NumberTarget& quantity) {
  Matrix<double, axis::Member, axis::Row> out(scores.members(), scores.rows());
  for (std::size_t m = 0; m < out.rows(); ++m) {
    for (std::size_t r = 0; r < out.cols(); ++r) out(m, r) = quantity.predicted(scores[m](r, 0));
  }
  return out;
}

Matrix<double, axis::Member, axis::Row> member_predictions(const Ensemble& ensemble, InputsView inputs,
                                                           const Threads& threads) {
  PERPEND_CHECK(ensemble.architecture.quantity.has_value());
  return predictions_of(member_scores(ensemble, inputs, threads), *ensemble.architecture.quantity);
}

Stack<float, axis::Row, axis::Feature> input_gradients(const Ensemble& ensemble, InputsView inputs,
                                                       const Threads& threads) {
  const BoundedRows bounded(inputs);
  const InputsView rows = bounded.view();
  Stack<float, axis::Row, axis::Feature> out(ensemble.differentiable(), rows.rows(), rows.cols());
  if (TablePass::serves(ensemble.architecture)) {
    Stack<float, axis::Row, axis::Score> scores(ensemble.differentiable(), rows.rows(), 1);
    TablePass(ensemble, threads).run(rows, scores, &out);
    return out;
  }
  for_each_piece(ensemble, rows, threads, [&](std::size_t m, std::size_t first, std::size_t count) {
    const Architecture behind = ensemble.architecture.behind_view(m);
    const SeenRows seen(ensemble.architecture, m, rows.middle_rows(first, count));
    GeneralMember<float> pass(behind, count, {.backward = false});
    pass.transpose(ensemble.members[m]);
    Stack<float, axis::Row, axis::Score> scores(1, count, behind.scores());
    pass.forward(ensemble.members[m], seen.view(), 0, count, {}, m, scores[0]);
    Inputs gradient(count, behind.features);
    pass.input_gradient(0, count, gradient.view());
    if (ensemble.architecture.has_views()) {
      Inputs by_column(count, rows.cols());
      ensemble.architecture.layout_of(m).contract<float>(rows.middle_rows(first, count), gradient.view(),
                                                         by_column.view());
      gradient = std::move(by_column);
    }
    for (std::size_t r = 0; r < count; ++r) {
      std::transform(gradient.row(r), gradient.row(r) + rows.cols(), out[m].row(first + r), defined_gradient);
    }
  });
  return out;
}

}  // namespace perpend
