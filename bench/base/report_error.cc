#include "bench/base/report_error.h"

#include <cstdio>
#include <string>

#include "bench/base/interrupt.h"
#include "engine/base/text.h"

namespace hdbench::bench {

namespace {
bool is_telling = true;
}  // namespace

void set_telling(bool tells) { is_telling = tells; }

void tell(std::string_view text) {
  if (!is_telling) return;
  const std::string line = printable(text) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

int report_error(const Error& error) {
  tell("hdbench: " + printable_line(error.message));
  if (!error.place.empty()) tell(error.place);
  if (interrupted()) return kInterruptedStatus;
  switch (error.kind) {
    case ErrorKind::kLimit: return kLimitStatus;
    case ErrorKind::kUsage: return kUsageStatus;
    case ErrorKind::kData: return kDataStatus;
    case ErrorKind::kMismatch: return kMismatchStatus;
  }
  return kDataStatus;
}

}  // namespace hdbench::bench
