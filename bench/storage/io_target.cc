#include "bench/storage/io_target.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <utility>
#include <vector>

#include "bench/storage/file_calls.h"
#include "engine/base/new_file.h"
#include "pmem/machine/block_device.h"
#include "pmem/machine/mount.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kTriedBytes = 4096;
constexpr std::uint64_t kSectorBytes = 512;

bool grants_map_sync(const FileHandle& file) {
  void* address = ::mmap(nullptr, kTriedBytes, PROT_READ | PROT_WRITE,
                         MAP_SHARED_VALIDATE | MAP_SYNC, file.descriptor(), 0);
  if (address == MAP_FAILED) return false;
  ::munmap(address, kTriedBytes);
  return true;
}

}  // namespace

Result<IoTarget> look_at_target(const std::filesystem::path& target,
                                const std::filesystem::path& scratch) {
  IoTarget seen;
  seen.path = target;
  if (const auto mount = mount_of(read_mounts({}), scratch)) {
    seen.place = describe(*mount);
    seen.filesystem = mount->filesystem;
    seen.mount_options = mount->options;
    seen.device = mount->block_device;
    seen.memory = mount->kind == MountKind::kMemory;
  }
  if (!seen.device.empty()) {
    if (const auto device = read_block_device("/sys", seen.device)) {
      seen.readahead_bytes = device->readahead_bytes;
    }
  }
  const auto path = scratch / "tried";
  {
    HDB_ASSIGN(const FileHandle file, open_for(path, O_RDWR | O_CREAT | O_TRUNC));
    const std::vector<std::byte> page(kTriedBytes);
    HDB_TRY(write_fully(file, page, path));
    seen.dax = grants_map_sync(file);
  }
  seen.direct_io = !seen.memory && open_read_only(path, O_DIRECT).is_open();
  ::unlink(path.c_str());
  return seen;
}

std::optional<std::uint64_t> bytes_written_to(const std::string& device,
                                              const std::filesystem::path& sysfs) {
  if (device.empty()) return std::nullopt;
  // reads, merged, sectors, ms; then the same of writes.
  std::ifstream file(sysfs / "class" / "block" / device / "stat");
  std::uint64_t figures[7] = {};
  for (std::uint64_t& figure : figures) {
    if (!(file >> figure)) return std::nullopt;
  }
  return figures[6] * kSectorBytes;
}

Result<ScratchTrees> ScratchTrees::make(const std::vector<std::filesystem::path>& targets) {
  ScratchTrees trees;
  // First of all: between a directory and its place here nothing may fail.
  trees.paths_.reserve(targets.size());
  trees.directories_.reserve(targets.size());
  for (const auto& target : targets) {
    HDB_ASSIGN(std::filesystem::path name,
               make_new_directory(std::filesystem::absolute(target), "hdbench-io-"));
    FileHandle directory(::open(name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!directory.is_open()) {
      const int error = errno;
      ::rmdir(name.c_str());
      return file_error(name, "cannot be opened", error);
    }
    trees.paths_.push_back(std::move(name));
    trees.directories_.push_back(std::move(directory));
  }
  HDB_ASSIGN(std::unique_ptr<Guard> guard, Guard::start());
  for (const UndoAction& action : trees.undo_actions()) HDB_TRY(guard->add(action));
  trees.guard_ = std::move(guard);
  return trees;
}

// The guard undoes it; without one an error came before, or this was moved from and has none.
ScratchTrees::~ScratchTrees() {
  if (guard_ == nullptr) undo_all(undo_actions());
}

std::vector<UndoAction> ScratchTrees::undo_actions() const {
  std::vector<UndoAction> actions;
  for (std::size_t k = 0; k < directories_.size(); ++k) {
    actions.push_back({Undo::kRemoveTree, paths_[k].string(),
                       fmt::format("/proc/self/fd/{}", directories_[k].descriptor())});
  }
  return actions;
}

}  // namespace hdbench::bench
