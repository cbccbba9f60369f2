#include "pmem/media/placed_store.h"

#include "engine/base/catch.h"
#include "pmem/media/copy_store.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

// A store that says how often it was asked to copy and to read ahead.
class SeenStore final : public Store {
 public:
  Result<Mapping> map(const std::filesystem::path& path) override { return memory_.map(path); }
  Result<Region> allocate(std::size_t bytes) override { return memory_.allocate(bytes); }
  void copy_in(std::byte* destination, std::span<const std::byte> source) override {
    ++copies;
    memory_.copy_in(destination, source);
  }
  bool will_need(std::span<const std::byte>) override {
    ++needed;
    return true;
  }
  std::size_t held() const { return memory_.held().size(); }

  int copies = 0;
  int needed = 0;

 private:
  CopyStore memory_{map_huge_memory};
};

struct Stores {
  std::shared_ptr<SeenStore> rest = std::make_shared<SeenStore>();
  std::shared_ptr<SeenStore> placed = std::make_shared<SeenStore>();
  PlacedStore store{rest, {{"bid", placed}}};
};

TEST_CASE("an empty file and no bytes are nobody's") {
  const testing::TemporaryDirectory directory;
  testing::write_bytes(directory.path() / "bid", {});
  Stores stores;
  CHECK(stores.store.map(directory.path() / "bid")->bytes.empty());
  CHECK(stores.store.allocate_for("bid", 0)->bytes.empty());
  CHECK_FALSE(stores.store.will_need({}));
}

TEST_CASE("a column's file and its companions go to its store, the others to the rest's") {
  const testing::TemporaryDirectory directory;
  for (const char* name : {"bid", "bid#", "bid##", "bid1", "ask"})
    testing::write_bytes(directory.path() / name, testing::known_bytes(5000));
  Stores stores;
  std::vector<Mapping> held;
  for (const char* name : {"bid", "bid#", "bid##", "bid1", "ask"}) {
    auto mapping = stores.store.map(directory.path() / name);
    REQUIRE(mapping.ok());
    CHECK(testing::equal_bytes(mapping->bytes, testing::known_bytes(5000)));
    held.push_back(std::move(*mapping));
  }
  CHECK(stores.placed->held() == 3);
  CHECK(stores.rest->held() == 2);
  CHECK(stores.store.will_need(held[1].bytes.subspan(100, 10)));
  CHECK(stores.placed->needed == 1);
  CHECK(stores.store.will_need(held[4].bytes));
  CHECK(stores.rest->needed == 1);
  held.clear();
  CHECK(stores.placed->held() == 0);
}

TEST_CASE("a region is for the column that is named, and is copied into in its store's way") {
  Stores stores;
  const auto bytes = testing::known_bytes(100);
  const auto bid = stores.store.allocate_for("bid", 8192);
  const auto ask = stores.store.allocate_for("2020.01.07/quote/ask", 8192);
  const auto any = stores.store.allocate(8192);
  stores.store.copy_in(bid->bytes.data() + 8192 - 100, bytes);
  stores.store.copy_in(ask->bytes.data(), bytes);
  stores.store.copy_in(any->bytes.data(), bytes);
  CHECK(stores.placed->copies == 1);
  CHECK(stores.rest->copies == 2);
  CHECK(testing::equal_bytes(bid->bytes.last(100), bytes));
}

}  // namespace
}  // namespace hdbench::pmem
