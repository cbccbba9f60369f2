#include "pmem/persistent/device_dax.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "pmem/base/mapped_memory.h"

namespace hdbench::pmem {
namespace {

Error wrong_device(const std::filesystem::path& device, const std::string& why) {
  return data_error(fmt::format("app-direct: {}: {}", device.string(), why));
}

Result<DaxDevice> find_device(const std::filesystem::path& device,
                              const std::filesystem::path& sysfs) {
  const std::string name = device.filename().string();
  const auto devices = read_dax_devices(sysfs);
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [&](const DaxDevice& one) { return one.name == name; });
  if (found == devices.end()) {
    return wrong_device(device, fmt::format("no DAX device of that name in {}",
                                            (sysfs / "bus/dax/devices").string()));
  }
  if (found->system_ram) {
    return wrong_device(device,
                        fmt::format("in system-ram mode, node {}: use --medium numa:{}, or daxctl "
                                    "reconfigure-device --mode=devdax {}",
                                    found->target_node, found->target_node, name));
  }
  const std::uint64_t unit = std::max<std::uint64_t>(found->align_bytes, kHugePageBytes);
  if (found->bytes < unit) {
    return wrong_device(
        device, fmt::format("{} bytes, expected at least its alignment of {}", found->bytes, unit));
  }
  return *found;
}

// A device wants its own alignment, which mmap does not give to others: it is mapped over addresses
// that are set aside.
Result<void*> map_device(const std::filesystem::path& device, const FileHandle& file,
                         std::size_t bytes, std::size_t alignment) {
  void* const aside = map_aligned(bytes, alignment, PROT_NONE);
  if (aside == MAP_FAILED) return file_error(device, "cannot set addresses aside", errno);
  for (const int flags : {MAP_SHARED_VALIDATE | MAP_SYNC, MAP_SHARED}) {
    if (::mmap(aside, bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED, file.descriptor(), 0) !=
        MAP_FAILED) {
      return aside;
    }
  }
  const int failed = errno;
  ::munmap(aside, bytes);
  return file_error(device, fmt::format("cannot map {} bytes", bytes), failed);
}

}  // namespace

// What is free, by offset; neighbours are always joined.
struct DeviceDax::Rooms {
  std::mutex mutex;
  std::map<std::size_t, std::size_t> free;

  std::optional<std::size_t> take(std::size_t wanted) {
    const std::lock_guard lock(mutex);
    const auto room = std::find_if(free.begin(), free.end(),
                                   [&](const auto& one) { return one.second >= wanted; });
    if (room == free.end()) return std::nullopt;
    const auto [offset, size] = *room;
    free.erase(room);
    if (size > wanted) free.emplace(offset + wanted, size - wanted);
    return offset;
  }

  void give_back(std::size_t offset, std::size_t size) {
    const std::lock_guard lock(mutex);
    auto after = free.upper_bound(offset);
    if (after != free.end() && after->first == offset + size) {
      size += after->second;
      after = free.erase(after);
    }
    if (after != free.begin()) {
      const auto before = std::prev(after);
      if (before->first + before->second == offset) {
        before->second += size;
        return;
      }
    }
    free.emplace(offset, size);
  }

  std::size_t largest() {
    const std::lock_guard lock(mutex);
    std::size_t most = 0;
    for (const auto& [offset, size] : free) most = std::max(most, size);
    return most;
  }
};

Result<FileHandle> open_dax_device(const std::filesystem::path& device) {
  FileHandle file(::open(device.c_str(), O_RDWR | O_CLOEXEC));
  if (!file.is_open()) return file_error(device, "cannot open", errno);
  struct stat status = {};
  if (::fstat(file.descriptor(), &status) != 0 || !S_ISCHR(status.st_mode)) {
    return wrong_device(device, "not a character device");
  }
  if (::flock(file.descriptor(), LOCK_EX | LOCK_NB) != 0) {
    return wrong_device(device, "another program is at it");
  }
  return file;
}

Result<std::shared_ptr<DeviceDax>> DeviceDax::open(const std::filesystem::path& device,
                                                   const std::filesystem::path& sysfs,
                                                   const DeviceOpener& opener) {
  HDB_ASSIGN(DaxDevice about, find_device(device, sysfs));
  HDB_ASSIGN(FileHandle file, opener(device));
  const std::size_t alignment = std::max<std::size_t>(about.align_bytes, kHugePageBytes);
  about.bytes = about.bytes / alignment * alignment;
  HDB_ASSIGN(void* const address, map_device(device, file, about.bytes, alignment));
  return std::shared_ptr<DeviceDax>(new DeviceDax(std::move(about), std::move(file), address));
}

DeviceDax::DeviceDax(DaxDevice about, FileHandle file, void* address)
    : about_(std::move(about)),
      file_(std::move(file)),
      address_(address),
      rooms_(std::make_unique<Rooms>()) {
  rooms_->free.emplace(0, about_.bytes);
}

DeviceDax::~DeviceDax() { ::munmap(address_, about_.bytes); }

Result<Region> DeviceDax::take(std::size_t bytes) {
  if (bytes == 0) return Region{};
  const std::size_t room_bytes = round_up(bytes, kHugePageBytes);
  const auto offset = room_bytes < bytes ? std::nullopt : rooms_->take(room_bytes);
  if (!offset) {
    return data_error(
        fmt::format("app-direct: {} bytes wanted on {}, {} of its {} free in one piece", bytes,
                    about_.name, rooms_->largest(), about_.bytes));
  }
  auto* const begin = static_cast<std::byte*>(address_) + *offset;
  std::memset(begin, 0, room_bytes);
  const std::shared_ptr<const void> held(
      begin, [self = shared_from_this(), offset = *offset, room_bytes](const void*) {
        self->rooms_->give_back(offset, room_bytes);
      });
  return Region{{begin, bytes}, held};
}

}  // namespace hdbench::pmem
