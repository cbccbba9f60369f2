#include "bench/cli/stray_error.h"

#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

#include "bench/base/report_error.h"
#include "engine/base/catch.h"
#include "engine/base/thread_pool.h"

namespace hdbench::bench {
namespace {

template <typename Failure>
int stray_status(const Failure& failure) {
  try {
    throw failure;
  } catch (...) {
    return report_stray_error();
  }
}

TEST_CASE("memory and threads that cannot be had are a limit") {
  CHECK(stray_status(std::bad_alloc()) == kLimitStatus);
  const auto busy = std::make_error_code(std::errc::resource_unavailable_try_again);
  CHECK(stray_status(NoThread(busy)) == kLimitStatus);
  CHECK(stray_status(std::system_error(busy)) == kLimitStatus);
}

TEST_CASE("files and libraries that fail are bad data") {
  const auto denied = std::make_error_code(std::errc::permission_denied);
  CHECK(stray_status(std::filesystem::filesystem_error("x", "/place", denied)) == kDataStatus);
  CHECK(stray_status(std::system_error(denied)) == kDataStatus);
  CHECK(stray_status(std::runtime_error("a library's text")) == kDataStatus);
}

}  // namespace
}  // namespace hdbench::bench
