#include "bench/storage/io_ceilings.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("the best of the rounds is the ceiling, their median is beside it") {
  IoRanks alone(nullptr);
  IoCeilingRounds rounds(alone);
  const CeilingNeed need{IoCeilingKind::kDeviceWrite, 0, 0};
  CHECK(rounds.best_mb_s(need) == 0);
  CHECK(rounds.all().empty());
  for (const double mb_s : {100.0, 300.0, 200.0}) rounds.add(need, mb_s);
  CHECK(rounds.best_mb_s(need) == 300);
  REQUIRE(rounds.all().size() == 1);
  CHECK(rounds.all()[0].name == "device write");
  CHECK(rounds.all()[0].median_mb_s == 200);
}

TEST_CASE("memory is measured for the bytes that are requested") {
  IoRanks alone(nullptr);
  IoCeilingRounds rounds(alone);
  for (const IoCeilingKind kind : {IoCeilingKind::kMemoryRead, IoCeilingKind::kMemoryWrite}) {
    const CeilingNeed need{kind, 2, 4096};
    REQUIRE(rounds.measure_memory(need).ok());
    CHECK(rounds.best_mb_s(need) > 0);
    CHECK(rounds.best_mb_s({kind, 1, 4096}) == 0);
  }
  CHECK(IoCeilingRounds::name_of({IoCeilingKind::kMemoryRead, 2, 4096}) ==
        "memory read, 2 x 4096 bytes");
}

TEST_CASE("a device that cannot be measured says why") {
  IoRanks alone(nullptr);
  IoCeilingRounds rounds(alone);
  rounds.measure_device_read({});
  REQUIRE(rounds.all().size() == 1);
  CHECK(rounds.all()[0].best_mb_s == 0);
  CHECK_FALSE(rounds.all()[0].reason.empty());
}

}  // namespace
}  // namespace hdbench::bench
