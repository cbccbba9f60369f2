#include "engine/exec/read_ahead_waiter.h"

#include "engine/base/catch.h"

using namespace hdbench;

namespace {

struct Seen {
  PassOrder order;
  std::vector<std::size_t> awaited;
  std::vector<std::size_t> released;
  bool is_ended = false;
};

struct SeenReader final : PassReader {
  explicit SeenReader(Seen& into) : seen(into) {}
  ~SeenReader() override { seen.is_ended = true; }
  void await(std::size_t block) override { seen.awaited.push_back(block); }
  void release(std::size_t block) override { seen.released.push_back(block); }
  Seen& seen;
};

struct PassStore : Store {
  Result<Mapping> map(const std::filesystem::path& /*path*/) override { return Mapping{}; }
  Result<Region> allocate(std::size_t /*bytes*/) override { return Region{}; }
  void copy_in(std::byte* /*to*/, std::span<const std::byte> /*from*/) override {}
};

struct ReadingStore final : PassStore {
  std::unique_ptr<PassReader> read_pass(const PassOrder& order) override {
    seen.order = order;
    return std::make_unique<SeenReader>(seen);
  }
  Seen seen;
};

// Morsels 0 and 1 share two blocks, morsel 2 reads nothing, morsel 3 has a block of its own.
PrefetchPlan three_blocks(const std::vector<std::byte>& bytes) {
  PrefetchPlan plan;
  plan.morsels = 4;
  plan.blocks_at_once = 2;
  plan.blocks = {{std::span(bytes).first(1), 0, 0, 2},
                 {std::span(bytes).subspan(1, 1), 0, 0, 2},
                 {std::span(bytes).subspan(2, 1), 2, 3, 1}};
  return plan;
}

}  // namespace

TEST_CASE("a store that reads no passes gives none") {
  PassStore store;
  const std::vector<std::byte> bytes(3);
  CHECK(ReadAheadWaiter::begin(store, three_blocks(bytes)) == nullptr);
  CHECK(ReadAheadWaiter::begin(store, {}) == nullptr);
}

TEST_CASE("a morsel awaits its blocks, and the last one of a block lets it go") {
  ReadingStore store;
  Seen& seen = store.seen;
  const std::vector<std::byte> bytes(3);
  auto pass = ReadAheadWaiter::begin(store, three_blocks(bytes));
  REQUIRE(pass != nullptr);
  CHECK(seen.order.at_once == 2);
  REQUIRE(seen.order.blocks.size() == 3);
  CHECK(seen.order.blocks[2].data() == &bytes[2]);
  pass->begin_morsel(2);
  pass->end_morsel(2);
  CHECK(seen.awaited.empty());
  CHECK(seen.released.empty());
  pass->begin_morsel(1);
  CHECK(seen.awaited == std::vector<std::size_t>{1, 0});
  pass->begin_morsel(0);
  pass->end_morsel(0);
  CHECK(seen.released.empty());
  pass->end_morsel(1);
  CHECK(seen.released == std::vector<std::size_t>{0, 1});
  pass->begin_morsel(3);
  pass->end_morsel(3);
  CHECK(seen.awaited.back() == 2);
  CHECK(seen.released.back() == 2);
  CHECK_FALSE(seen.is_ended);
  pass.reset();
  CHECK(seen.is_ended);
}

TEST_CASE("by field a morsel awaits and lets go its blocks one at a time") {
  ReadingStore store;
  Seen& seen = store.seen;
  const std::vector<std::byte> bytes(3);
  PrefetchPlan plan = three_blocks(bytes);
  plan.by_field = true;
  auto pass = ReadAheadWaiter::begin(store, plan);
  REQUIRE(pass != nullptr);
  pass->begin_morsel(0);
  pass->begin_morsel(1);
  CHECK(seen.awaited.empty());
  pass->begin_field(0, 0);
  CHECK(seen.awaited == std::vector<std::size_t>{0});
  pass->end_field(0, 0);
  pass->begin_field(0, 1);
  pass->end_field(0, 1);
  pass->end_morsel(0);
  CHECK(seen.awaited == std::vector<std::size_t>{0, 1});
  CHECK(seen.released.empty());
  pass->begin_field(1, 0);
  pass->end_field(1, 0);
  CHECK(seen.released == std::vector<std::size_t>{0});
  pass->begin_field(1, 1);
  pass->end_field(1, 1);
  CHECK(seen.released == std::vector<std::size_t>{0, 1});
  pass->end_morsel(1);
  pass->begin_field(3, 0);
  pass->end_field(3, 0);
  CHECK(seen.released == std::vector<std::size_t>{0, 1, 2});
}
