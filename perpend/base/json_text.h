// JSON that comes from outside, looked through before a tree is built of it.
//
// A tree costs many times its text and is taken down by recursion, so a hostile text can ask for all memory or all of
// the stack. Every reader of JSON in perpend asks json_problem first: model headers and what is in them, results of a
// study, autoencoders.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace perpend {

constexpr std::size_t kDeepestJson = 32;
constexpr std::size_t kLargestJsonTree = std::size_t{192} << 20;  // bytes of memory, estimated

// What keeps `text` from being read, as the end of a sentence ("has ..."): "no JSON at byte 17", "key 'a' twice",
// "nesting deeper than 32", "so many values that they take over 192 MiB"; nothing when all is well. Stricter than the
// standard: no key twice in an object, no NUL byte, no number beyond double. It takes time linear in the text, and
// memory for the keys of open objects only.
std::optional<std::string> json_problem(std::string_view text, std::size_t most_bytes);

}  // namespace perpend
