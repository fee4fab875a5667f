// Makes tables from literals, for tests.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>

#include "perpend/base/error.h"
#include "perpend/data/read_arff.h"
#include "perpend/data/read_csv.h"

namespace perpend {

inline Table csv(std::string_view text) { return read_csv(bytes_in_memory("t.csv", text)); }
inline Table arff(std::string_view text) { return read_arff(bytes_in_memory("t.arff", text)); }

// Returns the message of one line with which `act` fails, and checks the kind of the error.
inline std::string message_of(ErrorKind kind, const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

inline std::string data_error(const std::function<void()>& act) { return message_of(ErrorKind::data, act); }

}  // namespace perpend
