// perpend as a library: options in, values out, nothing global.
//
// From a table to a saved model (examples/train.cpp):
//
//     perpend::RunOptions options;
//     options.schema.target = "target";
//     options.split.kind = perpend::SplitKind::extrapolation;
//     options.train.members = 3;
//
//     const perpend::Table table = perpend::read_source("builtin:shortcut", "");  // or read_table("loans.csv")
//     const perpend::Prepared data = perpend::prepare(table, options);            // split, schema, encoded parts
//     const perpend::RunResult result = perpend::run(data, options);
//     if (!result.test) return 1;  // training diverged
//     std::cout << "AUC " << result.test->auc.value() << ", cos^2 " << result.test->grad_cos2.value() << '\n';
//
//     perpend::save_model("model.safetensors", perpend::model_of(data, options, result), true);
//
// and back, on other rows: load_model, encode (data/encode.h), evaluate_ensemble or member_probabilities. A penalty of
// your own is a class with one function over scores, input gradients and labels (objective/objective.h), handed to
// train() as TrainInput::objective (examples/own_penalty.cpp).
//
// What a user did wrong comes as an exception under perpend::Error, one line each. The library never prints, exits or
// reads the environment. The same options, data and seed give the same bytes on any machine and number of threads.
#pragma once

#include "perpend/base/contract.h"
#include "perpend/base/error.h"
#include "perpend/data/encode.h"
#include "perpend/data/generate.h"
#include "perpend/data/read_table.h"
#include "perpend/data/source.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/model/predict.h"
#include "perpend/objective/cross_entropy.h"
#include "perpend/objective/lit.h"
#include "perpend/run/option_table.h"
#include "perpend/run/run.h"
#include "perpend/run/saved_model.h"
#include "perpend/store/trained_model.h"
#include "perpend/train/train.h"
