#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "apps/perpend/clock.h"
#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/data_icu.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/system.h"
#include "perpend/data/fetch.h"
#include "perpend/data/generate.h"
#include "perpend/data/source.h"

namespace perpend::app {

namespace {

struct DataOptions {
  std::string name;
  std::string output;
  std::string mirror;
  std::string data_dir;
  std::uint64_t seed = 0;
  std::size_t rows = 0;
  bool force = false;
  bool json = false;
  std::vector<std::string> from;  // only for icu, like the next
  bool print_rules = false;
};

constexpr const char* kIcu = "icu";

void list(const DataOptions& options) {
  using Json = nlohmann::ordered_json;
  Json generated = Json::array();
  Json published = Json::array();
  const std::filesystem::path folder = data_folder(options.data_dir);
  for (const auto& set : generated_sets()) {
    generated.push_back({{"name", set.name}, {"rows", set.rows}, {"description", set.description}});
  }
  for (const auto& set : public_sets()) {
    published.push_back({{"name", set.name},
                         {"title", set.title},
                         {"rows", set.rows},
                         {"columns", set.columns.size()},
                         {"here", std::filesystem::exists(folder / (set.name + ".csv"))},
                         {"page", set.page},
                         {"licence", set.licence}});
  }
  if (options.json) {
    write_json(Json{{"generated", generated}, {"public", published}, {"folder", folder.string()}});
    return;
  }
  print("Generated (use as builtin:NAME, or write with perpend data make NAME -o FILE.csv)\n");
  for (const auto& set : generated_sets()) {
    print("  {:<18} {:>6} rows  {}\n", set.name, thousands(set.rows), set.description);
  }
  print("\nFrom your own copy (docs/icu.md)\n  {:<18} {:>11}  hours in intensive care, and in-hospital death: {}\n",
        kIcu, "", "perpend data make icu --from mimic FOLDER, or --from physionet2012 FILE.csv");
  print("\nPublic (perpend data fetch NAME; kept in {})\n", printable(folder.string()));
  for (const auto& set : public_sets()) {
    const bool here = std::filesystem::exists(folder / (set.name + ".csv"));
    print("  {:<18} {:>6} rows  {:<3} columns  {}  {}\n", set.name, thousands(set.rows), set.columns.size(),
          here ? "here" : "    ", set.title);
  }
}

void make(const DataOptions& options) {
  if (options.name == kIcu) {
    if (options.rows > 0 || options.seed > 0)
      throw UsageError("data make icu takes no --rows and no --seed; leave them out");
    return make_icu({options.from, options.output, options.force, options.json, options.print_rules});
  }
  if (!options.from.empty() || options.json || options.print_rules) {
    throw UsageError("--from, --json and --print-rules are for data make icu; " + quote(options.name) +
                     " is generated");
  }
  const Dataset data = generate(options.name, {.seed = options.seed, .rows = options.rows});
  const std::string text = csv_text(table_of(data, options.name));
  if (options.output.empty() || options.output == "-") {
    write_data(text);
    return;
  }
  write_file_durably(options.output, text, options.force);
  say("{}: {}, {} and the target\n", printable(options.output), counted(data.rows(), "row"),
      counted(data.features.size(), "column"));
}

// A child process whose stdout is read. It is killed and waited for on every way out, and it dies when perpend does.
class Child {
 public:
  explicit Child(const std::vector<const char*>& words) {
    std::array<int, 2> ends{};
    if (open_pipe(ends) != 0) throw IoError("no pipe can be opened to run " + std::string(words[0]));
    std::vector<char*> argv;
    for (const char* word : words) argv.push_back(const_cast<char*>(word));
    argv.push_back(nullptr);
    const pid_t parent = ::getpid();
    process_ = ::fork();
    if (process_ == 0) {
      end_with_parent();
      if (::getppid() != parent) ::_exit(kNotFound);  // it died before the line above
      ::dup2(ends[1], 1);
      ::execvp(argv[0], argv.data());
      ::_exit(kNotFound);
    }
    ::close(ends[1]);
    output_ = ends[0];
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (process_ >= 0) ::kill(process_, SIGKILL);
    wait();
    ::close(output_);
  }

  // Returns how many bytes came: 0 at the end, nothing when none came before the deadline.
  std::optional<std::size_t> read(std::span<char> to, Clock::time_point deadline) const {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd readable{.fd = output_, .events = POLLIN, .revents = 0};
    if (::poll(&readable, 1, static_cast<int>(std::max<std::int64_t>(left, 0))) == 0) return std::nullopt;
    const ssize_t n = ::read(output_, to.data(), to.size());
    return n > 0 ? static_cast<std::size_t>(n) : 0;
  }
  // Returns its exit code, once it has closed its output.
  int wait() {
    if (process_ < 0) return kNotFound;
    int status = 0;
    ::waitpid(std::exchange(process_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : kNotFound;
  }

  static constexpr int kNotFound = 127;

 private:
  pid_t process_ = -1;
  int output_ = -1;
};

constexpr auto kLongestFetch = std::chrono::minutes(10);  // of all files of a set

[[noreturn]] void refuse_larger(const std::string& address, std::size_t most) {
  throw DataError(printable(address) + " is not the published file: it sends more than the " + thousands(most) +
                  " bytes that are expected at most");
}

// Downloads with the system's curl, which knows proxies and certificates. It is started by name, never through a shell.
std::string download(const std::string& address, std::size_t most, Clock::time_point deadline) {
  const std::string size = std::to_string(most);
  Child curl({"curl", "--fail", "--silent", "--location", "--globoff", "--max-filesize", size.c_str(),
              "--connect-timeout", "30", "--max-time", "300", "--speed-limit", "100", "--speed-time", "60", "--",
              address.c_str()});
  std::string bytes;
  std::array<char, 65536> piece{};
  for (;;) {
    const auto n = curl.read(piece, deadline);
    if (!n)
      throw IoError(printable(address) +
                    " cannot be downloaded, because it takes too long; try again later, or use --mirror");
    if (*n == 0) break;
    bytes.append(piece.data(), *n);
    if (bytes.size() > most) refuse_larger(address, most);
  }
  const int code = curl.wait();
  constexpr int kTooLarge = 63;
  if (code == kTooLarge) refuse_larger(address, most);
  if (code == Child::kNotFound) {
    throw IoError("curl is needed to download " + printable(address) +
                  "; install it, or give --mirror a folder with the file");
  }
  if (code != 0) {
    throw IoError(
        fmt::format("{} cannot be downloaded (curl says {}); check the network, or give --mirror a folder or "
                    "address that has the file",
                    printable(address), code));
  }
  return bytes;
}

void fetch(const DataOptions& options) {
  const PublicSet* set = find_public_set(options.name);
  if (set == nullptr) {
    std::vector<std::string> names;
    for (const auto& known : public_sets()) names.push_back(known.name);
    const std::string near = nearest_name(options.name, names);
    throw UsageError("there is no public set " + quote(options.name) +
                     (near.empty() ? "; perpend data list shows them" : "; did you mean " + near + "?"));
  }
  const std::filesystem::path folder = data_folder(options.data_dir);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw IoError(folder.string() + " cannot be made: " + failed.message());
  const std::filesystem::path path = folder / (set->name + ".csv");
  const auto deadline = Clock::now() + kLongestFetch;
  const auto get = [&](const std::string& address, std::size_t most) { return download(address, most, deadline); };
  write_file_durably(path, fetch_public(*set, options.mirror, get), true);
  say("{}: {}, sha256 as published. {}; {}\n", printable(path.string()), counted(set->rows, "row"), set->citation,
      set->licence);
}

}  // namespace

void add_data(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<DataOptions>();
  auto* data = program.add_subcommand("data", "List, make and fetch data sets");
  data->footer(
      "  perpend data list                                what there is\n"
      "  perpend data make shortcut -o shortcut.csv       write a generated set\n"
      "  perpend data make shortcut --rows 10000 --seed 7   another size and seed, to stdout\n"
      "  perpend data make icu --from mimic DIR -o icu.csv   hourly ICU table from MIMIC-III's files\n"
      "  perpend data fetch ionosphere                    get a public set, checked by sha256\n"
      "  perpend data fetch ionosphere --mirror DIR       ... from a folder or another address\n");
  data->require_subcommand(1);
  auto* listed = data->add_subcommand("list", "List the data sets that can be made and fetched");
  listed->footer("  perpend data list\n  perpend data list --json\n");
  add_json(*listed, options->json);
  add_data_dir(*listed, options->data_dir);
  listed->callback([options, &chosen] { chosen = [options] { list(*options); }; });
  auto* made =
      data->add_subcommand("make", "Write a generated set, or an ICU table from your own copy of the data, as CSV");
  made->footer(
      "  perpend data make shortcut -o shortcut.csv\n"
      "  perpend data make blocks --rows 500 --seed 3 | head\n"
      "  perpend data make icu --from mimic ~/mimic-iii -o icu.csv\n"
      "  perpend data make icu --from physionet2012 set-a.csv -o icu.csv\n"
      "  perpend data make icu --print-rules\n");
  made->add_option("name", options->name, "Name of a generated set, or icu")->required();
  made->add_option("-o,--output", options->output, "File to write [stdout]")->type_name("FILE");
  made->add_option("--rows", options->rows, "Number of rows [the set's own]")
      ->type_name("N")
      ->check(whole_between(1, static_cast<std::int64_t>(kMostGeneratedRows)));
  made->add_option("--seed", options->seed, "Seed of all random numbers [0]")
      ->type_name("N")
      ->check(whole_between(0, std::numeric_limits<std::int64_t>::max()));
  made->add_option("--from", options->from, "For icu: mimic and its folder, or physionet2012 and its file")
      ->expected(2)
      ->type_name("SOURCE PATH");
  made->add_flag("--print-rules", options->print_rules, "For icu: print only the items, units and limits, as CSV");
  add_json(*made, options->json, "For icu: print one JSON document with what was read, kept and left out");
  add_force(*made, options->force, "the file");
  made->callback([options, &chosen] { chosen = [options] { make(*options); }; });
  auto* fetched = data->add_subcommand("fetch", "Download a public set from its official address");
  fetched->footer("  perpend data fetch ionosphere\n  perpend data fetch mushroom --mirror ~/downloads\n");
  fetched->add_option("name", options->name, "Name of a public set")->required();
  fetched->add_option("--mirror", options->mirror, "Folder or address that holds NAME.csv or the official files")
      ->type_name("DIR_OR_URL");
  fetched->add_option("--data-dir", options->data_dir, "Folder to write it to")->type_name("DIR");
  fetched->callback([options, &chosen] { chosen = [options] { fetch(*options); }; });
}

}  // namespace perpend::app
