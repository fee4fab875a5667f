// Snapshot ensembles (Huang et al. 2017). There is one training, whose learning rate falls to 0 again and again. A
// member is a copy of the network at the end of each fall.
//
// With T steps per cycle, step t = 0, 1, ... of each cycle has the learning rate
//
//   rate(t) = rate / 2 (cos(pi t / T) + 1)
//
// The next cycle goes on from the snapshot with the full rate, which throws the network out of its minimum, and with a
// fresh state of Adam (the source has SGD with momentum). So M members cost one training of given length, and not M.
// Restarts that stop early may finish sooner than a training of full length.
//
// Length. M cycles share the epochs of one training: --epochs, or 640,000 row visits by default. A cycle has at least
// one epoch. With early stopping, which is the default, a snapshot is the network at the epoch of its cycle with the
// least validation log-loss. A cycle always has its full length, so the patience and the drops of the learning rate
// have no effect.
//
// Views. A snapshot has the view of the network that it is a copy of. So there is one training per view: with the
// linear and the piecewise view, members 0, 2, 4, ... are snapshots of one network, and the others are snapshots of a
// second.
//
// When not to use it. Members are copies of one network, so they are more alike than restarts. Where members' errors
// should differ, or the data leave room for several explanations, restarts are better. They cost more time.
#pragma once

#include "perpend/train/training.h"

namespace perpend {

TrainResult train_snapshots(const TrainingTask& task, const Threads& threads);

}  // namespace perpend
