// A medium composed of others: chosen columns each on a medium of their own, the rest together.
//
// Cold applies to the parts on a disk; columns in memory stay there and are not part of the proof.
// Emulated parts share one meter, so that a worker's waits for several devices add up. Results are
// placed on the medium of the rest.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/base/store.h"
#include "pmem/media/column_choice.h"
#include "pmem/media/medium.h"

namespace hdbench::pmem {

// Forwards each column to its own store, and all others to a common one.
//
// Columns are identified by their files (column_choice.h). The store of each region is remembered
// while the region is held, so that copies and read-ahead use that medium's way.
class PlacedStore final : public Store {
 public:
  struct Placed {
    ColumnChoice choice;
    std::set<std::string> newest;  // names of its partitions
    std::shared_ptr<Store> store;
  };

  PlacedStore(std::shared_ptr<Store> rest, std::vector<Placed> placed);
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
  Store* store_of(const std::filesystem::path& column) const;
  Store& owner_of(const std::byte* address) const;

  std::shared_ptr<Store> rest_;
  std::vector<Placed> placed_;
  std::shared_ptr<Owners> owners_;
};

// `bid,quote.ask@last20=cxl:cxl-asic-ddr5`.
struct ColumnPlace {
  std::vector<std::string> columns;  // choices (column_choice.h)
  std::string medium;                // a medium's word

  bool operator==(const ColumnPlace&) const = default;
};

// "bid,ask=cxl; col3=dram". Empty: none.
std::string to_text(const std::vector<ColumnPlace>& places);

// The medium of `word` where there are no places. Errors: make_medium()'s, with the columns before
// them. Requires: no column is named twice.
Result<std::unique_ptr<Medium>> make_placed_medium(const std::string& word,
                                                   const std::vector<ColumnPlace>& places,
                                                   const MediumOptions& options);

// The same, for existing media. partitions: their names, rising.
struct PlacedPart {
  std::vector<std::string> columns;
  std::unique_ptr<Medium> medium;
};
std::unique_ptr<Medium> compose_media(std::unique_ptr<Medium> rest, std::vector<PlacedPart> parts,
                                      const std::vector<std::string>& partitions = {});

}  // namespace hdbench::pmem
