// Makes what a report shows of a saved model: from the file alone, and with the table that it was trained on.
#pragma once

#include "perpend/data/table.h"
#include "perpend/evaluate/view_distance.h"
#include "perpend/records/model_view.h"
#include "perpend/store/trained_model.h"

namespace perpend {

struct ViewSources {
  const Table* data = nullptr;   // ModelView::rows needs one of the two
  const Table* newer = nullptr;  // rows from elsewhere, with or without labels
  std::string newer_name;        // how they are called; empty: new rows
};

// What a report looks at in the rows beyond the usual.
struct ViewOptions {
  std::vector<std::string> features = {};  // whose gradients are wanted whatever their share (features_named)
  DistanceOptions distance = {};  // not measured for a model with views, whose inputs cannot be moved (ascent.h)
};

// The model's options hold target, split and seed, so the parts of its own table can be made again. It is checked
// whether `data` is that table: the schema found on its training rows has to be the model's to the last bit. Where an
// encoding was given, member 1 has to have the log-loss that the model's summary tells. Any other table is one part of
// its own, called by its source. Throws ModelFileError when `train` would not take the options.
ModelView view_model(const TrainedModel& model, const std::string& name, const ViewSources& sources, int threads,
                     const ViewOptions& wanted = {});

// Returns "LIT, lambda 1" or "random restarts".
std::string method_title(const std::string& method, double lambda);

}  // namespace perpend
