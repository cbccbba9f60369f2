// A prediction as a table and as JSON.
//
// The JSON's fields: format "hdbench-prediction-1"; version, commit; machine; database; layout,
// attr, mode, threads, codes; recorded {rows partitions}; asked {rows partitions columns users cpus
// beside_gb_s}; host {read_gb_s [[threads, GB/s]] chase_ns cache_bytes}; media; queries [query name
// rows_out on [medium ms low_ms high_ms work_ms bandwidth_ms latency_ms waiting_ms]];
// extrapolated [text].
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "bench/base/layers.h"
#include "bench/predict/prediction.h"

namespace hdbench::bench {

std::string prediction_text(const Prediction& prediction);
std::string prediction_json(const Prediction& prediction);

}  // namespace hdbench::bench
