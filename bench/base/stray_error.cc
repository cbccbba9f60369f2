#include "bench/base/stray_error.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <system_error>

#include "bench/base/interrupt.h"
#include "bench/base/report_error.h"
#include "engine/base/file_handle.h"
#include "engine/base/thread_pool.h"

namespace hdbench {
namespace {

constexpr const char* kNoMemory =
    "hdbench: out of memory: an allocation was refused; a smaller --scale, --layout partitioned "
    "or fewer columns need less\n";

int status_of_limit() { return interrupted() ? kInterruptedStatus : kLimitStatus; }

// Not by report_error(), which allocates.
int report_no_memory() {
  std::fputs(kNoMemory, stderr);
  return status_of_limit();
}

int report_handled() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return report_no_memory();
  } catch (const NoThread& refused) {
    return report_error({ErrorKind::kLimit, refused.what(), {}});
  } catch (const std::filesystem::filesystem_error& failure) {
    return report_error(file_error(failure.path1(), "cannot be used", failure.code().value()));
  } catch (const std::system_error& failure) {
    if (failure.code() == std::errc::resource_unavailable_try_again) {
      return report_error({ErrorKind::kLimit, NoThread(failure.code()).what(), {}});
    }
    return report_error(data_error("the system refused: " + failure.code().message()));
  } catch (const std::exception& failure) {
    return report_error(data_error(failure.what()));
  }
}

}  // namespace

int report_stray_error() noexcept {
  try {
    return report_handled();
  } catch (...) {
    return report_no_memory();  // for the report's own text
  }
}

}  // namespace hdbench
