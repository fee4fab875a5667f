#include "perpend/base/error.h"

#include <algorithm>
#include <string_view>

#include "perpend/base/message.h"

namespace perpend {

namespace {

constexpr std::size_t kLongestMessage = 4000;

// Cut before it is made printable, so that no escape is cut in two. A code point that is cut shows as bytes.
std::string shortened(const std::string& message) {
  if (message.size() <= kLongestMessage) return message;
  const std::size_t half = kLongestMessage / 2;
  return message.substr(0, half) + " ... " + message.substr(message.size() - half);
}

}  // namespace

Error::Error(ErrorKind kind, const std::string& message)
    : std::runtime_error(printable(shortened(message))), kind_(kind) {}

void check_failed(const char* condition, const char* file, int line) {
  std::string_view path(file);
  path.remove_prefix(std::min(path.size(), path.rfind('/') + 1));
  throw Error(ErrorKind::bug, "internal error at " + std::string(path) + ":" + std::to_string(line) + ": " + condition +
                                  " does not hold; please report it with the command you ran");
}

}  // namespace perpend
