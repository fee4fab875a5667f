// Foreign JSON text is checked here before a tree is built from it.
//
// A tree needs many times the memory of its text and is destroyed by recursion, so a hostile text could exhaust the
// memory or the stack. Every reader of JSON in perpend calls json_problem first: for model headers and the texts in
// them, for results of a study and for autoencoders.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace perpend {

constexpr std::size_t kDeepestJson = 32;
constexpr std::size_t kLargestJsonTree = std::size_t{192} << 20;  // bytes of memory, estimated

// Returns what is wrong with `text`, as the end of a sentence that begins with "has": "no JSON at byte 17",
// "key 'a' twice", "nesting deeper than 32", "so many values that they take over 192 MiB". Returns nothing if the text
// can be read.
//
// It is stricter than the standard: it refuses a key that occurs twice in an object, a NUL byte, and a number beyond
// double. It takes time linear in the text, and memory for the keys of open objects only.
std::optional<std::string> json_problem(std::string_view text, std::size_t most_bytes);

}  // namespace perpend
