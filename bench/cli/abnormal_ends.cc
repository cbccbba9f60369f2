#include "bench/cli/abnormal_ends.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>

#include "bench/base/interrupt.h"
#include "bench/base/layers.h"
#include "bench/base/report_error.h"
#include "engine/base/file_handle.h"
#include "engine/base/thread_pool.h"
#include "pmem/base/free_room.h"

namespace hdbench::bench {
namespace {

constexpr const char* kNoMemory =
    "hdbench: out of memory: an allocation was refused; a smaller --scale, --layout partitioned "
    "or fewer columns need less\n";

std::atomic<bool> memory_was_refused = false;
pid_t first_process = 0;

// Not by report_error(), which allocates.
int report_no_memory() {
  if (first_process == 0 || ::getpid() == first_process) std::fputs(kNoMemory, stderr);
  return interrupted() ? kInterruptedStatus : kLimitStatus;
}

std::string what_is_left() {
  const auto left = memory_left();
  return left ? fmt::format("{} MiB left, {}", left->bytes >> 20, left->why)
              : std::string("an allocation failed");
}

int report_handled() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return report_error({ErrorKind::kLimit, "out of memory: " + what_is_left()});
  } catch (const NoThread& refused) {
    return report_error({ErrorKind::kLimit, refused.what()});
  } catch (const std::filesystem::filesystem_error& failure) {
    return report_error(file_error(failure.path1(), "cannot be used", failure.code().value()));
  } catch (const std::system_error& failure) {
    if (failure.code() == std::errc::resource_unavailable_try_again) {
      return report_error({ErrorKind::kLimit, NoThread(failure.code()).what()});
    }
    return report_error(data_error("the system refused: " + failure.code().message()));
  } catch (const std::exception& failure) {
    return report_error(data_error(failure.what()));
  }
}

// As the library's default, but remembered: where the exception cannot be thrown, nothing else
// tells why the program ends.
void note_refused_memory() {
  memory_was_refused.store(true, std::memory_order_relaxed);
  throw std::bad_alloc();
}

[[noreturn]] void end_process() {
  if (memory_was_refused.load(std::memory_order_relaxed)) std::_Exit(report_no_memory());
  std::fputs("bug in hdbench: an exception that nothing may throw\n", stderr);
  std::abort();
}

void say_safely(std::string_view text) {
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

// A name may hold anything: what a terminal would act upon, or might, becomes a question mark.
void say_name(std::string_view name) {
  for (const char c : name) say_safely(c >= ' ' && c <= '~' ? std::string_view(&c, 1) : "?");
}

// Only calls that a signal handler may make: open, read, write, _exit.
void on_bus_error(int, siginfo_t* info, void*) {
  static char maps[1 << 16];
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  std::string_view path;
  const int file = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  std::size_t kept = 0;
  while (file >= 0 && path.empty()) {
    const ssize_t got = ::read(file, maps + kept, sizeof(maps) - kept);
    if (got <= 0) break;
    std::string_view text(maps, kept + static_cast<std::size_t>(got));
    for (std::size_t end = text.find('\n'); end != std::string_view::npos && path.empty();
         end = text.find('\n')) {
      path = mapped_path(text.substr(0, end), address);
      text.remove_prefix(end + 1);
    }
    if (!path.empty()) break;
    kept = text.size();
    for (std::size_t i = 0; i < kept; ++i) maps[i] = text[i];
  }
  say_safely("hdbench: ");
  say_name(path.empty() ? "a mapped file" : path);
  say_safely(
      ": cannot be read where it was mapped: it was truncated meanwhile, or its disk failed\n");
  ::_exit(kDataStatus);
}

}  // namespace

int report_stray_error() noexcept {
  try {
    return report_handled();
  } catch (...) {
    return report_no_memory();  // for the report's own text
  }
}

void end_without_memory_as_limit() {
  first_process = ::getpid();
  std::set_new_handler(note_refused_memory);
  std::set_terminate(end_process);
}

std::string_view mapped_path(std::string_view maps_line, std::uintptr_t address) {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  const char* last = maps_line.data() + maps_line.size();
  const auto first = std::from_chars(maps_line.data(), last, begin, 16);
  if (first.ptr == last || *first.ptr != '-') return {};
  std::from_chars(first.ptr + 1, last, end, 16);
  if (address < begin || address >= end) return {};
  const std::size_t slash = maps_line.find('/');
  return slash == std::string_view::npos ? std::string_view() : maps_line.substr(slash);
}

void catch_bus_errors() {
  struct sigaction action = {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace hdbench::bench
