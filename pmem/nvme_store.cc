#include "pmem/nvme_store.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

#include "pmem/file_handle.h"
#include "pmem/mapped_memory.h"
#include "pmem/scratch_file.h"

namespace hdbench {

Result<Mapping> NvmeStore::map(const std::filesystem::path& path) {
  HDB_ASSIGN(const OpenFile file, open_file(path));
  if (file.bytes == 0) return Mapping{};
  void* address = ::mmap(nullptr, file.bytes, PROT_READ, MAP_SHARED, file.handle.descriptor(), 0);
  if (address == MAP_FAILED) return file_error(path, "cannot map", errno);
  auto owner = std::make_shared<MappedMemory>(address, file.bytes);
  std::error_code failed;
  const auto absolute = std::filesystem::absolute(path, failed);
  remember_place(file.handle.descriptor(), absolute);
  const auto bytes = owner->bytes();
  return Mapping{bytes, live_.add({bytes, std::move(owner), absolute, -1})};
}

Result<Region> NvmeStore::allocate(std::size_t bytes) {
  if (bytes == 0) return Region{};
  HDB_ASSIGN(const ScratchRegion scratch, make_scratch_region(scratch_dir_, bytes));
  remember_place(scratch.descriptor, scratch_dir_);
  const Region& region = scratch.region;
  return Region{region.bytes, live_.add({region.bytes, region.keep_alive, {}, scratch.descriptor})};
}

void NvmeStore::copy_in(std::byte* destination, std::span<const std::byte> source) {
  if (!source.empty()) std::memcpy(destination, source.data(), source.size());
}

std::vector<std::filesystem::path> NvmeStore::places() const {
  const std::lock_guard lock(places_mutex_);
  std::vector<std::filesystem::path> paths;
  for (const auto& [device, path] : places_) paths.push_back(path);
  return paths;
}

void NvmeStore::remember_place(int descriptor, const std::filesystem::path& path) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) return;
  const std::lock_guard lock(places_mutex_);
  places_.emplace(status.st_dev, path);
}

}  // namespace hdbench
