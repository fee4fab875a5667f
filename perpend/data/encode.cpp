#include "perpend/data/encode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/option_mention.h"
#include "perpend/data/cells.h"
#include "perpend/data/check_table.h"
#include "perpend/data/need_column.h"
#include "perpend/data/pooled_levels.h"

namespace perpend {

namespace {

using ColumnsByName = std::unordered_map<std::string_view, const Column*>;

ColumnsByName columns_by_name(const Table& table) {
  check_table(table);
  ColumnsByName columns;
  for (const Column& column : table.columns) columns.emplace(column.name, &column);
  return columns;
}

const Column& need_column(const Table& table, const ColumnsByName& columns, const std::string& name) {
  const auto found = columns.find(name);
  if (found == columns.end()) no_such_column(table, name, ", which the model needs");
  return *found->second;
}

// Throws if the table lacks inputs. The message names the first and counts the others.
void need_inputs(const Table& table, const ColumnsByName& columns, const Schema& schema) {
  std::vector<std::string> absent;
  for (const InputColumn& input : schema.columns) {
    const std::string name = input.table_column();
    if (!columns.contains(name) && (absent.empty() || absent.back() != name)) absent.push_back(name);
  }
  if (absent.empty()) return;
  if (absent.size() == 1) {
    no_such_column(table, absent[0], ", which the model needs",
                   "; add it, or train a model without it by " + option_mention("drop", absent[0]));
  }
  no_such_column(table, absent[0],
                 ", which the model needs, nor " + counted(absent.size() - 1, "other column") + " that it needs",
                 "; add them, or train a model without them by " + option_mention("drop"));
}

// The features [begin, end) of the schema, which encode one column, and what was found in its cells.
struct ColumnWork {
  const Column* column;
  const InputColumn* input;
  std::size_t begin, end;
  ColumnCount filled = {}, unseen = {}, untold = {}, outside = {};
};

template <class T>
class Encoder {
 public:
  using Out = Matrix<T, axis::Row, axis::Feature>;

  Encoder(const Table& table, const Schema& schema, Rows rows, EncodeReport& report, RowsUnlike& unlike)
      : table_(table),
        schema_(schema),
        rows_(rows),
        report_(report),
        unlike_(unlike),
        last_outside_(rows.size(), nullptr),
        out_(rows.size(), schema.features.size()) {
    for (auto* counts : {&unlike_.unseen, &unlike_.outside, &unlike_.missing}) counts->assign(rows.size(), 0);
  }

  Out run() && {
    std::vector<ColumnWork> works = find_columns();
    for (ColumnWork& work : works) {
      if (work.input->kind == ColumnKind::categorical) {
        encode_levels(work);
      } else if (work.column->view.first == nullptr) {
        encode_numeric(work, NumericCells(*work.column, work.input->reading), 0, rows_.size());
      }
    }
    // A foreign array is read in blocks of rows. Otherwise each column would fetch all of it.
    for (std::size_t first = 0; first < rows_.size(); first += kViewBlock) {
      for (ColumnWork& work : works) {
        if (work.input->kind == ColumnKind::categorical || work.column->view.first == nullptr) continue;
        encode_numeric(work, NumericCells(*work.column), first, std::min(first + kViewBlock, rows_.size()));
      }
    }
    for (ColumnWork& work : works) {
      if (work.filled.count > 0) report_.filled.push_back(std::move(work.filled));
      if (work.unseen.count > 0) report_.unseen.push_back(std::move(work.unseen));
      if (work.untold.count > 0) report_.untold.push_back(std::move(work.untold));
      if (work.outside.count > 0) report_.outside.push_back(std::move(work.outside));
    }
    count_rows();
    return std::move(out_);
  }

 private:
  std::vector<ColumnWork> find_columns() const {
    const ColumnsByName columns = columns_by_name(table_);
    need_inputs(table_, columns, schema_);
    std::vector<ColumnWork> works;
    for (std::size_t begin = 0, end = 0; begin < schema_.features.size(); begin = end) {
      const InputColumn& input = schema_.columns[schema_.features[begin].column];
      while (end < schema_.features.size() && schema_.features[end].column == schema_.features[begin].column) ++end;
      works.push_back(
          {.column = &need_column(table_, columns, input.table_column()), .input = &input, .begin = begin, .end = end});
    }
    return works;
  }

  void count_rows() {
    const auto some = [](const std::vector<std::uint32_t>& counts) {
      return static_cast<std::size_t>(std::ranges::count_if(counts, [](std::uint32_t count) { return count > 0; }));
    };
    report_.rows = rows_.size();
    report_.unseen_rows = some(unlike_.unseen);
    const bool lacks_ranges = std::ranges::any_of(schema_.columns, is_number) &&
                              std::ranges::none_of(schema_.columns, [](const auto& c) { return c.range.has_value(); });
    if (!lacks_ranges) report_.outside_rows = some(unlike_.outside);
  }
  static bool is_number(const InputColumn& column) { return column.kind == ColumnKind::numeric; }

  void count(ColumnCount& counts, const Column& column, std::size_t row) const {
    if (counts.count++ > 0) return;
    counts.column = column.name;
    counts.first_place = table_.place(row);
    counts.first_value = shown_cell(column, row);
  }

  void encode_numeric(ColumnWork& work, const NumericCells& cells, std::size_t first, std::size_t last) {
    const Column& column = *work.column;
    for (std::size_t i = first; i < last; ++i) {
      const auto meaning = cells.meaning(rows_[i]);
      if (meaning != NumericCells::Meaning::number && meaning != NumericCells::Meaning::missing) {
        refuse_nan(table_, column, rows_[i]);
        throw DataError(fmt::format("{}: column {} is {}{}", table_.place(rows_[i]), quote(column.name),
                                    shown_cell(column, rows_[i]),
                                    meaning == NumericCells::Meaning::word
                                        ? (work.input->reading.is_date() ? ", but the model expects a date"
                                                                         : ", but the model expects a number")
                                        : ", a number outside float range (3.4e38)"));
      }
      const bool missing = meaning == NumericCells::Meaning::missing;
      if (missing) {
        note_missing(work, i);
      } else if (work.input->range && !work.input->range->contains(cells.number(rows_[i]))) {
        note_outside(work, i);
      }
      for (std::size_t j = work.begin; j < work.end; ++j) {
        const Feature& feature = schema_.features[j];
        const bool value = feature.level == Feature::kNumber;
        if (missing && schema_.by_column && schema_.missing == Missing::indicator) {
          out_(i, j) = std::numeric_limits<T>::quiet_NaN();
          continue;
        }
        const double x = missing ? missing_value(feature) : value ? cells.number(rows_[i]) : 0;
        store(column, i, j, (x - feature.mean) / feature.sd);
      }
    }
  }

  void encode_levels(ColumnWork& work) {
    const LevelCells cells(*work.column, work.input->levels);
    PooledCells pooled(*work.column, work.input->pooled_marks);
    std::vector<std::int32_t> levels(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      levels[i] = cells.level(rows_[i]);
      if (levels[i] == LevelCells::kMissing) note_missing(work, i);
      if (levels[i] == LevelCells::kUnseen) note_unseen(work, i, pooled);
    }
    for (std::size_t j = work.begin; j < work.end; ++j) {
      const Feature& feature = schema_.features[j];
      if (feature.level == Feature::kLevels) {
        for (std::size_t i = 0; i < rows_.size(); ++i) out_(i, j) = level_code(levels[i], work);
        continue;
      }
      const double off = (0 - feature.mean) / feature.sd;
      const double on = (1 - feature.mean) / feature.sd;
      const double missing = (missing_value(feature) - feature.mean) / feature.sd;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const bool is_missing = levels[i] == LevelCells::kMissing;
        out_(i, j) = static_cast<T>(is_missing ? missing : levels[i] == feature.level ? on : off);
      }
    }
  }

  // If missing is mean, a missing cell enters as the mean, like an unseen level.
  T level_code(std::int32_t level, const ColumnWork& work) const {
    if (level == LevelCells::kMissing && schema_.missing == Missing::indicator) {
      return static_cast<T>(work.input->levels.size());
    }
    return static_cast<T>(level >= 0 ? level : -1);
  }

  static double missing_value(const Feature& feature) { return feature.level == Feature::kMissing ? 1 : feature.fill; }

  void store(const Column& column, std::size_t i, std::size_t j, double encoded) {
    if (!(std::abs(encoded) < kFloatEnd)) {
      throw DataError(fmt::format("{}: column {} is {}, outside float range once standardised (training sd {})",
                                  table_.place(rows_[i]), quote(column.name), shown_cell(column, rows_[i]),
                                  number_name(schema_.features[j].sd)));
    }
    constexpr double kLargest = std::numeric_limits<float>::max();
    out_(i, j) = static_cast<T>(std::clamp(encoded, -kLargest, kLargest));
  }

  void note_unseen(ColumnWork& work, std::size_t i, PooledCells& pooled) {
    const bool told = work.input->pooled == 0 || !work.input->pooled_marks.empty();
    if (!told) return count(work.untold, *work.column, rows_[i]);
    if (work.input->pooled > 0 && pooled.is_pooled(rows_[i])) return;
    count(work.unseen, *work.column, rows_[i]);
    ++unlike_.unseen[i];
  }

  // The parts of a date are one column of the table, so a row counts once for all of them.
  void note_outside(ColumnWork& work, std::size_t i) {
    if (last_outside_[i] == work.column) return;
    last_outside_[i] = work.column;
    count(work.outside, *work.column, rows_[i]);
    ++unlike_.outside[i];
  }

  void note_missing(ColumnWork& work, std::size_t i) {
    const Column& column = *work.column;
    const std::size_t row = rows_[i];
    if (schema_.missing == Missing::error) {
      throw DataError(fmt::format(
          "{}: column {} is {}, but the model was trained with {}, which refuses missing and infinite "
          "cells; fill the cell or train with {} or {}",
          table_.place(row), quote(column.name), shown_cell(column, row), option_mention("missing", "error"),
          option_mention("missing", "mean"), option_mention("missing", "indicator")));
    }
    if (work.input->reading.part != Reading::Part::time) return;  // the input of the date itself counts the cell
    count(work.filled, column, row);
    ++unlike_.missing[i];
  }

  const Table& table_;
  const Schema& schema_;
  Rows rows_;
  EncodeReport& report_;
  RowsUnlike& unlike_;
  std::vector<const Column*> last_outside_;  // per row, the last column in which it was outside
  Out out_;
};

// Whether this is the column in which `ask` numbers the rows that it chose (api/ask.h).
bool is_row_numbers(const Table& table, const Column& column) {
  if (&column != table.columns.data() || !column.name.starts_with("row")) return false;
  if (column.name.find_first_not_of('_', 3) != std::string::npos) return false;
  for (std::size_t r = 0; r < table.rows; ++r) {
    if (!column.is_number(r) || column.number(r) < 1 || std::floor(column.number(r)) != column.number(r)) return false;
  }
  return true;
}

std::vector<std::string> extra_columns(const Table& table, const Schema& schema) {
  std::unordered_set<std::string> known(schema.ignored.begin(), schema.ignored.end());
  for (const InputColumn& column : schema.columns) known.insert(column.table_column());
  known.insert(schema.target);
  known.insert(schema.sample_weight);
  std::vector<std::string> extra;
  for (const Column& column : table.columns) {
    if (!known.contains(column.name) && !is_row_numbers(table, column)) extra.push_back(column.name);
  }
  return extra;
}

template <class T>
Matrix<T, axis::Row, axis::Feature> encode_as(const Table& table, const Schema& schema, Rows rows, EncodeReport* report,
                                              RowsUnlike* unlike = nullptr) {
  EncodeReport found;
  RowsUnlike by_row;
  auto encoded = Encoder<T>(table, schema, rows, found, by_row).run();
  if (unlike != nullptr) *unlike = std::move(by_row);
  found.extra = extra_columns(table, schema);
  found.missing = schema.missing;
  if (report != nullptr) *report = std::move(found);
  return encoded;
}

void add_counts(std::vector<ColumnCount>& sum, const std::vector<ColumnCount>& next) {
  for (const ColumnCount& more : next) {
    const auto same = std::find_if(sum.begin(), sum.end(), [&](const auto& c) { return c.column == more.column; });
    if (same == sum.end()) {
      sum.push_back(more);
    } else {
      same->count += more.count;
    }
  }
}

}  // namespace

std::vector<std::uint32_t> all_rows(const Table& table) {
  std::vector<std::uint32_t> rows(table.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

EncodeReport& EncodeReport::operator+=(const EncodeReport& next) {
  add_counts(filled, next.filled);
  add_counts(unseen, next.unseen);
  add_counts(untold, next.untold);
  add_counts(outside, next.outside);
  if (missing == Missing::error) missing = next.missing;
  rows += next.rows;
  unseen_rows += next.unseen_rows;
  if (next.outside_rows) outside_rows = outside_rows.value_or(0) + *next.outside_rows;
  for (const std::string& name : next.extra) {
    if (std::find(extra.begin(), extra.end(), name) == extra.end()) extra.push_back(name);
  }
  return *this;
}

std::size_t EncodeReport::missing_cells() const {
  std::size_t cells = 0;
  for (const ColumnCount& c : filled) cells += c.count;
  return cells;
}

void RowsUnlike::append(const RowsUnlike& next) {
  const auto add = [](std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  add(unseen, next.unseen);
  add(outside, next.outside);
  add(missing, next.missing);
}

// In a wide table with gaps everywhere, more names would hide what matters.
constexpr std::size_t kColumnsNamed = 5;

// "'a', 'b' and 3 more".
std::string first_of(const std::vector<std::string>& texts) {
  std::string text;
  for (std::size_t i = 0; i < std::min(texts.size(), kColumnsNamed); ++i) {
    const bool is_last = i > 0 && i + 1 == texts.size();
    text += (i == 0 ? "" : is_last ? " and " : ", ") + texts[i];
  }
  return texts.size() <= kColumnsNamed ? text : text + " and " + thousands(texts.size() - kColumnsNamed) + " more";
}

namespace {

// "column 'a' has 3 cells WHAT", or "2 columns have 5 cells WHAT: 'a' (3) and 'b' (2)". Of a single column it says
// where its first such cell is, and where `values`, what that cell is.
std::string cells_in(const std::vector<ColumnCount>& columns, const std::string& what, bool values) {
  if (columns.size() == 1) {
    const ColumnCount& c = columns[0];
    return fmt::format("column {} has {} {}, first {}at {}", quote(c.column), counted(c.count, "cell"), what,
                       values ? c.first_value + " " : "", c.first_place);
  }
  std::size_t cells = 0;
  std::vector<std::string> counts;
  for (const ColumnCount& c : columns) {
    cells += c.count;
    counts.push_back(fmt::format("{} ({}{})", quote(c.column), thousands(c.count),
                                 values ? fmt::format(", first {} at {}", c.first_value, c.first_place) : ""));
  }
  return fmt::format("{} have {} {}: {}", counted(columns.size(), "column"), counted(cells, "cell"), what,
                     first_of(counts));
}

}  // namespace

std::vector<std::string> EncodeReport::warnings() const {
  std::vector<std::string> lines;
  if (!filled.empty()) {
    lines.push_back(
        cells_in(filled, "missing or infinite", false) + "; the model reads such cells as " +
        (missing == Missing::mean ? "the training mean" : "missing, or as the training mean where training had none"));
  }
  if (!unseen.empty()) {
    std::string line = cells_in(unseen, "with a level that training never saw", true);
    if (unseen.size() > 1) line += fmt::format(", in {} of {}", thousands(unseen_rows), counted(rows, "row"));
    lines.push_back(line + "; the model reads such cells as zeros");
  }
  if (!untold.empty()) {
    lines.push_back(cells_in(untold, "with a level that was rare in training or is new", true) +
                    "; the model cannot tell which, and reads such cells as zeros");
  }
  if (!extra.empty()) {
    std::vector<std::string> names;
    for (const std::string& name : extra) names.push_back(quote(name));
    lines.push_back(fmt::format("the model does not know {} {} and does not use {}",
                                extra.size() == 1 ? "column" : "the columns", first_of(names),
                                extra.size() == 1 ? "it" : "them"));
  }
  return lines;
}

Matrix<double, axis::Row, axis::Feature> encode_doubles(const Table& table, const Schema& schema, Rows rows,
                                                        EncodeReport* report) {
  return encode_as<double>(table, schema, rows, report);
}

Inputs encode_inputs(const Table& table, const Schema& schema, Rows rows, EncodeReport* report, RowsUnlike* unlike) {
  return encode_as<float>(table, schema, rows, report, unlike);
}

std::vector<std::int32_t> encode_labels(const Table& table, const Schema& schema, Rows rows) {
  const Column& column = need_column(table, columns_by_name(table), schema.target);
  const LevelCells cells(column, schema.classes);
  std::vector<std::int32_t> labels;
  labels.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    labels.push_back(cells.level(row));
    if (labels.back() >= 0) continue;
    const bool missing = column.is_missing(row) || is_missing_word(column.text(row));
    throw DataError(fmt::format("{}: label {} is {}{}", table.place(row), quote(column.name), shown_cell(column, row),
                                missing ? "; every row needs one" : ", which is not one of the model's classes"));
  }
  return labels;
}

std::vector<double> encode_targets(const Table& table, const Schema& schema, Rows rows) {
  const Column& column = need_column(table, columns_by_name(table), schema.target);
  const NumericCells cells(column, schema.target_reading);
  std::vector<double> targets;
  targets.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    const auto meaning = cells.meaning(row);
    if (meaning == NumericCells::Meaning::number) {
      targets.push_back(cells.number(row));
      continue;
    }
    const bool missing = meaning == NumericCells::Meaning::missing;
    throw DataError(fmt::format(
        "{}: target {} is {}{}", table.place(row), quote(column.name), shown_cell(column, row),
        missing ? "; every row needs a finite number" : ", which is not a number, as a regression needs it"));
  }
  return targets;
}

std::vector<float> encode_weights(const Table& table, const Schema& schema, Rows rows) {
  const Column* column = schema.sample_weight.empty() ? nullptr : table.find(schema.sample_weight);
  if (column == nullptr) return {};
  const NumericCells cells(*column);
  std::vector<float> weights;
  weights.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    if (cells.meaning(row) != NumericCells::Meaning::number || cells.number(row) < 0) {
      throw DataError(fmt::format("{}: sample weight in column {} is {}; weights must be numbers >= 0",
                                  table.place(row), quote(column->name), shown_cell(*column, row)));
    }
    weights.push_back(static_cast<float>(std::min<double>(cells.number(row), std::numeric_limits<float>::max())));
  }
  return weights;
}

void add_labels(const Table& table, const Schema& schema, Rows rows, Dataset& data) {
  if (!schema.quantity) {
    data.labels = encode_labels(table, schema, rows);
    return;
  }
  for (const double y : encode_targets(table, schema, rows)) {
    data.targets.push_back(static_cast<float>(schema.quantity->standardised(y)));
  }
}

Dataset encode(const Table& table, const Schema& schema, Rows rows, EncodeReport* report) {
  Dataset data{.inputs = encode_inputs(table, schema, rows, report),
               .labels = {},
               .classes = schema.classes,
               .features = schema.feature_names(),
               .weights = encode_weights(table, schema, rows),
               .quantity = schema.quantity};
  add_labels(table, schema, rows, data);
  return data;
}

}  // namespace perpend
