// Runs the documents' commands as a reader would. Each document has an empty folder, its commands run in order, and the
// built program is in PATH. In a fenced block these are commands:
//   $ perpend ...    in any block
//   perpend ...      in a block without language, or sh, bash, shell
//   $ ...            in a console block
// In a console block, each line below a command must be a line that the command prints; a line "..." stands for lines
// that are left out. Placeholders (YOUR.csv, MODEL) belong outside of such lines. A toml block whose first line is `#
// NAME.toml` is that file, which exists before the first command. A block may be indented, as in a tab of the site. The
// pages of docs/gallery need public tables; docs/make/gallery runs them.
#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>

#include "tests/cli/program.h"

namespace perpend::test {
namespace {

struct Command {
  std::size_t line;
  std::string text;
  std::vector<std::string> shown;  // lines of its output that the document shows
};

bool begins_with(const std::string& line, std::string_view start) { return line.rfind(start, 0) == 0; }

// A fenced block: its place, its language, and its lines without the indentation of the fence.
struct Block {
  std::size_t line;
  std::string language;
  std::vector<std::string> lines;
};

std::vector<Block> blocks_of(const std::filesystem::path& document) {
  std::vector<Block> blocks;
  std::istringstream lines(file_content(document));
  bool inside = false;
  std::size_t indentation = 0;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    if (line.compare(first, 3, "```") == 0) {
      inside = !inside;
      indentation = first;
      if (inside) blocks.push_back({number, line.substr(first + 3), {}});
    } else if (inside) {
      blocks.back().lines.push_back(line.substr(std::min(indentation, first)));
    }
  }
  return blocks;
}

std::vector<Command> commands_of(const std::filesystem::path& document) {
  std::vector<Command> commands;
  for (const Block& block : blocks_of(document)) {
    const std::string& language = block.language;
    const bool shell = language.empty() || language == "sh" || language == "bash" || language == "shell";
    const bool console = language == "console";
    bool continued = false;
    bool below = false;  // below a command of this block
    for (std::size_t i = 0; i < block.lines.size(); ++i) {
      const std::string& line = block.lines[i];
      if (continued) {
        commands.back().text += "\n" + line;
      } else if (begins_with(line, console ? "$ " : "$ perpend ")) {
        commands.push_back({block.line + i + 1, line.substr(2), {}});
      } else if (shell && begins_with(line, "perpend ")) {
        commands.push_back({block.line + i + 1, line, {}});
      } else {
        if (console && below && !line.empty() && line != "...") commands.back().shown.push_back(line);
        continue;
      }
      below = true;
      continued = line.back() == '\\';
    }
  }
  return commands;
}

void write_files_of(const std::filesystem::path& document, const std::filesystem::path& folder) {
  for (const Block& block : blocks_of(document)) {
    if (block.language != "toml" || block.lines.empty() || !begins_with(block.lines[0], "# ")) continue;
    std::ofstream file(folder / block.lines[0].substr(2));
    for (const auto& line : block.lines) file << line << '\n';
  }
}

bool has_line(const std::string& text, const std::string& wanted) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line.erase(line.find_last_not_of(' ') + 1);
    if (line == wanted) return true;
  }
  return false;
}

void run_document(const std::filesystem::path& document) {
  const TemporaryFolder folder;
  write_files_of(document, folder.path());
  const std::string program_folder = std::filesystem::path(PERPEND_PROGRAM).parent_path().string();
  for (const auto& command : commands_of(document)) {
    const auto run = run_program("/bin/sh", {"-c", "cd '" + folder.path().string() + "' && PATH='" + program_folder +
                                                       "':$PATH && export PATH && " + command.text});
    ASSERT_EQ(run.exit_code, 0) << document.string() << ':' << command.line << ": " << command.text << '\n' << run.err;
    for (const auto& line : command.shown) {
      EXPECT_TRUE(has_line(run.out, line) || has_line(run.err, line))
          << document.string() << ':' << command.line << ": " << command.text << "\ndoes not print\n"
          << line << "\nbut\n"
          << run.err << run.out;
    }
  }
}

const std::filesystem::path kSource = PERPEND_SOURCE_DIR;

TEST(Docs, TheFirstPageHasATourOfAtLeastFiveCommands) { EXPECT_GE(commands_of(kSource / "docs/start.md").size(), 5U); }

TEST(Docs, EveryCommandOfTheReadmeWorks) { run_document(kSource / "README.md"); }

TEST(Docs, EveryCommandOfEveryPageWorks) {
  std::vector<std::filesystem::path> pages;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kSource / "docs")) {
    const bool of_gallery = entry.path().parent_path().filename() == "gallery";
    if (entry.path().extension() == ".md" && !of_gallery) pages.push_back(entry.path());
  }
  std::sort(pages.begin(), pages.end());
  ASSERT_FALSE(pages.empty());
  for (const auto& page : pages) run_document(page);
}

}  // namespace
}  // namespace perpend::test
