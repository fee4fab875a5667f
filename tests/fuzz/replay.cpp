// Runs a fuzz target without libFuzzer. replay_NAME FOLDER RUNS takes every seed as it is, and RUNS changes of it that
// are the same each time. So every `make test` repeats what coverage-guided fuzzing once found.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                                                     std::size_t max_size, unsigned seed);

namespace {

constexpr std::size_t kLongest = 1 << 16;

// Tokens that often break parsers.
constexpr std::string_view kTokens[] = {"0",
                                        "-1",
                                        "1e308",
                                        "-1e308",
                                        "1e999",
                                        "1e-300",
                                        "3e38",
                                        "4294967296",
                                        "18446744073709551616",
                                        "nan",
                                        "inf",
                                        "null",
                                        "true",
                                        "[]",
                                        "{}",
                                        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
                                        "\"\"",
                                        "\"x\"",
                                        ",",
                                        ":",
                                        "\n",
                                        "\x1b",
                                        "\xff",
                                        "\xe2\x80\xae",
                                        "\\u0000"};

std::string current;  // the running input, for the message of a crash

class Random {
 public:
  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : static_cast<std::size_t>(next() % bound); }

 private:
  std::uint64_t state_ = 0x9E3779B97F4A7C15U;
};
Random random_numbers;

bool is_number_part(char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == 'e'; }

// The place and the length of the first number behind a random place in the text. The length is 0 if there is none.
std::pair<std::size_t, std::size_t> some_number(const std::string& text) {
  const std::size_t from = random_numbers.below(text.size());
  const auto begin = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), is_number_part);
  const auto end = std::find_if_not(begin, text.end(), is_number_part);
  return {static_cast<std::size_t>(begin - text.begin()), static_cast<std::size_t>(end - begin)};
}

// The place and the length of some {...} or [...].
std::pair<std::size_t, std::size_t> some_group(const std::string& text) {
  const std::size_t open = text.find_first_of("{[", random_numbers.below(text.size()));
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '{' || text[i] == '[' ? 1 : 0;
    depth -= text[i] == '}' || text[i] == ']' ? 1 : 0;
    if (depth == 0) return {open, i + 1 - open};
  }
  return {0, 0};
}

// Removes a group and the comma beside it, or writes the group twice.
void change_group(std::string& text) {
  const auto [place, length] = some_group(text);
  if (random_numbers.below(2) == 0) {
    text.insert(place, text.substr(place, length) + ",");
    return;
  }
  text.erase(place, length);
  if (place < text.size() && text[place] == ',') {
    text.erase(place, 1);
  } else if (place > 0 && text[place - 1] == ',') {
    text.erase(place - 1, 1);
  }
}

void change_number(std::string& text, const std::string& token) {
  const auto [place, length] = some_number(text);
  text.replace(place, length, token);
}

void change_once(std::string& text) {
  const std::size_t at = random_numbers.below(text.size());
  const std::size_t count = 1 + random_numbers.below(std::min<std::size_t>(text.size() - at, 32));
  const std::string token(kTokens[random_numbers.below(std::size(kTokens))]);
  switch (random_numbers.below(10)) {
    case 0:
      text[at] = static_cast<char>(text[at] ^ (1 << random_numbers.below(8)));
      break;
    case 1:
      text[at] = static_cast<char>(random_numbers.below(256));
      break;
    case 2:
      text.erase(at, count);
      break;
    case 3:
      text.insert(random_numbers.below(text.size()), text.substr(at, count));
      break;
    case 4:
      text.insert(at, token);
      break;
    case 5:
      text.replace(at, count, token);
      break;
    case 6:
    case 7:
      change_group(text);
      break;
    default:
      change_number(text, token);
  }
}

std::string changed(std::string text) {
  for (std::size_t i = 1 + random_numbers.below(3); i > 0; --i) {
    if (text.empty()) text = "x";
    change_once(text);
  }
  text.resize(std::min(text.size(), kLongest));
  return text;
}

std::string mutated(std::string text) {
  if (LLVMFuzzerCustomMutator == nullptr) return changed(std::move(text));
  const std::size_t size = text.size();
  text.resize(std::max(size, kLongest));
  const auto seed = static_cast<unsigned>(random_numbers.next());
  text.resize(LLVMFuzzerCustomMutator(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size(), seed));
  return text;
}

// Runs the target on memory of exactly the right size, so that the sanitizer sees a read beyond it.
void run(const std::string& text) {
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

extern "C" void tell_and_end(int signal) {
  [[maybe_unused]] const auto written = ::write(2, current.data(), current.size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

// Targets with their own mutator call it.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size) {
  std::string text = changed(std::string(reinterpret_cast<const char*>(data), size));
  text.resize(std::min(text.size(), max_size));
  text.copy(reinterpret_cast<char*>(data), text.size());
  return text.size();
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL}) std::signal(signal, tell_and_end);
  const long runs = std::strtol(argv[2], nullptr, 10);
  long done = 0;
  for (const auto& file : files_of(argv[1])) {
    std::ifstream in(file, std::ios::binary);
    const std::string seed{std::istreambuf_iterator<char>(in), {}};
    for (long i = 0; i <= runs; ++i, ++done) {
      current = "a finding: seed " + file.filename().string() + ", change " + std::to_string(i) + "\n";
      run(i == 0 ? seed : mutated(seed));
    }
  }
  std::printf("%ld inputs, no finding\n", done);
  return done > 0 ? 0 : 2;
}
