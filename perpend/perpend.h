// perpend as a library: ensembles of neural networks that agree on the data and extrapolate differently.
//
//     perpend::RunOptions options;
//     options.schema.target = "target";
//     options.split.kind = perpend::SplitKind::extrapolation;
//     options.train.members = 3;
//
//     const perpend::Table table = perpend::read_source("builtin:shortcut", "");  // or read_table("loans.csv")
//     const perpend::Fitted fitted = perpend::fit(table, options);
//     const perpend::Evaluation& test = fitted.model.summary.test.value();
//     std::cout << "AUC " << test.auc.value() << ", cos^2 " << test.grad_cos2.value() << '\n';
//     std::cout << spelled(fitted.reading, perpend::plain_spelling) << '\n';  // what these numbers say
//     perpend::save_model("model.safetensors", fitted.model, true);
//
//     const perpend::Table elsewhere = perpend::read_source("builtin:shortcut-flipped", "");
//     const perpend::Predictions answers = perpend::predict(fitted.model, elsewhere, {.abstain = 0.05});
//     std::size_t left_to_a_human = 0;
//     for (const bool abstained : answers.abstained) left_to_a_human += abstained ? 1 : 0;
//     std::cout << left_to_a_human << " of " << answers.rows << " rows are stranger than 95 % of the familiar ones\n";
//
// This is what a user does with an ensemble, and which function does it.
//
// A table comes in through read_table or read_source (data/). `fit` splits its rows, learns an encoding from the
// training rows and trains the members so that their input gradients are orthogonal: each member then has its own
// reason for the same answers. You want to know whether that cost anything, so `compare` trains every method on the
// same splits and says which one is best and whether the lead is more than noise. (api/fit.h, api/compare.h)
//
// `capacity` counts how many independent explanations the data hold. (api/capacity.h)
//
// New rows arrive. `predict` answers them and says how much the members disagree on each; where they disagree more than
// on nearly all familiar rows the model should abstain, because the row is unlike anything it was trained on. When
// labels arrive too, `evaluate` measures the ensemble and every member, and on request how independent the members are
// at a distance and along a manifold. (api/predict.h, api/evaluate.h)
//
// A month later, has the world moved? `monitor` compares new rows with what the model remembers of its own: which
// columns moved, whether that changes the answers, and how wrong they may be now. (api/monitor.h)
//
// Somebody asks why. `explain` tells which columns each member looks at, for all rows or for one, and which columns
// stand in for one another. `report` writes all of it as one offline page. (api/explain.h, api/report.h)
//
// The model moves to another place, where one of the members' reasons no longer holds. A dozen labelled rows from there
// are enough for `adapt` to find out which one, because little is fitted, and `ask` says which rows to label.
// (api/adapt.h, api/ask.h)
//
// A model is a file: `load_model`, `save_model`, `inspect`, and `to_onnx` for programs that cannot call perpend
// (api/model.h). `api/metrics.h` has the metrics themselves, for probabilities that came from elsewhere, and
// `api/independence.h` compares models of any kind; `api/bench.h` times training steps, and `api/machine.h` says what
// this machine can do.
//
// A penalty of your own is a class with one function over scores, input gradients and labels (objective/objective.h),
// handed to train() as TrainInput::objective: examples/own_penalty.cpp.
//
// A user's mistake is an exception under perpend::Error with a message of one line. The library never prints, exits or
// reads the environment. The same options, data and seed give the same bytes on any machine and number of threads.
#pragma once

// The use cases.
#include "perpend/api/adapt.h"
#include "perpend/api/ask.h"
#include "perpend/api/bench.h"
#include "perpend/api/capacity.h"
#include "perpend/api/compare.h"
#include "perpend/api/evaluate.h"
#include "perpend/api/explain.h"
#include "perpend/api/fit.h"
#include "perpend/api/independence.h"
#include "perpend/api/machine.h"
#include "perpend/api/metrics.h"
#include "perpend/api/model.h"
#include "perpend/api/monitor.h"
#include "perpend/api/predict.h"
#include "perpend/api/report.h"

// Tables and options, which they take.
#include "perpend/base/contract.h"
#include "perpend/base/error.h"
#include "perpend/data/generate.h"
#include "perpend/data/read_table.h"
#include "perpend/data/source.h"
#include "perpend/run/option_table.h"

// What they are built on: training and networks on rows that you have encoded yourself, and objectives of your own.
#include "perpend/data/encode.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/model/predict.h"
#include "perpend/objective/cross_entropy.h"
#include "perpend/objective/lit.h"
#include "perpend/train/train.h"
