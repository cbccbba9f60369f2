#include "engine/operator/access_log.h"

#include <vector>

#include "engine/base/catch.h"
#include "engine/column/column.h"

namespace hdbench {
namespace {

struct Counting final : AccessMeter {
  void access(const Access& access) override { accesses.push_back(access); }
  std::vector<Access> accesses;
};

struct OneSlice {
  OneSlice() {
    column.rows = view.rows = words.size();
    column.data = reinterpret_cast<const std::byte*>(words.data());
    view.columns = {nullptr, &column};
  }
  std::vector<std::uint64_t> words = std::vector<std::uint64_t>(640);
  Column column;
  PartitionView view;
};

TEST_CASE("what is selected is counted in lines, and told to a meter with its bits") {
  const OneSlice one;
  Counting meter;
  AccessLog log(2, &meter);
  std::vector<std::uint64_t> bits(10);
  bits[0] = 0x101;  // rows 0 and 8: two lines of eight
  Selected some({0, 640}, bits.data());
  log.read(one.view, 1, some);
  log.read(one.view, 0, some);  // the virtual field has no bytes
  Selected all({64, 128});
  log.read(one.view, 1, all);
  CHECK(log.read_by_field()[0] == 0);
  CHECK(log.read_by_field()[1] == 2 * 64 + 64 * 8);
  REQUIRE(meter.accesses.size() == 2);
  CHECK(meter.accesses[0].bytes == 128);
  CHECK(meter.accesses[0].selected == bits.data());
  CHECK(meter.accesses[1].address == one.column.data + 64 * 8);
}

TEST_CASE("a selection is counted once a width until it is reset") {
  std::vector<std::uint64_t> bits(10);
  bits[0] = 1;
  Selected selected({0, 640}, bits.data());
  CHECK(selected.accessed_bytes(8) == 64);
  CHECK(selected.accessed_bytes(1) == 64);
  bits[1] = 1;
  CHECK(selected.accessed_bytes(8) == 64);
  selected.reset({0, 640}, bits.data());
  CHECK(selected.accessed_bytes(8) == 128);
  CHECK(selected.accessed_bytes(4) == 128);
  selected.reset({0, 640}, nullptr);
  CHECK(selected.accessed_bytes(4) == 640 * 4);
}

TEST_CASE("single rows count the same one by one and together") {
  const OneSlice one;
  AccessLog together(2, nullptr);
  together.count_rows(one.view, 1, 7);
  together.count_rows(one.view, 0, 7);
  AccessLog each(2, nullptr);
  Counting meter;
  AccessLog told(2, &meter);
  for (std::uint64_t row = 0; row < 7; ++row) {
    each.read_row(one.view, 1, row);
    told.read_row(one.view, 1, row);
  }
  CHECK(together.read_by_field()[1] == each.read_by_field()[1]);
  CHECK(told.read_by_field()[1] == each.read_by_field()[1]);
  CHECK(together.read_by_field()[0] == 0);
  CHECK(meter.accesses.size() == 7);
}

}  // namespace
}  // namespace hdbench
