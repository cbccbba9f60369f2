#include <fmt/format.h>
#include <libpmem.h>

#include <memory>

#include "pmem/persistent/libpmem_mapping.h"

namespace hdbench::pmem {

const char* persistent_absence() { return nullptr; }

namespace {

// Zero bytes: a file that is there, whole.
Result<PersistentRegion> map_file(const std::filesystem::path& path, std::size_t bytes, int flags) {
  std::size_t mapped_bytes = 0;
  int is_pmem = 0;
  void* address = pmem_map_file(path.c_str(), bytes, flags, 0600, &mapped_bytes, &is_pmem);
  if (address == nullptr) {
    const std::string what = bytes == 0 ? "it" : fmt::format("{} bytes", bytes);
    return data_error(fmt::format("{}: cannot map {}: {}", path.string(), what, pmem_errormsg()));
  }
  const std::shared_ptr<void> owner(
      address, [mapped_bytes](void* mapped) { pmem_unmap(mapped, mapped_bytes); });
  return PersistentRegion{{{static_cast<std::byte*>(address), mapped_bytes}, owner}, is_pmem != 0};
}

}  // namespace

Result<PersistentRegion> map_persistent(const std::filesystem::path& directory, std::size_t bytes) {
  if (bytes == 0) return PersistentRegion{};
  return map_file(directory, bytes, PMEM_FILE_CREATE | PMEM_FILE_TMPFILE);
}

Result<PersistentRegion> open_persistent(const std::filesystem::path& path, std::size_t new_bytes) {
  return map_file(path, new_bytes, new_bytes == 0 ? 0 : PMEM_FILE_CREATE | PMEM_FILE_EXCL);
}

void copy_persistent(std::byte* destination, std::span<const std::byte> source) {
  pmem_memcpy(destination, source.data(), source.size(),
              PMEM_F_MEM_NONTEMPORAL | PMEM_F_MEM_NODRAIN);
}

void drain_persistent() { pmem_drain(); }

void flush_persistent(std::span<const std::byte> bytes) { pmem_flush(bytes.data(), bytes.size()); }

}  // namespace hdbench::pmem
