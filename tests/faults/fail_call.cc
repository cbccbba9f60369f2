// Makes one call of a program fail: a library that tests preload (LD_PRELOAD). Never installed.
//
// The n-th call of the chosen kind, counted from the start of main() over all threads and forked
// children, does nothing and fails with the chosen error. Programs that are executed by the one
// under test are left alone. Set by environment variables, which are removed before main():
//
//   HDBENCH_FAULT_KIND     one of kKinds (below)
//   HDBENCH_FAULT_AT       n from 1; 0 fails none, so that calls are only counted
//   HDBENCH_FAULT_LASTING  "1": every call from the n-th on fails
//   HDBENCH_FAULT_ERRNO    the error's number
//   HDBENCH_FAULT_COUNT    a file for 64-bit counts: the calls that failed, then those that were
//                          seen of each kind, in kKinds' order. It is mapped, so the counts survive
//                          however the program ends
//   HDBENCH_FAULT_TRACE    a file to which the stack of the first failed call is appended; optional
//   HDBENCH_FAULT_STACKS   a file of 8 bytes for each call: the n-th are a hash of the stack of the
//                          n-th call, as far as the file is long; optional
//
// What writes to standard error never fails: the tests read messages there.
//
// Requires: glibc, as the allocator is called by its internal names.
#include "tests/faults/fail_call.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace hdbench::faults {
namespace {

constexpr std::array<const char*, kKindCount> kKinds = {"allocation", "mmap",  "open",   "stat",
                                                        "read",       "write", "fsync",  "name",
                                                        "size",       "mount", "process"};

struct Counts {
  std::atomic<std::uint64_t> failed;
  std::array<std::atomic<std::uint64_t>, kKindCount> seen;
};

struct Settings {
  int kind = -1;
  std::uint64_t at = 0;
  bool is_lasting = false;
  int error = 0;
  int trace = -1;
  Counts* counts = nullptr;  // null: nothing is counted (yet)
  std::uint64_t* stacks = nullptr;
  std::uint64_t stacks_most = 0;
};

constinit Settings chosen;
constinit thread_local bool inside = false;

std::uint64_t number_of(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

int descriptor_of(const char* name, int flags) {
  const char* path = std::getenv(name);
  if (path == nullptr) return -1;
  return real<int (*)(const char*, int, ...)>("open")(path, flags | O_CLOEXEC, 0600);
}

void* mapped(int file, std::size_t bytes) {
  return real<void* (*)(void*, std::size_t, int, int, int, off_t)>("mmap")(
      nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}

void map_stacks() {
  const int file = descriptor_of("HDBENCH_FAULT_STACKS", O_RDWR);
  if (file < 0) return;
  const auto bytes = static_cast<std::size_t>(lseek(file, 0, SEEK_END));
  void* shared = mapped(file, bytes);
  ::close(file);
  if (shared == MAP_FAILED) return;
  chosen.stacks = static_cast<std::uint64_t*>(shared);
  chosen.stacks_most = bytes / sizeof(std::uint64_t);
}

void read_settings() {
  const char* kind = std::getenv("HDBENCH_FAULT_KIND");
  for (std::size_t index = 0; kind != nullptr && index < kKinds.size(); ++index) {
    if (std::strcmp(kind, kKinds[index]) == 0) chosen.kind = static_cast<int>(index);
  }
  chosen.at = number_of("HDBENCH_FAULT_AT");
  chosen.is_lasting = number_of("HDBENCH_FAULT_LASTING") != 0;
  chosen.error = static_cast<int>(number_of("HDBENCH_FAULT_ERRNO"));
  chosen.trace = descriptor_of("HDBENCH_FAULT_TRACE", O_WRONLY | O_CREAT | O_APPEND);
  map_stacks();
  void* first[1];
  if (chosen.trace >= 0 || chosen.stacks != nullptr) backtrace(first, 1);  // loads its library
  const int file = descriptor_of("HDBENCH_FAULT_COUNT", O_RDWR);
  for (const char* name : {"LD_PRELOAD", "HDBENCH_FAULT_KIND", "HDBENCH_FAULT_AT",
                           "HDBENCH_FAULT_LASTING", "HDBENCH_FAULT_ERRNO", "HDBENCH_FAULT_COUNT",
                           "HDBENCH_FAULT_TRACE", "HDBENCH_FAULT_STACKS"}) {
    unsetenv(name);
  }
  if (file < 0) return;
  void* shared = mapped(file, sizeof(Counts));
  ::close(file);
  if (shared != MAP_FAILED) chosen.counts = static_cast<Counts*>(shared);
}

constexpr int kFramesMost = 48;

// Of the calls that lead here, not of what they were given.
std::uint64_t stack_hash() {
  void* frames[kFramesMost];
  const int count = backtrace(frames, kFramesMost);
  std::uint64_t hash = 1;
  for (int frame = 0; frame < count; ++frame) {
    hash = (hash ^ reinterpret_cast<std::uintptr_t>(frames[frame])) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29;
  }
  return hash;
}

void trace() {
  void* frames[kFramesMost];
  const int count = backtrace(frames, kFramesMost);
  backtrace_symbols_fd(frames, count, chosen.trace);
  (void)!real<ssize_t (*)(int, const void*, std::size_t)>("write")(chosen.trace, "\n", 1);
}

}  // namespace

void* find_real(const char* name) { return dlsym(RTLD_NEXT, name); }

bool fails(Kind kind) {
  if (chosen.counts == nullptr || inside) return false;
  const std::uint64_t number = chosen.counts->seen[static_cast<std::size_t>(kind)].fetch_add(1) + 1;
  if (static_cast<int>(kind) != chosen.kind) return false;
  if (number <= chosen.stacks_most) {
    inside = true;
    chosen.stacks[number - 1] = stack_hash();
    inside = false;
  }
  const bool is_hit =
      number == chosen.at || (chosen.is_lasting && chosen.at != 0 && number > chosen.at);
  if (!is_hit) return false;
  if (chosen.counts->failed.fetch_add(1) == 0 && chosen.trace >= 0) {
    inside = true;
    trace();
    inside = false;
  }
  errno = chosen.error;
  return true;
}

int error_number() { return chosen.error; }

}  // namespace hdbench::faults

namespace {

using Main = int (*)(int, char**, char**);
Main program_main = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  hdbench::faults::read_settings();
  return program_main(argc, argv, environment);
}

}  // namespace

extern "C" int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(),
                                 void (*rtld_fini)(), void* stack_end) {
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  program_main = main;
  return hdbench::faults::real<Start>("__libc_start_main")(counted_main, argc, argv, init, fini,
                                                           rtld_fini, stack_end);
}
