// Text from data inside a page: shown, never run.
#pragma once

#include <string>
#include <string_view>

namespace perpend {

// For text and for attribute values in double quotes: & < > " ' as entities; control characters and the marks that
// turn the direction of text as the sign U+FFFD; bytes that are no UTF-8 likewise.
std::string html_text(std::string_view text);

// JSON text for a <script type="application/json"> element: no <, >, & and no line separator survives as itself, so no
// string can end the element or open a comment. The JSON means the same.
std::string json_for_script(std::string_view json);

// RFC 4648, with padding.
std::string base64(std::string_view bytes);

}  // namespace perpend
