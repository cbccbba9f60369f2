#include "pmem/persistent/image_pool.h"

#include <fcntl.h>
#include <sys/file.h>

#include <fstream>

#include "engine/base/catch.h"
#include "engine/base/file_handle.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

using testing::contains;
using testing::TemporaryDirectory;

bool can_hold_pool() {
  return persistent_absence() == nullptr && std::filesystem::exists("/dev/shm");
}

struct PoolFixture {
  TemporaryDirectory target{"/dev/shm"};
  TemporaryDirectory source;
  AppDirectPlace place;

  PoolFixture() {
    place.directory = target.path();
    place.in_memory = true;
    testing::write_text(source.path() / "sym", "abc");
    std::filesystem::create_directories(source.path() / "2024.01.02/quote");
    testing::write_bytes(source.path() / "2024.01.02/quote/bid", testing::known_bytes(100000));
  }

  KeptImage keep() {
    auto kept = keep_image(place, source.path());
    INFO((kept.ok() ? "" : kept.error().message));
    REQUIRE(kept.ok());
    return std::move(*kept);
  }
};

void write_at(const std::filesystem::path& path, std::streamoff at, char byte) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(at);
  file.put(byte);
}

TEST_CASE("a database is loaded once and then used again, until it changes") {
  if (!can_hold_pool()) return;
  PoolFixture fixture;
  const auto first = fixture.keep();
  CHECK(contains(first.note, "loaded "));
  CHECK(contains(first.note, "generation 1, 2 files"));
  CHECK(fixture.keep().note == "reused " + first.note.substr(7));
  testing::write_text(fixture.source.path() / "sym", "abcd");
  CHECK(contains(fixture.keep().note, "has changed since generation 1"));
  CHECK(contains(fixture.keep().note, "generation 2, 2 files"));
  CHECK(testing::entries_in(fixture.target.path()) == 1);
  // What was mapped before stays.
  CHECK(read_image(first.region.bytes).ok());
}

TEST_CASE("a pool without its seal, of no bytes, or damaged is removed and made again") {
  if (!can_hold_pool()) return;
  PoolFixture fixture;
  const auto unseal = [](const auto& pool) {
    for (std::streamoff at = 64; at < 72; ++at) write_at(pool, at, 0);
  };
  unseal(fixture.keep().pool);
  CHECK(contains(fixture.keep().note, "redone "));
  write_at(fixture.keep().pool, 4100, 'x');
  CHECK(contains(fixture.keep().note, "damaged"));
  std::filesystem::resize_file(fixture.keep().pool, 0);
  CHECK(contains(fixture.keep().note, "cut short"));
  CHECK(contains(fixture.keep().note, "reused "));
  CHECK(testing::entries_in(fixture.target.path()) == 1);
}

TEST_CASE("a newer pool that was cut short leaves the older one in use") {
  if (!can_hold_pool()) return;
  PoolFixture fixture;
  const auto old_one = fixture.keep();
  std::string newer = old_one.pool.string();
  newer.replace(newer.rfind("-1.pool"), 7, "-2.pool");
  testing::write_bytes(newer, std::vector<std::byte>(50000));
  const auto kept = fixture.keep();
  CHECK(kept.pool == old_one.pool);
  CHECK(contains(kept.note, "reused "));
  CHECK(contains(kept.note, "generation 2 was cut short"));
  CHECK(testing::entries_in(fixture.target.path()) == 1);
}

TEST_CASE("two databases have pools of their own, and other files are let alone") {
  if (!can_hold_pool()) return;
  PoolFixture fixture;
  const TemporaryDirectory other;
  testing::write_text(other.path() / "sym", "abc");
  testing::write_text(fixture.target.path() / "hdbench-notes.pool", "mine");
  fixture.keep();
  REQUIRE(keep_image(fixture.place, other.path()).ok());
  CHECK(testing::entries_in(fixture.target.path()) == 3);
}

TEST_CASE("while another program keeps a database there, it is an error") {
  if (!can_hold_pool()) return;
  PoolFixture fixture;
  const FileHandle other(::open(fixture.target.path().c_str(), O_RDONLY | O_DIRECTORY));
  REQUIRE(::flock(other.descriptor(), LOCK_EX) == 0);
  const auto kept = keep_image(fixture.place, fixture.source.path());
  REQUIRE_FALSE(kept.ok());
  CHECK(contains(kept.error().message, "another hdbench"));
}

TEST_CASE("a database that is not there leaves no pool") {
  if (!can_hold_pool()) return;
  PoolFixture fixture;
  CHECK_FALSE(keep_image(fixture.place, fixture.source.path() / "gone").ok());
  CHECK(testing::entries_in(fixture.target.path()) == 0);
}

}  // namespace
}  // namespace hdbench::pmem
