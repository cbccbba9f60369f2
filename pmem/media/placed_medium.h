// A medium composed of others: chosen columns each on a medium of their own, the rest together.
//
// Cold applies to the parts on a disk; columns in memory stay there and are not part of the proof.
// Emulated parts share one meter, so that a worker's waits for several devices add up. Results are
// placed on the medium of the rest.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/store.h"
#include "pmem/media/medium.h"

namespace hdbench::pmem {

// Forwards each column to its own store, and all others to a common one.
//
// Columns are identified by file name: `bid` of every partition and table, with its companions
// `bid#` and `bid##`. The store of each region is remembered while the region is held, so that
// copies and read-ahead use that medium's way.
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

// `bid,ask=cxl:cxl-asic-ddr5`.
struct ColumnPlace {
  std::vector<std::string> columns;
  std::string medium;  // a medium's word

  bool operator==(const ColumnPlace&) const = default;
};

// "bid,ask=cxl; col3=dram". Empty: none.
std::string to_text(const std::vector<ColumnPlace>& places);

// The medium of `word` where there are no places. Errors: make_medium()'s, with the columns before
// them. Requires: no column is named twice.
Result<std::unique_ptr<Medium>> make_placed_medium(const std::string& word,
                                                   const std::vector<ColumnPlace>& places,
                                                   const MediumOptions& options);

// The same, for existing media.
struct PlacedPart {
  std::vector<std::string> columns;
  std::unique_ptr<Medium> medium;
};
std::unique_ptr<Medium> compose_media(std::unique_ptr<Medium> rest, std::vector<PlacedPart> parts);

}  // namespace hdbench::pmem
