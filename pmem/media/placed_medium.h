// A medium composed of others: chosen columns each on a medium of their own, the rest together.
//
// Cold applies to the parts on a disk; columns in memory stay there and are not part of the proof.
// Emulated parts share one meter, so that a worker's waits for several devices add up. Results are
// placed on the medium of the rest.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pmem/media/medium.h"

namespace hdbench::pmem {

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
