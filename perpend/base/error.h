// Errors of perpend.
//
// A user's mistake is an exception under perpend::Error. Its message is one line that says what, where, the value and
// what to do. Its kind fixes the exit code of the command line. Our own mistake is PERPEND_CHECK. An outcome (a
// diverged training, an undefined metric) is a field of a result, never an exception.
//
// A message names an option by option_mention(), so that each front end can spell it (option_mention.h).
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "perpend/base/option_mention.h"

namespace perpend {

enum class ErrorKind {
  bug = 1,         // a broken promise inside perpend
  usage = 2,       // a command line that cannot be understood
  config = 3,      // an option or configuration file with a wrong value
  data = 4,        // a table that cannot be read as asked
  model_file = 5,  // a model file that is damaged, foreign or too new
  io = 6,          // a call of the file system failed
  diverged = 7,    // training reached NaN or infinity, and a front end has nothing else to return
  mismatch = 8,    // a study that is resumed with other options or data
  alarm = 9,       // nothing failed, but a pipeline asked to be told
};

class Error : public std::runtime_error {
 public:
  // Whatever the message quotes, what() is printable (message.h), and the middle of a message over 4,000 bytes is left
  // out. Every error passes through here, so no caller can forget either. what() has the plain spelling of options.
  Error(ErrorKind kind, const std::string& message);
  ErrorKind kind() const { return kind_; }
  int exit_code() const { return static_cast<int>(kind_); }

  // what(), with options as a front end spells them.
  std::string spelled(const Spelling& spelling) const { return perpend::spelled(*message_, spelling); }
  // The message with its options still marked, for an error that says more about this one.
  const std::string& message() const { return *message_; }

 private:
  ErrorKind kind_;
  std::shared_ptr<const std::string> message_;  // shared, because copying an exception must not throw
};

struct UsageError : Error {
  explicit UsageError(const std::string& message) : Error(ErrorKind::usage, message) {}
};
struct ConfigError : Error {
  explicit ConfigError(const std::string& message) : Error(ErrorKind::config, message) {}
};
struct DataError : Error {
  explicit DataError(const std::string& message) : Error(ErrorKind::data, message) {}
};
struct ModelFileError : Error {
  explicit ModelFileError(const std::string& message) : Error(ErrorKind::model_file, message) {}
};
struct IoError : Error {
  explicit IoError(const std::string& message) : Error(ErrorKind::io, message) {}
};

// Training reached NaN or infinity. Nothing of its result may be used.
struct DivergedError : Error {
  explicit DivergedError(const std::string& message) : Error(ErrorKind::diverged, message) {}
};
struct MismatchError : Error {
  explicit MismatchError(const std::string& message) : Error(ErrorKind::mismatch, message) {}
};

struct AlarmError : Error {
  explicit AlarmError(const std::string& message) : Error(ErrorKind::alarm, message) {}
};

// Throws an Error(bug) that names the condition and its place.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace perpend

// Checks a promise that the code makes to itself. The check stays on in release builds.
#define PERPEND_CHECK(condition) \
  (static_cast<bool>(condition) ? void() : ::perpend::check_failed(#condition, __FILE__, __LINE__))
