#include "bench/base/report_error.h"

#include "bench/base/interrupt.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("each kind of error ends the program with its own status") {
  REQUIRE_FALSE(interrupted());
  CHECK(report_error({ErrorKind::kLimit, "a limit", {}}) == kLimitStatus);
  CHECK(report_error(usage_error("a flag")) == kUsageStatus);
  CHECK(report_error(data_error("a file")) == kDataStatus);
  CHECK(report_error({ErrorKind::kMismatch, "a checksum", {}}) == kMismatchStatus);
}

}  // namespace
}  // namespace hdbench::bench
