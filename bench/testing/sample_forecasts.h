// An advice, a prediction and a device profile for the report's tests, as their files have them.
#pragma once

#include <string>

#include "bench/report/views/forecast_view.h"
#include "engine/base/catch.h"

namespace hdbench::bench {

// Three tiers of which the file names the cheapest first; 3 GB in all.
inline std::string sample_advice_json() {
  return R"({"format": "hdbench-advice-1", "version": "1", "commit": "c", "machine": "a <CPU>",
    "database": "db", "layout": "partitioned", "attr": "parted", "mode": "4.0", "threads": 2,
    "codes": "stored", "asked": {"slowdown": 0.15, "budget": null, "newest": 0, "times": 1.0},
    "tiers": [
      {"name": "NVMe", "medium": "nvme:nvme-p5510", "capacity_bytes": null, "price_per_gb": 0.5,
       "price_once": 0.0, "source": "a list", "bytes": 2000000000, "price": 1.0},
      {"name": "DRAM", "medium": "dram", "capacity_bytes": 8000000000, "price_per_gb": 30.0,
       "price_once": 0.0, "source": "a <list>", "bytes": 1000000000, "price": 30.0}],
    "columns": [{"table": "t", "column": "a", "bytes": 1000000000, "tier": 1},
                {"table": "t", "column": "b", "bytes": 1000000000, "tier": 0},
                {"table": "u", "column": "c", "bytes": 1000000000, "tier": 0}],
    "queries": [{"query": 7, "name": "a <name>", "weight": 1.0, "dram_ms": 10.0, "placed_ms": 11.0,
                 "measured_dram_ms": 10.5, "measured_ms": 12.5}],
    "dram_ms": 10.0, "placed_ms": 11.0, "slowdown": 0.1, "price": 31.0, "dram_price": 90.0,
    "frontier": [{"slowdown": 0.0, "price": 90.0, "bytes": [0, 3000000000]},
                 {"slowdown": 0.4, "price": 1.5, "bytes": [3000000000, 0]}],
    "run": {"medium": "nvme:nvme-p5510", "places": ["t.a=dram"]}})";
}

// Of one query on two media.
inline std::string sample_prediction_json() {
  return R"({"format": "hdbench-prediction-1", "version": "1", "commit": "c", "machine": "a <CPU>",
    "database": "db", "layout": "partitioned", "attr": "none", "mode": "4.0", "threads": 2,
    "codes": "stored", "recorded": {"rows": 1000.0, "partitions": 2.0},
    "asked": {"rows": 5000.0, "partitions": 10.0, "columns": null, "users": 1, "cpus": 0,
              "beside_gb_s": 0.0},
    "host": {"read_gb_s": [[1.0, 30.0], [2.0, 35.5]], "chase_ns": 170.0, "cache_bytes": 33554432},
    "media": ["dram", "cxl:cxl-cz122"],
    "queries": [{"query": 7, "name": "a <name>", "rows_out": 3, "on": [
      {"medium": "dram", "ms": 10.0, "low_ms": 9.0, "high_ms": 11.0, "work_ms": 8.0,
       "bandwidth_ms": 1.0, "latency_ms": 0.0, "waiting_ms": 1.0},
      {"medium": "cxl:cxl-cz122", "ms": 40.0, "low_ms": 39.0, "high_ms": 41.5, "work_ms": 8.0,
       "bandwidth_ms": 30.0, "latency_ms": 1.0, "waiting_ms": 1.0}]}],
    "extrapolated": ["the rows are <five> times those recorded"]})";
}

inline std::string sample_profile_json() {
  return R"({"name": "card", "about": "a <card>", "kind": "memory",
    "granularity": {"bytes": 64, "source": "S1"},
    "latency": {"read_random": {"ns": 300, "source": "S2"}},
    "bandwidth": {"read": {"sequential": {"points": [[1, 10], [4, 27]], "source": "S3"}},
                  "write": {"sequential": {"gb_s": 20, "source": "S4 <b>"}}},
    "mix": {"points": [[0, 20], [1, 27]], "source": "S5"}})";
}

inline Forecasts sample_forecasts() {
  Forecasts forecasts;
  forecasts.advice = {*parse_advice(sample_advice_json(), "a.json")};
  forecasts.predictions = {*parse_prediction(sample_prediction_json(), "p.json")};
  forecasts.profiles = {*parse_profile(sample_profile_json(), "card.json")};
  return forecasts;
}

}  // namespace hdbench::bench
