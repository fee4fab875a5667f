// Trains members as D-BAT does (objective/dbat.h has the loss and its source). The first member is trained as a
// restart. Each later one is trained to disagree with those before it, which stay as they are.
//
// Each member has the epochs, early stopping and learning rates of a training of its own. So the whole costs as much as
// restarts with twice the rows per step, because of the rows without labels. Each member is judged by validation rows
// on its own, and the ensemble is the mean of the members' probabilities.
//
// The earlier members' answers to the rows without labels are computed once per member, without drop-out.
#pragma once

#include "perpend/train/training.h"

namespace perpend {

TrainResult train_dbat(const TrainingTask& task, const Threads& threads);

}  // namespace perpend
