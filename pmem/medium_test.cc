#include "pmem/medium.h"

#include "engine/base/catch.h"
#include "pmem/test_files.h"

namespace hdbench {
namespace {

TEST_CASE("an unknown medium is a usage error that lists those of this machine") {
  for (const std::string name : {"", "floppy"}) {
    const auto medium = make_medium(name, {});
    REQUIRE_FALSE(medium.ok());
    CHECK(medium.error().kind == ErrorKind::kUsage);
    CHECK(testing::contains(medium.error().message, "unknown medium '" + name + "'"));
    CHECK(testing::contains(medium.error().message, "dram (real)"));
  }
}

TEST_CASE("memory-mode and cxl are absent here, with the reason") {
  for (const std::string name : {"memory-mode", "cxl"}) {
    const auto medium = make_medium(name, {});
    REQUIRE_FALSE(medium.ok());
    CHECK(medium.error().kind == ErrorKind::kData);
    CHECK(testing::contains(medium.error().message, name + " is absent here: "));
  }
}

TEST_CASE("every medium that is listed as present can be made, and maps a file's bytes") {
  const testing::TemporaryDirectory directory;
  const auto bytes = testing::known_bytes(54321);
  testing::write_bytes(directory.path() / "bid", bytes);
  for (const MediumStatus& status : list_media({})) {
    if (status.state == "absent" || status.name == "memory-mode" || status.name == "cxl") continue;
    INFO(status.name);
    auto medium = make_medium(status.name, {});
    REQUIRE(medium.ok());
    CHECK((*medium)->name() == status.name);
    const auto mapping = (*medium)->store()->map(directory.path() / "bid");
    REQUIRE(mapping.ok());
    CHECK(testing::equal_bytes(mapping->bytes, bytes));
    const auto warm = (*medium)->prepare(Cache::kWarm);
    REQUIRE(warm.ok());
    CHECK(warm->bytes_resident == warm->bytes_total);
    CHECK(warm->bytes_total == bytes.size());
  }
}

}  // namespace
}  // namespace hdbench
