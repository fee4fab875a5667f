// Any bytes must give a table for which schema and encoder keep their guarantees, or an error of one line. Anything
// else (a crash, another exception, a failed check) is a finding.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>

#include "perpend/data/encode.h"
#include "tests/fuzz/require.h"

namespace perpend {

inline void check_table(const Table& table) {
  require(table.rows > 0 && !table.columns.empty());
  for (const Column& column : table.columns) {
    require(column.numbers.size() == table.rows);
    require(column.marks.empty() || column.marks.size() == table.rows);
    for (std::size_t row = 0; row < table.rows; ++row) {
      require(!std::isnan(column.numbers[row]));
      require(column.mark(row) >= kMissingCell && column.mark(row) < static_cast<std::int64_t>(column.words.size()));
    }
  }
}

inline void fit_and_encode(const Table& table, Missing missing) {
  const SchemaOptions options{.target = table.columns.back().name, .missing = missing, .standardize_one_hot = true};
  const auto rows = all_rows(table);
  const Schema schema = fit_schema(table, rows, options);
  require(schema_from_json(schema_to_json(schema)) == schema);
  const Dataset dataset = encode(table, schema, rows);
  for (std::size_t row = 0; row < dataset.rows(); ++row) {
    for (std::size_t c = 0; c < dataset.inputs.cols(); ++c) require(std::isfinite(dataset.inputs(row, c)));
  }
}

inline void run_table(const std::function<Table()>& read) {
  expect_one_line(ErrorKind::data, [&] {
    const Table table = read();
    check_table(table);
    for (const Missing missing : {Missing::error, Missing::mean, Missing::indicator}) {
      expect_one_line(ErrorKind::data, [&] { fit_and_encode(table, missing); });
    }
  });
}

}  // namespace perpend
