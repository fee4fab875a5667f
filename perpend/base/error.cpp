#include "perpend/base/error.h"

#include <algorithm>
#include <string_view>

namespace perpend {

Error::Error(ErrorKind kind, const std::string& message)
    : std::runtime_error(perpend::spelled(message, plain_spelling)),
      kind_(kind),
      message_(std::make_shared<const std::string>(message)) {}

void check_failed(const char* condition, const char* file, int line) {
  std::string_view path(file);
  path.remove_prefix(std::min(path.size(), path.rfind('/') + 1));
  throw Error(ErrorKind::bug, "internal error at " + std::string(path) + ":" + std::to_string(line) + ": " + condition +
                                  " does not hold; please report it with the command you ran");
}

}  // namespace perpend
