// The best that the database's device can do: reads of its own column files past the page cache
// (O_DIRECT), sequential and random.
//
// Files are opened read-only. Their pages are dropped beforehand (except those that a mapping has
// touched), so call this between cells, before pages are made warm. Caches below the kernel (a
// hypervisor's, a disk's) are invisible, here as in the cells.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/machine/memory_ceilings.h"
#include "engine/base/file_handle.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// The parameters of a kind of read, and its rates.
struct DeviceRead {
  std::size_t block_bytes = 0;
  std::size_t in_flight = 0;  // requests at a time: a thread each
  std::uint64_t bytes = 0;    // of all times together
  std::vector<double> gb_s;

  // Of all times; zeros where there is none.
  CeilingFigure figure() const;
  bool empty() const { return gb_s.empty(); }
};

struct DeviceCeilings {
  std::string device;  // "ext4 on /dev/vda"
  DeviceRead sequential{std::size_t{1} << 20, 8, 0, {}};
  // The same, with each block summed after it was read. Not a ceiling: it shows the cost of reading
  // the bytes. A host that copies for a virtual disk is slower into memory that a CPU has read
  // since.
  DeviceRead summed{std::size_t{1} << 20, 8, 0, {}};
  DeviceRead random{4096, 32, 0, {}};
  std::string reason;  // why nothing was measured; empty where something was

  bool known() const { return !sequential.empty(); }
  bool empty() const { return !known() && reason.empty(); }  // no cell requested it
};

// Once more, onto what was measured before: about two and a half seconds. Only files of a block or
// more count. Where the device cannot be measured (the files are too small, lie in memory, or
// O_DIRECT is refused) the reason is kept. `place`: where files without a name lie; empty: the
// files' own.
void measure_device(const std::vector<std::filesystem::path>& files, DeviceCeilings& ceilings,
                    const std::filesystem::path& place = {});

// A shorter look, in order only, between a placement's cells: a device that others share drifts
// within minutes. Begins at block `first`, and goes on where the look before has ended. Where it
// cannot be measured nothing is added.
void measure_device_round(const std::vector<std::filesystem::path>& files, std::size_t first,
                          DeviceRead& sequential);

// The scratch directory's device, if it is not the database's: a flat table on nvme is a scratch
// file, and its cells are compared with the device of that file. Measured like the database's, on a
// file that is written for it and removed.

// Whether the directory lies on another filesystem or device than the database's column files.
// False without any, or where it is not known.
bool is_other_device(const std::filesystem::path& scratch_dir,
                     const std::vector<std::filesystem::path>& column_files);

// Once more, onto what was measured before: writes half a GiB, then reads it as measure_device()
// does. Where the directory cannot be written, or has no space, the reason is kept.
void measure_scratch_device(const std::filesystem::path& scratch_dir, DeviceCeilings& ceilings);

// An unnamed file with all of its bytes written: nothing remains of it after the process ends, and
// later reads and writes do not include the first allocation.
//
// Written past the page cache where the filesystem can, and synced. The bytes are random: a device
// that packs or recognises what it holds gains nothing by them. Errors: kData: too little space,
// not writable; kUsage "interrupted" once stop is set.
Result<FileHandle> filled_file(const std::filesystem::path& directory, std::uint64_t bytes,
                               const std::atomic<bool>& stop);

}  // namespace hdbench::bench
