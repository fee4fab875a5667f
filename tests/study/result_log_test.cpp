#include "perpend/study/result_log.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <set>

#include "perpend/base/error.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/run_program.h"

namespace perpend {
namespace {

using test::MemoryFileSystem;

ResultRecord record_of(int number, double auc = 0.5) {
  const std::string id = "trial" + std::to_string(number);
  return {.id = id,
          .result = R"({"id":")" + id + R"(","note":",\"seconds\":1","auc":)" + std::to_string(auc) + "}",
          .seconds = 0.25,
          .processor = 0.125,
          .finished = 1700000000.125};
}

std::set<std::string> ids_of(const StoredResults& stored) {
  std::set<std::string> ids;
  for (const auto& record : stored.records) ids.insert(record.id);
  return ids;
}

// Adds records until the disk fails. Returns those that were reported as saved.
std::set<std::string> log_records(FileSystem& files, int count, bool* failed = nullptr) {
  std::set<std::string> saved;
  try {
    ResultLog log(
        "results", [&](const ResultRecord& record) { saved.insert(record.id); }, files);
    for (int i = 0; i < count; ++i) log.add(record_of(i));
    log.close();
  } catch (const IoError&) {
    if (failed != nullptr) *failed = true;
  }
  return saved;
}

TEST(ResultLine, ComesBackAsItWas) {
  const ResultRecord record = record_of(7);
  const auto back = from_line(to_line(record));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->id, "trial7");
  EXPECT_EQ(back->result, record.result);
  EXPECT_EQ(back->seconds, 0.25);
  EXPECT_EQ(back->processor, 0.125);
  EXPECT_EQ(back->finished, 1700000000.125);
}

TEST(ResultLine, OfAnEarlierReleaseHasNoProcessorTime) {
  ResultRecord record = record_of(7);
  record.processor = std::nullopt;
  const std::string line = to_line(record);
  EXPECT_EQ(line.find("processor"), std::string::npos);
  const auto back = from_line(line);
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->processor);
  EXPECT_EQ(back->seconds, 0.25);
}

TEST(ResultLine, IsNotBelievedWithAFlippedBitOrCutAnywhere) {
  const std::string line = to_line(record_of(7));
  for (std::size_t i = 0; i < line.size(); ++i) {
    EXPECT_FALSE(from_line(line.substr(0, i))) << i;
    for (int bit = 0; bit < 8; ++bit) {
      std::string other = line;
      other[i] = static_cast<char>(other[i] ^ (1 << bit));
      EXPECT_FALSE(from_line(other)) << i << " bit " << bit;
    }
  }
}

TEST(ResultLog, LeavesATornTailOutAndReadsTheRest) {
  MemoryFileSystem files;
  const std::string torn = to_line(record_of(2)).substr(0, 60);
  files.put("results/a.jsonl", to_line(record_of(0)) + to_line(record_of(1)) + torn);
  files.put("results/b.jsonl", to_line(record_of(3)));
  files.put("results/notes.txt", "not ours");
  const StoredResults stored = read_results("results", files);
  EXPECT_EQ(ids_of(stored), (std::set<std::string>{"trial0", "trial1", "trial3"}));
  EXPECT_EQ(stored.damaged, 1U);
}

std::string packed_by_gzip(const std::string& text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return "";
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<unsigned>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<unsigned>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

TEST(ResultLog, ReadsFilesPackedByGzipAndWhatACutOneStillHolds) {
  std::string lines;
  for (int i = 0; i < 5000; ++i) lines += to_line(record_of(i));  // more than a MiB of lines
  const std::string packed = packed_by_gzip(lines);
  MemoryFileSystem whole;
  whole.put("results/a.jsonl.gz", packed + packed_by_gzip(to_line(record_of(5000))));  // as `cat a.gz b.gz`
  whole.put("results/b.jsonl", to_line(record_of(5001)));
  const StoredResults all = read_results("results", whole);
  EXPECT_EQ(ids_of(all).size(), 5002U);
  EXPECT_EQ(all.damaged, 0U);

  MemoryFileSystem cut;
  cut.put("results/a.jsonl.gz", packed.substr(0, packed.size() / 2));
  const StoredResults some = read_results("results", cut);
  EXPECT_GT(some.records.size(), 1000U);
  EXPECT_LT(some.records.size(), 4000U);
  EXPECT_EQ(some.damaged, 1U);
}

TEST(ResultLog, GoesOnBehindADamagedRecord) {
  MemoryFileSystem files;
  std::string first = to_line(record_of(0));
  first[80] ^= 1;
  files.put("results/a.jsonl", first + to_line(record_of(1)));
  EXPECT_EQ(ids_of(read_results("results", files)), std::set<std::string>{"trial1"});
}

TEST(ResultLog, TakesOneResultTwiceButNotTwoResultsOfOneTrial) {
  MemoryFileSystem files;
  files.put("results/a.jsonl", to_line(record_of(0)));
  files.put("results/b.jsonl", to_line(record_of(0)));
  EXPECT_EQ(read_results("results", files).records.size(), 1U);
  files.put("results/c.jsonl", to_line(record_of(0, 0.75)));
  try {
    read_results("results", files);
    FAIL();
  } catch (const MismatchError& error) {
    EXPECT_NE(std::string(error.what()).find("trial 'trial0' has another result"), std::string::npos) << error.what();
    EXPECT_EQ(error.exit_code(), 8);
  }
}

TEST(ResultLog, EveryFailingFileCallIsAnErrorThatLosesNothingSaved) {
  for (const int reason : {ENOSPC, EIO, EINTR, EDQUOT}) {
    for (const std::size_t longest : {std::size_t{50}, std::numeric_limits<std::size_t>::max()}) {
      bool failed = true;
      for (int call = 0; failed; ++call) {
        MemoryFileSystem files;
        files.fail_at = call;
        files.reason = reason;
        files.longest_transfer = longest;
        failed = false;
        const auto saved = log_records(files, 4, &failed);
        files.fail_at = MemoryFileSystem::kNever;
        const auto stored = ids_of(read_results("results", files));
        EXPECT_TRUE(std::ranges::includes(stored, saved)) << "call " << call;
        EXPECT_EQ(files.open_files(), 0U);
        if (!failed) {
          EXPECT_EQ(saved.size(), 4U) << "call " << call;
        }
      }
    }
  }
}

// The power fails before call n. Of what was not synced, the disk may have everything, nothing, a part, or blocks of
// zeros.
TEST(ResultLog, WhatACrashLeavesIsReadableAndHoldsEverythingSavedAndNothingElse) {
  int states = 0;
  std::set<std::string> known;
  for (int i = 0; i < 40; ++i) known.insert(record_of(i).id);
  for (int records = 1; states < 2000 && records < 40; ++records) {
    for (int call = 0; call < 3 * records + 4; ++call) {
      MemoryFileSystem files;
      files.crash_at = call;
      files.longest_transfer = 100;
      const auto saved = log_records(files, records);
      for (const bool names_lasted : {false, true}) {
        for (const auto& unsynced :
             {std::string("dropped"), std::string("kept"), std::string("torn"), std::string("zeros")}) {
          MemoryFileSystem after;
          for (const auto& [path, bytes] : files.files_after_crash(names_lasted, [&](const std::string& lost) {
                 if (unsynced == "kept") return lost;
                 if (unsynced == "torn") return lost.substr(0, lost.size() * static_cast<std::size_t>(call % 7) / 7);
                 return unsynced == "zeros" ? std::string(lost.size(), '\0') : std::string();
               })) {
            after.put(path, bytes);
          }
          const auto stored = ids_of(read_results("results", after));
          EXPECT_TRUE(std::ranges::includes(stored, saved)) << records << " records, call " << call << " " << unsynced;
          EXPECT_TRUE(std::ranges::includes(known, stored));
          ++states;
        }
      }
    }
  }
  EXPECT_GE(states, 2000);
}

TEST(ResultLog, NeverTouchesAFileThatIsThere) {
  const test::TemporaryFolder folder;
  for (int process = 0; process < 3; ++process) {
    ResultLog log(folder.path(), {});
    log.add(record_of(process));
    log.close();
  }
  EXPECT_EQ(read_results(folder.path()).records.size(), 3U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 3);
}

}  // namespace
}  // namespace perpend
