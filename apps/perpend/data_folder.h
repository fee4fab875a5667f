// Where public sets are kept: --data-dir, otherwise $PERPEND_DATA, otherwise the user's data folder.
#pragma once

#include <filesystem>
#include <string>

namespace perpend::app {

std::filesystem::path data_folder(const std::string& given);

}  // namespace perpend::app
