// D-BAT's way through the members (objective/dbat.h has the loss and its source): the first member is trained as a
// restart, each other one beside those before it, which stay as they are.
//
// Each member has the epochs, early stopping and learning rates of a training of its own, so the whole costs as much as
// that of restarts, plus the rows without labels: twice the rows per step. Members are judged by validation rows on
// their own, and the ensemble is the mean of their probabilities.
//
// The earlier members' answers to the rows without labels are computed once each, without drop-out.
#pragma once

#include "perpend/train/training.h"

namespace perpend {

TrainResult train_dbat(const TrainingTask& task, const Threads& threads);

}  // namespace perpend
