// Results of trials on disk: results/*.jsonl, appended to, never changed.
//
// One file has one writer and was made by it; a process that comes later makes its own. One line is one finished trial:
//
//     {"length":"00000412","crc32":"9ae0daaf","record":{"result":{...},"seconds":1.25,"finished":1700000000.125}}
//
// length and crc32 are those of the record's text, so that a line is known to be whole before it is believed. A line
// that is not (the tail that a kill, a full disk or a power failure left) is no result: its trial runs again. So does
// the trial of a line that is whole and says what no sweep writes. There are no locks and there is no state "running"
// on disk.
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
  std::string id;         // of the trial, as in the result
  std::string result;     // one JSON object with its "id"; the same trial gives the same bytes
  double seconds = 0;     // that the trial took
  double finished = 0;    // seconds since 1970
  std::string file = {};  // it was read from
};

// One line with its line break, and back; nothing when the line is not whole.
std::string to_line(const ResultRecord& record);
std::optional<ResultRecord> from_line(std::string_view line);

// Appends. Records are written and synced by a thread of its own, those that wait together by one sync, so that no
// trial waits for a disk.
class ResultLog {
 public:
  // on_saved is called for each record once it is on the disk, by one thread at a time. The file is made with the first
  // record; the folder must be there.
  ResultLog(std::filesystem::path folder, std::function<void(const ResultRecord&)> on_saved,
            FileSystem& files = real_file_system());
  ~ResultLog();
  ResultLog(const ResultLog&) = delete;
  ResultLog& operator=(const ResultLog&) = delete;

  // From any thread. Throws IoError once writing has failed: nothing more is taken then.
  void add(ResultRecord record);
  // Returns when all that was added is on the disk; throws IoError otherwise.
  void close();

 private:
  struct Writer;
  std::unique_ptr<Writer> writer_;
};

struct StoredResults {
  std::vector<ResultRecord> records;  // one of each id, in no order that means anything
  std::size_t damaged = 0;            // lines that are not whole, or that hold no result
  std::size_t foreign = 0;            // lines that are whole and of another study
};

// What a whole record is to its reader. Only results are kept, and compared with each other.
enum class RecordKind { result, damaged, foreign };
using JudgeRecord = std::function<RecordKind(const ResultRecord&)>;

// All *.jsonl of the folder, a MiB at a time. A longer line is damaged; a file with a line of more than 64 MiB is given
// up there. Throws MismatchError when two results of one id differ, IoError when one of them is no file that ends.
StoredResults read_results(
    const std::filesystem::path& folder, FileSystem& files = real_file_system(),
    const JudgeRecord& judge = [](const ResultRecord&) { return RecordKind::result; });

}  // namespace perpend
