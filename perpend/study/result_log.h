// Results of trials on disk: results/*.jsonl. Lines are appended and never changed. A file that no sweep writes any
// more may be packed by gzip (results/*.jsonl.gz), and counts as before.
//
// Each process that runs trials creates its own file and is its only writer. One line is one finished trial:
//
//     {"length":"00000412","crc32":"9ae0daaf","record":{"result":{...},"seconds":1.25,"processor":1.2,
//      "finished":1700000000.125}}
//
// (on one line). `processor` is processor time; records of earlier releases do not have it. length and crc32 are those
// of the record's text, so a reader can tell whether a line is complete. An incomplete line (cut off by a kill, a full
// disk or a power failure) is not a result, and its trial runs again. A complete line whose record is not one that a
// sweep writes, such as one without a result, is no result either. There are no locks, and no state "running" is on the
// disk.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/base/file_system.h"

namespace perpend {

struct ResultRecord {
  std::string id;                        // of the trial, as in the result
  std::string result;                    // one JSON object with its "id"; the same trial gives the same bytes
  double seconds = 0;                    // that the trial took
  std::optional<double> processor = {};  // seconds of processor time that it took
  double finished = 0;                   // seconds since 1970
  std::string file = {};                 // the file that it was read from
};

// Writes one line with its line break, and reads it. Reading returns nothing when the line is not whole.
std::string to_line(const ResultRecord& record);
std::optional<ResultRecord> from_line(std::string_view line);

// Appends records. A thread of its own writes and syncs them, with one sync for all records that are waiting. So no
// trial waits for the disk.
class ResultLog {
 public:
  // on_saved is called for each record once it is on the disk, by one thread at a time. The first record makes the
  // file. The folder must exist.
  ResultLog(std::filesystem::path folder, std::function<void(const ResultRecord&)> on_saved,
            FileSystem& files = real_file_system());
  ~ResultLog();
  ResultLog(const ResultLog&) = delete;
  ResultLog& operator=(const ResultLog&) = delete;

  // Any thread may call it. Throws IoError once writing has failed: then nothing more is accepted.
  void add(ResultRecord record);
  // Returns when all records are on the disk, or throws IoError.
  void close();

 private:
  struct Writer;
  std::unique_ptr<Writer> writer_;
};

struct StoredResults {
  std::vector<ResultRecord> records;  // one per id, in arbitrary order
  std::size_t damaged = 0;            // lines that are not whole, or that hold no result
  std::size_t foreign = 0;            // lines that are whole, but of another study
};

// What a whole record is to its reader. Only results are kept and compared with each other.
enum class RecordKind { result, damaged, foreign };
using JudgeRecord = std::function<RecordKind(const ResultRecord&)>;

// Reads all *.jsonl and *.jsonl.gz of the folder, a MiB at a time. A longer line is damaged. A file with a line of more
// than 64 MiB is read no further. Throws MismatchError when two results of one id differ, and IoError when one of the
// files is not a regular file.
StoredResults read_results(
    const std::filesystem::path& folder, FileSystem& files = real_file_system(),
    const JudgeRecord& judge = [](const ResultRecord&) { return RecordKind::result; });

}  // namespace perpend
