#include <fmt/format.h>
#include <libpmem.h>

#include <memory>

#include "pmem/persistent.h"

namespace hdbench {

const char* persistent_absence() { return nullptr; }

Result<PersistentRegion> map_persistent(const std::filesystem::path& directory, std::size_t bytes) {
  if (bytes == 0) return PersistentRegion{};
  std::size_t mapped_bytes = 0;
  int is_pmem = 0;
  void* address = pmem_map_file(directory.c_str(), bytes, PMEM_FILE_CREATE | PMEM_FILE_TMPFILE,
                                0600, &mapped_bytes, &is_pmem);
  if (address == nullptr) {
    return data_error(
        fmt::format("{}: cannot map {} bytes: {}", directory.string(), bytes, pmem_errormsg()));
  }
  const std::shared_ptr<void> owner(
      address, [mapped_bytes](void* mapped) { pmem_unmap(mapped, mapped_bytes); });
  return PersistentRegion{{{static_cast<std::byte*>(address), bytes}, owner}, is_pmem != 0};
}

void copy_persistent(std::byte* destination, std::span<const std::byte> source) {
  pmem_memcpy(destination, source.data(), source.size(),
              PMEM_F_MEM_NONTEMPORAL | PMEM_F_MEM_NODRAIN);
}

void drain_persistent() { pmem_drain(); }

Status sync_persistent(std::span<const std::byte> bytes) {
  if (bytes.empty() || pmem_msync(bytes.data(), bytes.size()) == 0) return ok_status();
  return data_error(fmt::format("pmem_msync of {} bytes: {}", bytes.size(), pmem_errormsg()));
}

}  // namespace hdbench
