// Whole files, written so that a crash, a full disk or kill -9 leaves the old file or the new one, never half of
// either.
//
// For results that are made in one piece: models, reports, tables, pictures. Not for logs that grow, which are appended
// to and synced record by record.
#pragma once

#include <filesystem>
#include <string_view>

namespace perpend {

// Writes a temporary file beside `path`, syncs it, renames it over `path` and syncs the folder. Throws IoError naming
// the path and the reason; the old file, if there was one, is then as it was and the temporary file is gone.
void write_file_durably(const std::filesystem::path& path, std::string_view bytes);

}  // namespace perpend
