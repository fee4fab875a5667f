#include "perpend/api/ask.h"

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/evaluate/ask.h"

namespace perpend {

namespace {

Column chosen_cells(const Column& column, const std::vector<std::size_t>& rows) {
  Column out;
  out.name = column.name;
  out.words = column.words;
  out.nominal = column.nominal;
  for (const std::size_t r : rows) {
    out.marks.push_back(column.mark(r));
    out.numbers.push_back(column.is_number(r) ? column.number(r) : 0);
  }
  return out;
}

}  // namespace

AskedRows ask(const TrainedModel& model, const Table& table, std::size_t count, int thread_count) {
  if (count > table.rows) {
    throw DataError(printable(table.source) + " has " + counted(table.rows, "row") + ", fewer than the " +
                    thousands(count) + " that are to be labelled");
  }
  AskedRows asked;
  const Inputs inputs = encode_inputs(table, model.schema, all_rows(table), &asked.encoded);
  asked.rows = rows_to_label(model.ensemble, model.decision, inputs.view(), count, Threads(thread_count));
  asked.warnings = asked.encoded.warnings();
  return asked;
}

Table table_to_label(const TrainedModel& model, const Table& table, const AskedRows& asked) {
  Table out{.source = table.source, .rows = asked.rows.size(), .separator = table.separator};
  Column numbers;
  numbers.name = "row";
  while (table.find(numbers.name) != nullptr || numbers.name == model.schema.target) numbers.name += '_';
  for (const std::size_t r : asked.rows) numbers.numbers.push_back(static_cast<double>(r + 1));
  out.columns.push_back(std::move(numbers));
  for (const Column& column : table.columns) out.columns.push_back(chosen_cells(column, asked.rows));
  if (table.find(model.schema.target) == nullptr) {
    Column labels;
    labels.name = model.schema.target;
    labels.numbers.assign(out.rows, 0);
    labels.marks.assign(out.rows, kMissingCell);
    out.columns.push_back(std::move(labels));
  }
  return out;
}

Table table_of_rest(const Table& table, const AskedRows& asked) {
  std::vector<bool> is_asked(table.rows, false);
  for (const std::size_t r : asked.rows) is_asked[r] = true;
  std::vector<std::size_t> rest;
  for (std::size_t r = 0; r < table.rows; ++r) {
    if (!is_asked[r]) rest.push_back(r);
  }
  Table out{.source = table.source, .rows = rest.size(), .separator = table.separator};
  for (const Column& column : table.columns) out.columns.push_back(chosen_cells(column, rest));
  return out;
}

}  // namespace perpend
