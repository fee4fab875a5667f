// Text from data inside a page: shown, never run.
#pragma once

#include <string>
#include <string_view>

namespace perpend {

// For text and for attribute values in double quotes. & < > " ' become entities. Hidden characters, such as control
// characters and marks that change the direction of text, are written out as printable() does (base/message.h).
std::string html_text(std::string_view text);

// JSON text for a <script type="application/json"> element. It has no <, >, & and no hidden character as itself. So no
// string can end the element, open a comment or mislead a reader of the source. The JSON means the same.
std::string json_for_script(std::string_view json);

// RFC 4648, with padding.
std::string base64(std::string_view bytes);

}  // namespace perpend
