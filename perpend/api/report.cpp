#include "perpend/api/report.h"

#include "perpend/api/measure.h"
#include "perpend/api/monitor.h"
#include "perpend/base/error.h"
#include "perpend/data/encode.h"
#include "perpend/evaluate/view_rows.h"
#include "perpend/icu/figure_columns.h"
#include "perpend/report/model_page.h"
#include "perpend/report/standalone.h"

namespace perpend {

namespace {

ViewOptions view_options(const ReportOptions& options, const TrainedModel& model) {
  if (options.epsilons && !options.epsilons->empty()) need_plain_features(model, option_mention("epsilon"));
  if (options.norm != "l2" && options.norm != "linf") throw ConfigError(option_mention("norm") + " must be l2 or linf");
  ViewOptions wanted{.features = options.features,
                     .distance = {.norm = options.norm == "linf" ? Norm::linf : Norm::l2}};
  if (options.epsilons) wanted.distance.epsilons = *options.epsilons;
  if (wanted.features.empty()) wanted.features = icu_figure_columns(model.schema);
  return wanted;
}

// Monitors the new rows, where the model remembers its home. They have labels where the table has the target.
std::optional<Monitoring> monitoring_of(const TrainedModel& model, const ViewSources& sources,
                                        const ReportOptions& options) {
  if (sources.newer == nullptr || model.home.columns.empty()) return std::nullopt;
  const bool labelled = sources.newer->find(model.schema.target) != nullptr;
  const std::string labels = labelled ? model.schema.target : "";
  Monitoring found = monitor(model, *sources.newer, {.labels = labels, .threads = options.threads});
  found.next = options.model_path.empty() ? next_calls(found)
                                          : next_commands(found, options.model_path, options.newer_path, labelled);
  return found;
}

Page page_of(const TrainedModel& model, const std::string& name, const ViewSources& sources,
             const ReportOptions& options, std::vector<std::string>* warnings = nullptr) {
  ModelView view = view_model(model, name, sources, options.threads, view_options(options, model));
  if (view.rows) view.rows->monitoring = monitoring_of(model, sources, options);
  if (warnings != nullptr && view.rows) *warnings = view.rows->warnings;
  return model_page(view, method_title(view.method, view.lambda), options.version);
}

}  // namespace

std::string report(const TrainedModel& model, const std::string& name, const ViewSources& sources,
                   const ReportOptions& options, std::vector<std::string>* warnings) {
  return page_html(page_of(model, name, sources, options, warnings));
}

std::map<std::string, std::string> charts(const TrainedModel& model, const ViewSources& sources,
                                          const ReportOptions& options) {
  return standalone_charts(page_of(model, "", sources, options));
}

RowsView view_rows(const TrainedModel& model, std::span<const NamedRows> parts, int threads) {
  std::vector<RowSet> sets;
  for (const auto& part : parts) {
    Dataset data = encode(*part.table, model.schema, part.rows);
    sets.push_back({part.name, part.table, part.rows, std::move(data.inputs), std::move(data.labels), false});
  }
  return view_rows(model.ensemble, model.decision, model.schema, sets, 0, Threads(threads));
}

}  // namespace perpend
