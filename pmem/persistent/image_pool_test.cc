#include "pmem/persistent/image_pool.h"

#include <fcntl.h>
#include <sys/file.h>

#include <chrono>
#include <fstream>

#include "engine/base/catch.h"
#include "engine/base/file_handle.h"
#include "pmem/media/app_direct_medium.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;

std::vector<ImageFile> list(const std::filesystem::path& root) {
  const auto files = list_database_files(root);
  REQUIRE(files.ok());
  return *files;
}

TEST_CASE("files come by rising path, with their sizes, empty ones too") {
  const TemporaryDirectory directory;
  testing::write_text(directory.path() / "sym", "abc");
  testing::write_text(directory.path() / "2024.01.02/quote/bid", "");
  testing::write_text(directory.path() / "2024.01.01/quote/bid", std::string(10000, 'x'));
  const auto files = list(directory.path());
  REQUIRE(files.size() == 3);
  CHECK(files[0].path == "2024.01.01/quote/bid");
  CHECK(files[0].bytes == 10000);
  CHECK(files[1].path == "2024.01.02/quote/bid");
  CHECK(files[1].bytes == 0);
  CHECK(files[2].path == "sym");
}

TEST_CASE("another size, time, first page or name is another database; the same is the same") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "bid";
  testing::write_text(path, std::string(5000, 'x'));
  const auto modified = std::filesystem::last_write_time(path);
  const auto before = list(directory.path());
  CHECK(same_files(before, list(directory.path())));

  std::filesystem::last_write_time(path, modified + std::chrono::seconds(1));
  CHECK_FALSE(same_files(before, list(directory.path())));
  testing::write_text(path, std::string(4000, 'x') + std::string(1000, 'y'));
  std::filesystem::last_write_time(path, modified);
  CHECK_FALSE(same_files(before, list(directory.path())));
  testing::write_text(path, std::string(5001, 'x'));
  std::filesystem::last_write_time(path, modified);
  CHECK_FALSE(same_files(before, list(directory.path())));
  testing::write_text(path, std::string(5000, 'x'));
  std::filesystem::last_write_time(path, modified);
  CHECK(same_files(before, list(directory.path())));
  std::filesystem::rename(path, directory.path() / "ask");
  CHECK_FALSE(same_files(before, list(directory.path())));
}

using testing::contains;

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
