#include "apps/perpend/data_folder.h"

#include <cstdlib>

namespace perpend::app {

std::filesystem::path data_folder(const std::string& given) {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (!given.empty()) return given;
  if (!set("PERPEND_DATA").empty()) return set("PERPEND_DATA");
  if (!set("XDG_DATA_HOME").empty()) return std::filesystem::path(set("XDG_DATA_HOME")) / "perpend";
  return std::filesystem::path(set("HOME")) / ".local/share/perpend";
}

}  // namespace perpend::app
