// Measures how fast numeric CSV is read, in bytes of text per second on one core.
//
//     bench_csv                     times a generated table of 100 MB
//     bench_csv --write FILE.csv    writes that table, for the comparison in benchmarks/peers/run_csv
//     bench_csv --read FILE.csv     reads a table once and prints the seconds of processor time
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>

#include "perpend/base/random.h"
#include "perpend/data/read_csv.h"

namespace {

constexpr std::size_t kColumns = 20;
constexpr std::size_t kBytes = 100'000'000;

// Standard normal numbers with six decimals, and a label.
std::string numeric_csv() {
  std::string text;
  text.reserve(kBytes + 1000);
  for (std::size_t c = 0; c < kColumns; ++c) text += "x" + std::to_string(c) + ",";
  text += "label\n";
  const perpend::Stream stream({.seed = 1, .purpose = perpend::Purpose::generate});
  std::array<char, 32> number{};
  for (std::uint64_t i = 0; text.size() < kBytes; i += kColumns) {
    for (std::size_t c = 0; c < kColumns; ++c) {
      const auto end =
          std::to_chars(number.begin(), number.end(), stream.normal(i + c), std::chars_format::fixed, 6).ptr;
      text.append(number.begin(), end) += ',';
    }
    text += stream.uniform(i) < 0.5F ? "0\n" : "1\n";
  }
  return text;
}

const std::string& table_file() {
  static const std::string path = [] {
    std::string name = "/tmp/perpend_bench_csv_XXXXXX";
    close(mkstemp(name.data()));
    std::ofstream(name) << numeric_csv();
    return name;
  }();
  return path;
}

void report_bytes(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * kBytes));
}

void ReadWholeCsv(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(perpend::read_csv(table_file()).rows);
  report_bytes(state);
}
BENCHMARK(ReadWholeCsv)->Unit(benchmark::kMillisecond);

void ReadCsvInBlocks(benchmark::State& state) {
  for (auto _ : state) {
    perpend::CsvReader reader(perpend::open_bytes(table_file()));
    for (perpend::Table block; reader.next(block, 8192);) benchmark::DoNotOptimize(block.rows);
  }
  report_bytes(state);
}
BENCHMARK(ReadCsvInBlocks)->Unit(benchmark::kMillisecond);

void read_once(const char* path) {
  const std::clock_t start = std::clock();
  const perpend::Table table = perpend::read_csv(path);
  const std::clock_t end = std::clock();
  benchmark::DoNotOptimize(table.rows);
  std::printf("%.4f\n", static_cast<double>(end - start) / CLOCKS_PER_SEC);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--write") {
    std::ofstream(argv[2]) << numeric_csv();
    return 0;
  }
  if (argc == 3 && std::string_view(argv[1]) == "--read") {
    read_once(argv[2]);
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  table_file();
  benchmark::RunSpecifiedBenchmarks();
  std::remove(table_file().c_str());
  return 0;
}
