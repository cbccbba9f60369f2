#include "engine/storage/plain_file.h"

#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/testing/zip_files.h"

namespace hdbench {
namespace {

// Counts what is asked of it: an uncompressed file must be mapped and never copied.
class CountingStore final : public Store {
 public:
  Result<Mapping> map(const std::filesystem::path& path) override {
    ++maps;
    return store_->map(path);
  }
  Result<Region> allocate(std::size_t bytes) override {
    ++allocations;
    return store_->allocate(bytes);
  }
  void copy_in(std::byte* destination, std::span<const std::byte> source) override {
    copied_bytes += source.size();
    store_->copy_in(destination, source);
  }
  int maps = 0;
  int allocations = 0;
  std::size_t copied_bytes = 0;

 private:
  std::shared_ptr<Store> store_ = make_page_cache_store();
};

TEST_CASE("an empty file has no bytes and a missing one is an error") {
  const ScratchDirectory scratch;
  CountingStore store;
  write_bytes(scratch / "empty", {});
  CHECK(read_plain_file(scratch / "empty", store)->bytes.empty());
  CHECK(read_plain_beginning(scratch / "empty")->plain_bytes == 0);
  CHECK_FALSE(read_plain_file(scratch / "none", store).ok());
  CHECK_FALSE(read_plain_beginning(scratch / "none").ok());
}

TEST_CASE("an uncompressed file is mapped, a compressed one is copied into the store") {
  const ScratchDirectory scratch;
  CountingStore store;
  const std::vector<std::byte> plain(10000, std::byte{7});
  write_bytes(scratch / "plain", plain);
  write_bytes(scratch / "zipped", zip_file(2, plain, 4096));
  const auto mapped = read_plain_file(scratch / "plain", store);
  REQUIRE(mapped.ok());
  CHECK(mapped->mapped);
  CHECK(store.allocations == 0);
  CHECK(store.copied_bytes == 0);
  const auto copied = read_plain_file(scratch / "zipped", store);
  REQUIRE(copied.ok());
  CHECK_FALSE(copied->mapped);
  CHECK(store.maps == 1);
  CHECK(store.copied_bytes == plain.size());
  CHECK(std::equal(copied->bytes.begin(), copied->bytes.end(), plain.begin(), plain.end()));
  for (const char* name : {"plain", "zipped"}) {
    const auto beginning = read_plain_beginning(scratch / name);
    REQUIRE(beginning.ok());
    CHECK(beginning->plain_bytes == plain.size());
    CHECK(beginning->bytes.size() == 4096);
  }
}

TEST_CASE("a link that leads nowhere says where it leads") {
  const ScratchDirectory scratch;
  std::filesystem::create_symlink("/absent/cold", scratch / "bid");
  CHECK(dangling_link(scratch / "bid") ==
        (scratch / "bid").string() + ": a link to /absent/cold, which is not there");
  std::filesystem::create_symlink(scratch.path(), scratch / "here");
  std::filesystem::create_symlink("loop", scratch / "loop");
  for (const char* name : {"here", "loop", "none"}) CHECK_FALSE(dangling_link(scratch / name));
}

}  // namespace
}  // namespace hdbench
