// The four engines of a training step, which share one shape:
//
//   forward(batches)             scores, and what else the objective needs (input gradients, ascent points)
//   [the objective turns a run of rows into adjoints, in place]
//   update(batches, step)        weight gradients of both adjoints, then Adam; false when a weight is no longer finite
//
// CollapsedEngine serves one ReLU layer with two classes, TableEngine the same over columns that are tables,
// GeneralEngine everything, FiniteEngine ascent points. The architecture and objective.needs() decide which one it is
// (training.cpp). Work is cut into pieces, and the results do not depend on the cut.
#pragma once

#include <cstddef>
#include <vector>

#include "perpend/base/direction.h"
#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/kernels/adam.h"
#include "perpend/model/ascent.h"
#include "perpend/model/collapsed_member.h"
#include "perpend/model/dropout.h"
#include "perpend/model/ensemble.h"
#include "perpend/model/general_member.h"
#include "perpend/model/table_member.h"
#include "perpend/train/batch.h"

namespace perpend {

// The values that cross the seam, for all members.
struct Seam {
  Stack<float, axis::Row, axis::Score> scores, d_scores;
  Stack<float, axis::Row, axis::Feature> input_gradients;  // empty unless wanted; the objective makes them adjoints

  Seam(const Architecture& architecture, std::size_t members, std::size_t max_rows, bool with_input_gradients);
  bool with_input_gradients() const { return input_gradients.members() > 0; }
  MatrixView<float, axis::Row, axis::Feature> gradient(std::size_t m) {
    return with_input_gradients() ? input_gradients[m] : MatrixView<float, axis::Row, axis::Feature>();
  }
};

struct EngineOptions {
  std::size_t max_rows = 256;
  bool with_input_gradients = true;
  double keep = 1;
  std::uint64_t seed = 0;
  std::size_t first_member = 0;  // the number of the engine's first member, which names its random streams
  AscentOptions ascent = {};     // for FiniteEngine
  Directions directions = {};    // of the columns; each update keeps the signs that they ask for (model/monotone.h)
};

class CollapsedEngine {
 public:
  CollapsedEngine(const Ensemble& ensemble, const EngineOptions& options, const Threads& threads);
  BatchLayout layout() const { return members_[0].is_quantized() ? BatchLayout::quantized : BatchLayout::packed; }
  Seam& seam() { return seam_; }
  void forward(Batches& batches);
  bool update(Batches& batches, const kernels::AdamStep& step);
  Ensemble ensemble() const;

 private:
  bool update_units(std::size_t m, const Batch& batch, const kernels::AdamStep& step, const UnitRange& units);
  struct State {
    AlignedVector<float> m, v;
  };
  Architecture architecture_;
  EngineOptions options_;
  const Threads* threads_;
  std::vector<CollapsedMember> members_;
  std::vector<State> states_;
  Seam seam_;
  std::vector<InterleavedGradients> interleaved_;  // one per span
};

class TableEngine {
 public:
  TableEngine(const Ensemble& ensemble, const EngineOptions& options, const Threads& threads);
  static BatchLayout layout() { return BatchLayout::in_data; }
  Seam& seam() { return seam_; }
  void forward(Batches& batches);
  bool update(Batches& batches, const kernels::AdamStep& step);
  Ensemble ensemble() const;

 private:
  // One per view that members have.
  struct OfView {
    View view;
    ViewLayout layout;
    std::vector<std::uint32_t> found;  // the table rows of all cells of the data
    std::vector<TableBatch> batches;   // one for all members, or one per member
  };
  const TableBatch& batch_of(std::size_t member, bool shared) const {
    return views_[view_of_[member]].batches[shared ? 0 : member];
  }

  Architecture architecture_;
  EngineOptions options_;
  const Threads* threads_;
  std::vector<OfView> views_;
  std::vector<std::size_t> view_of_;  // per member
  std::vector<TableMember> members_;
  Seam seam_;
};

class GeneralEngine {
 public:
  GeneralEngine(const Ensemble& ensemble, const EngineOptions& options, const Threads& threads);
  static BatchLayout layout() { return BatchLayout::copied; }
  Seam& seam() { return seam_; }
  void forward(Batches& batches);
  bool update(Batches& batches, const kernels::AdamStep& step);
  Ensemble ensemble() const { return ensemble_; }

 private:
  // Inputs first .. first + count of a layer, and the layer's bias if first is 0.
  struct WeightPiece {
    std::size_t layer, first, count;
  };
  bool update_inputs(std::size_t member, const Batch& batch, const kernels::AdamStep& step, const WeightPiece& piece);
  struct State {
    Network<float> gradient, m, v;
  };
  Ensemble ensemble_;
  EngineOptions options_;
  const Threads* threads_;
  std::vector<GeneralMember<float>> members_;
  std::vector<State> states_;
  std::vector<std::vector<WeightPiece>> pieces_;  // per member
  Seam seam_;
  // Only with views: each member's inputs and gradients behind its view. The seam has those by columns.
  std::vector<ViewLayout> layouts_;
  std::vector<Inputs> expanded_, by_input_;
  std::vector<Directions> directions_;  // per member, of the inputs of its first layer; empty: there are none

  InputsView inputs_of(std::size_t member, const Batch& batch) const;
  MatrixView<float, axis::Row, axis::Feature> gradient_of(std::size_t member);
};

// The engine of objective/finite.h. Each row goes in together with the points around it where each member's score is
// largest. A member's scores at all of them are next to each other in the seam, (rows, 1 + members). The points are
// found with the members as they are before the step.
class FiniteEngine {
 public:
  FiniteEngine(const Ensemble& ensemble, const EngineOptions& options, const Threads& threads);
  static BatchLayout layout() { return BatchLayout::copied; }
  Seam& seam() { return seam_; }
  void forward(Batches& batches);
  bool update(Batches& batches, const kernels::AdamStep& step);
  Ensemble ensemble() const { return engine_.ensemble(); }

 private:
  const Threads* threads_;
  AscentOptions ascent_;
  std::size_t blocks_;  // the rows themselves, and one set of points per member
  GeneralEngine engine_;
  Dataset rows_;  // block by block, each as long as the batch
  std::vector<RowList> order_;
  Batches batches_;
  Seam seam_;
};

}  // namespace perpend
