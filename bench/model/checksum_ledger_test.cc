#include "bench/model/checksum_ledger.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("equal checksums are fine, and queries do not mix") {
  ChecksumLedger ledger;
  CHECK(ledger.add(1, "Q01/a", 7).ok());
  CHECK(ledger.add(1, "Q01/b", 7).ok());
  CHECK(ledger.add(2, "Q02/a", 8).ok());
}

TEST_CASE("a checksum that differs names both cells") {
  ChecksumLedger ledger;
  CHECK(ledger.add(1, "Q01/a", 0x10).ok());
  const Status status = ledger.add(1, "Q01/b", 0x20);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().kind == ErrorKind::kMismatch);
  CHECK(status.error().message ==
        "Q01/b: checksum 0000000000000020, but Q01/a gave 0000000000000010: the results differ");
}

}  // namespace
}  // namespace hdbench::bench
