#include "pmem/media/placed_store.h"

#include <mutex>
#include <shared_mutex>
#include <utility>

namespace hdbench::pmem {

// Which bytes of placed columns are held, and whose they are.
class PlacedStore::Owners : public std::enable_shared_from_this<Owners> {
 public:
  // A keep-alive around the bytes' own, which forgets the owner before the bytes themselves go.
  std::shared_ptr<const void> add(std::span<const std::byte> bytes, Store* store,
                                  std::shared_ptr<const void> keep_alive) {
    const std::unique_lock lock(mutex_);
    by_begin_[bytes.data()] = {bytes.data() + bytes.size(), store};
    return {bytes.data(), [owners = shared_from_this(),
                           keep_alive = std::move(keep_alive)](const std::byte* begin) {
              const std::unique_lock forgetting(owners->mutex_);
              owners->by_begin_.erase(begin);
            }};
  }
  // Null: none of them.
  Store* find(const std::byte* address) const {
    const std::shared_lock lock(mutex_);
    auto after = by_begin_.upper_bound(address);
    if (after == by_begin_.begin()) return nullptr;
    const Owned& owned = std::prev(after)->second;
    return address < owned.end ? owned.store : nullptr;
  }

 private:
  struct Owned {
    const std::byte* end = nullptr;
    Store* store = nullptr;
  };
  mutable std::shared_mutex mutex_;
  std::map<const std::byte*, Owned> by_begin_;
};

PlacedStore::PlacedStore(std::shared_ptr<Store> rest, ByColumn by_column)
    : rest_(std::move(rest)),
      by_column_(std::move(by_column)),
      owners_(std::make_shared<Owners>()) {}

PlacedStore::~PlacedStore() = default;

Store* PlacedStore::placed(const std::filesystem::path& column) const {
  std::string name = column.filename().string();
  while (name.ends_with('#')) name.pop_back();
  const auto found = by_column_.find(name);
  return found == by_column_.end() ? nullptr : found->second.get();
}

Store& PlacedStore::owner_of(const std::byte* address) const {
  Store* const owner = owners_->find(address);
  return owner != nullptr ? *owner : *rest_;
}

Result<Mapping> PlacedStore::map(const std::filesystem::path& path) {
  Store* const store = placed(path);
  if (store == nullptr) return rest_->map(path);
  HDB_ASSIGN(Mapping mapping, store->map(path));
  if (mapping.bytes.empty()) return mapping;
  mapping.keep_alive = owners_->add(mapping.bytes, store, std::move(mapping.keep_alive));
  return mapping;
}

Result<Region> PlacedStore::allocate_for(const std::filesystem::path& column, std::size_t bytes) {
  Store* const store = placed(column);
  if (store == nullptr) return rest_->allocate_for(column, bytes);
  HDB_ASSIGN(Region region, store->allocate_for(column, bytes));
  if (region.bytes.empty()) return region;
  region.keep_alive = owners_->add(region.bytes, store, std::move(region.keep_alive));
  return region;
}

void PlacedStore::copy_in(std::byte* destination, std::span<const std::byte> source) {
  owner_of(destination).copy_in(destination, source);
}

bool PlacedStore::will_need(std::span<const std::byte> bytes) {
  return !bytes.empty() && owner_of(bytes.data()).will_need(bytes);
}

}  // namespace hdbench::pmem
