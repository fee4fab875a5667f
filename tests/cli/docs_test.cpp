// The documents' commands are run as a reader would: each document in an empty folder, in order, with the built program
// in PATH. In a fenced block these are commands:
//   $ perpend ...    in any block
//   perpend ...      in a block without language, or sh, bash, shell, console
// Placeholders (YOUR.csv, MODEL) belong outside of such lines. A toml block whose first line is `# NAME.toml` is that
// file, which is there before the first command.
#include <fstream>
#include <sstream>

#include "tests/cli/program.h"

namespace perpend::test {
namespace {

struct Command {
  std::size_t line;
  std::string text;
};

std::vector<Command> commands_of(const std::filesystem::path& document) {
  std::vector<Command> commands;
  std::istringstream lines(file_content(document));
  bool fenced = false;
  bool shell = false;
  bool continued = false;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.rfind("```", 0) == 0) {
      fenced = !fenced;
      const std::string language = line.substr(3);
      shell =
          language.empty() || language == "sh" || language == "bash" || language == "shell" || language == "console";
      continue;
    }
    if (continued) {
      commands.back().text += "\n" + line;
    } else if (fenced && line.rfind("$ perpend ", 0) == 0) {
      commands.push_back({number, line.substr(2)});
    } else if (fenced && shell && line.rfind("perpend ", 0) == 0) {
      commands.push_back({number, line});
    } else {
      continue;
    }
    continued = line.back() == '\\';
  }
  return commands;
}

void write_files_of(const std::filesystem::path& document, const std::filesystem::path& folder) {
  std::istringstream lines(file_content(document));
  std::ofstream file;
  bool first = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("```", 0) == 0) {
      file.close();
      first = line == "```toml";
      continue;
    }
    if (first && line.rfind("# ", 0) == 0) file.open(folder / line.substr(2));
    first = false;
    if (file.is_open()) file << line << '\n';
  }
}

void run_document(const std::filesystem::path& document) {
  const TemporaryFolder folder;
  write_files_of(document, folder.path());
  const std::string program_folder = std::filesystem::path(PERPEND_PROGRAM).parent_path().string();
  for (const auto& command : commands_of(document)) {
    const auto run = run_program("/bin/sh", {"-c", "cd '" + folder.path().string() + "' && PATH='" + program_folder +
                                                       "':$PATH && export PATH && " + command.text});
    ASSERT_EQ(run.exit_code, 0) << document.string() << ':' << command.line << ": " << command.text << '\n' << run.err;
  }
}

const std::filesystem::path kSource = PERPEND_SOURCE_DIR;

TEST(Docs, ReadmeHasATourOfAtLeastFiveCommands) { EXPECT_GE(commands_of(kSource / "README.md").size(), 5U); }

TEST(Docs, EveryCommandOfTheReadmeWorks) { run_document(kSource / "README.md"); }

TEST(Docs, EveryCommandOfEveryPageWorks) {
  std::vector<std::filesystem::path> pages;
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  std::sort(pages.begin(), pages.end());
  ASSERT_FALSE(pages.empty());
  for (const auto& page : pages) run_document(page);
}

}  // namespace
}  // namespace perpend::test
