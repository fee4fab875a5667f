// The columns of an Arrow file: the types of Schema.fbs that perpend reads, and the fields of a schema.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "perpend/data/fixed_cells.h"
#include "perpend/data/flatbuffer.h"

namespace perpend {

// The kinds of arrays that perpend reads, and how many buffers each has. Arrays of views have more buffers; their batch
// says how many.
struct ArrowType {
  enum class Kind { null, boolean, fixed, text, large_text, text_view };
  Kind kind = Kind::null;
  FixedForm fixed = {};

  bool is_text() const { return kind >= Kind::text; }
  bool is_number() const {
    return kind == Kind::null || kind == Kind::boolean || (kind == Kind::fixed && fixed.is_number());
  }
  std::size_t buffers() const {
    constexpr std::array<std::size_t, 6> kBuffers = {0, 2, 2, 3, 3, 2};
    return kBuffers[static_cast<std::size_t>(kind)];
  }
};

struct ArrowField {
  std::string name;
  std::string place;  // for messages, such as "t.arrow: column 'x'"
  ArrowType type;     // of the cells
  bool has_dictionary = false;
  std::int64_t dictionary = 0;
  ArrowType index = {};  // the type of a dictionary's indices
  bool wanted = true;

  const ArrowType& stored() const { return has_dictionary ? index : type; }
};

// Reads a field of the schema. `file` is the name of the file. A nested type, or another that perpend does not read, is
// a DataError.
ArrowField field_of(const std::string& file, const FlatTable& facts);

}  // namespace perpend
