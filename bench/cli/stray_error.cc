#include "bench/cli/stray_error.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>

#include "bench/base/interrupt.h"
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

}  // namespace hdbench::bench
