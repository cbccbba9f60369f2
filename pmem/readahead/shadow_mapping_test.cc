#include "pmem/readahead/shadow_mapping.h"

#include <sys/mman.h>

#include <fstream>

#include "engine/base/catch.h"
#include "pmem/media/nvme_store.h"
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

TEST_CASE("a shadow holds its mapping") {
  ShadowCase one;
  const std::size_t before = maps_of("spared");
  auto shadow = ShadowMappings().of(one.held);
  REQUIRE(shadow);
  one.held.reset();
  one.mapping = {};
  CHECK(maps_of("spared") == before + 1);
  shadow.reset();
  CHECK(maps_of("spared") == 0);
}

TEST_CASE("nothing has no shadow") { CHECK(ShadowMapping::make({}, nullptr) == nullptr); }

}  // namespace
}  // namespace hdbench::pmem
