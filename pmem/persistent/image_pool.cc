#include "pmem/persistent/image_pool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/base/file_handle.h"
#include "pmem/base/free_room.h"

namespace hdbench::pmem {
namespace {

constexpr std::size_t kHeadBytes = 4096;

Result<ImageFile> look_at(const std::filesystem::path& path, const std::filesystem::path& root) {
  HDB_ASSIGN(const OpenFile file, open_file(path));
  struct stat status = {};
  if (::fstat(file.handle.descriptor(), &status) != 0) {
    return file_error(path, "cannot ask for its time", errno);
  }
  std::array<std::byte, kHeadBytes> head;
  const auto looked_at = std::span(head).first(std::min(kHeadBytes, file.bytes));
  HDB_TRY(read_fully(file.handle, 0, looked_at, path));
  ImageFile found;
  found.path = path.lexically_relative(root).string();
  found.bytes = file.bytes;
  found.modified_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  found.head_hash = hash_of(looked_at);
  return found;
}

constexpr std::string_view kSuffix = ".pool";

struct PoolFile {
  std::filesystem::path path;
  std::uint64_t generation = 0;
};

std::string prefix_of(const std::filesystem::path& database) {
  const std::string path = database.string();
  return fmt::format("hdbench-{:016x}-", hash_of(std::as_bytes(std::span(path))));
}

// Newest first.
std::vector<PoolFile> pools_in(const std::filesystem::path& directory, const std::string& prefix) {
  std::vector<PoolFile> pools;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(directory, failed)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(kSuffix)) continue;
    std::error_code ignored;
    if (entry.is_symlink(ignored) || !entry.is_regular_file(ignored)) continue;
    PoolFile pool{entry.path(), 0};
    const char* end = name.data() + name.size() - kSuffix.size();
    const auto parsed = std::from_chars(name.data() + prefix.size(), end, pool.generation);
    if (parsed.ec == std::errc() && parsed.ptr == end) pools.push_back(std::move(pool));
  }
  std::sort(pools.begin(), pools.end(),
            [](const PoolFile& a, const PoolFile& b) { return a.generation > b.generation; });
  return pools;
}

// One program at a time looks, loads and removes here; waiting for another's load would look like
// hanging.
Result<FileHandle> lock_directory(const std::filesystem::path& directory) {
  FileHandle handle(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!handle.is_open()) return file_error(directory, "cannot open", errno);
  if (::flock(handle.descriptor(), LOCK_EX | LOCK_NB) == 0) return handle;
  if (errno != EWOULDBLOCK) return file_error(directory, "cannot lock", errno);
  return data_error(
      fmt::format("{}: another hdbench keeps a database here at this moment", directory.string()));
}

Status remove_pool(const std::filesystem::path& path) {
  std::error_code failed;
  std::filesystem::remove(path, failed);
  if (failed) return data_error(fmt::format("{}: {}", path.string(), failed.message()));
  return ok_status();
}

std::string describe(const KeptImage& kept) {
  std::uint64_t bytes = 0;
  for (const ImageFile& file : kept.image.files) bytes += file.bytes;
  return fmt::format("{} (generation {}, {} files, {:.1f} MB)", kept.pool.string(),
                     kept.image.generation, kept.image.files.size(),
                     static_cast<double>(bytes) / 1e6);
}

// The newest sealed pool and what was wrong with newer ones. Pools that are no image are removed.
struct Found {
  std::optional<KeptImage> kept;
  std::uint64_t generation_max = 0;
  std::string why;
};

Result<Found> find_image(const std::vector<PoolFile>& pools) {
  Found found;
  for (const PoolFile& pool : pools) {
    found.generation_max = std::max(found.generation_max, pool.generation);
    if (found.kept) continue;
    std::error_code failed;
    const bool empty = std::filesystem::file_size(pool.path, failed) == 0 && !failed;
    PersistentRegion mapped;
    if (!empty) {
      HDB_ASSIGN(mapped, open_persistent(pool.path));
    }
    auto image = read_image(mapped.region.bytes);
    if (!image.ok() && !may_be_pool(mapped.region.bytes)) {
      return data_error(fmt::format("{}: is no pool of hdbench's, but has the name of one: move it",
                                    pool.path.string()));
    }
    if (image.ok()) {
      found.kept = KeptImage{std::move(*image), std::move(mapped.region), pool.path, {}};
      continue;
    }
    found.why = fmt::format("generation {} was {}", pool.generation, image.error().message);
    HDB_TRY(remove_pool(pool.path));
  }
  return found;
}

ImageSource source_of(const std::filesystem::path& database, const std::vector<ImageFile>& files) {
  ImageSource source;
  source.read = [database](const ImageFile& file, std::uint64_t offset,
                           std::span<std::byte> piece) -> Status {
    HDB_ASSIGN(const OpenFile opened, open_file(database / file.path));
    return read_fully(opened.handle, offset, piece, database / file.path);
  };
  source.unchanged = [database, files]() -> Status {
    HDB_ASSIGN(const auto now, list_database_files(database));
    if (same_files(now, files)) return ok_status();
    return data_error(fmt::format("{}: changed while it was loaded", database.string()));
  };
  return source;
}

Result<KeptImage> load_image(const AppDirectPlace& place, const std::filesystem::path& database,
                             std::vector<ImageFile> files, const PoolFile& target) {
  const std::size_t bytes = lay_out(files);
  HDB_TRY(require_room_on_disk(place.directory, bytes));
  if (place.in_memory) HDB_TRY(require_memory(place.directory.string(), bytes));
  HDB_ASSIGN(PersistentRegion mapped, open_persistent(target.path, bytes));
  LibpmemWriter persist;
  const Status written = write_image(mapped.region.bytes, files, target.generation,
                                     source_of(database, files), persist);
  if (!written.ok()) {
    HDB_TRY(remove_pool(target.path));
    return written.error();
  }
  HDB_ASSIGN(Image image, read_image(mapped.region.bytes));
  return KeptImage{std::move(image), std::move(mapped.region), target.path, {}};
}

std::filesystem::path whole_path(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).lexically_normal();
}

}  // namespace

Result<std::vector<ImageFile>> list_database_files(const std::filesystem::path& root) {
  std::error_code failed;
  std::vector<std::filesystem::path> paths;
  std::filesystem::recursive_directory_iterator walk(root, failed);
  for (; !failed && walk != std::filesystem::recursive_directory_iterator();
       walk.increment(failed)) {
    std::error_code ignored;
    if (walk->is_regular_file(ignored)) paths.push_back(walk->path());
  }
  if (failed) return data_error(fmt::format("{}: {}", root.string(), failed.message()));
  std::sort(paths.begin(), paths.end());
  std::vector<ImageFile> files;
  for (const std::filesystem::path& path : paths) {
    HDB_ASSIGN(ImageFile file, look_at(path, root));
    files.push_back(std::move(file));
  }
  return files;
}

Result<KeptImage> keep_image(const AppDirectPlace& place, const std::filesystem::path& database) {
  HDB_ASSIGN(const FileHandle lock, lock_directory(place.directory));
  std::error_code failed;
  const std::filesystem::path root = std::filesystem::canonical(database, failed);
  if (failed) return data_error(fmt::format("{}: {}", database.string(), failed.message()));
  HDB_ASSIGN(std::vector<ImageFile> files, list_database_files(root));

  const std::string prefix = prefix_of(root);
  const std::vector<PoolFile> pools = pools_in(place.directory, prefix);
  HDB_ASSIGN(Found found, find_image(pools));
  if (found.kept && same_files(found.kept->image.files, files)) {
    found.kept->note = "reused " + describe(*found.kept);
    if (!found.why.empty()) found.kept->note += ": " + found.why;
    return std::move(*found.kept);
  }
  if (found.kept && found.why.empty()) {
    found.why =
        fmt::format("the database has changed since generation {}", found.kept->image.generation);
  }
  const std::uint64_t generation = found.generation_max + 1;
  HDB_ASSIGN(KeptImage kept,
             load_image(place, root, std::move(files),
                        {place.directory / fmt::format("{}{}{}", prefix, generation, kSuffix),
                         generation}));
  // The new file's name has to be there before the old file goes.
  if (::fsync(lock.descriptor()) != 0) return file_error(place.directory, "cannot sync", errno);
  for (const PoolFile& pool : pools) HDB_TRY(remove_pool(pool.path));
  kept.note = fmt::format("{} {}{}{}", found.why.empty() ? "loaded" : "redone", describe(kept),
                          found.why.empty() ? "" : ": ", found.why);
  return kept;
}

ImageStore::ImageStore(KeptImage kept, const std::filesystem::path& database,
                       std::shared_ptr<Store> other)
    : kept_(std::move(kept)),
      root_(whole_path(database / ".")),
      other_(std::move(other)),
      is_checked_(std::make_unique<std::atomic<bool>[]>(kept_.image.files.size())) {
  for (std::size_t i = 0; i < kept_.image.files.size(); ++i) {
    index_of_.emplace(kept_.image.files[i].path, i);
  }
}

Result<Mapping> ImageStore::map(const std::filesystem::path& path) {
  const auto found = index_of_.find(whole_path(path).lexically_relative(root_).string());
  if (found == index_of_.end()) return other_->map(path);
  const ImageFile& file = kept_.image.files[found->second];
  if (file.bytes == 0) return Mapping{};
  const std::span<const std::byte> bytes = kept_.region.bytes.subspan(file.offset, file.bytes);
  std::atomic<bool>& is_checked = is_checked_[found->second];
  if (!is_checked.load(std::memory_order_relaxed)) {
    if (hash_of(bytes) != file.data_hash) {
      return data_error(fmt::format("{}: {} is not what was written: remove the pool",
                                    kept_.pool.string(), file.path));
    }
    is_checked.store(true, std::memory_order_relaxed);
  }
  return Mapping{bytes, live_.add({bytes, kept_.region.keep_alive, {}, -1})};
}

}  // namespace hdbench::pmem
