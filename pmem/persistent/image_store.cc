#include "pmem/persistent/image_store.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace hdbench::pmem {
namespace {

std::filesystem::path whole_path(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).lexically_normal();
}

}  // namespace

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
