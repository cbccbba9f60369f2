// The proof of placement: where a medium's bytes were found, page by page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pmem/memory/mapping_registry.h"
#include "pmem/memory/node_pages.h"

namespace hdbench::pmem {

struct PlacementProof {
  std::string claim;              // "every page on node 1"; empty: this medium claims nothing
  PageCensus pages;               // of what the medium holds; empty where it lies on no node
  std::optional<bool> is_pmem;    // by libpmem, for media that map files
  std::string unknown = {};       // why the kernel would not tell the nodes; empty: it did
  std::string how = {};           // what was asked: "move_pages", "mincore", "MAP_SYNC in smaps"
  std::uint64_t bytes_total = 0;  // of what was looked at and lies somewhere
  std::uint64_t bytes_where_promised = 0;            // of them; without a claim, wherever they are
  std::optional<std::uint64_t> bytes_resident = {};  // of a disk's files, by mincore
  // Of anonymous memory, by smaps; nothing where the kernel does not tell.
  std::optional<std::uint64_t> bytes_in_huge_pages = {};
  // For media with columns placed apart: "bid, ask on cxl", and each part's own proof.
  std::string part = {};
  std::vector<PlacementProof> parts = {};
};

// One line for a report: "every page on node 1: 4096 of 4096 pages on node 1".
std::string describe(const PlacementProof& proof);

// A proof that claims nothing: pages counted where the kernel tells.
PlacementProof count_placement(const ByteSpans& spans, const PageLocator& locate = locate_pages);
ByteSpans spans_of(const std::vector<std::shared_ptr<const TrackedMapping>>& held);

// The promise of memory over nodes: pages on these nodes only, in proportion to the weights.
struct PlacementClaim {
  std::string medium;  // for the message
  std::vector<int> nodes;
  std::vector<int> weights;  // one a node, all 1 where they share alike; empty: any proportion
};

// Errors: kData, when a page lies elsewhere ("cxl: expected node 1, found 37 of 4096 pages on node
// 0"), when the proportion is off by more than a twentieth of the pages, or when the kernel does
// not tell.
Result<PlacementProof> prove_placement(const PlacementClaim& claim, const ByteSpans& spans,
                                       const PageLocator& locate = locate_pages);

// As prove_placement(), for memory without a binding: if the kernel does not show the nodes, the
// proof says so and is no error. A claim without nodes claims nothing.
Result<PlacementProof> prove_if_told(const PlacementClaim& claim, const ByteSpans& spans,
                                     const PageLocator& locate = locate_pages);

}  // namespace hdbench::pmem
