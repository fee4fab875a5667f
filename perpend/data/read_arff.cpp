#include "perpend/data/read_arff.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/column_writer.h"
#include "perpend/data/read_csv.h"
#include "perpend/data/text_window.h"
#include "perpend/data/trimmed.h"

namespace perpend {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// A value on a line, quoted or bare. It ends at one of the stop characters.
struct Value {
  std::string text;
  bool quoted = false;
};

enum class Kind { number, word, nominal };

struct Attribute {
  Kind kind = Kind::number;
  std::unordered_set<std::string> values;  // for nominal columns only
  ColumnWriter writer;
};

class ArffReader {
 public:
  explicit ArffReader(ByteSource source) : window_(std::move(source), TextWindow::RecordEnd::any_newline) {}

  Table read() {
    bool declared = false;
    while (next_line()) {
      if (rest_.empty() || rest_[0] == '%') continue;
      if (declared) {
        read_row();
      } else {
        declared = read_declaration();
      }
    }
    if (line_ == 0) throw DataError(fmt::format("{} is empty", printable(window_.name())));
    if (!declared) fail("the file ends without @data");
    if (rows_ == 0) throw DataError(fmt::format("{} has a header but no rows", printable(window_.name())));
    return finish();
  }

 private:
  bool next_line() {
    if (run_.empty()) run_ = window_.next_records(line_ + 1);
    if (run_.empty()) return false;
    const std::size_t end = run_.find('\n');
    rest_ = trimmed(run_.substr(0, end));
    run_.remove_prefix(end + 1);
    ++line_;
    return true;
  }

  // Returns true if the rows begin.
  bool read_declaration() {
    const std::string_view word = rest_.substr(0, rest_.find_first_of(kSpaces));
    const std::string keyword = lower(word);
    rest_ = trimmed(rest_.substr(word.size()));
    if (keyword == "@attribute") {
      read_attribute();
    } else if (keyword == "@data") {
      if (attributes_.empty()) fail("@data comes before any @attribute");
      return true;
    } else if (keyword != "@relation") {
      fail(fmt::format("expected @relation, @attribute or @data, found {}", quote(word)));
    }
    return false;
  }

  void read_attribute() {
    const std::string name = take_value(kSpaces).text;
    const std::size_t position = attributes_.size() + 1;
    if (name.empty()) fail(fmt::format("attribute {} has no name", position));
    const auto [first, added] = positions_.emplace(name, position);
    if (!added) fail(fmt::format("attributes {} and {} are both called {}", first->second, position, quote(name)));
    if (position > kMaxColumns) fail(fmt::format("there are more than {} columns", thousands(kMaxColumns)));
    rest_ = trimmed(rest_);
    const bool nominal = rest_.starts_with('{');
    Attribute attribute{.kind = Kind::nominal, .values = {}, .writer = ColumnWriter(name, nominal)};
    if (nominal) {
      attribute.values = take_nominal_values(name);
    } else {
      attribute.kind = kind_of(name);
    }
    attributes_.push_back(std::move(attribute));
  }

  Kind kind_of(const std::string& name) const {
    const std::string type = lower(rest_.substr(0, rest_.find_first_of(kSpaces)));
    if (type == "numeric" || type == "real" || type == "integer") return Kind::number;
    if (type == "string") return Kind::word;
    fail(fmt::format("attribute {} has type {}; only numeric, real, integer, string and nominal are read", quote(name),
                     quote(type)));
  }

  std::unordered_set<std::string> take_nominal_values(const std::string& name) {
    std::unordered_set<std::string> values;
    do {
      rest_.remove_prefix(1);
      values.insert(take_value(",}").text);
    } while (rest_.starts_with(','));
    if (!rest_.starts_with('}')) fail(fmt::format("the list of values of attribute {} is not closed", quote(name)));
    return values;
  }

  void read_row() {
    if (rest_[0] == '{') fail("sparse rows are not read; convert the file to plain ARFF or CSV");
    if (rows_ == reserved_) {
      reserved_ += std::clamp<std::size_t>(reserved_, 16, 4096);
      for (Attribute& attribute : attributes_) attribute.writer.reserve_rows(reserved_);
    }
    lines_.append(rows_, line_);
    std::size_t column = 0;
    bool more = true;
    while (more) {
      const Value value = take_value(",");
      more = rest_.starts_with(',');
      if (more) rest_.remove_prefix(1);
      if (column < attributes_.size()) set_cell(attributes_[column], value);
      ++column;
    }
    if (column != attributes_.size()) {
      fail(fmt::format("the row has {} where the header has {}", counted(column, "cell"), attributes_.size()));
    }
    ++rows_;
  }

  void set_cell(Attribute& attribute, const Value& value) {
    ColumnWriter& writer = attribute.writer;
    if (!value.quoted && value.text == "?") return writer.set_missing(rows_);
    if (!value.quoted && value.text.empty()) {
      fail(fmt::format("column {} is empty; ARFF writes a missing cell as ?", quote(writer.name())));
    }
    const auto number = as_number(value.text);
    if (attribute.kind == Kind::number) {
      if (!number) bad_number(writer.name(), value.text);
      return writer.set_number(rows_, *number);
    }
    if (attribute.kind == Kind::nominal && !attribute.values.contains(value.text)) {
      fail(fmt::format("column {} is {}, which its @attribute does not list", quote(writer.name()), quote(value.text)));
    }
    writer.set_word(rows_, number ? number_name(*number) : value.text);
  }

  [[noreturn]] void bad_number(const std::string& name, const std::string& text) const {
    fail(fmt::format("column {} is {}, {}", quote(name), quote(text),
                     is_beyond_float(text) ? "a number outside float range (3.4e38)"
                                           : "where its @attribute promises a number; a missing cell is written ?"));
  }

  // Moves rest_ to the stop character or the end of the line.
  Value take_value(std::string_view stops) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpaces), rest_.size()));
    if (!rest_.starts_with('\'') && !rest_.starts_with('"')) {
      const std::string_view bare = rest_.substr(0, rest_.find_first_of(stops));
      rest_.remove_prefix(bare.size());
      return {std::string(trimmed(bare)), false};
    }
    Value value{.text = take_quoted(), .quoted = true};
    const bool spaces_end_it = stops == kSpaces;
    if (!spaces_end_it) rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpaces), rest_.size()));
    if (!rest_.empty() && stops.find(rest_[0]) == std::string_view::npos) fail("there is text after a closing quote");
    return value;
  }

  std::string take_quoted() {
    std::string text;
    const char mark = rest_[0];
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == mark) {
        rest_.remove_prefix(i + 1);
        return text;
      }
      if (rest_[i] == '\\' && i + 1 < rest_.size()) ++i;
      text += rest_[i];
    }
    fail("a quote is not closed on its line");
  }

  Table finish() {
    Table table{.source = window_.name(), .rows = rows_, .columns = {}, .lines = std::move(lines_), .first_row = 0};
    for (Attribute& attribute : attributes_) table.columns.push_back(attribute.writer.finish(rows_));
    return table;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(fmt::format("{}:{}: {}", printable(window_.name()), line_, what));
  }

  TextWindow window_;
  std::string_view run_;   // lines not read yet
  std::string_view rest_;  // rest of the current line
  std::size_t line_ = 0;
  std::size_t rows_ = 0;
  std::size_t reserved_ = 0;
  std::vector<Attribute> attributes_;
  std::unordered_map<std::string, std::size_t> positions_;
  RowLines lines_;
};

}  // namespace

Table read_arff(const std::string& path) { return read_arff(open_bytes(path)); }

Table read_arff(ByteSource source) { return ArffReader(std::move(source)).read(); }

}  // namespace perpend
