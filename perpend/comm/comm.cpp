#include "perpend/comm/comm.h"

#include <atomic>

namespace perpend {

namespace {

class Alone final : public Comm {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::string broadcast(std::string text) override { return text; }
  void barrier() override { next_ = 0; }
  std::size_t take() override { return next_++; }
  bool any(bool here) override { return here; }

 private:
  std::atomic<std::size_t> next_ = 0;
};

}  // namespace

std::unique_ptr<Comm> alone() { return std::make_unique<Alone>(); }

}  // namespace perpend
