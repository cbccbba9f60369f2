#include "pmem/persistent/image_store.h"

#include "engine/base/catch.h"
#include "pmem/media/app_direct_medium.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

using testing::contains;
using testing::TemporaryDirectory;

bool can_hold_image() {
  return persistent_absence() == nullptr && std::filesystem::exists("/dev/shm");
}

struct StoreFixture {
  TemporaryDirectory target{"/dev/shm"};
  TemporaryDirectory source;
  std::vector<std::byte> bytes = testing::known_bytes(100001);

  StoreFixture() {
    testing::write_bytes(source.path() / "bid", bytes);
    testing::write_bytes(source.path() / "empty", {});
  }

  std::unique_ptr<Medium> medium() const {
    MediumOptions options;
    options.pmem_dir = target.path();
    options.keep_database = source.path();
    auto made = make_tmpfs_medium(options);
    REQUIRE(made.ok());
    return std::move(*made);
  }
};

TEST_CASE("a kept database's files are mapped from the pool, loaded or used again") {
  if (!can_hold_image()) return;
  const StoreFixture fixture;
  for (const char* how : {"loaded", "reused"}) {
    const auto medium = fixture.medium();
    CHECK(contains(medium->note(), std::string("tmpfs: ") + how));
    CHECK(medium->store()->map(fixture.source.path() / "empty")->bytes.empty());
    const auto mapping = medium->store()->map(fixture.source.path() / "." / "bid");
    REQUIRE(mapping.ok());
    CHECK(testing::equal_bytes(mapping->bytes, fixture.bytes));
    const auto warm = medium->prepare(Cache::kWarm);
    REQUIRE(warm.ok());
    CHECK(warm->bytes_total == fixture.bytes.size());
    CHECK(testing::entries_in(fixture.target.path()) == 1);
  }
}

TEST_CASE("files outside the database and what is allocated are not kept") {
  if (!can_hold_image()) return;
  const StoreFixture fixture;
  const TemporaryDirectory elsewhere;
  testing::write_bytes(elsewhere.path() / "bid", fixture.bytes);
  const auto medium = fixture.medium();
  const auto mapping = medium->store()->map(elsewhere.path() / "bid");
  REQUIRE(mapping.ok());
  CHECK(testing::equal_bytes(mapping->bytes, fixture.bytes));
  const auto region = medium->store()->allocate(5000);
  REQUIRE(region.ok());
  medium->store()->copy_in(region->bytes.data(), std::span(fixture.bytes).first(5000));
  CHECK(medium->prepare(Cache::kWarm)->bytes_total == fixture.bytes.size() + 5000);
  CHECK_FALSE(medium->store()->map(fixture.source.path() / "gone").ok());
}

TEST_CASE("bytes that rotted in the pool are an error that names pool and file") {
  if (!can_hold_image()) return;
  const StoreFixture fixture;
  fixture.medium();
  for (const auto& entry : std::filesystem::directory_iterator(fixture.target.path())) {
    std::fstream pool(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    pool.seekp(8192 + 500);
    pool.write("rotten!!", 8);
  }
  const auto mapping = fixture.medium()->store()->map(fixture.source.path() / "bid");
  REQUIRE_FALSE(mapping.ok());
  CHECK(contains(mapping.error().message, "bid is not what was written: remove the pool"));
}

}  // namespace
}  // namespace hdbench::pmem
