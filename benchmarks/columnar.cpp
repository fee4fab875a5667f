// Measures how fast a Parquet or Arrow file is read:
//     bench_columnar FILE [THREADS]
// It reads a table once and prints the seconds of processor time and of wall time. benchmarks/peers/run_columnar
// compares it with other readers.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include "perpend/data/read_arrow.h"
#include "perpend/data/read_parquet.h"

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const perpend::Threads threads(argc > 2 ? std::atoi(argv[2]) : 1);
  const std::clock_t start = std::clock();
  const auto wall = std::chrono::steady_clock::now();
  const bool parquet = std::string_view(argv[1]).ends_with(".parquet");
  const perpend::Table table =
      parquet ? perpend::read_parquet(argv[1], threads) : perpend::read_arrow(argv[1], threads);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - wall;
  std::printf("%.4f %.4f %zu\n", static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, seconds.count(),
              table.rows);
  return 0;
}
