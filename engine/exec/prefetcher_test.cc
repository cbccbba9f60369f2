// What a store hears from a query that is read ahead of, and that its threads leave it alone after.
#include "engine/exec/prefetcher.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/exec/execute.h"

using namespace hdbench;

namespace {

// Remembers what it was requested.
struct AskedStore final : Store {
  Result<Mapping> map(const std::filesystem::path& /*path*/) override { return Mapping{}; }
  Result<Region> allocate(std::size_t /*bytes*/) override { return Region{}; }
  void copy_in(std::byte* /*to*/, std::span<const std::byte> /*from*/) override {}
  bool will_need(std::span<const std::byte> bytes) override {
    const std::lock_guard lock(mutex);
    asked.push_back(bytes);
    return is_missing(bytes);
  }
  bool is_in_memory(std::span<const std::byte> bytes) override {
    ++looks;
    return !is_missing(bytes);
  }
  std::unique_ptr<PassReader> read_pass(const PassOrder& order) override {
    if (!reads_passes) return nullptr;
    ++passes;
    return std::make_unique<CountingReader>(*this, order.blocks.size());
  }
  bool is_missing(std::span<const std::byte> bytes) const {
    return is_cold || bytes.data() == cold_at;
  }
  std::size_t count() {
    const std::lock_guard lock(mutex);
    return asked.size();
  }

  struct CountingReader final : PassReader {
    CountingReader(AskedStore& of, std::size_t blocks)
        : store(of), await_count(blocks), release_count(blocks) {
      store.to_release += blocks;
    }
    ~CountingReader() override { ++store.passes_ended; }
    void await(std::size_t block) override {
      if (release_count[block] != 0) ++store.out_of_order;
      ++await_count[block];
      ++store.awaited;
    }
    void release(std::size_t block) override {
      if (await_count[block] == 0 || release_count[block]++ != 0) ++store.out_of_order;
      --store.to_release;
    }
    AskedStore& store;
    std::vector<std::atomic<int>> await_count;
    std::vector<std::atomic<int>> release_count;
  };

  bool is_cold = true;
  bool reads_passes = false;
  std::atomic<std::size_t> looks{0};
  std::atomic<std::size_t> passes{0};
  std::atomic<std::size_t> passes_ended{0};
  std::atomic<std::size_t> awaited{0};
  std::atomic<std::size_t> to_release{0};
  std::atomic<std::size_t> out_of_order{0};  // awaited after it went, or let go unawaited or twice
  const std::byte* cold_at = nullptr;
  std::mutex mutex;
  std::vector<std::span<const std::byte>> asked;
};

constexpr std::size_t kReadSym = 0;
constexpr std::size_t kReadSize = 1;
constexpr std::uint64_t kReadRows = 40 * kMorselRows;

std::shared_ptr<Table> table_of_codes(std::int64_t odd_code = 1) {
  const auto domain = make_domain("sym", {"b", "a"});
  Schema schema;
  schema.fields = {{"sym", QType::kSymbol, Attribute::kNone, domain},
                   {"size", QType::kLong, Attribute::kNone, nullptr}};
  std::vector<std::int64_t> codes(kReadRows, 0);
  codes[kReadRows - 1] = odd_code;
  std::vector<MemoryTable::Part> parts(1);
  parts[0].columns = {make_column<std::int64_t>(QType::kSymbol, codes, domain),
                      make_column<std::int64_t>(QType::kLong, codes)};
  return std::make_shared<MemoryTable>("t", schema, std::move(parts));
}

Plan select_where_sym_is_a() {
  Plan plan;
  plan.outputs = {{"sym", Aggregate::kNone, kReadSym, {}},
                  {"size", Aggregate::kNone, kReadSize, {}}};
  plan.where = {{"sym=`a", kReadSym, CodeTest{{0, 1}, {1}}, false}};
  return plan;
}

Result<ResultTable> run(const Table& table, const Plan& plan, Prefetcher* prefetcher,
                        Workspace& workspace, const std::atomic<bool>* stop = nullptr) {
  ThreadPool pool(2);
  ExecuteSettings settings;
  settings.prefetcher = prefetcher;
  settings.stop = stop;
  return execute(table, plan, settings, pool, workspace);
}

PrefetchPlan blocks_far_apart(const std::vector<std::byte>& bytes, std::size_t count) {
  PrefetchPlan plan;
  plan.morsels = count;
  plan.block_morsels_max = 4;
  plan.bytes = count * Prefetcher::kWindowBytes;  // a morsel is as large as the window
  for (std::size_t b = 0; b < count; ++b)
    plan.blocks.push_back({std::span(bytes).subspan(b, 1), b});
  return plan;
}

template <typename Condition>
bool comes_true(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return condition();
}

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

TEST_CASE("a pass without blocks asks for nothing and ends") {
  AskedStore store;
  Prefetcher prefetcher(store, {});
  prefetcher.begin({}, 2);
  prefetcher.end();
  prefetcher.end();
  CHECK(store.count() == 0);
}

TEST_CASE("the thread stays a window ahead of the morsels that have begun, and goes on with them") {
  AskedStore store;
  const std::vector<std::byte> bytes(1000);
  Prefetcher prefetcher(store, {});
  prefetcher.begin(blocks_far_apart(bytes, 1000), 2);
  // Two workers' two batches are the least window: blocks 0 to 16.
  constexpr std::size_t kWindow = 2 * 4 * 2 + 1;
  CHECK(comes_true([&] { return store.count() == kWindow; }));
  for (int morsel = 0; morsel < 5; ++morsel) prefetcher.begin_morsel(0);
  CHECK(comes_true([&] { return store.count() == kWindow + 5; }));
  prefetcher.end();
  CHECK(store.count() == kWindow + 5);
}

TEST_CASE("what is in memory wakes nobody") {
  AskedStore store;
  store.is_cold = false;
  const std::vector<std::byte> bytes(100);
  Prefetcher prefetcher(store, {});
  prefetcher.begin(blocks_far_apart(bytes, 100), 2);
  CHECK(store.looks == Prefetcher::kSamples);
  prefetcher.end();
  CHECK(store.count() == 0);
}

TEST_CASE("one missing block among those looked at has the pass read ahead") {
  AskedStore store;
  store.is_cold = false;
  const std::vector<std::byte> bytes(Prefetcher::kSamples);
  store.cold_at = &bytes.back();
  Prefetcher prefetcher(store, {});
  prefetcher.begin(blocks_far_apart(bytes, bytes.size()), bytes.size());
  CHECK(store.looks == bytes.size());
  CHECK(comes_true([&] { return store.count() == bytes.size(); }));
  prefetcher.end();
}

TEST_CASE("a select asks for its condition's column, then for the rows that passed, and no more") {
  AskedStore store;
  const auto table = table_of_codes();
  Prefetcher prefetcher(store, {});
  Workspace workspace(0, *std::pmr::new_delete_resource());
  const auto result = run(*table, select_where_sym_is_a(), &prefetcher, workspace);
  REQUIRE(result.ok());
  CHECK(result->rows == 1);
  const Column& sym = **table->column(0, kReadSym);
  const Column& size = **table->column(0, kReadSize);
  std::uint64_t of_sym = 0;
  std::vector<std::span<const std::byte>> of_size;
  for (const auto& bytes : store.asked) {
    if (bytes.data() >= sym.data && bytes.data() < sym.data + sym.bytes()) of_sym += bytes.size();
    if (bytes.data() >= size.data && bytes.data() < size.data + size.bytes())
      of_size.push_back(bytes);
  }
  // The second pass asks for the last morsel only, of both columns.
  constexpr std::uint64_t kMorselBytes = kMorselRows * 8;
  CHECK(of_sym <= sym.bytes() + kPrefetchRows * 8 + 2 * kMorselBytes);
  REQUIRE_FALSE(of_size.empty());
  for (const auto& bytes : of_size) {
    CHECK(bytes.data() == size.data + size.bytes() - kMorselBytes);
    CHECK(bytes.size() == kMorselBytes);
  }
}

TEST_CASE("a store that reads passes reads none whose bytes are read again, and ends all") {
  AskedStore store;
  store.reads_passes = true;
  const auto table = table_of_codes();
  Prefetcher prefetcher(store, {});
  Workspace workspace(0, *std::pmr::new_delete_resource());
  // The condition's column is shown, too: the first pass is left to the page cache.
  REQUIRE(run(*table, select_where_sym_is_a(), &prefetcher, workspace).ok());
  CHECK(store.passes == 1);
  CHECK(store.passes_ended == 1);
  Plan sizes = select_where_sym_is_a();
  sizes.outputs.erase(sizes.outputs.begin());
  const std::size_t asked = store.count();
  REQUIRE(run(*table, sizes, &prefetcher, workspace).ok());
  CHECK(store.passes == 3);
  CHECK(store.count() == asked);
  CHECK(store.passes_ended == 3);
  CHECK(store.awaited > 0);
  CHECK(store.to_release == 0);
  CHECK(store.out_of_order == 0);
}

TEST_CASE(
    "a field shown twice is awaited and let go once, the virtual one and no rows not at all") {
  // Of three partitions, the second one has no `a; of the others some morsels.
  const auto domain = make_domain("sym", {"b", "a"});
  Schema schema;
  schema.partitioned = true;
  schema.fields = {{"date", QType::kDate, Attribute::kNone, nullptr},
                   {"sym", QType::kSymbol, Attribute::kNone, domain},
                   {"size", QType::kLong, Attribute::kNone, nullptr}};
  std::vector<MemoryTable::Part> parts(3);
  std::int64_t next = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    std::vector<std::int64_t> codes(3 * kMorselRows + 100 * p, 0);
    std::vector<std::int64_t> sizes(codes.size());
    for (auto& size : sizes) size = next++;
    if (p != 1) {
      for (std::size_t row = kMorselRows; row < 2 * kMorselRows; row += p + 1) codes[row] = 1;
      codes.back() = 1;
    }
    parts[p].partition_value = static_cast<std::int64_t>(8000 + p);
    parts[p].columns = {make_column<std::int64_t>(QType::kSymbol, codes, domain),
                        make_column<std::int64_t>(QType::kLong, sizes)};
  }
  const MemoryTable table("t", schema, std::move(parts));
  Plan plan;
  plan.outputs = {{"a", Aggregate::kNone, 2, {}},
                  {"date", Aggregate::kNone, 0, {}},
                  {"sym", Aggregate::kNone, 1, {}},
                  {"b", Aggregate::kNone, 2, {}}};
  plan.where = {{"sym=`a", 1, CodeTest{{0, 1}, {1}}, false}};
  AskedStore store;
  store.reads_passes = true;
  Prefetcher prefetcher(store, {});
  Workspace workspace(0, *std::pmr::new_delete_resource());
  const auto expected = run(table, plan, nullptr, workspace);
  const auto result = run(table, plan, &prefetcher, workspace);
  REQUIRE(expected.ok());
  REQUIRE(result.ok());
  CHECK(result->rows == kMorselRows + 1 + (kMorselRows + 2) / 3 + 1);
  CHECK(checksum(*result) == checksum(*expected));
  CHECK(store.passes == 1);  // the condition's column is shown, and left to the page cache
  CHECK(store.to_release == 0);
  CHECK(store.out_of_order == 0);
}

TEST_CASE("a grouped result asks for the rows that it shows") {
  AskedStore store;
  const auto table = table_of_codes();
  Plan plan;
  plan.last_rows = true;
  plan.by = {{"sym", kReadSym}};
  plan.outputs = {{"size", Aggregate::kNone, kReadSize, {}}};
  Prefetcher prefetcher(store, {});
  Workspace workspace(0, *std::pmr::new_delete_resource());
  REQUIRE(run(*table, plan, &prefetcher, workspace).ok());
  const Column& size = **table->column(0, kReadSize);
  std::set<const std::byte*> rows;
  for (const auto& bytes : store.asked) {
    if (bytes.data() < size.data || bytes.data() >= size.data + size.bytes()) continue;
    CHECK(bytes.size() == 8);
    rows.insert(bytes.data());
  }
  CHECK(rows ==
        std::set<const std::byte*>{size.data + size.bytes() - 16, size.data + size.bytes() - 8});
}

TEST_CASE("errors, limits and a raised stop flag end reading ahead, and the next query is read") {
  const std::atomic<bool> stop{true};
  const auto table = table_of_codes();
  Plan all = select_where_sym_is_a();
  all.where.clear();
  Plan most = select_where_sym_is_a();
  most.where = {{"sym=`b", kReadSym, CodeTest{{1, 0}, {0}}, false}};
  for (const bool reads_passes : {false, true}) {
    AskedStore store;
    store.reads_passes = reads_passes;
    Prefetcher prefetcher(store, {});
    Workspace workspace(0, *std::pmr::new_delete_resource());
    Workspace small(1000, *std::pmr::new_delete_resource());
    Workspace half(kReadRows / 8 + 4096, *std::pmr::new_delete_resource());
    CHECK_FALSE(run(*table, all, &prefetcher, workspace, &stop).ok());
    CHECK_FALSE(run(*table_of_codes(2), all, &prefetcher, workspace).ok());
    CHECK(store.passes == (reads_passes ? 2 : 0));
    // Between the passes: there is no space for the result.
    CHECK_FALSE(run(*table, most, &prefetcher, half).ok());
    CHECK(store.passes == (reads_passes ? 2 : 0));
    CHECK_FALSE(run(*table, all, &prefetcher, small).ok());
    CHECK(store.passes_ended == store.passes);
    const std::size_t asked = store.count() + store.passes;
    CHECK(run(*table, all, &prefetcher, workspace).ok());
    CHECK(store.count() + store.passes > asked);
  }
}

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
