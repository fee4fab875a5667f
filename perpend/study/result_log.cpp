#include "perpend/study/result_log.h"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/message.h"

namespace perpend {

namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 20;  // 4,096 members take some 700 kB
constexpr std::size_t kGivenUp = std::size_t{64} << 20;     // in one line: a hole in a file may have any size
constexpr double kMostSeconds = 1e11;                       // thousands of years: larger than the time of any record
constexpr std::string_view kPlain = ".jsonl";
constexpr std::string_view kPacked = ".jsonl.gz";
constexpr std::string_view kLength = R"({"length":")";
constexpr std::string_view kCrc = R"(","crc32":")";
constexpr std::string_view kRecord = R"(","record":)";
constexpr std::string_view kResult = R"({"result":)";
constexpr std::string_view kSeconds = R"(,"seconds":)";
constexpr std::string_view kProcessor = R"(,"processor":)";
constexpr std::string_view kFinished = R"(,"finished":)";
constexpr std::string_view kId = R"({"id":")";

unsigned long crc_of(std::string_view bytes) {
  return ::crc32_z(::crc32_z(0, nullptr, 0), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

// Reads a text from its front. Once something is unexpected, nothing more is read.
class Text {
 public:
  explicit Text(std::string_view text) : rest_(text) {}
  void expect(std::string_view words) {
    good_ = good_ && rest_.starts_with(words);
    if (good_) rest_.remove_prefix(words.size());
  }
  std::string_view until(std::string_view end) {
    const auto found = good_ ? rest_.find(end) : std::string_view::npos;
    good_ = good_ && found != std::string_view::npos;
    if (!good_) return {};
    const auto part = rest_.substr(0, found);
    rest_.remove_prefix(found + end.size());
    return part;
  }
  double number(std::string_view end) {
    const auto part = until(end);
    double value = 0;
    const auto read = std::from_chars(part.data(), part.data() + part.size(), value);
    // from_chars reads infinity as a number.
    good_ = good_ && read.ec == std::errc() && value >= 0 && value <= kMostSeconds;
    return value;
  }
  bool good() const { return good_; }

 private:
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace

std::string to_line(const ResultRecord& record) {
  const std::string processor = record.processor ? fmt::format("{}{:.6f}", kProcessor, *record.processor) : "";
  const std::string text = fmt::format("{}{}{}{:.6f}{}{}{:.3f}}}", kResult, record.result, kSeconds, record.seconds,
                                       processor, kFinished, record.finished);
  return fmt::format("{}{:08}{}{:08x}{}{}}}\n", kLength, text.size(), kCrc, crc_of(text), kRecord, text);
}

std::optional<ResultRecord> from_line(std::string_view line) {
  const auto record_at = line.find(kResult);
  const auto seconds_at = line.rfind(kSeconds);
  if (record_at == std::string_view::npos || seconds_at == std::string_view::npos) return std::nullopt;
  const auto result_at = record_at + kResult.size();
  if (seconds_at < result_at) return std::nullopt;
  ResultRecord record;
  record.result = line.substr(result_at, seconds_at - result_at);
  Text id(record.result);
  id.expect(kId);
  record.id = id.until("\"");
  Text tail(line.substr(seconds_at));
  tail.expect(kSeconds);
  if (line.find(kProcessor, seconds_at) != std::string_view::npos) {
    record.seconds = tail.number(kProcessor);
    record.processor = tail.number(kFinished);
  } else {
    record.seconds = tail.number(kFinished);
  }
  record.finished = tail.number("}");
  // A record is whole if writing it again gives the same line, with length and checksum.
  if (!id.good() || !tail.good() || to_line(record) != line) return std::nullopt;
  return record;
}

struct ResultLog::Writer {
  Writer(std::filesystem::path in, std::function<void(const ResultRecord&)> tell, FileSystem& seam)
      : folder(std::move(in)), on_saved(std::move(tell)), files(seam), thread([this] { work(); }) {}
  ~Writer() { end(); }

  void end() {
    {
      const std::scoped_lock lock(mutex);
      closing = true;
    }
    changed.notify_all();
    if (thread.joinable()) thread.join();
  }

  void work() {
    std::unique_lock lock(mutex);
    while (!failure) {
      changed.wait(lock, [this] { return closing || !waiting.empty(); });
      if (waiting.empty()) return;
      const std::deque<ResultRecord> batch = std::exchange(waiting, {});
      lock.unlock();
      std::exception_ptr problem;
      try {
        save(batch);
      } catch (...) {
        problem = std::current_exception();
      }
      lock.lock();
      failure = problem;
    }
  }

  void save(const std::deque<ResultRecord>& batch) {
    if (!file) create();
    std::string lines;
    for (const auto& record : batch) lines += to_line(record);
    file->write(lines);
    file->sync();
    if (!on_saved) return;
    for (const auto& record : batch) on_saved(record);
  }

  // Creates a file named by time and process, and never one that exists already.
  void create() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto stamp = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    const std::string path = (folder / fmt::format("{}-{}.jsonl", stamp, ::getpid())).string();
    const std::string failed = "cannot write " + printable(path);
    file.emplace(files, path, FileSystem::Use::create, failed);
    File folder_file(files, folder.string(), FileSystem::Use::folder, failed);
    folder_file.sync();
  }

  std::filesystem::path folder;
  std::function<void(const ResultRecord&)> on_saved;
  FileSystem& files;
  std::optional<File> file;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<ResultRecord> waiting;
  bool closing = false;
  std::exception_ptr failure;
  std::thread thread;
};

ResultLog::ResultLog(std::filesystem::path folder, std::function<void(const ResultRecord&)> on_saved, FileSystem& files)
    : writer_(std::make_unique<Writer>(std::move(folder), std::move(on_saved), files)) {}

ResultLog::~ResultLog() = default;

void ResultLog::add(ResultRecord record) {
  {
    const std::scoped_lock lock(writer_->mutex);
    if (writer_->failure) std::rethrow_exception(writer_->failure);
    writer_->waiting.push_back(std::move(record));
  }
  writer_->changed.notify_all();
}

void ResultLog::close() {
  writer_->end();
  if (writer_->failure) std::rethrow_exception(writer_->failure);
  if (writer_->file) writer_->file->close();
}

namespace {

// Returns the bytes of a file in pieces, and unpacks them if gzip packed the file. A packed file that is cut off or
// damaged ends there.
class Pieces {
 public:
  Pieces(File& file, bool packed) : file_(file), packed_(packed) {
    if (packed && inflateInit2(&stream_, kGzip) != Z_OK) throw std::bad_alloc();
  }
  ~Pieces() {
    if (packed_) inflateEnd(&stream_);
  }
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  // Returns the next bytes, at most `count`; none at the end.
  std::string next(std::size_t count) { return packed_ ? unpack(count) : file_.read(count); }

 private:
  static constexpr int kGzip = 15 + 16;

  std::string unpack(std::size_t count) {
    std::string bytes(count, '\0');
    stream_.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream_.avail_out = static_cast<unsigned>(count);
    while (stream_.avail_out > 0 && !ended_) {
      if (stream_.avail_in == 0) {
        input_ = file_.read(kLongestLine);
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        stream_.avail_in = static_cast<unsigned>(input_.size());
      }
      const int result = inflate(&stream_, Z_NO_FLUSH);
      ended_ = result != Z_OK && !(result == Z_STREAM_END && inflateReset(&stream_) == Z_OK);
    }
    bytes.resize(count - stream_.avail_out);
    return bytes;
  }

  File& file_;
  const bool packed_;
  z_stream stream_{};
  std::string input_;
  bool ended_ = false;  // a packed file ended
};

// Reads the lines of a file with their line breaks. It never has more than two reads of the file in memory. A line that
// is longer than a read comes as an empty line, which is no record. If a line is much longer than that, reading stops
// there.
template <class Use>
void for_each_line(Pieces& pieces, std::size_t piece, const Use& use) {
  std::string text;
  std::size_t left_out = 0;  // bytes of the current line
  for (std::string more = pieces.next(piece); !more.empty() && left_out < kGivenUp; more = pieces.next(piece)) {
    text += more;
    std::size_t first = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', first)) {
      use(left_out > 0 ? std::string_view() : std::string_view(text).substr(first, end + 1 - first));
      left_out = 0;
      first = end + 1;
    }
    text.erase(0, first);
    if (text.size() < kLongestLine) continue;
    left_out += text.size();
    text.clear();
  }
  if (!text.empty() || left_out > 0) use(left_out > 0 ? std::string_view() : std::string_view(text));
}

class ResultReader {
 public:
  explicit ResultReader(const JudgeRecord& judge) : judge_(judge) {}

  void read(File& file, const std::string& name, const std::string& path) {
    const bool packed = name.ends_with(kPacked);
    Pieces pieces(file, packed);
    const std::size_t piece = packed ? kLongestLine : std::min(kLongestLine, file.size() + 1);
    for_each_line(pieces, piece, [&](std::string_view line) {
      auto record = from_line(line);
      const RecordKind kind = record ? judge_(*record) : RecordKind::damaged;
      stored_.damaged += kind == RecordKind::damaged ? 1 : 0;
      stored_.foreign += kind == RecordKind::foreign ? 1 : 0;
      if (kind != RecordKind::result) return;
      record->file = name;
      add(std::move(*record), path);
    });
  }

  StoredResults take() { return std::move(stored_); }

 private:
  void add(ResultRecord record, const std::string& path) {
    const auto [known, is_new] = places_.emplace(record.id, stored_.records.size());
    if (is_new) {
      stored_.records.push_back(std::move(record));
    } else if (stored_.records[known->second].result != record.result) {
      throw MismatchError(printable(path) + ": trial " + quote(record.id) +
                          " has another result here than in another file of the folder; one of them was not made by "
                          "this study's options and data");
    }
  }

  const JudgeRecord& judge_;
  StoredResults stored_;
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace

StoredResults read_results(const std::filesystem::path& folder, FileSystem& files, const JudgeRecord& judge) {
  std::vector<std::string> names;
  checked_call(files.list(folder.string(), names), "cannot read " + printable(folder.string()));
  ResultReader reader(judge);
  for (const auto& name : names) {
    if (!name.ends_with(kPlain) && !name.ends_with(kPacked)) continue;
    const std::string path = (folder / name).string();
    const std::string failed = "cannot read " + printable(path);
    checked_call(files.replaceable(path), failed);  // opening a pipe would wait for its writer
    File file(files, path, FileSystem::Use::read, failed);
    reader.read(file, name, path);
  }
  return reader.take();
}

}  // namespace perpend
