#include "perpend/data/source.h"

#include <cerrno>
#include <filesystem>
#include <future>

#include "perpend/base/blocks.h"
#include "perpend/base/error.h"
#include "perpend/base/file_system.h"
#include "perpend/base/message.h"
#include "perpend/base/sha256.h"
#include "perpend/data/generate.h"
#include "perpend/data/read_csv.h"
#include "perpend/data/read_sqlite.h"
#include "perpend/data/read_table.h"
#include "perpend/data/table_parts.h"

namespace perpend {

namespace {

constexpr std::string_view kBuiltin = "builtin:";

constexpr std::size_t kHashedPiece = std::size_t{1} << 20;

// The path of the file if `source` is the name of a public set, else `source`.
std::string located(const std::string& source, const std::string& data_dir) {
  if (public_set_of(source) == nullptr) return source;
  const auto path = std::filesystem::path(data_dir) / (source + ".csv");
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) {
    throw IoError(printable(path.string()) + " does not exist; get it with: perpend data fetch " + source +
                  ", or name its folder with " + option_mention("data_dir"));
  }
  // Only a path that the user gave may be a pipe. perpend would hang if it waited for a pipe that it found in a folder.
  if (std::filesystem::is_other(path, unknown)) checked_call(-ENODEV, "cannot read " + printable(path.string()));
  return path.string();
}

void read_file_in_blocks(const std::string& path, const std::function<void(const Table&)>& use) {
  if (!is_csv(path)) return use(read_table(path));
  CsvReader reader(open_bytes(path));
  const std::size_t rows = rows_per_block(reader.names().size());
  const auto read = [&]() -> std::optional<Table> {
    Table block;
    if (!reader.next(block, rows)) return std::nullopt;
    return block;
  };
  auto next = std::async(std::launch::async, read);
  while (const auto block = next.get()) {
    next = std::async(std::launch::async, read);
    use(*block);
  }
}

}  // namespace

Table read_source(const std::string& source, const std::string& data_dir) {
  if (source.starts_with(kBuiltin)) return table_of(generate(source.substr(kBuiltin.size())), source);
  return read_table(located(source, data_dir));
}

void read_source_in_blocks(const std::string& source, const std::string& data_dir,
                           const std::function<void(const Table&)>& use) {
  if (source.starts_with(kBuiltin)) return use(read_source(source, data_dir));
  const std::string path = located(source, data_dir);
  const auto parts = is_sqlite(path) ? std::vector<std::string>() : parts_of(path);
  if (parts.empty()) return read_file_in_blocks(path, use);
  std::optional<Table> first;  // its name and columns, without rows
  for (const std::string& part : parts) {
    read_file_in_blocks(part, [&](const Table& block) {
      if (first) {
        check_same_columns(*first, block);
      } else {
        first = Table{.source = block.source};
        for (const Column& column : block.columns) first->columns.emplace_back().name = column.name;
      }
      use(block);
    });
  }
}

void refuse_read_once(const std::string& source, const std::string& data_dir) {
  if (source.starts_with(kBuiltin)) return;
  for (const auto& path : files_of(located(source, data_dir))) {
    File(real_file_system(), path, FileSystem::Use::read, "cannot read " + printable(path)).close();
  }
}

std::string source_sha256(const std::string& source, const std::string& data_dir) {
  if (source.starts_with(kBuiltin) || is_sqlite(source)) return sha256_hex(csv_text(read_source(source, data_dir)));
  Sha256 hash;
  for (const auto& path : files_of(located(source, data_dir))) {
    File file(real_file_system(), path, FileSystem::Use::read, "cannot read " + printable(path));
    for (std::string piece = file.read(kHashedPiece); !piece.empty(); piece = file.read(kHashedPiece)) {
      hash.update(piece);
    }
  }
  return hash.hex();
}

std::string target_of(const std::string& source) {
  if (const PublicSet* set = public_set_of(source)) return set->target;
  const bool arrays = source.ends_with(".npy") && files_of(source).size() == 2;
  return arrays || source.starts_with(kBuiltin) ? kGeneratedTarget : "";
}

const PublicSet* public_set_of(const std::string& source) {
  std::error_code no_such_name;  // for example, if the name is too long
  return std::filesystem::exists(source, no_such_name) ? nullptr : find_public_set(source);
}

Schema public_schema(const PublicSet& set, const Table& table) {
  SchemaOptions options;
  options.target = set.target;
  options.positive = set.positive;
  options.drop = set.dropped;
  if (set.categorical) options.categorical = set.columns;
  options.standardize_one_hot = true;
  // The schema keeps every column that the paper has, even if it looks like an id.
  options.keep = set.columns;
  const auto rows = all_rows(table);
  return fit_schema(table, Rows(rows).first(std::min(set.statistics_rows, rows.size())), options);
}

std::optional<Schema> published_schema(const std::string& source, const Table& table, const SchemaOptions& options) {
  const PublicSet* set = public_set_of(source);
  if (set == nullptr) return std::nullopt;
  SchemaOptions plain;
  plain.target = set->target;
  if (options != plain) {
    throw ConfigError("preset published fixes the encoding of " + set->name +
                      "; give no option of columns except target " + set->target +
                      ", or give the file's path to encode it your way");
  }
  return public_schema(*set, table);
}

std::string csv_cell(std::string_view text) {
  const bool plain =
      text.find_first_of(",\"\r\n") == std::string_view::npos &&
      (text.empty() || (text.front() != ' ' && text.front() != '\t' && text.back() != ' ' && text.back() != '\t'));
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + '"';
}

std::string csv_text(const Table& table) {
  std::string text;
  for (std::size_t c = 0; c < table.columns.size(); ++c) text += (c > 0 ? "," : "") + csv_cell(table.columns[c].name);
  text += '\n';
  for (std::size_t r = 0; r < table.rows; ++r) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c > 0) text += ',';
      text += csv_cell(table.columns[c].text(r));
    }
    text += '\n';
  }
  return text;
}

}  // namespace perpend
