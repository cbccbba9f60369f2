// Device DAX (/dev/daxX.Y in devdax mode): memory as a device for mmap, without files.
//
// The whole device is mapped once, shared and with MAP_SYNC if the kernel supports it. Regions are
// allocated from it and reused when freed. The previous contents are overwritten and nothing is
// kept after the run, so a device is used only when it is named.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "engine/base/file_handle.h"
#include "engine/base/result.h"
#include "pmem/base/region_source.h"
#include "pmem/machine/nvdimm.h"

namespace hdbench::pmem {

// Opens a device for reading and writing. Errors: kData, naming the path.
using DeviceOpener = std::function<Result<FileHandle>(const std::filesystem::path& device)>;
// A character device that no other hdbench uses.
Result<FileHandle> open_dax_device(const std::filesystem::path& device);

class DeviceDax : public std::enable_shared_from_this<DeviceDax> {
 public:
  // Errors: kData: the kernel lists no such DAX device, it is in system-ram mode, smaller than its
  // own alignment, or cannot be mapped.
  static Result<std::shared_ptr<DeviceDax>> open(const std::filesystem::path& device,
                                                 const std::filesystem::path& sysfs,
                                                 const DeviceOpener& opener = open_dax_device);
  ~DeviceDax();
  DeviceDax(const DeviceDax&) = delete;
  DeviceDax& operator=(const DeviceDax&) = delete;

  const DaxDevice& about() const { return about_; }

  // Zero-filled, aligned to 2 MiB. Thread-safe. Errors: kData: no space of that size in one piece,
  // with both figures.
  Result<Region> take(std::size_t bytes);

 private:
  struct Rooms;
  DeviceDax(DaxDevice about, FileHandle file, void* address);

  DaxDevice about_;
  FileHandle file_;
  void* address_;
  std::unique_ptr<Rooms> rooms_;
};

}  // namespace hdbench::pmem
