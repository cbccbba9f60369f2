#include "pmem/nvme_store.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

#include "pmem/file_handle.h"
#include "pmem/mapped_memory.h"
#include "pmem/scratch_file.h"

namespace hdbench {
namespace {

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

bool page_is_resident(const std::byte* address) {
  auto* page =
      const_cast<std::byte*>(address) - reinterpret_cast<std::uintptr_t>(address) % page_bytes();
  unsigned char state = 0;
  return ::mincore(page, 1, &state) == 0 && (state & 1U) != 0;
}

}  // namespace

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

bool NvmeStore::will_need(std::span<const std::byte> bytes) {
  // The kernel reads and drops neighbouring pages together, so the first and the last one tell.
  // Asking for all of them would cost a warm query some per cent.
  if (bytes.empty()) return false;
  const auto lead = reinterpret_cast<std::uintptr_t>(bytes.data()) % page_bytes();
  const bool is_one_page = lead + bytes.size() <= page_bytes();
  if (page_is_resident(&bytes.back()) && (is_one_page || page_is_resident(&bytes.front())))
    return false;
  ::madvise(const_cast<std::byte*>(bytes.data()) - lead, bytes.size() + lead, MADV_WILLNEED);
  return true;
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
