// Advice as text and as JSON.
//
// The JSON's fields: format "hdbench-advice-1"; version, commit; machine; database; layout, attr,
// mode, threads, codes; asked {slowdown budget newest times}: null where not asked; tiers [name
// medium capacity_bytes price_per_gb price_once source bytes price], as in their file; columns
// [table column bytes tier], the tier by number, a column of newest partitions "bid@last20";
// queries [query name weight dram_ms placed_ms measured_ms], measured_ms: of --verify, else null;
// dram_ms, placed_ms: of all by weight; slowdown; price, dram_price; frontier [slowdown price
// bytes], bytes by tier; run {medium places}: the flags that run it.
#pragma once

#include <string>

#include "bench/advise/advice.h"
#include "bench/base/layers.h"

namespace hdbench::bench {

// The first sentence is the recommendation.
std::string advice_text(const Advice& advice);
std::string advice_json(const Advice& advice);

}  // namespace hdbench::bench
