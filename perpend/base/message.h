// Text for messages. Every value that a user typed or stored can be shown on one line.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace perpend {

// Returns foreign text in a form that is safe to show: on one line, in the order it is stored, without a byte that
// controls a terminal.
//
//     "a<ESC>[2J" -> a\x1b[2J        "<U+202E>fdp" -> \u202efdp        "<byte 0xff>" -> \xff
//
// It escapes control characters (C0, DEL, C1), line and paragraph separators, marks that turn the direction of writing,
// other invisible format characters, and bytes that are not UTF-8. It leaves all other text unchanged. So
// printable(printable(t)) is printable(t).
std::string printable(std::string_view text);
// The same for text of several lines. '\n' stays.
std::string printable_lines(std::string_view text);
// The same for a JSON text. The escapes are JSON's own, so it stays the same document.
std::string printable_json(std::string_view text);

// Whether all of the text is UTF-8.
bool is_utf8(std::string_view text);

// 'text', printable and cut at 40 characters (not bytes), with ... where it was cut.
std::string quote(std::string_view text);

// "'a', 'b' and 'c'": each name as quote() shows it. Of more than ten names it shows ten: "'a', ..., 'j' and 15 more".
std::string quote_all(std::span<const std::string> names);

// Quotes any text as one word on one line that bash and zsh read back unchanged. Use it in commands that a user may
// paste and in scripts.
//
//     loans.csv -> loans.csv        my loans -> 'my loans'        "a<ESC>;b" -> $'a\033;b'
std::string shell_word(std::string_view text);

// 1234567 -> "1,234,567".
std::string thousands(std::size_t count);

// "3 rows", "1 row": thousands(count) and the noun, with an s unless count is 1.
std::string counted(std::size_t count, std::string_view noun);

// Returns the name nearest to `wanted`. An insertion, a deletion, a replacement and a swap of neighbours cost one each,
// and letter case costs nothing. Returns an empty text if no name is near, that is, if more than a third of the longer
// name differs or all of it.
std::string nearest_name(std::string_view wanted, std::span<const std::string> names);

}  // namespace perpend
