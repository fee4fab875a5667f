// Shows on a terminal how far a training is, and stops it at Ctrl-C.
#pragma once

#include <fmt/format.h>

#include <string>

#include "apps/perpend/interrupt.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/fit.h"

namespace perpend::app {

class EpochLine final : public FitCallback {
 public:
  explicit EpochLine(std::string title) : title_(std::move(title)) {}
  void on_epoch(const EpochRecord& record, int epochs) override {
    progress_.show(fmt::format("{}: epoch {} of {}", title_, record.epoch, epochs));
  }
  bool stop_requested() override { return interrupted(); }

 private:
  std::string title_;
  ProgressLine progress_;
};

}  // namespace perpend::app
