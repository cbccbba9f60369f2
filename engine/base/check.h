// Assertions for programming errors: a failed one prints its place and aborts. Errors of the
// environment (files, flags, hardware) are Results (result.h) instead.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace hdbench {

[[noreturn]] inline void check_failed(const char* file, int line, const char* what) {
  std::fprintf(stderr, "%s:%d: bug in hdbench: %s\n", file, line, what);
  std::abort();
}

}  // namespace hdbench

// Always on: at the edges of a module.
#define HDB_CHECK(condition, what) \
  ((condition) ? static_cast<void>(0) : ::hdbench::check_failed(__FILE__, __LINE__, what))

// Debug builds only: inside loops.
#ifdef NDEBUG
#define HDB_DCHECK(condition, what) static_cast<void>(0)
#else
#define HDB_DCHECK(condition, what) HDB_CHECK(condition, what)
#endif
