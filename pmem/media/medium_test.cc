#include "pmem/media/medium.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
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

TEST_CASE("a known medium with a wrong argument says what is wrong with it") {
  const auto medium = make_medium("cxl:interleave=0:1", {});
  REQUIRE_FALSE(medium.ok());
  CHECK(medium.error().kind == ErrorKind::kUsage);
  CHECK(testing::contains(medium.error().message, "interleave is LOCAL:FAR"));
  const auto node = make_medium("numa:9999", {});
  REQUIRE_FALSE(node.ok());
  CHECK(node.error().kind == ErrorKind::kData);
  CHECK(testing::contains(node.error().message, "numa:9999: no"));
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
    const auto placed = (*medium)->verify_placement();
    REQUIRE(placed.ok());
    INFO(describe(*placed));
    if (placed->unknown.empty()) {
      CHECK(placed->pages.pages_present() >= (bytes.size() + 4095) / 4096);
    }
  }
}

}  // namespace
}  // namespace hdbench::pmem
