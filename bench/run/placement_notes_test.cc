#include "bench/run/placement_notes.h"

#include <cstdint>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
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

std::shared_ptr<const Domain> symbols(std::string name, std::size_t count) {
  return make_domain(std::move(name), std::vector<std::string>(count, "x"));
}

template <typename T>
Column narrowed(std::size_t rows, const std::shared_ptr<const Domain>& domain) {
  Column column = make_column<T>(QType::kSymbol, std::vector<T>(rows), domain);
  column.narrowed_from = rows * 8;
  return column;
}

constexpr std::size_t kRows = 1'000'000;

// Two columns over sym, one over a larger domain, one of plain numbers.
MemoryTable loaded_table(std::size_t rows) {
  const auto sym = symbols("sym", 15);
  const auto venue = symbols("venue", 3000);
  Schema schema{{{"col1", QType::kSymbol, Attribute::kNone, sym},
                 {"ex", QType::kSymbol, Attribute::kNone, venue},
                 {"bid", QType::kLong, Attribute::kNone, nullptr},
                 {"col2", QType::kSymbol, Attribute::kNone, sym}},
                false};
  std::vector<MemoryTable::Part> parts(1);
  parts[0].columns.push_back(narrowed<std::uint8_t>(rows, sym));
  parts[0].columns.push_back(narrowed<std::uint16_t>(rows, venue));
  const std::vector<std::int64_t> bids(rows);
  parts[0].columns.push_back(make_column<std::int64_t>(QType::kLong, bids));
  parts[0].columns.push_back(narrowed<std::uint8_t>(rows, sym));
  return MemoryTable("quote", std::move(schema), std::move(parts));
}

TEST_CASE("where nothing was narrowed nothing is saved, and it is said") {
  const MemoryTable table = loaded_table(3);
  CHECK(to_text(codes_saving(table, {})) ==
        "none of the columns loaded has codes that could be narrower");
  CHECK(to_text(codes_saving(table, {{0, 2}})) ==
        "none of the columns loaded has codes that could be narrower");
}

TEST_CASE("a saving counts the columns that were loaded, against their bytes in the files") {
  const MemoryTable table = loaded_table(kRows);
  const CodesSaving saving = codes_saving(table, {{0, 0}, {0, 1}, {0, 2}, {0, 3}});
  CHECK(saving.codes_stored_bytes == 24 * kRows);
  CHECK(saving.codes_narrow_bytes == 4 * kRows);
  CHECK(saving.stored_bytes == 32 * kRows);
  CHECK(to_text(saving) ==
        "col1 col2 at 1 byte (domain sym, 15 symbols), ex at 2 bytes (domain venue, 3,000 "
        "symbols): 24.0 MB -> 4.0 MB, 20.0 MB saved (62.5 % of the columns loaded)");
}

TEST_CASE("a partition field saves too, and it is said from which value on") {
  Schema schema{{{"date", QType::kDate, Attribute::kParted, nullptr}}, false};
  std::vector<MemoryTable::Part> parts(1);
  Column date = make_column<std::uint8_t>(QType::kDate, std::vector<std::uint8_t>(kRows));
  date.base = 7244;
  date.narrowed_from = kRows * 4;
  parts[0].columns.push_back(std::move(date));
  const MemoryTable table("quote", std::move(schema), std::move(parts));
  CHECK(to_text(codes_saving(table, {{0, 0}})) ==
        "date at 1 byte (from 2019.11.01 on): 4.0 MB -> 1.0 MB, 3.0 MB saved (75.0 % of the "
        "columns loaded)");
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
  CHECK(note->text.find("echo 128 > ") != std::string::npos);
  disk.readahead_bytes = 128 << 10;
  note = read_ahead_note({cold_read(1000, 9000)}, disk);
  CHECK(note->text.find("echo 16 > ") != std::string::npos);
}

TEST_CASE("a near cache that holds all columns is reported") {
  MediumOptions options;
  options.emulation.mode = EmulationMode::kModel;
  for (const auto& [word, lines] : {std::pair{"memory-mode:near=2GiB", 1}, {"dram", 0}}) {
    const auto medium = make_medium(word, options);
    REQUIRE(medium.ok());
    CHECK(near_cache_lines(**medium).size() == static_cast<std::size_t>(lines));
  }
}

}  // namespace hdbench::bench
