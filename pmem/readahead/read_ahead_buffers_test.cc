#include "pmem/readahead/read_ahead_buffers.h"

#include <sys/mman.h>

#include <fstream>

#include "engine/base/catch.h"
#include "pmem/media/nvme_medium.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;

constexpr std::size_t kPage = 4096;

std::size_t maps_of(const std::string& word) {
  std::ifstream maps("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(maps, line);) count += testing::contains(line, word) ? 1 : 0;
  return count;
}

// A file of four pages and a bit, mapped.
struct ShadowCase {
  ShadowCase() : store(directory.path()), path(directory.path() / "spared") {
    testing::write_bytes(path, expected);
    mapping = *store.map(path);
    held = store.held().front();
  }
  std::span<const std::byte> page(std::size_t number) const {
    return mapping.bytes.subspan(number * kPage, kPage);
  }
  // Zeros in the page's place.
  void hide(std::size_t number) const {
    void* const zeros = ::mmap(const_cast<std::byte*>(page(number).data()), kPage, PROT_READ,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    REQUIRE(zeros != MAP_FAILED);
    CHECK(page(number)[0] == std::byte{0});
  }

  TemporaryDirectory directory;
  NvmeStore store;
  std::filesystem::path path;
  std::vector<std::byte> expected = testing::known_bytes(4 * kPage + 100, 5);
  Mapping mapping;
  std::shared_ptr<const TrackedMapping> held;
};

TEST_CASE("pages come back, and are one mapping with their neighbours again") {
  const ShadowCase one;
  const std::size_t before = maps_of("spared");
  {
    const auto shadow = ShadowMapping::make(one.mapping.bytes, one.held);
    REQUIRE(shadow);
    CHECK(maps_of("spared") == before + 1);
    one.hide(1);
    one.hide(2);
    REQUIRE(shadow->put_back(one.page(2)));
    CHECK(one.page(1)[0] == std::byte{0});
    REQUIRE(shadow->put_back(one.page(1)));
    // The name may lead elsewhere by now.
    std::filesystem::remove(one.path);
    one.hide(0);
    REQUIRE(shadow->put_back(one.page(0)));
    CHECK(testing::equal_bytes(one.mapping.bytes, one.expected));
  }
  CHECK(maps_of("spared") == before);
}

TEST_CASE("a mapping's shadow is one, made anew when the last holder has gone") {
  const ShadowCase one;
  ShadowMappings shadows;
  auto first = shadows.of(one.held);
  REQUIRE(first);
  // Made now, a second one would be of the zeros.
  one.hide(0);
  CHECK(shadows.of(one.held) == first);
  REQUIRE(first->put_back(one.page(0)));
  const std::size_t with_shadow = maps_of("spared");
  first.reset();
  CHECK(maps_of("spared") == with_shadow - 1);
  CHECK(shadows.of(one.held) != nullptr);
  CHECK(maps_of("spared") == with_shadow - 1);
}

constexpr std::size_t kSlotBytes = std::size_t{2} << 20;

std::shared_ptr<const ShadowMapping> shadow_of(const auto& held) {
  auto shadow = ShadowMapping::make(held.bytes, held.keep_alive);
  REQUIRE(shadow);
  return shadow;
}

// How many mappings of this process have the word in their line.
std::size_t mappings_of(const std::string& word) {
  std::ifstream maps("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(maps, line);) count += testing::contains(line, word) ? 1 : 0;
  return count;
}

TEST_CASE("a slot is shown in the place of a file's pages, and the file comes back") {
  const auto buffers = ReadAheadBuffers::make(2, kSlotBytes);
  if (!buffers.ok()) return;  // a kernel that gives no huge pages
  CHECK((*buffers)->slots() == 2);
  CHECK((*buffers)->hide(0));

  const TemporaryDirectory directory;
  const auto path = directory.path() / "shown-and-hidden";
  const auto bytes = testing::known_bytes(5 * 4096);
  testing::write_bytes(path, bytes);
  NvmeStore store(directory.path());
  const auto mapping = store.map(path);
  REQUIRE(mapping.ok());
  const std::size_t before = mappings_of("shown-and-hidden");

  const auto pages = mapping->bytes.subspan(4096, 2 * 4096);
  const auto other = testing::known_bytes(2 * 4096, 7);
  std::copy(other.begin(), other.end(), (*buffers)->slot(1).begin() + 8192);
  REQUIRE((*buffers)->show(1, 8192, pages, shadow_of(*mapping)));
  CHECK(testing::equal_bytes(pages, other));
  CHECK(mapping->bytes[4095] == bytes[4095]);
  CHECK(mapping->bytes[3 * 4096] == bytes[3 * 4096]);
  REQUIRE((*buffers)->hide(1));
  CHECK(testing::equal_bytes(mapping->bytes, bytes));
  CHECK(mappings_of("shown-and-hidden") == before);
}

TEST_CASE("buffers that go take nothing with them, and a region is writable again") {
  auto buffers = ReadAheadBuffers::make(1, kSlotBytes);
  if (!buffers.ok()) return;
  const TemporaryDirectory directory;
  NvmeStore store(directory.path());
  const auto region = store.allocate(8192);
  REQUIRE(region.ok());
  store.copy_in(region->bytes.data(), testing::known_bytes(8192));
  REQUIRE((*buffers)->show(0, 0, region->bytes, shadow_of(*region)));
  buffers->reset();
  CHECK(mappings_of("hdbench-buffers") == 0);
  CHECK(testing::equal_bytes(region->bytes, testing::known_bytes(8192)));
  store.copy_in(region->bytes.data(), testing::known_bytes(8192, 3));
  CHECK(testing::equal_bytes(region->bytes, testing::known_bytes(8192, 3)));
}

}  // namespace
}  // namespace hdbench::pmem
