// A store that forwards each column to its own store, and all others to a common one.
//
// Columns are identified by file name: `bid` of every partition and table, with its companions
// `bid#` and `bid##`. The store of each region is remembered while the region is held, so that
// copies and read-ahead use that medium's way.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "engine/base/store.h"

namespace hdbench::pmem {

class PlacedStore final : public Store {
 public:
  using ByColumn = std::map<std::string, std::shared_ptr<Store>>;

  PlacedStore(std::shared_ptr<Store> rest, ByColumn by_column);
  ~PlacedStore() override;

  Result<Mapping> map(const std::filesystem::path& path) override;
  bool takes_maps() const override { return rest_->takes_maps(); }
  // Bytes of no particular column belong to the rest.
  Result<Region> allocate(std::size_t bytes) override { return rest_->allocate(bytes); }
  Result<Region> allocate_for(const std::filesystem::path& column, std::size_t bytes) override;
  void copy_in(std::byte* destination, std::span<const std::byte> source) override;
  bool will_need(std::span<const std::byte> bytes) override;

 private:
  class Owners;

  // Null: the rest's.
  Store* placed(const std::filesystem::path& column) const;
  Store& owner_of(const std::byte* address) const;

  std::shared_ptr<Store> rest_;
  ByColumn by_column_;
  std::shared_ptr<Owners> owners_;
};

}  // namespace hdbench::pmem
