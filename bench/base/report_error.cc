#include "bench/base/report_error.h"

#include <cstdio>
#include <string>

#include "bench/base/interrupt.h"
#include "engine/base/text.h"

namespace hdbench::bench {

namespace {
bool is_telling = true;
std::string teller;
}  // namespace

void set_telling(bool tells, const std::string& who) {
  is_telling = tells;
  teller = who.empty() ? "" : who + ": ";
}

void tell(std::string_view text) {
  if (!is_telling) return;
  const std::string line = teller + printable(text) + "\n";
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
