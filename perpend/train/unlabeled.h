// Rows without labels, for a penalty that needs no labels: members are kept apart where the model will be used.
//
// A step then has as many rows without labels as with labels (fewer if there are fewer in all). They are not in the
// fit. The penalties of LIT take the mean over both kinds of rows, and each row counts the same. The penalties of
// DivDis and D-BAT are means over the rows without labels alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perpend/data/dataset.h"
#include "perpend/train/batch.h"
#include "perpend/train/options.h"

namespace perpend {

// The rows that the steps of a training read. If there are no rows without labels, they are the training rows as they
// are.
class UnlabeledSteps {
 public:
  UnlabeledSteps(const Dataset& train, const Inputs* unlabeled, std::size_t batch_rows, const TrainOptions& options);

  std::size_t per_step() const { return per_step_; }
  // The training rows, then those without labels: a data set with fewer labels than rows.
  const Dataset& data() const { return per_step_ > 0 ? all_ : train_; }
  // The one list of an epoch: after the rows of each step come the next rows without labels. The list of these is
  // repeated as often as needed, in a new order each time if rows are shuffled.
  const std::vector<RowList>& mixed(const std::vector<RowList>& lists);

 private:
  std::uint32_t next();

  const Dataset& train_;
  std::size_t batch_rows_;
  std::uint64_t seed_;
  bool shuffle_;
  std::size_t per_step_ = 0;
  Dataset all_;
  RowList order_;  // of this pass over the rows without labels
  std::size_t place_ = 0;
  std::uint32_t passes_ = 0;
  std::vector<RowList> mixed_;
};

}  // namespace perpend
