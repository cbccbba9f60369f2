#include "pmem/media/app_direct_medium.h"

#include <thread>

#include "engine/base/catch.h"
#include "pmem/persistent/libpmem_mapping.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;

bool can_run() { return persistent_absence() == nullptr && std::filesystem::exists("/dev/shm"); }

std::unique_ptr<Medium> medium_on(const std::filesystem::path& directory) {
  auto medium = make_tmpfs_medium({{}, directory});
  REQUIRE(medium.ok());
  return std::move(medium).value();
}

TEST_CASE("tmpfs is real memory, not persistent memory, and leaves no file behind") {
  if (!can_run()) return;
  const TemporaryDirectory target("/dev/shm");
  const TemporaryDirectory source;
  const auto bytes = testing::known_bytes((std::size_t{9} << 20) + 5);  // more than two pieces
  testing::write_bytes(source.path() / "bid", bytes);
  testing::write_bytes(source.path() / "empty", {});

  const auto medium = medium_on(target.path());
  CHECK(medium->name() == "tmpfs");
  CHECK_FALSE(medium->emulated());
  CHECK(medium->label() == "real (tmpfs on " + target.path().string() + ": this machine's memory)");
  CHECK_FALSE(medium->has_cache());
  CHECK(medium->store()->map(source.path() / "empty")->bytes.empty());
  const auto mapping = medium->store()->map(source.path() / "bid");
  REQUIRE(mapping.ok());
  CHECK(testing::equal_bytes(mapping->bytes, bytes));
  const auto region = medium->store()->allocate(100001);
  REQUIRE(region.ok());
  medium->store()->copy_in(region->bytes.data(), std::span(bytes).first(100001));
  CHECK(testing::equal_bytes(region->bytes, {bytes.begin(), bytes.begin() + 100001}));
  CHECK(testing::entries_in(target.path()) == 0);

  const auto warm = medium->prepare(Cache::kWarm);
  REQUIRE(warm.ok());
  CHECK(warm->bytes_resident == bytes.size() + 100001);
  CHECK(medium->prepare(Cache::kCold).error().message ==
        "tmpfs: memory has no cold state; use warm");
  const auto placed = medium->verify_placement();
  REQUIRE(placed.ok());
  CHECK(placed->is_pmem == false);
  CHECK(testing::contains(describe(*placed), "not persistent memory"));
}

TEST_CASE("more than the medium has is an error with both figures, not a signal") {
  if (!can_run()) return;
  const TemporaryDirectory target("/dev/shm");
  const auto medium = medium_on(target.path());
  const auto refused = medium->store()->allocate(std::size_t{1} << 50);
  REQUIRE_FALSE(refused.ok());
  CHECK(testing::contains(refused.error().message, "1125899906842624 bytes wanted, "));
}

}  // namespace
}  // namespace hdbench::pmem
