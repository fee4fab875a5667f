#include "perpend/run/view_model.h"
#include "perpend/run/card.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/sha256.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/evaluate/view_rows.h"
#include "perpend/evaluate/view_worth.h"
#include "perpend/run/intervals.h"
#include "perpend/run/option_table.h"
#include "perpend/run/run.h"

namespace perpend {

namespace {

using Json = nlohmann::ordered_json;

ModelView view_file(const TrainedModel& model, const std::string& name, const RunOptions& options) {
  ModelView view;
  view.name = name;
  view.sha256 = sha256_hex(to_bytes(model));
  view.card = model_card(model, view.sha256);
  const Json listed = Json::parse(model.options);
  view.method = listed.value("method", "lit");
  view.lambda = has_lambda(options.train.method) ? lambda_of(options.train) : 0;
  view.penalty_curve = penalty_curve(options.train);
  view.members = model.ensemble.members.size();
  view.weights = member_says(model.decision);
  view.target = model.schema.target;
  view.classes = model.schema.classes;
  view.columns = model.schema.columns.size();
  view.features = model.schema.features.size();
  if (model.ensemble.architecture.has_views()) view.networks = member_facts(model);
  view.summary = model.summary;
  for (const auto& [key, value] : listed.items()) {
    view.options.push_back({key, value.is_string() ? value.get<std::string>() : value.dump()});
  }
  return view;
}

bool has_rows_of(const Prepared& data, const ModelView& view) {
  const RowCounts& then = view.summary.rows;
  return data.train.rows() == then.train && data.validation.rows() == then.validation && data.test.rows() == then.test;
}

// The part by which a given encoding is recognised. A refit has changed the members since they were measured.
bool answers_as_then(const TrainedModel& model, const Prepared& data, const ModelView& view, const Threads& threads) {
  if (view.summary.refitted) return rows_sha256(data) == view.summary.data_sha256;
  const auto& then = view.summary.test ? view.summary.test : view.summary.train;
  if (!then || then->members.empty()) return false;
  const Dataset& part = view.summary.test ? data.test : data.train;
  const Ensemble first = member_alone(model.ensemble, 0);
  const Evaluation now = evaluate_ensemble(first, equal_mean(1), part, threads);
  return now.trained_for() && now.trained_for() == then->members[0].trained_for();
}

std::optional<Prepared> parts_as_trained(const TrainedModel& model, const ModelView& view, const Table& table,
                                         const RunOptions& options, const Threads& threads) {
  for (const Schema* encoding : {static_cast<const Schema*>(nullptr), &model.schema}) {
    try {
      Prepared data = prepare(table, options, {.encoding = encoding});
      if (!has_rows_of(data, view)) continue;
      if (encoding == nullptr ? data.schema == model.schema : answers_as_then(model, data, view, threads)) return data;
    } catch (const DataError&) {
      continue;  // another table: it need not split as the model's own did
    } catch (const ConfigError&) {
      continue;  // the options do not fit such a table
    }
  }
  return std::nullopt;
}

RowSet part_set(const std::string& name, const Table& table, const std::vector<std::uint32_t>& rows, Dataset&& data,
                bool measure) {
  return {name, &table, rows, std::move(data.inputs), std::move(data.labels), measure, std::move(data.targets)};
}

// Returns the validation rows. Where a refit has trained the members on them, the set says so, and what the members
// answered before is taken from the rows at home, if these are the same rows in the same order.
RowSet validation_set(const TrainedModel& model, const Table& table, Prepared& data) {
  RowSet set = part_set("validation", table, data.split.validation, std::move(data.validation), true);
  if (!model.summary.refitted) return set;
  set.trained_since = true;
  const auto is_same = [&](const auto& own) {
    return std::ranges::equal(model.home.targets, own, {}, {}, [](auto value) { return static_cast<float>(value); });
  };
  if (model.schema.quantity ? is_same(set.targets) : is_same(set.labels)) set.home = &model.home;
  return set;
}

// Of rows that have trained the members since, the figures are those of before: training measured them, and after
// `adapt`, which changes the answers only, the independence of the members' gradients is still that of then.
void restore_evaluation(const RunSummary& summary, PartView& part) {
  if (!summary.validation) return;
  if (!summary.adapted || !part.evaluation) {
    part.evaluation = summary.validation;
    return;
  }
  part.evaluation->grad_cos2 = summary.validation->grad_cos2;
  part.evaluation->tangent_cos2 = summary.validation->tangent_cos2;
}

RowSet whole_table(const TrainedModel& model, const Table& table, const std::string& name,
                   std::vector<std::string>& warnings) {
  RowSet set{name, &table, all_rows(table), {}, {}, true, {}};
  EncodeReport report;
  if (table.find(model.schema.target) != nullptr) {
    Dataset data = encode(table, model.schema, set.rows, &report);
    set.inputs = std::move(data.inputs);
    set.labels = std::move(data.labels);
    set.targets = std::move(data.targets);
  } else {
    set.inputs = encode_inputs(table, model.schema, set.rows, &report);
  }
  for (auto& warning : report.warnings()) warnings.push_back(std::move(warning));
  return set;
}

// Returns the name without its folder. A page is passed on, and the folder of its table is private.
std::string name_of(const Table& table) { return printable(std::filesystem::path(table.source).filename().string()); }

// What a page calls the rows of a table that is not the training's: "heart.csv rows". The table of Python's calls is X.
std::string rows_name(const Table& table) { return table.source == "X" ? "given" : name_of(table); }

RowsView view_tables(const TrainedModel& model, const ModelView& view, const RunOptions& options,
                     const ViewSources& sources, const ViewOptions& wanted, const Threads& threads) {
  const auto named = features_named(model.schema, wanted.features);
  std::vector<RowSet> sets;
  std::vector<std::string> warnings;
  std::optional<Prepared> data;
  if (sources.data != nullptr) data = parts_as_trained(model, view, *sources.data, options, threads);
  if (data) {
    sets.push_back(part_set("training", *sources.data, data->split.train, std::move(data->train),
                            data->test.rows() + data->validation.rows() == 0));
    if (data->test.rows() > 0) {
      sets.push_back(part_set("test", *sources.data, data->split.test, std::move(data->test), true));
    } else if (data->validation.rows() > 0) {
      sets.push_back(validation_set(model, *sources.data, *data));
    }
  } else if (sources.data != nullptr) {
    sets.push_back(whole_table(model, *sources.data, rows_name(*sources.data), warnings));
  }
  PERPEND_CHECK(sources.data != nullptr || sources.newer != nullptr);
  const std::size_t judged = sets.empty() ? 0 : sets.size() - 1;
  if (sources.newer != nullptr) {
    const std::string name = sources.newer_name.empty() ? "new rows" : sources.newer_name;
    sets.push_back(whole_table(model, *sources.newer, name, warnings));
  }
  RowsView rows = view_rows(model.ensemble, model.decision, model.schema, sets, judged, threads, named);
  if (rows.trained_since) restore_evaluation(model.summary, rows.parts[judged]);
  add_worth(model.ensemble, model.decision, model.schema, sets[judged], threads, rows);
  rows.source = name_of(sources.data != nullptr ? *sources.data : *sources.newer);
  rows.as_trained = data.has_value();
  rows.warnings = std::move(warnings);
  const bool can_move = view.classes.size() == 2 && !model.ensemble.architecture.has_views();
  if (can_move && view.members > 1 && !wanted.distance.epsilons.empty()) {
    rows.distance = view_distance(model.ensemble, sets[judged].inputs.view(), wanted.distance, threads);
  }
  return rows;
}

// Returns the options as the file has them, except for what the view does not need: it reads no file that a model
// names. The views are those of the networks, because a model of an earlier version names none.
RunOptions options_in(const TrainedModel& model, const std::string& name, int threads) {
  RunOptions options;
  try {
    options_from_json(model.options, options);
  } catch (const ModelFileError& error) {
    throw ModelFileError(printable(name) + ": " + error.what());
  }
  options.manifold = "none";
  options.views_auto = false;
  options.train.views = model.ensemble.architecture.views;
  options.train.threads = threads;
  const auto problems = validate(options);
  if (!problems.empty()) throw ModelFileError(printable(name) + ": the options cannot be used: " + problems[0]);
  return options;
}

}  // namespace

ModelView view_model(const TrainedModel& model, const std::string& name, const ViewSources& sources, int threads,
                     const ViewOptions& wanted) {
  const RunOptions options = options_in(model, name, threads);
  ModelView view = view_file(model, name, options);
  if (sources.data != nullptr || sources.newer != nullptr) {
    view.rows = view_tables(model, view, options, sources, wanted, Threads(threads));
  }
  return view;
}

std::string method_title(const std::string& method, double lambda) {
  const bool is_whole = lambda == std::floor(lambda) && lambda < 1e15;
  const std::string with = ", lambda " + (is_whole ? std::to_string(static_cast<long>(lambda)) : Json(lambda).dump());
  const MethodInfo* info = find_method(method);
  if (info == nullptr) return method;
  return info->lambda ? info->title + with : info->title;
}

}  // namespace perpend
