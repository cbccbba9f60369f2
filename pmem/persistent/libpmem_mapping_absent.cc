#include <cstring>

#include "pmem/persistent/libpmem_mapping.h"

namespace hdbench::pmem {

const char* persistent_absence() {
  return "this build has no libpmem (install libpmem-dev and build again)";
}

Result<PersistentRegion> map_persistent(const std::filesystem::path&, std::size_t) {
  return data_error(persistent_absence());
}

Result<PersistentRegion> open_persistent(const std::filesystem::path&, std::size_t) {
  return data_error(persistent_absence());
}

void copy_persistent(std::byte* destination, std::span<const std::byte> source) {
  std::memcpy(destination, source.data(), source.size());
}

void drain_persistent() {}

void flush_persistent(std::span<const std::byte>) {}

}  // namespace hdbench::pmem
