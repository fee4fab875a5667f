#include "perpend/base/json_text.h"

#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "perpend/base/message.h"

namespace perpend {

namespace {

using Json = nlohmann::json;

// The check is a pass of its own, because the library's filter during parsing takes quadratic time on a list of many
// objects.
class StrictJson final : public nlohmann::json_sax<Json> {
 public:
  std::string problem;

  bool null() override { return grow(kValueBytes); }
  bool boolean(bool) override { return grow(kValueBytes); }
  bool number_integer(std::int64_t) override { return grow(kValueBytes); }
  bool number_unsigned(std::uint64_t) override { return grow(kValueBytes); }
  bool number_float(double, const std::string&) override { return grow(kValueBytes); }
  bool string(std::string& text) override { return grow(kObjectBytes + text.size()); }
  bool binary(Json::binary_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool key(std::string& name) override {
    if (!grow(2 * kObjectBytes + name.size())) return false;  // twice: in the tree and in the set here
    return keys_.back().insert(name).second || reject("key " + quote(name) + " twice");
  }
  bool parse_error(std::size_t at, const std::string&, const Json::exception& error) override {
    const bool is_text = dynamic_cast<const Json::parse_error*>(&error) != nullptr;
    return reject(is_text ? "no JSON at byte " + thousands(at) : "a number that is out of range");
  }

 private:
  bool enter() {
    if (!grow(kObjectBytes)) return false;
    keys_.emplace_back();
    return keys_.size() <= kDeepestJson || reject("nesting deeper than " + std::to_string(kDeepestJson));
  }
  bool leave() {
    keys_.pop_back();
    return true;
  }
  // The memory that the library takes: for a value in a list that doubles as it grows, and for a string, list or
  // object.
  static constexpr std::size_t kValueBytes = 2 * sizeof(Json);
  static constexpr std::size_t kObjectBytes = 96;
  bool grow(std::size_t bytes) {
    tree_ += bytes;
    return tree_ <= kLargestJsonTree || reject("so many values that they take over 192 MiB");
  }
  bool reject(std::string what) {
    problem = std::move(what);
    return false;
  }

  std::size_t tree_ = 0;                     // bytes
  std::vector<std::set<std::string>> keys_;  // one set per open object or list
};

}  // namespace

std::optional<std::string> json_problem(std::string_view text, std::size_t most_bytes) {
  if (text.size() > most_bytes) {
    return counted(text.size(), "byte") + " where at most " + thousands(most_bytes) + " are read";
  }
  if (text.find('\0') != std::string_view::npos) return "a NUL byte";
  StrictJson strict;
  if (!Json::sax_parse(text, &strict)) return strict.problem;
  return std::nullopt;
}

}  // namespace perpend
