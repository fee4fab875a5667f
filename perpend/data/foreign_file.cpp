#include "perpend/data/foreign_file.h"

#include <algorithm>
#include <array>

namespace perpend {

namespace {

using namespace std::string_view_literals;

struct Format {
  std::string_view begins;
  std::string_view has;  // a text further on
  std::string_view is;
};

// The first format that fits counts.
constexpr std::array kFormats = {
    Format{"PAR1"sv, ""sv, "a Parquet file; give it a name that ends in .parquet"sv},
    Format{"ARROW1"sv, ""sv, "an Arrow file; give it a name that ends in .arrow or .feather"sv},
    Format{"FEA1"sv, ""sv,
           "a Feather file; make CSV of it in Python: pandas.read_feather('OLD').to_csv('NEW.csv', index=False)"sv},
    Format{"PK\3\4"sv, "xl/"sv,
           "an Excel workbook; save the sheet in Excel as CSV UTF-8, or in Python: "
           "pandas.read_excel('OLD').to_csv('NEW.csv', index=False)"sv},
    Format{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, ""sv,
           "an old Excel workbook (or another document of Office); save the sheet in Excel as CSV UTF-8"sv},
    Format{"PK\3\4"sv, "opendocument.spreadsheet"sv, "an OpenDocument spreadsheet; save the sheet as CSV in UTF-8"sv},
    Format{"PK\3\4"sv, ""sv, "a zip archive; unpack it with unzip and give the CSV file in it"sv},
    Format{"BZh"sv, "1AY&SY"sv, "packed by bzip2; unpack it with bunzip2"sv},
    Format{"\xFD"
           "7zXZ\0"sv,
           ""sv, "packed by xz; unpack it with unxz"sv},
    Format{"\x28\xB5\x2F\xFD"sv, ""sv, "packed by zstd; unpack it with unzstd"sv},
};

// A table may begin with a column called PAR1, but text has no such bytes.
bool has_control_byte(std::string_view bytes) {
  return std::ranges::any_of(bytes,
                             [](char c) { return static_cast<unsigned char>(c) < ' ' && (c < '\t' || c > '\r'); });
}

// How many percent of the bytes at even (0) or odd (1) places are NUL.
std::size_t nul_percent(std::string_view bytes, std::size_t parity) {
  std::size_t nuls = 0;
  for (std::size_t i = parity; i < bytes.size(); i += 2) nuls += bytes[i] == '\0' ? 1 : 0;
  return 100 * nuls / std::max<std::size_t>((bytes.size() + 1 - parity) / 2, 1);
}

// Without a byte order mark, NUL bytes tell: in UTF-16 text that is mostly ASCII, every other byte is NUL.
std::string_view utf16_name(std::string_view opening) {
  if (opening.starts_with("\xFF\xFE") || opening.starts_with("\xFE\xFF")) return "UTF-16";
  if (opening.size() < 4) return "";
  const std::size_t even = nul_percent(opening, 0);
  const std::size_t odd = nul_percent(opening, 1);
  if (even == 0 && odd >= 75) return "UTF-16LE";
  if (odd == 0 && even >= 75) return "UTF-16BE";
  return "";
}

}  // namespace

std::optional<std::string> foreign_file(std::string_view opening) {
  if (const std::string_view name = utf16_name(opening); !name.empty()) {
    return "text in UTF-16; save it as CSV UTF-8 in Excel, or convert it: iconv -f " + std::string(name) +
           " -t UTF-8 OLD.csv > NEW.csv";
  }
  if (!has_control_byte(opening)) return std::nullopt;
  for (const Format& format : kFormats) {
    if (opening.starts_with(format.begins) && opening.find(format.has) != std::string_view::npos) {
      return std::string(format.is);
    }
  }
  return std::nullopt;
}

}  // namespace perpend
