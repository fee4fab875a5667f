// What replaces an operating system in a page: one thread, and errors that end the training.
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <exception>

#include "perpend/base/error.h"
#include "perpend/base/parallel.h"
#include "perpend/data/read_npy.h"
#include "perpend/manifold/decoder.h"
#include "perpend/run/settle.h"

// The page defines it: it shows the line of text at this address and leaves the engine for good.
extern "C" [[clang::import_module("page"), clang::import_name("fail"), noreturn]] void fail(const char* line);

// Debian's libc++ for WebAssembly does not unwind stacks. It need not: every exception that is thrown here is a
// std::exception and ends the training. The code that throws gives the reason, and the page makes a new engine.
extern "C" void* __cxa_allocate_exception(std::size_t bytes) noexcept { return std::malloc(bytes); }
extern "C" void __cxa_free_exception(void* thrown) noexcept { std::free(thrown); }
extern "C" [[noreturn]] void __cxa_throw(void* thrown, void* /*type*/, void (* /*destroy*/)(void*)) {
  fail(static_cast<std::exception*>(thrown)->what());
}
extern "C" void* __cxa_begin_catch(void* thrown) noexcept { return thrown; }
extern "C" void __cxa_end_catch() { std::abort(); }
extern "C" [[noreturn]] void __cxa_rethrow() { std::abort(); }
// Nothing needs cleaning up when a thread ends, because this one never does.
extern "C" int __cxa_thread_atexit(void (* /*destroy*/)(void*), void* /*object*/, void* /*library*/) { return 0; }

// Replaces wasi-libc's, which rounds twice where the result is not a normal number.
extern "C" float fmaf(float a, float b, float c) {
  const double product = static_cast<double>(a) * b;
  const double sum = product + c;
  const double back = sum - product;
  const double error = (product - (sum - back)) + (c - back);
  // Rounds to odd, as kernels/instructions-inl.h does it for a vector.
  if ((error < 0 || error > 0) && (__builtin_bit_cast(unsigned long long, sum) & 1U) == 0) {
    return static_cast<float>(std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL));
  }
  return static_cast<float>(sum);
}

namespace perpend {

// Stubs for what the page's options never use: manifolds in files, and a calibration.
namespace {
[[noreturn]] void no_files() { throw IoError("the playground reads no files"); }
}  // namespace
Autoencoder read_autoencoder(const std::string& /*path*/) { no_files(); }
Tangents decoder_tangents(const Autoencoder& /*autoencoder*/, InputsView /*rows*/, const Threads& /*threads*/) {
  no_files();
}
NpyNumbers read_npy_numbers(const std::string& /*path*/) { no_files(); }
void check_settling(const RunOptions& /*options*/, const Dataset& /*validation*/) {}

struct Threads::Arena {};

Threads::Threads(int /*count*/) {}
Threads::~Threads() = default;
Threads::Threads(Threads&&) noexcept = default;
Threads& Threads::operator=(Threads&&) noexcept = default;

int Threads::count() const { return 1; }

void Threads::run(const std::function<void()>& work) const { work(); }

void Threads::for_each(std::size_t pieces, const std::function<void(std::size_t)>& piece) const {
  for (std::size_t i = 0; i < pieces; ++i) piece(i);
}

}  // namespace perpend
