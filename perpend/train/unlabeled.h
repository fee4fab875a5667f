// Rows without labels, for a penalty that asks for none: members are kept apart where the model will be used.
//
// A step then has as many rows without labels as with labels (fewer where there are fewer in all), and they are not in
// the fit. Of the penalties of LIT they count in the mean beside the labelled rows, each as much as one of those; the
// penalties of DivDis and D-BAT are means over them alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perpend/data/dataset.h"
#include "perpend/train/batch.h"
#include "perpend/train/options.h"

namespace perpend {

// What the steps of a training read: with rows without labels or, if there are none, the training rows as they are.
class UnlabeledSteps {
 public:
  UnlabeledSteps(const Dataset& train, const Inputs* unlabeled, std::size_t batch_rows, const TrainOptions& options);

  std::size_t per_step() const { return per_step_; }
  // The training rows, then those without labels: a data set with fewer labels than rows.
  const Dataset& data() const { return per_step_ > 0 ? all_ : train_; }
  // The one list of an epoch, with the next rows without labels after those of each step. They are gone over again and
  // again, in another order each time where rows are shuffled.
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
