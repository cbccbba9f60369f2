#include "bench/storage/column_set.h"

#include <set>

#include "engine/base/catch.h"
#include "engine/testing/scratch_files.h"
#include "pmem/machine/mount.h"

namespace hdbench::bench {
namespace {

TEST_CASE("no columns are cold and warm") {
  CHECK(make_columns(Cache::kCold, {})->bytes_total == 0);
  CHECK(make_columns(Cache::kWarm, {})->bytes_total == 0);
}

TEST_CASE("a column is made once a process, different for each") {
  const ScratchDirectory place;
  std::filesystem::create_directories(place / "0");
  std::filesystem::create_directories(place / "1");
  ColumnSet columns({place / "0", place / "1"}, 1);
  const auto made = columns.get(IoVector::kTiny, QType::kInt, 2047);
  REQUIRE(made.ok());
  REQUIRE(made->size() == 2);
  CHECK((*made)[0].path == place / "0/tiny-int");
  CHECK((*made)[0].sum != (*made)[1].sum);
  const auto modified = std::filesystem::last_write_time((*made)[0].path);
  CHECK(columns.get(IoVector::kTiny, QType::kInt, 2047).ok());
  CHECK(std::filesystem::last_write_time((*made)[0].path) == modified);
}

TEST_CASE("a column over several files: a process's one after the other, each of its own bytes") {
  const ScratchDirectory place;
  std::filesystem::create_directories(place / "0");
  std::filesystem::create_directories(place / "1");
  ColumnSet columns({place / "0", place / "1"}, 1);
  REQUIRE(columns.get(IoVector::kHuge, QType::kLong, 8192).ok());
  const auto made = columns.get(IoVector::kHuge, QType::kLong, 8192, 4);
  REQUIRE(made.ok());
  REQUIRE(made->size() == 8);
  CHECK((*made)[0].path == place / "0/huge-long-1of4");
  CHECK((*made)[7].path == place / "1/huge-long-4of4");
  std::set<std::uint64_t> sums;
  for (const MadeColumn& column : *made) {
    CHECK(column.spec.elements == 2048);
    sums.insert(column.sum);
  }
  CHECK(sums.size() == 8);
}

TEST_CASE("cold and warm are reached and proved") {
  const ScratchDirectory place;
  ColumnSet columns({place.path()}, 1);
  const auto made = columns.get(IoVector::kHuge, QType::kLong, 1 << 17);
  REQUIRE(made.ok());
  const auto warm = make_columns(Cache::kWarm, *made);
  REQUIRE(warm.ok());
  CHECK(warm->bytes_resident == made->front().bytes);
  const auto mount = mount_of(read_mounts({}), place.path());
  if (!mount || mount->kind != MountKind::kDisk) return;
  const auto cold = make_columns(Cache::kCold, *made);
  REQUIRE(cold.ok());
  CHECK(cold->bytes_resident <= made->front().bytes / 1000);
}

TEST_CASE("a column that is gone or was cut off is an error that names it") {
  const ScratchDirectory place;
  ColumnSet columns({place.path()}, 1);
  const auto made = columns.get(IoVector::kTiny, QType::kLong, 2047);
  REQUIRE(made.ok());
  std::filesystem::resize_file(made->front().path, 100);
  CHECK(make_columns(Cache::kWarm, *made).error().message ==
        (place / "tiny-long").string() + ": 100 bytes, expected 16392");
  std::filesystem::remove(made->front().path);
  CHECK_FALSE(make_columns(Cache::kCold, *made).ok());
}

}  // namespace
}  // namespace hdbench::bench
