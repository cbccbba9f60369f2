#include "engine/operator/unpacking.h"

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base/catch.h"
#include "engine/operator/access_log.h"
#include "engine/operator/query_context.h"
#include "engine/testing/zip_files.h"

namespace hdbench {
namespace {

constexpr std::size_t kPackedBlock = 4096;

struct CountedReads final : AccessMeter {
  void access(const Access& access) override { bytes += access.bytes; }
  std::uint64_t bytes = 0;
};

// A column of 4,096 longs, each its row, in eight compressed blocks.
struct PackedColumn {
  explicit PackedColumn(bool is_broken = false) {
    std::vector<std::byte> plain;
    for (std::int64_t row = 0; row < 4096; ++row) append_bytes(plain, row);
    std::vector<std::byte> stored = zip_file(2, plain, kPackedBlock);
    if (is_broken) stored[20] ^= std::byte{0xff};
    const auto owned = std::make_shared<const std::vector<std::byte>>(std::move(stored));
    auto file = PackedFile::open({*owned, owned}, "longs");
    REQUIRE(file.ok());
    column.packed = *file;
    column.data = column.packed->bytes().data();
    column.rows = view.rows = 4096;
    view.columns = {&column};
  }
  std::uint64_t stored_bytes(std::size_t block) const {
    return column.packed->zipped().stored_block(block).size();
  }
  Column column;
  PartitionView view;
};

TEST_CASE("a column that is given up gives back what it was charged, and can be read again") {
  const PackedColumn packed;
  std::uint64_t charged = 0;
  Unpacking unpacking({[&](std::uint64_t bytes) { charged += bytes; },
                       [&](std::uint64_t bytes) { charged -= bytes; }},
                      nullptr);
  unpacking.attach(packed.column);
  unpacking.give_up(Column());
  for (int pass = 1; pass <= 2; ++pass) {
    unpack_rows(packed.column, {0, 4096}, nullptr);
    CHECK(charged == 4096 * 8);
    unpacking.give_up(packed.column);
    CHECK(charged == 0);
    CHECK(unpacking.unpacked_bytes() == static_cast<std::uint64_t>(pass) * 4096 * 8);
  }
}

TEST_CASE("single rows have their blocks unpacked, each once, by one thread or several") {
  for (const bool has_pool : {false, true}) {
    const PackedColumn one;
    const PackedColumn other;
    const Column plain;
    ThreadPool pool(2);
    Unpacking unpacking({}, nullptr);
    unpacking.attach(one.column);
    unpacking.attach(other.column);
    const std::vector<std::uint64_t> rows{RowId::make(0, 3),    RowId::make(3, 600),
                                          RowId::make(0, 4095), RowId::make(0, 5),
                                          RowId::make(1, 9),    RowId::make(2, 9)};
    CHECK(unpack_single_rows(
              std::vector{&one.column, static_cast<const Column*>(nullptr), &plain, &other.column},
              rows, has_pool ? &pool : nullptr) ==
          one.stored_bytes(0) + one.stored_bytes(7) + other.stored_bytes(1));
    CHECK(unpacking.unpacked_bytes() == 3 * kPackedBlock);
    std::int64_t value = 0;
    std::memcpy(&value, other.column.data + 600 * sizeof value, sizeof value);
    CHECK(value == 600);
  }
}

TEST_CASE("a broken block among single rows ends the query") {
  const PackedColumn broken(true);
  ThreadPool pool(2);
  Unpacking unpacking({}, nullptr);
  unpacking.attach(broken.column);
  CHECK_THROWS_AS(unpack_single_rows(std::vector{&std::as_const(broken.column)},
                                     std::vector{RowId::make(0, 3)}, &pool),
                  QueryStop);
}

TEST_CASE("what is unpacked is charged until the query ends, and its compressed bytes are told") {
  const PackedColumn one;
  CountedReads meter;
  std::int64_t charged = 0;
  {
    Unpacking unpacking({[&](std::uint64_t bytes) { charged += static_cast<std::int64_t>(bytes); },
                         [&](std::uint64_t bytes) { charged -= static_cast<std::int64_t>(bytes); }},
                        &meter);
    CHECK_FALSE(unpacking.is_used());
    unpacking.attach(one.column);
    unpacking.attach(one.column);
    CHECK(unpacking.is_used());
    CHECK(unpack_rows(one.column, {600, 601}, nullptr) == one.stored_bytes(1));
    CHECK(unpack_rows(one.column, {512, 1024}, nullptr) == 0);
    CHECK(charged == kPackedBlock);
    CHECK(unpacking.unpacked_bytes() == kPackedBlock);
    CHECK(meter.bytes == one.stored_bytes(1));
    CHECK(unpack_bytes(one.column, one.column.packed->bytes().last(8)) == one.stored_bytes(7));
    CHECK(charged == 2 * kPackedBlock);
    unpacking.let_go();
    CHECK(charged == 0);
    CHECK_FALSE(unpacking.is_used());
    unpacking.attach(one.column);
    CHECK(unpack_rows(one.column, {600, 601}, nullptr) == one.stored_bytes(1));
    CHECK(unpacking.unpacked_bytes() == 3 * kPackedBlock);
  }
  CHECK(charged == 0);
}

TEST_CASE("a log counts compressed bytes once, and lets the rows be read") {
  const PackedColumn one;
  Unpacking unpacking({}, nullptr);
  unpacking.attach(one.column);
  AccessLog log(1, nullptr);
  CHECK(log.needs_places(one.view, 0));
  std::vector<std::uint64_t> bits(64);
  bits[0] = 5;
  Selected few({0, 4096}, bits.data());
  log.read(one.view, 0, few);
  CHECK(log.read_by_field()[0] == one.stored_bytes(0));
  Selected last({4095, 4096});
  log.read(one.view, 0, last);
  CHECK(log.read_by_field()[0] == one.stored_bytes(0) + one.stored_bytes(7));
  CHECK(order_key_at(one.column, 2) == 2);
  CHECK(order_key_at(one.column, 4095) == 4095);
  log.count_unpacked(0, 7);
  CHECK(log.read_by_field()[0] == one.stored_bytes(0) + one.stored_bytes(7) + 7);
}

TEST_CASE("a broken block stops the query that reads it") {
  const PackedColumn one(true);
  Unpacking unpacking({}, nullptr);
  unpacking.attach(one.column);
  CHECK_THROWS_AS(unpack_rows(one.column, {0, 1}, nullptr), QueryStop);
  CHECK(unpack_rows(one.column, {512, 513}, nullptr) == one.stored_bytes(1));
}

}  // namespace
}  // namespace hdbench
