// Any model that loads can be shown. It also answers in numbers on a table with its columns and with all kinds of
// cells.
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "perpend/data/encode.h"
#include "perpend/data/read_csv.h"
#include "perpend/data/source.h"
#include "perpend/evaluate/explain.h"
#include "perpend/model/decision.h"
#include "perpend/model/predict.h"
#include "perpend/report/model_page.h"
#include "perpend/run/view_model.h"
#include "tests/fuzz/made_model.h"

namespace {

using perpend::require;

std::string cell_of(const perpend::InputColumn& column, std::size_t row) {
  const std::string numbers[] = {"0", "1", "-2.5", "3e38", "-3e38", "1e-300", "", "7"};
  if (column.kind == perpend::ColumnKind::numeric) return numbers[row];
  return column.levels.empty() ? "" : perpend::csv_cell(column.levels[row % column.levels.size()]);
}

// Checks what all users of a schema rely on.
void require_features(const perpend::Schema& schema) {
  std::vector<std::size_t> features(schema.columns.size());
  for (const auto& feature : schema.features) ++features.at(feature.column);
  for (const std::size_t count : features) require(count > 0);
}

// A table of eight rows, with the target as the last column.
std::string table_for(const perpend::Schema& schema) {
  std::string text;
  for (const auto& column : schema.columns) text += perpend::csv_cell(column.name) + ",";
  text += perpend::csv_cell(schema.target) + "\n";
  for (std::size_t row = 0; row < 8; ++row) {
    for (const auto& column : schema.columns) text += cell_of(column, row) + ",";
    text += perpend::csv_cell(schema.classes[row % schema.classes.size()]) + "\n";
  }
  return text;
}

void require_numbers(const perpend::Explanation& explanation) {
  for (const auto& member : explanation.members) {
    for (const double share : member.shares) require(share >= 0 && share <= 1 + 1e-6);
    for (const auto& feature : member.features) require(std::isfinite(feature.mean) && std::isfinite(feature.sd));
  }
}

void answer(const perpend::TrainedModel& model, const perpend::Table& table) {
  const perpend::Threads threads(1);
  const auto inputs = perpend::encode_inputs(table, model.schema, perpend::all_rows(table));
  const auto decided =
      perpend::decide(model.decision, perpend::member_probabilities(model.ensemble, inputs.view(), threads));
  for (std::size_t r = 0; r < decided.rows(); ++r) {
    for (std::size_t k = 0; k < decided.cols(); ++k) require(decided(r, k) >= 0 && decided(r, k) <= 1 + 1e-6);
  }
  require_numbers(perpend::explain(model.ensemble, model.schema, inputs.view(), threads));
}

// Shows the model. If no training has such options, it must give a ModelFileError of one line.
void show(const perpend::TrainedModel& model, const perpend::ViewSources& sources) {
  try {
    const auto view = perpend::view_model(model, "m", sources, 1);
    perpend::model_page(view, perpend::method_title(view.method, view.lambda), "0");
  } catch (const perpend::ModelFileError& error) {
    require(std::string_view(error.what()).find('\n') == std::string_view::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto model = perpend::made_model({reinterpret_cast<const char*>(data), size});
  if (!model) return 0;
  require_features(model->schema);
  show(*model, {});
  perpend::expect_one_line(perpend::ErrorKind::data, [&] {
    const std::string text = table_for(model->schema);
    const auto table = perpend::read_csv(perpend::bytes_in_memory("t", text));
    answer(*model, table);
    show(*model, {.data = &table, .newer = nullptr, .newer_name = ""});
  });
  return 0;
}
