#include "pmem/emulator/region_table.h"

#include <atomic>
#include <thread>

#include "engine/base/catch.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("a file ends in a window as short as what is left of it") {
  const PageWindows one(1, 4096);
  CHECK(one.count() == 1);
  CHECK(one.bytes_of(0) == 1);
  const PageWindows file(10'000, 4096);
  CHECK(file.count() == 3);
  CHECK(file.bytes_of(1) == 4096);
  CHECK(file.bytes_of(2) == 10'000 - 2 * 4096);
}

TEST_CASE("windows lie end to end, and the last one has half a window") {
  for (const std::uint64_t pages : {1, 2, 3, 4, 7, 8, 9, 30}) {
    for (const std::uint64_t window : {1, 2, 3, 8}) {
      const std::uint64_t bytes = pages * 4096 - 100;
      const PageWindows file(bytes, window * 4096);
      std::uint64_t at = 0;
      for (std::uint64_t w = 0; w < file.count(); ++w) {
        CHECK(file.begin_of(w) == at);
        CHECK(file.bytes_of(w) <= window * 4096);
        CHECK(file.window_of(at) == w);
        at += file.bytes_of(w);
        CHECK(file.window_of(at - 1) == w);
      }
      CHECK(at == bytes);
      const std::uint64_t last = std::min(pages, (window + 1) / 2) * 4096 - 100;
      CHECK(file.bytes_of(file.count() - 1) == last);
    }
  }
}

TEST_CASE("a window is read by one caller, until all is forgotten") {
  PageWindows file(std::uint64_t{200} * 4096, 4096);
  CHECK_FALSE(file.was_read(130));
  CHECK(file.read(130));
  CHECK(file.was_read(130));
  CHECK_FALSE(file.read(130));
  CHECK(file.read(129));
  file.set_all(false);
  CHECK(file.read(130));
}

TEST_CASE("an address is found in the region that holds it, ends apart") {
  RegionTable table;
  table.add({200, 300, 2, {}});
  table.add({100, 200, 1, {}});
  table.add({400, 500, 3, {}});
  CHECK(table.find(99) == nullptr);
  CHECK(table.find(100)->device == 1);
  CHECK(table.find(199)->device == 1);
  CHECK(table.find(200)->device == 2);
  CHECK(table.find(300) == nullptr);
  CHECK(table.find(499)->device == 3);
  CHECK(table.find(500) == nullptr);
  table.remove(200);
  table.collect();
  CHECK(table.find(250) == nullptr);
  CHECK(table.find(150)->device == 1);
}

TEST_CASE("what was found last is found again until the table changes") {
  RegionTable table;
  table.add({100, 200, 1, {}});
  table.add({200, 300, 2, {}});
  RegionTable::LastFound last;
  CHECK(table.find(50, last) == nullptr);
  CHECK(last.region == nullptr);
  CHECK(table.find(150, last)->device == 1);
  CHECK(last.region == table.find(150));
  CHECK(table.find(199, last)->device == 1);
  CHECK(table.find(200, last)->device == 2);
  CHECK(table.find(150, last)->device == 1);
  CHECK(table.find(300, last) == nullptr);
  table.remove(100);
  CHECK(table.find(250, last)->device == 2);
  CHECK(table.find(150, last) == nullptr);
  table.add({100, 200, 3, {}});
  CHECK(table.find(150, last)->device == 3);
}

TEST_CASE("regions come and go while others look up") {
  RegionTable table;
  table.add({1000, 2000, 7, {}});
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::thread reader([&] {
    while (!stop) {
      const EmulatedRegion* region = table.find(1500);
      if (region == nullptr || region->device != 7) ++wrong;
    }
  });
  for (std::uintptr_t i = 0; i < 200; ++i) table.add({3000 + i * 10, 3010 + i * 10, 1, {}});
  for (std::uintptr_t i = 0; i < 200; ++i) table.remove(3000 + i * 10);
  stop = true;
  reader.join();
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace hdbench::pmem
