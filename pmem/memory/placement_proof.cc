#include "pmem/memory/placement_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "pmem/base/region_source.h"

namespace hdbench::pmem {
namespace {

std::string nodes_text(const std::vector<int>& nodes) {
  return fmt::format("{} {}", nodes.size() == 1 ? "node" : "nodes", fmt::join(nodes, ", "));
}

std::string claim_text(const PlacementClaim& claim) {
  const std::string where = nodes_text(claim.nodes);
  if (claim.nodes.size() < 2 || claim.weights.empty()) return "every page on " + where;
  return fmt::format("pages {} over {}", fmt::join(claim.weights, ":"), where);
}

Status check_nodes(const PlacementClaim& claim, const PageCensus& census) {
  PageCensus elsewhere = census;
  for (const int node : claim.nodes) elsewhere.by_node.erase(node);
  if (elsewhere.by_node.empty()) return ok_status();
  return data_error(fmt::format("{}: expected {}, found {}", claim.medium, nodes_text(claim.nodes),
                                describe(elsewhere)));
}

// The kernel deals out pages in rounds, huge ones at once: what a round's end leaves over is no
// fault.
Status check_weights(const PlacementClaim& claim, const PageCensus& census) {
  if (claim.weights.size() < 2) return ok_status();
  const auto sum = std::accumulate(claim.weights.begin(), claim.weights.end(), 0.0);
  const auto present = static_cast<double>(census.pages_present());
  const double round_pages = sum * static_cast<double>(kHugePageBytes) / kRegionAlignment;
  for (std::size_t i = 0; i < claim.nodes.size(); ++i) {
    const auto found = census.by_node.find(claim.nodes[i]);
    const double pages = found == census.by_node.end() ? 0 : static_cast<double>(found->second);
    const double expected = present * claim.weights[i] / sum;
    if (std::abs(pages - expected) <= present / 20 + round_pages) continue;
    return data_error(fmt::format("{}: expected {} over {}, found {}", claim.medium,
                                  fmt::join(claim.weights, ":"), nodes_text(claim.nodes),
                                  describe(census)));
  }
  return ok_status();
}

// Of pages that lie on a node; those elsewhere than promised have been an error before.
void take_census(PlacementProof& proof, PageCensus census) {
  proof.how = "move_pages";
  proof.bytes_total = proof.bytes_where_promised = census.pages_present() * kRegionAlignment;
  proof.pages = std::move(census);
}

}  // namespace

std::string describe(const PlacementProof& proof) {
  if (!proof.parts.empty()) {
    std::vector<std::string> parts;
    for (const PlacementProof& part : proof.parts) {
      parts.push_back(fmt::format("{}: {}", part.part, describe(part)));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
  }
  std::string text = proof.claim;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ": ") + part; };
  if (!proof.unknown.empty()) {
    add(proof.unknown);
  } else if (proof.pages.pages_total > 0) {
    add(describe(proof.pages));
  } else if (proof.bytes_total > 0) {
    add(fmt::format("{} of {} bytes by {}", proof.bytes_where_promised, proof.bytes_total,
                    proof.how));
  }
  if (proof.bytes_in_huge_pages && proof.bytes_total > 0) {
    add(fmt::format("{:.0f} % in huge pages", 100 *
                                                  static_cast<double>(*proof.bytes_in_huge_pages) /
                                                  static_cast<double>(proof.bytes_total)));
  }
  if (proof.is_pmem) add(*proof.is_pmem ? "persistent memory by libpmem" : "not persistent memory");
  return text.empty() ? "nothing is held" : text;
}

PlacementProof count_placement(const ByteSpans& spans, const PageLocator& locate) {
  PlacementProof proof;
  auto census = count_pages(spans, locate);
  if (census.ok()) {
    take_census(proof, std::move(*census));
  } else {
    proof.unknown = census.error().message;
  }
  return proof;
}

ByteSpans spans_of(const std::vector<std::shared_ptr<const TrackedMapping>>& held) {
  ByteSpans spans;
  for (const auto& one : held) spans.push_back(one->bytes);
  return spans;
}

Result<PlacementProof> prove_placement(const PlacementClaim& claim, const ByteSpans& spans,
                                       const PageLocator& locate) {
  PlacementProof proof;
  proof.claim = claim_text(claim);
  auto census = count_pages(spans, locate);
  if (!census.ok()) return data_error(claim.medium + ": " + census.error().message);
  HDB_TRY(check_nodes(claim, *census));
  HDB_TRY(check_weights(claim, *census));
  take_census(proof, std::move(*census));
  return proof;
}

Result<PlacementProof> prove_if_told(const PlacementClaim& claim, const ByteSpans& spans,
                                     const PageLocator& locate) {
  PlacementProof counted = count_placement(spans, locate);
  if (!counted.unknown.empty() || claim.nodes.empty()) return counted;
  return prove_placement(claim, spans, locate);
}

}  // namespace hdbench::pmem
