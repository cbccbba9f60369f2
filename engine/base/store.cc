#include "engine/base/store.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "engine/base/file_handle.h"

namespace hdbench {
namespace {

std::shared_ptr<const void> unmap_later(void* address, std::size_t bytes) {
  return {address, [bytes](void* mapped) { ::munmap(mapped, bytes); }};
}

class PageCacheStore final : public Store {
 public:
  Result<Mapping> map(const std::filesystem::path& path) override {
    HDB_ASSIGN(const OpenFile file, open_file(path));
    if (file.bytes == 0) return Mapping{};
    HDB_ASSIGN(const std::span<std::byte> bytes, map_read_only(file, path));
    return Mapping{bytes, unmap_later(bytes.data(), bytes.size())};
  }

  bool takes_maps() const override { return true; }

  Result<Region> allocate(std::size_t bytes) override {
    if (bytes == 0) return Region{};
    void* address =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (address == MAP_FAILED) {
      return data_error(fmt::format("cannot allocate {} bytes: {}", bytes, std::strerror(errno)));
    }
    return Region{{static_cast<std::byte*>(address), bytes}, unmap_later(address, bytes)};
  }

  void copy_in(std::byte* destination, std::span<const std::byte> source) override {
    if (!source.empty()) std::memcpy(destination, source.data(), source.size());
  }
};

}  // namespace

std::shared_ptr<Store> make_page_cache_store() { return std::make_shared<PageCacheStore>(); }

}  // namespace hdbench
