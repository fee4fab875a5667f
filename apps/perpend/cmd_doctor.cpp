#include <fmt/format.h>
#include <fmt/ranges.h>
#include <oneapi/tbb/version.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/machine.h"
#include "perpend/api/model.h"
#include "perpend/base/contract.h"
#include "perpend/base/error.h"
#include "perpend/base/file_system.h"
#include "perpend/base/message.h"
#include "perpend/base/parallel.h"
#include "perpend/base/sha256.h"
#include "perpend/comm/comm.h"
#include "perpend/data/codecs.h"
#include "perpend/data/public.h"

namespace perpend::app {

namespace {

using Json = nlohmann::ordered_json;

#ifdef __clang__
constexpr const char* kCompiler = "clang++ " __clang_version__;
#else
constexpr const char* kCompiler = "g++ " __VERSION__;
#endif
#ifdef __OPTIMIZE__
constexpr bool kOptimised = true;
#else
constexpr bool kOptimised = false;
#endif

std::string numbered(int major, int minor, int patch) { return fmt::format("{}.{}.{}", major, minor, patch); }

Json libraries() {
  return {{"highway", kernels::highway_version()},
          {"onetbb", fmt::format("{}.{}", TBB_VERSION_MAJOR, TBB_VERSION_MINOR)},
          {"fmt", numbered(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
          {"cli11", CLI11_VERSION},
          {"nlohmann_json",
           numbered(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
          {"zlib", ZLIB_VERSION}};
}

struct PublicSetsFound {
  std::vector<std::string> here, damaged, absent;
};

// Reads no more than the set has bytes, whatever is at the path.
bool is_as_published(const std::string& path, const PublicSet& set) {
  try {
    File file(real_file_system(), path, FileSystem::Use::read, "cannot read " + path);
    return file.size() == set.bytes && sha256_hex(file.read(set.bytes)) == set.sha256;
  } catch (const IoError&) {
    return false;
  }
}

PublicSetsFound look_for_sets(const std::filesystem::path& folder) {
  PublicSetsFound found;
  for (const auto& set : public_sets()) {
    const std::filesystem::path path = folder / (set.name + ".csv");
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown)) {
      found.absent.push_back(set.name);
    } else {
      (is_as_published(path.string(), set) ? found.here : found.damaged).push_back(set.name);
    }
  }
  return found;
}

bool in_path(const std::string& program) {
  const char* variable = std::getenv("PATH");
  const std::string path = variable == nullptr ? "" : variable;
  for (std::size_t first = 0; first < path.size();) {
    const std::size_t end = std::min(path.find(':', first), path.size());
    if (::access((path.substr(first, end - first) + "/" + program).c_str(), X_OK) == 0) return true;
    first = end + 1;
  }
  return false;
}

// Returns what is wrong and what to do about it, one line each.
std::vector<std::string> advice(const std::string& target, const std::filesystem::path& folder,
                                const PublicSetsFound& sets) {
  std::vector<std::string> lines;
  if (!kOptimised) lines.emplace_back("this program was compiled without optimisation; build it with make");
  if (target == "SCALAR" || target == "EMU128") {
    lines.emplace_back(
        "this CPU has no vector instructions with fused multiply-add that perpend knows; results are the same, "
        "training "
        "is slow");
  }
  for (const auto& name : sets.damaged) {
    lines.push_back(fmt::format("{} differs from the published file; get it again with perpend data fetch {}",
                                (folder / (name + ".csv")).string(), name));
  }
  if (std::filesystem::exists(folder) && ::access(folder.c_str(), R_OK | W_OK | X_OK) != 0) {
    lines.push_back(folder.string() + " cannot be read and written; set PERPEND_DATA to a folder that can be");
  }
  if (!in_path("curl")) lines.emplace_back("curl is not in PATH; perpend data fetch needs it");
  return lines;
}

void print_line(const char* title, const std::string& text) { print("{:<14} {}\n", title, printable(text)); }

void print_text(const Json& facts) {
  const Json& versions = facts["versions"];
  std::string names;
  for (const auto& [name, version] : versions["libraries"].items()) {
    names += fmt::format("{}{} {}", names.empty() ? "" : ", ", name, version.get<std::string>());
  }
  const auto words = [](const Json& list) {
    return list.empty() ? std::string("none") : fmt::format("{}", fmt::join(list.get<std::vector<std::string>>(), " "));
  };
  print_line("perpend", fmt::format("{}, numeric contract {}, model format {}", versions["perpend"].get<std::string>(),
                                    versions["contract"].get<int>(), versions["model_format"].get<int>()));
  print_line("compiled by", versions["compiler"].get<std::string>());
  print_line("libraries", names);
  print_line("CPU target",
             fmt::format("{} (this machine can run: {})", facts["target"].get<std::string>(), words(facts["targets"])));
  print_line("threads", fmt::format("{}", facts["threads"].get<int>()));
  print_line("MPI", facts["mpi"].is_null()
                        ? "not built in; perpend sweep runs on one machine, or in parts by --shard and --slurm"
                        : facts["mpi"].get<std::string>() + ": mpirun -n N perpend sweep ...");
  print_line("codecs", words(facts["codecs"]) + " (of Parquet and Arrow files)");
  print_line("FMA peak",
             fmt::format("{:.0f} GFLOP/s per core (float32, measured now)", facts["peak_gflops"].get<double>()));
  print_line("data folder",
             facts["data"]["folder"].get<std::string>() +
                 (facts["data"]["exists"].get<bool>() ? "" : " (the first perpend data fetch makes it)"));
  print_line("public sets", fmt::format("here: {}; not fetched yet: {}", words(facts["data"]["here"]),
                                        words(facts["data"]["absent"])));
  print("\n");
  if (facts["advice"].empty()) print("all well\n");
  for (const auto& line : facts["advice"]) print("to do: {}\n", printable(line.get<std::string>()));
}

void doctor_verb(bool json, const std::string& data_dir) {
  const std::filesystem::path folder = data_folder(data_dir);
  const PublicSetsFound sets = look_for_sets(folder);
  const std::string target = kernels::active_target();
  const std::string mpi = mpi_version();
  const Json facts = {{"versions",
                       {{"perpend", PERPEND_VERSION},
                        {"contract", kContractVersion},
                        {"model_format", model_format_version()},
                        {"compiler", kCompiler},
                        {"libraries", libraries()}}},
                      {"target", target},
                      {"targets", kernels::available_targets()},
                      {"threads", Threads(0).count()},
                      {"mpi", mpi.empty() ? Json() : Json(mpi)},
                      {"codecs", codec_names()},
                      {"peak_gflops", kernels::measure_peak_gflops(0.2)},
                      {"data",
                       {{"folder", folder.string()},
                        {"exists", std::filesystem::exists(folder)},
                        {"here", sets.here},
                        {"damaged", sets.damaged},
                        {"absent", sets.absent}}},
                      {"advice", advice(target, folder, sets)}};
  if (json) {
    write_json(facts);
  } else {
    print_text(facts);
  }
}

}  // namespace

void add_doctor(CLI::App& program, Action& chosen) {
  struct Arguments {
    std::string data_dir;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  auto* verb = program.add_subcommand("doctor", "Show what this machine and this program have, and what to fix");
  verb->footer("  perpend doctor\n  perpend doctor --json         for a bug report\n");
  add_data_dir(*verb, arguments->data_dir);
  add_json(*verb, arguments->json);
  verb->callback([arguments, &chosen] { chosen = [arguments] { doctor_verb(arguments->json, arguments->data_dir); }; });
}

}  // namespace perpend::app
