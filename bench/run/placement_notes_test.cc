#include "bench/run/placement_notes.h"

#include "engine/base/catch.h"
#include "pmem/media/medium.h"

namespace hdbench::bench {
namespace {

CellResult cold_read(std::uint64_t bytes, std::uint64_t device_bytes) {
  CellResult cell;
  cell.query = 1;
  cell.setting.medium = "nvme";
  cell.setting.cache = Cache::kCold;
  cell.rows_out = 1;
  cell.bytes_read = bytes;
  cell.device_bytes = device_bytes;
  return cell;
}

}  // namespace

TEST_CASE("reading around is told from three times what a query read, of cold real disks") {
  CHECK_FALSE(read_ahead_note({}, {}));
  CHECK_FALSE(read_ahead_note({cold_read(1000, 2900)}, {}));
  CellResult warm = cold_read(1000, 9000);
  warm.setting.cache = Cache::kWarm;
  CellResult emulated = cold_read(1000, 9000);
  emulated.emulated = true;
  CHECK_FALSE(read_ahead_note({warm, emulated}, {}));

  const auto note = read_ahead_note({cold_read(1000, 2000), cold_read(1'000'000, 7'000'000)}, {});
  REQUIRE(note);
  CHECK(note->text.find("in 1 of 2 cold cells") != std::string::npos);
  CHECK(note->text.find("7 times, 7 MB for 1 MB") != std::string::npos);
}

TEST_CASE("the note of reading around names the disk's readahead and the command") {
  BlockDevice disk;
  disk.disk = "sdx";
  disk.readahead_bytes = 8 << 20;
  auto note = read_ahead_note({cold_read(1000, 9000)}, disk);
  REQUIRE(note);
  CHECK(note->text.find("the readahead of /dev/sdx is 8192 KiB: as root: ") != std::string::npos);
  CHECK(note->text.find("run --readahead 128,8192 compares") != std::string::npos);
  disk.readahead_bytes = 128 << 10;
  note = read_ahead_note({cold_read(1000, 9000)}, disk);
  CHECK(note->text.find("run --readahead 16,128 compares") != std::string::npos);
}

TEST_CASE("a near cache that holds all columns is told") {
  MediumOptions options;
  options.emulation.mode = EmulationMode::kModel;
  for (const auto& [word, lines] : {std::pair{"memory-mode:near=2GiB", 1}, {"dram", 0}}) {
    const auto medium = make_medium(word, options);
    REQUIRE(medium.ok());
    CHECK(near_cache_lines(**medium).size() == static_cast<std::size_t>(lines));
  }
}

}  // namespace hdbench::bench
