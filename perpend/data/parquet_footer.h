// Reads the footer of a Parquet file, which says what columns there are and where their bytes are.
//
//     PAR1 | column chunks: pages, a dictionary first | footer (Thrift) | its size, 4 bytes | PAR1
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "perpend/data/bytes.h"
#include "perpend/data/codecs.h"
#include "perpend/data/fixed_cells.h"

namespace perpend {

struct ParquetColumn {
  // What the values of the column become. Texts and decimals of any length are byte arrays. All others are fixed.
  enum class Form { fixed, text, decimal_bytes };
  enum class Physical { boolean, int32, int64, int96, float32, float64, bytes, fixed_bytes };

  std::string name;
  bool optional = false;  // cells may be missing
  Physical physical = Physical::int32;
  Form form = Form::fixed;
  FixedForm fixed = {};   // the width, which is 1 for booleans, and for decimals the scale
  std::size_t place = 0;  // among the chunks of a row group
};

struct ParquetChunk {
  int physical = -1;
  int codec = 0;
  std::int64_t values = -1;
  std::int64_t bytes = -1;   // packed, with the dictionary
  std::int64_t offset = -1;  // where the first page begins
  std::int64_t dictionary = -1;
  bool encrypted = false;
  bool elsewhere = false;  // the bytes are in another file
};

struct ParquetRowGroup {
  std::int64_t rows = -1;
  std::vector<ParquetChunk> chunks;
};

struct ParquetFooter {
  std::size_t rows = 0;
  std::vector<ParquetColumn> columns;  // the columns to read, without the row labels of pandas
  std::vector<ParquetRowGroup> groups;
};

// Reads the footer and checks everything except the contents of the pages: chunks lie within the file, rows and values
// agree, and perpend reads the types. Throws DataError, one line with the file and the column.
ParquetFooter read_parquet_footer(const RandomBytes& file);

// The codec that a chunk names. Throws DataError "PLACE ..." if perpend does not have it.
Codec parquet_codec(int number, const std::string& place);

}  // namespace perpend
