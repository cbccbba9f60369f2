// The medium nvme: the database on its disk, mapped through the page cache. Cold and warm are
// distinguished and proved.
//
// The label names what the files really lie on; a tmpfs, an overlay or a network is not called a
// disk.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/store.h"
#include "pmem/machine/mount.h"
#include "pmem/media/medium.h"
#include "pmem/memory/cache_state.h"
#include "pmem/memory/mapping_registry.h"
#include "pmem/readahead/read_ahead_buffers.h"

namespace hdbench::pmem {

// Maps files shared and read-only through the page cache, as kdb+ does.
//
// Keeps track of its live mappings, so that the medium can evict or populate them, and of their
// location, for the label. Passes are read past the page cache, into buffers that are created when
// passes are announced and kept until release_passes().
class NvmeStore final : public Store {
 public:
  // `scratch_dir`: where regions' unnamed files lie.
  explicit NvmeStore(std::filesystem::path scratch_dir) : scratch_dir_(std::move(scratch_dir)) {}

  Result<Mapping> map(const std::filesystem::path& path) override;
  bool takes_maps() const override { return true; }
  Result<Region> allocate(std::size_t bytes) override;
  void copy_in(std::byte* destination, std::span<const std::byte> source) override;
  bool will_need(std::span<const std::byte> bytes) override;
  bool is_in_memory(std::span<const std::byte> bytes) override;
  std::string expect_passes(std::span<const int> cpus) override;
  void release_passes() override;
  // Null, too: while another pass is read.
  std::unique_ptr<PassReader> read_pass(const PassOrder& order) override;

  Held held() const { return live_.live(); }

  // One file of each device that anything was mapped from.
  std::vector<std::filesystem::path> places() const;

 private:
  class BuffersPass;
  // The buffers, while no other pass uses them; null: one does.
  using BuffersUse = std::unique_ptr<NvmeStore, void (*)(NvmeStore*)>;

  BuffersUse use_buffers();
  Status check_scratch();
  void remember_place(int descriptor, const std::filesystem::path& path);

  std::filesystem::path scratch_dir_;
  MappingRegistry live_;
  mutable std::mutex places_mutex_;
  std::map<dev_t, std::filesystem::path> places_;
  std::optional<Status> scratch_checked_;

  // Of one pass at a time. Its memory is kept for the next; a pass that needs more allocates it.
  std::atomic<bool> buffers_in_use_{false};
  std::unique_ptr<ReadAheadBuffers> buffers_;
  std::vector<int> cpus_;   // of expect_passes()
  ShadowMappings shadows_;  // of what passes show something in the place of
};

// Errors: kData, when a scratch directory is named that is none.
Result<std::unique_ptr<Medium>> make_nvme_medium(const MediumOptions& options);

// The label of files on these mounts: the least disk-like mount decides.
struct DiskLabel {
  MountKind kind = MountKind::kOther;
  std::string text;  // "real (ext4 on /dev/vda)"
};
DiskLabel label_disks(const std::vector<Mount>& mounts);

// options.scratch_dir, else the system's temporary directory.
std::filesystem::path scratch_dir_of(const MediumOptions& options);

}  // namespace hdbench::pmem
