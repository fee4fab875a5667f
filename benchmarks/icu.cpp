// Measures how fast MIMIC-III's files become the hourly table, and how much memory that takes.
//
//     bench_icu [ROWS]              makes a folder of made-up files in TMPDIR, with ROWS chart rows (50,000,000, 5 GB),
//                                   makes the table of it, prints speed and peak memory, and removes the folder
//     bench_icu --write DIR ROWS    leaves the files in DIR, in MIMIC-III's own columns and capitals
//
// There is one patient per 5,700 rows, as in MIMIC-III. Two rows of five are items of the rules, in runs of 16 at one
// time.
#include <fmt/format.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/base/random.h"
#include "perpend/icu/mimic.h"
#include "perpend/icu/rules.h"

namespace {

using perpend::Purpose;
using perpend::Stream;

constexpr std::uint64_t kRowsOfAPatient = 5700;
constexpr std::uint64_t kRowsAtOnce = 16;

class TextFile {
 public:
  explicit TextFile(const std::filesystem::path& path) : out_(path, std::ios::binary) {}
  ~TextFile() { flush(); }
  std::string& text() {
    if (text_.size() > (1U << 20)) flush();
    return text_;
  }

 private:
  void flush() {
    out_ << text_;
    text_.clear();
  }
  std::ofstream out_;
  std::string text_;
};

// Hours 0 .. 239, counted from the first day of 2150.
std::string time_text(std::uint64_t minutes) {
  return fmt::format("2150-01-{:02} {:02}:{:02}:00", 1 + minutes / 1440, minutes / 60 % 24, minutes % 60);
}

std::vector<std::uint32_t> items_of(perpend::EventTable table) {
  std::vector<std::uint32_t> items;
  for (const auto& variable : perpend::icu_variables()) {
    const std::string_view list = variable.items[static_cast<std::size_t>(table)];
    for (std::size_t at = 0; at < list.size();) {
      items.push_back(static_cast<std::uint32_t>(std::strtoul(list.data() + at, nullptr, 10)));
      at = std::min(list.size(), list.find(' ', at)) + 1;
    }
  }
  return items;
}

struct World {
  std::uint64_t patients;
  Stream draws{{.seed = 1, .purpose = Purpose::generate}};

  std::uint64_t length(std::uint64_t patient) const { return 8 * 60 + draws.below(patient, 180 * 60); }  // minutes
};

void write_people(const World& world, const std::filesystem::path& folder) {
  TextFile patients(folder / "PATIENTS.csv");
  TextFile admissions(folder / "ADMISSIONS.csv");
  TextFile stays(folder / "ICUSTAYS.csv");
  patients.text() = "\"ROW_ID\",\"SUBJECT_ID\",\"GENDER\",\"DOB\",\"EXPIRE_FLAG\"\n";
  admissions.text() =
      "\"ROW_ID\",\"SUBJECT_ID\",\"HADM_ID\",\"DEATHTIME\",\"ADMISSION_TYPE\",\"HOSPITAL_EXPIRE_FLAG\"\n";
  stays.text() =
      "\"ROW_ID\",\"SUBJECT_ID\",\"HADM_ID\",\"ICUSTAY_ID\",\"FIRST_CAREUNIT\",\"INTIME\",\"OUTTIME\",\"LOS\"\n";
  for (std::uint64_t p = 1; p <= world.patients; ++p) {
    patients.text() += fmt::format("{},{},\"{}\",{}-03-01 00:00:00,0\n", p, p, p % 2 == 0 ? 'F' : 'M', 2060 + p % 80);
    admissions.text() += fmt::format("{},{},{},,\"EMERGENCY\",{}\n", p, p, 100000 + p, p % 7 == 0 ? 1 : 0);
    stays.text() += fmt::format("{},{},{},{},\"MICU\",{},{},1\n", p, p, 100000 + p, 200000 + p, time_text(0),
                                time_text(world.length(p)));
  }
}

void write_events(const World& world, const std::filesystem::path& path, perpend::EventTable table,
                  std::uint64_t rows) {
  using perpend::EventTable;
  const auto items = items_of(table);
  TextFile file(path);
  file.text() =
      table == EventTable::chart
          ? "\"ROW_ID\",\"SUBJECT_ID\",\"HADM_ID\",\"ICUSTAY_ID\",\"ITEMID\",\"CHARTTIME\",\"STORETIME\",\"CGID\","
            "\"VALUE\",\"VALUENUM\",\"VALUEUOM\",\"WARNING\",\"ERROR\",\"RESULTSTATUS\",\"STOPPED\"\n"
      : table == EventTable::lab
          ? "\"ROW_ID\",\"SUBJECT_ID\",\"HADM_ID\",\"ITEMID\",\"CHARTTIME\",\"VALUE\",\"VALUENUM\",\"VALUEUOM\","
            "\"FLAG\"\n"
          : "\"ROW_ID\",\"SUBJECT_ID\",\"HADM_ID\",\"ICUSTAY_ID\",\"CHARTTIME\",\"ITEMID\",\"VALUE\",\"VALUEUOM\","
            "\"ISERROR\"\n";
  const Stream draws({.seed = 2, .purpose = Purpose::generate, .member = static_cast<std::uint32_t>(table)});
  std::uint64_t patient = 0;
  std::string time;
  for (std::uint64_t row = 0; row < rows; ++row) {
    const auto words = draws.block(row);
    if (row % kRowsAtOnce == 0) {
      patient = 1 + words[0] % world.patients;
      time = time_text(words[1] % world.length(patient));
    }
    const std::uint32_t item = words[2] % 5 < 2 ? items[words[2] / 5 % items.size()] : 300000 + words[2] % 9999;
    const double value = 0.1 * static_cast<double>(words[3] % 1500);
    switch (table) {
      case EventTable::chart:
        fmt::format_to(std::back_inserter(file.text()), "{},{},{},{},{},{},{},17525,\"{:.1f}\",{:.1f},\"mmHg\",0,0,,\n",
                       row, patient, 100000 + patient, 200000 + patient, item, time, time, value, value);
        break;
      case EventTable::lab:
        fmt::format_to(std::back_inserter(file.text()), "{},{},{},{},{},\"{:.1f}\",{:.1f},\"mg/dL\",\n", row, patient,
                       100000 + patient, item, time, value, value);
        break;
      case EventTable::output:
        fmt::format_to(std::back_inserter(file.text()), "{},{},{},{},{},{},{:.1f},\"mL\",\n", row, patient,
                       100000 + patient, 200000 + patient, time, item, value);
        break;
    }
  }
}

void write_files(const std::filesystem::path& folder, std::uint64_t rows) {
  const World world{.patients = rows / kRowsOfAPatient + 10};
  write_people(world, folder);
  write_events(world, folder / "CHARTEVENTS.csv", perpend::EventTable::chart, rows);
  write_events(world, folder / "LABEVENTS.csv", perpend::EventTable::lab, rows / 12 + 1);
  write_events(world, folder / "OUTPUTEVENTS.csv", perpend::EventTable::output, rows / 76 + 1);
}

struct Clocks {
  double wall = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  double processor = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
};

void measure(const std::filesystem::path& folder) {
  std::ofstream out(folder / "icu.csv", std::ios::binary);
  perpend::IcuOptions options;
  options.scratch = folder;
  const Clocks start;
  const auto report = perpend::make_mimic_table(
      folder.string(), [&](std::string_view text) { out << text; }, options);
  out.flush();
  const Clocks end;
  std::uint64_t bytes = 0;
  for (const auto& events : report.events) bytes += events.bytes;
  struct rusage used {};
  getrusage(RUSAGE_SELF, &used);
  fmt::print("{} chart rows, {:.2f} GB of events -> {} hours of {} patients\n", report.events[0].read,
             static_cast<double>(bytes) / 1e9, report.rows, report.patients);
  const auto say = [&](const char* clock, double seconds) {
    fmt::print("{:.1f} s of {} time, {:.0f} MB/s\n", seconds, clock, static_cast<double>(bytes) / 1e6 / seconds);
  };
  say("wall", end.wall - start.wall);
  say("processor", end.processor - start.processor);
  fmt::print("peak memory {} MiB\n", used.ru_maxrss / 1024);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "--write") {
    write_files(argv[2], std::strtoull(argv[3], nullptr, 10));
    return 0;
  }
  std::string name = (std::filesystem::temp_directory_path() / "perpend_bench_icu_XXXXXX").string();
  const std::filesystem::path folder = mkdtemp(name.data());
  write_files(folder, argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 50'000'000);
  measure(folder);
  std::filesystem::remove_all(folder);
  return 0;
}
