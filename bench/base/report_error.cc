#include "bench/base/report_error.h"

#include <cstdio>

#include "bench/base/interrupt.h"

namespace hdbench {

int report_error(const Error& error) {
  std::fprintf(stderr, "hdbench: %s\n", error.message.c_str());
  if (interrupted()) return kInterruptedStatus;
  switch (error.kind) {
    case ErrorKind::kLimit: return kLimitStatus;
    case ErrorKind::kUsage: return kUsageStatus;
    case ErrorKind::kData: return kDataStatus;
    case ErrorKind::kMismatch: return kMismatchStatus;
  }
  return kDataStatus;
}

}  // namespace hdbench
