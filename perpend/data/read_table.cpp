#include "perpend/data/read_table.h"

#include <filesystem>

#include "perpend/data/read_arff.h"
#include "perpend/data/read_arrow.h"
#include "perpend/data/read_csv.h"
#include "perpend/data/read_npy.h"
#include "perpend/data/read_parquet.h"
#include "perpend/data/read_sqlite.h"
#include "perpend/data/table_parts.h"

namespace perpend {

namespace {

// The place of the comma in "X.npy,y.npy": the one after the first .npy. npos if the source is not a pair.
std::size_t pair_comma(const std::string& source) {
  for (std::size_t comma = source.find(','); comma != std::string::npos; comma = source.find(',', comma + 1)) {
    if (ends_in(source.substr(0, comma), ".npy")) return comma;
  }
  return std::string::npos;
}

bool is_parquet(const std::string& name) { return ends_in(name, ".parquet") || ends_in(name, ".pq"); }
bool is_arrow(const std::string& name) { return ends_in(name, ".arrow") || ends_in(name, ".feather"); }
bool is_arff(const std::string& name) { return ends_in(name, ".arff") || ends_in(name, ".arff.gz"); }

}  // namespace

bool is_csv(const std::string& source) {
  return !is_sqlite(source) && !is_arff(source) && !ends_in(source, ".npy") && !is_parquet(source) && !is_arrow(source);
}

Table read_table(const std::string& source) {
  if (is_sqlite(source)) return read_sqlite(source);
  if (const auto parts = parts_of(source); !parts.empty()) return read_parts(source, parts);
  if (is_csv(source)) return read_csv(source);
  if (is_parquet(source)) return read_parquet(source, Threads(0));
  if (is_arrow(source)) return read_arrow(source, Threads(0));
  if (is_arff(source)) return read_arff(source);
  const auto files = files_of(source);
  return files.size() == 1 ? read_npy(files[0]) : read_npy(files[0], files[1]);
}

std::vector<std::string> files_of(const std::string& source) {
  if (is_sqlite(source)) return {sqlite_file(source)};
  if (auto parts = parts_of(source); !parts.empty()) return parts;
  const std::size_t comma = ends_in(source, ".npy") ? pair_comma(source) : std::string::npos;
  std::error_code none;
  if (comma == std::string::npos || std::filesystem::exists(source, none)) return {source};
  return {source.substr(0, comma), source.substr(comma + 1)};
}

}  // namespace perpend
