#include "pmem/memory/cache_state.h"

#include <sys/mman.h>

#include <numeric>

#include "engine/base/catch.h"
#include "engine/base/file_handle.h"
#include "pmem/base/page_counters.h"
#include "pmem/media/nvme_medium.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("the processes that map a file are named, others and this one are not") {
  const testing::TemporaryDirectory directory;
  MachinePaths paths;
  paths.procfs = directory.path() / "proc";
  const auto column = directory.path() / "db" / "bid";
  testing::write_text(column, "bid");
  const std::string line = "7f0000000000-7f0000001000 r--s 00000000 fe:00 42  ";
  const auto add = [&](const std::string& process, const std::string& mapped) {
    testing::write_text(paths.procfs / process / "maps",
                        "400000-401000 r-xp 0 0:0 0\n" + line + mapped + "\n");
    testing::write_text(paths.procfs / process / "comm", "q\n");
  };
  const auto whole = std::filesystem::canonical(column).string();
  const auto holders = [&] { return processes_that_map({whole}, ::getpid(), paths); };
  CHECK(holders().empty());
  add("4711", whole);
  add("12", "/elsewhere/bid");
  add("self", whole);
  CHECK(holders() == std::vector<std::string>{"q (process 4711)"});
  for (int i = 0; i < 5; ++i) add(std::to_string(5000 + i), whole);
  const auto many = holders();
  REQUIRE(many.size() == 5);
  CHECK(many.back() == "and 2 more");
}

using testing::TemporaryDirectory;

constexpr std::size_t kFileBytes = (std::size_t{4} << 20) + 123;

unsigned sum_of(std::span<const std::byte> bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), 0U, [](unsigned sum, std::byte byte) {
    return sum + std::to_integer<unsigned>(byte);
  });
}

TEST_CASE("nothing held is cold and warm at once") {
  CHECK(resident_bytes({}) == 0);
  CHECK(make_cold({}).ok());
  CHECK(make_warm({}).ok());
}

TEST_CASE("a file just written and mapped is evicted to the last page, and faults when touched") {
  const TemporaryDirectory directory(testing::directory_on_disk());
  if (!testing::on_disk(directory.path())) return;  // a tmpfs cannot be evicted
  const auto bytes = testing::known_bytes(kFileBytes);
  testing::write_bytes(directory.path() / "bid", bytes);
  NvmeStore store(directory.path());
  const auto mapping = store.map(directory.path() / "bid");
  REQUIRE(mapping.ok());
  const unsigned sum = sum_of(mapping->bytes);
  CHECK(count_resident(store.held()).bytes_resident == kFileBytes);

  const auto cold = make_cold(store.held());
  REQUIRE(cold.ok());
  CHECK(cold->bytes_total == kFileBytes);
  CHECK(cold->bytes_resident == 0);

  const PageCounters before = read_page_counters();
  CHECK(sum_of(mapping->bytes) == sum);
  const PageCounters counted = read_page_counters().since(before);
  CHECK(counted.major_faults > 0);
  if (counted.device_bytes_read) CHECK(*counted.device_bytes_read >= kFileBytes - 4096);
}

TEST_CASE("dirty pages of a scratch region are written back, evicted and read again unchanged") {
  const TemporaryDirectory directory(testing::directory_on_disk());
  if (!testing::on_disk(directory.path())) return;
  NvmeStore store(directory.path());
  const auto region = store.allocate(kFileBytes);
  REQUIRE(region.ok());
  const auto bytes = testing::known_bytes(kFileBytes);
  store.copy_in(region->bytes.data(), bytes);
  const auto cold = make_cold(store.held());
  REQUIRE(cold.ok());
  CHECK(cold->bytes_resident == 0);
  CHECK(testing::equal_bytes(region->bytes, bytes));
}

TEST_CASE("a cold file is brought to memory whole, and then no major fault is left") {
  const TemporaryDirectory directory(testing::directory_on_disk());
  testing::write_bytes(directory.path() / "bid", testing::known_bytes(kFileBytes));
  NvmeStore store(directory.path());
  const auto mapping = store.map(directory.path() / "bid");
  REQUIRE(mapping.ok());
  CHECK(sum_of(mapping->bytes) > 0);  // a sanitizer's own pages are faulted in here
  if (testing::on_disk(directory.path())) REQUIRE(make_cold(store.held()).ok());
  const auto warm = make_warm(store.held());
  REQUIRE(warm.ok());
  CHECK(warm->bytes_total == kFileBytes);
  CHECK(warm->bytes_resident == kFileBytes);
  const PageCounters before = read_page_counters();
  CHECK(sum_of(mapping->bytes) > 0);
  const PageCounters counted = read_page_counters().since(before);
  CHECK(counted.major_faults == 0);
  CHECK(counted.minor_faults < 100);
}

TEST_CASE("pages that cannot be evicted are an error with both figures, not a cold run") {
  const TemporaryDirectory directory(testing::directory_on_disk());
  if (!testing::on_disk(directory.path())) return;
  testing::write_bytes(directory.path() / "bid", testing::known_bytes(kFileBytes));
  NvmeStore store(directory.path());
  const auto mapping = store.map(directory.path() / "bid");
  REQUIRE(mapping.ok());
  const auto file = open_file(directory.path() / "bid");
  void* other = ::mmap(nullptr, kFileBytes, PROT_READ, MAP_SHARED | MAP_POPULATE,
                       file->handle.descriptor(), 0);  // as another process would
  REQUIRE(other != MAP_FAILED);
  const auto cold = make_cold(store.held());
  ::munmap(other, kFileBytes);
  REQUIRE_FALSE(cold.ok());
  CHECK(cold.error().kind == ErrorKind::kData);
  CHECK(testing::contains(cold.error().message,
                          "4194427 of 4194427 bytes stay resident, expected at most 0.1 %"));
}

}  // namespace
}  // namespace hdbench::pmem
