// One offline page that shows a model: what `perpend report` and Python's report write.
//
//     const perpend::Table table = perpend::read_table("loans.csv");
//     perpend::write_file_durably("loans.html", perpend::report(model, "loans.safetensors", {.data = &table}), true);
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perpend/api/model.h"
#include "perpend/data/table.h"
#include "perpend/evaluate/score_grid.h"  // scores over a plane, to draw decision boundaries
#include "perpend/records/model_view.h"
#include "perpend/run/view_model.h"

namespace perpend {

struct ReportOptions {
  // Columns whose gradients are drawn even if their share is small. Empty: for an ICU table those of the paper's
  // figure.
  std::vector<std::string> features = {};
  // Distances at which independence is measured. Nothing: the usual ones, and none for a model with views. It is a
  // ConfigError to give distances for a model with views.
  std::optional<std::vector<double>> epsilons = {};
  std::string norm = "l2";   // shape of the ball around a row: l2 or linf
  int threads = 0;           // 0: all
  std::string version = {};  // of perpend, for the foot of the page
  // The paths of the model and of the new rows as they were typed, for commands to paste. Empty: the page shows calls
  // in Python.
  std::string model_path = {}, newer_path = {};
};

// Returns the page's HTML. name: what the page calls the model. Without tables (view_model.h) it shows what the model
// file alone knows. With new rows it says whether they have moved and what to do, if the model can be monitored
// (monitor.h). warnings: what is odd about the cells of a table that is not the training's, one line each.
std::string report(const TrainedModel& model, const std::string& name, const ViewSources& sources = {},
                   const ReportOptions& options = {}, std::vector<std::string>* warnings = nullptr);

// Returns the charts of that page by name, each a Vega-Lite specification as JSON.
std::map<std::string, std::string> charts(const TrainedModel& model, const ViewSources& sources = {},
                                          const ReportOptions& options = {});

// Some rows of a table under a name.
struct NamedRows {
  std::string name;
  const Table* table = nullptr;
  std::vector<std::uint32_t> rows;
};
// Returns what a page draws of a model on these rows. Curves and gradients are those of the first part.
RowsView view_rows(const TrainedModel& model, std::span<const NamedRows> parts, int threads = 0);

}  // namespace perpend
