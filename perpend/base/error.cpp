#include "perpend/base/error.h"

#include <algorithm>
#include <string_view>

namespace perpend {

void check_failed(const char* condition, const char* file, int line) {
  std::string_view path(file);
  path.remove_prefix(std::min(path.size(), path.rfind('/') + 1));
  throw Error(ErrorKind::bug, "internal error at " + std::string(path) + ":" + std::to_string(line) + ": " + condition +
                                  " does not hold; please report it with the command you ran");
}

}  // namespace perpend
