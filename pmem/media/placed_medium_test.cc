#include "pmem/media/placed_medium.h"

#include <algorithm>

#include "engine/base/catch.h"
#include "pmem/media/copy_store.h"
#include "pmem/media/emulated_medium.h"
#include "pmem/media/memory_medium.h"
#include "pmem/media/nvme_medium.h"
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
  PlacedStore store{rest, {{{"", "bid"}, {}, placed}}};
};

TEST_CASE("an empty file and no bytes are nobody's") {
  const testing::TemporaryDirectory directory;
  testing::write_bytes(directory.path() / "bid", {});
  Stores stores;
  CHECK(stores.store.map(directory.path() / "bid")->bytes.empty());
  CHECK(stores.store.allocate_for("bid", 0)->bytes.empty());
  CHECK_FALSE(stores.store.will_need({}));
}

TEST_CASE("of a column the newest partitions' files go to their store, the others to theirs") {
  const testing::TemporaryDirectory directory;
  auto rest = std::make_shared<SeenStore>();
  auto newest = std::make_shared<SeenStore>();
  auto older = std::make_shared<SeenStore>();
  PlacedStore store(rest,
                    {{{"quote", "bid"}, {}, older}, {{"quote", "bid", 1}, {"2020.01.31"}, newest}});
  for (const char* part : {"2020.01.30", "2020.01.31"}) {
    for (const char* table : {"quote", "trade"}) {
      const auto place = directory.path() / part / table;
      std::filesystem::create_directories(place);
      testing::write_bytes(place / "bid", testing::known_bytes(100));
      REQUIRE(store.map(place / "bid").ok());
    }
  }
  CHECK(rest->held() == 0);  // nothing of them is held any more
  const auto kept = store.map(directory.path() / "2020.01.31" / "quote" / "bid");
  CHECK(newest->held() == 1);
  const auto before = store.map(directory.path() / "2020.01.30" / "quote" / "bid");
  CHECK(older->held() == 1);
  const auto other = store.map(directory.path() / "2020.01.31" / "trade" / "bid");
  CHECK(rest->held() == 1);
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

using testing::TemporaryDirectory;

std::vector<PlacedPart> bid_on(std::unique_ptr<Medium> medium) {
  std::vector<PlacedPart> parts;
  parts.push_back({{"bid"}, std::move(medium)});
  return parts;
}

MediumOptions model_options() {
  MediumOptions options;
  options.emulation.mode = EmulationMode::kModel;
  return options;
}

Access scan(std::span<const std::byte> bytes) {
  return {bytes.data(), bytes.size() / 8, 8, nullptr, bytes.size(), AccessKind::kRead, 0};
}

TEST_CASE("without places a medium is itself") {
  const auto medium = make_placed_medium("dram", {}, {});
  REQUIRE(medium.ok());
  CHECK((*medium)->parts() == std::vector<Medium*>{medium->get()});
}

TEST_CASE("a place that cannot be is named with its columns") {
  const auto medium =
      make_placed_medium("dram", {{{"bid", "ask"}, "cxl:no-such-profile"}}, model_options());
  REQUIRE_FALSE(medium.ok());
  CHECK(testing::contains(medium.error().message, "--place bid, ask: "));
  CHECK(testing::contains(medium.error().message, "no-such-profile"));
}

TEST_CASE("one word is one device, however often it is said") {
  const auto medium = make_placed_medium(
      "dram", {{{"bid"}, "cxl:cxl-fpga"}, {{"time"}, "dram"}, {{"ask"}, "cxl:cxl-fpga"}},
      model_options());
  REQUIRE(medium.ok());
  CHECK((*medium)->parts().size() == 3);
  CHECK(testing::contains((*medium)->label(), "bid, ask on cxl:cxl-fpga"));
}

TEST_CASE("cold, a column in memory stays there and the others leave") {
  const TemporaryDirectory directory(testing::directory_on_disk());
  if (!testing::on_disk(directory.path())) return;
  const auto bytes = testing::known_bytes(1 << 20);
  for (const char* name : {"bid", "ask"}) testing::write_bytes(directory.path() / name, bytes);
  auto nvme = make_nvme_medium({directory.path(), {}});
  REQUIRE(nvme.ok());
  const auto medium = compose_media(std::move(*nvme), bid_on(make_dram_medium()));
  CHECK(medium->has_cache());
  const auto bid = medium->store()->map(directory.path() / "bid");
  const auto ask = medium->store()->map(directory.path() / "ask");
  const auto cold = medium->prepare(Cache::kCold);
  REQUIRE(cold.ok());
  CHECK(cold->bytes_total == bytes.size());  // ask's alone
  CHECK(cold->bytes_resident <= bytes.size() / 1000);
  const auto warm = medium->prepare(Cache::kWarm);
  REQUIRE(warm.ok());
  CHECK(warm->bytes_resident == 2 * bytes.size());
  medium->let_pages_go();
  CHECK(resident_bytes(ask->bytes) <= bytes.size() / 1000);
  CHECK(resident_bytes(bid->bytes) == bytes.size());
  const auto proof = medium->verify_placement();
  REQUIRE(proof.ok());
  REQUIRE(proof->parts.size() == 2);
  CHECK(proof->parts[0].part == "all other columns on nvme");
  CHECK(proof->parts[0].bytes_where_promised == bytes.size());
  CHECK(proof->parts[1].part == "bid on dram");
  CHECK(testing::equal_bytes(bid->bytes, bytes));
}

TEST_CASE("pages of a column that is placed on a disk are let go, too") {
  const TemporaryDirectory directory(testing::directory_on_disk());
  if (!testing::on_disk(directory.path())) return;
  const auto bytes = testing::known_bytes(1 << 20);
  testing::write_bytes(directory.path() / "bid", bytes);
  auto nvme = make_nvme_medium({directory.path(), {}});
  REQUIRE(nvme.ok());
  const auto medium = compose_media(make_dram_medium(), bid_on(std::move(*nvme)));
  const auto bid = medium->store()->map(directory.path() / "bid");
  REQUIRE(medium->prepare(Cache::kWarm).ok());
  CHECK(resident_bytes(bid->bytes) == bytes.size());
  medium->let_pages_go();
  CHECK(resident_bytes(bid->bytes) <= bytes.size() / 1000);
}

TEST_CASE("a column that lies elsewhere is an error that names it") {
  const PageLocator elsewhere = [](std::span<const std::byte* const>, std::span<int> nodes) {
    std::fill(nodes.begin(), nodes.end(), 977);
    return ok_status();
  };
  const auto medium = compose_media(make_dram_medium(), bid_on(make_dram_medium({}, elsewhere)));
  const auto held = medium->store()->allocate_for("bid", 4096);
  const auto proof = medium->verify_placement();
  if (proof.ok()) return;  // a machine that shows no nodes
  CHECK(testing::contains(proof.error().message, "bid: dram: expected node"));
}

TEST_CASE("emulated parts are each charged for their own columns, and a worker's waits add up") {
  const auto made = make_placed_medium("app-direct:optane-100-6dimm", {{{"bid"}, "cxl:cxl-fpga"}},
                                       model_options());
  REQUIRE(made.ok());
  Medium& medium = **made;
  CHECK(medium.emulated());
  const auto parts = medium.parts();
  REQUIRE(parts.size() == 2);
  const auto meter = as_emulated(*parts[0])->meter();
  REQUIRE(meter == as_emulated(*parts[1])->meter());
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  const auto ask = medium.store()->allocate_for("ask", kBytes);
  const auto bid = medium.store()->allocate_for("bid", kBytes);
  const auto time_of = [&](std::vector<std::span<const std::byte>> scans, std::size_t threads) {
    meter->begin(threads);
    for (const auto bytes : scans) meter->access(scan(bytes));
    return meter->settle();
  };
  const EmulationResult first = time_of({ask->bytes}, 1);
  const EmulationResult second = time_of({bid->bytes}, 1);
  const EmulationResult both = time_of({ask->bytes, bid->bytes}, 1);
  REQUIRE(both.devices.size() == 3);
  CHECK(both.devices[0].device == "optane-100-6dimm");
  CHECK(both.devices[0].read_bytes == kBytes);
  CHECK(both.devices[1].device == "cxl-fpga");
  CHECK(both.devices[1].read_bytes == kBytes);
  CHECK(both.devices[2].read_bytes == 0);
  // One worker: first the one device, then the other.
  const auto sum = static_cast<double>(first.modelled_ns + second.modelled_ns);
  CHECK(static_cast<double>(both.modelled_ns) == Approx(sum).epsilon(0.001));
  CHECK(medium.verify_placement().ok());
  CHECK(medium.verify_placement()->parts[1].claim == "every byte charged to cxl-fpga");
}

TEST_CASE("one disk made cold leaves the other devices as they are") {
  const TemporaryDirectory directory;
  for (const char* name : {"bid", "ask"})
    testing::write_bytes(directory.path() / name, testing::known_bytes(100'000));
  const auto made =
      make_placed_medium("nvme:ebs-gp3", {{{"bid"}, "cxl:cxl-fpga"}}, model_options());
  REQUIRE(made.ok());
  Medium& medium = **made;
  const auto ask = medium.store()->map(directory.path() / "ask");
  const auto bid = medium.store()->map(directory.path() / "bid");
  const auto meter = as_emulated(*medium.parts()[0])->meter();
  for (const std::uint64_t expected : {25 * 4096, 0}) {
    if (expected > 0) REQUIRE(medium.prepare(Cache::kCold).ok());
    meter->begin(1);
    meter->access(scan(ask->bytes));
    meter->access(scan(bid->bytes));
    const EmulationResult result = meter->settle();
    CHECK(result.devices[0].media.read == expected);
    CHECK(result.devices[1].media.read >= 100'000 / 64 * 64);
  }
}

}  // namespace
}  // namespace hdbench::pmem
