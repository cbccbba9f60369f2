// What `hdbench advise` and `hdbench predict` find, as they write it with --out and the report
// reads it: the fields of the JSON have these names, the setting's beside the others.
//
// What is read is sound: as many figures as there are tiers and media, times and prices from 0 on.
// Fields that are not known are ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/model/axes.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// What was run, and where.
struct ForecastSetting {
  std::string version;
  std::string commit;
  std::string machine;  // in words
  std::string database;
  Layout layout = Layout::kPartitioned;
  AttrUse attr = AttrUse::kNone;
  Mode mode = Mode::k40;
  std::size_t threads = 0;
  Codes codes = Codes::kStored;
};

// A memory or disk that one may buy (bench/advise/tiers.h).
struct Tier {
  std::string name;
  std::string medium;
  std::optional<std::uint64_t> capacity_bytes;
  double price_per_gb = 0;  // of a currency of the user's, for 10^9 bytes
  double price_once = 0;    // where any of it is used
  std::string source;
};

struct PlacedTier : Tier {
  std::uint64_t bytes = 0;  // that are placed there
  double price = 0;         // of these
};

struct PlacedColumn {
  std::string table;
  std::string column;  // of newest partitions "bid@last20"
  std::uint64_t bytes = 0;
  std::size_t tier = 0;  // its place in the list of tiers
};

struct AdvisedQuery {
  int query = 0;
  std::string name;
  double weight = 1;
  double dram_ms = 0;
  double placed_ms = 0;                    // replayed
  std::optional<double> measured_dram_ms;  // where the advice was run
  std::optional<double> measured_ms;
};

struct FrontierPoint {
  double slowdown = 0;  // of all queries by weight, as the integer programme reckons
  double price = 0;
  std::vector<std::uint64_t> bytes;  // by tier
};

struct Advice {
  std::string file;  // as it was named; empty: of none
  ForecastSetting setting;
  struct Asked {
    std::optional<double> slowdown;  // one of the two
    std::optional<double> budget;
    std::size_t newest = 0;
    double times = 1;
  } asked;
  std::vector<PlacedTier> tiers;
  std::vector<PlacedColumn> columns;
  std::vector<AdvisedQuery> queries;
  double dram_ms = 0;  // of all queries by weight
  double placed_ms = 0;
  double slowdown = 0;  // 0.15: so much longer, replayed
  double price = 0;
  double dram_price = 0;                // of everything in DRAM
  std::vector<FrontierPoint> frontier;  // from the dearest to the cheapest
  struct Run {                          // the flags that run it
    std::string medium;
    std::vector<std::string> places;
  } run;
};

// Milliseconds; the parts add up to the whole.
struct PredictedTime {
  std::string medium;
  double ms = 0;  // the median of the recorded runs
  double low_ms = 0;
  double high_ms = 0;
  double work_ms = 0;
  double bandwidth_ms = 0;
  double latency_ms = 0;
  double waiting_ms = 0;
};

struct PredictedQuery {
  int query = 0;
  std::string name;
  std::uint64_t rows_out = 0;     // of what was recorded
  std::vector<PredictedTime> on;  // by medium
};

struct Prediction {
  std::string file;
  ForecastSetting setting;
  struct Size {  // of the largest table
    double rows = 0;
    double partitions = 0;
  } recorded;
  struct Asked : Size {
    std::optional<double> columns;
    std::size_t users = 1;
    std::size_t cpus = 0;    // 0: as many as a user's threads
    double beside_gb_s = 0;  // other work's reads
  } asked;
  struct Memory {                                // the machine's own, as it was measured
    std::vector<std::vector<double>> read_gb_s;  // pairs of threads and GB/s
    double chase_ns = 0;
    std::uint64_t cache_bytes = 0;
  } host;
  std::vector<std::string> media;
  std::vector<PredictedQuery> queries;
  std::vector<std::string> extrapolated;  // what was not measured, a line each
};

constexpr std::string_view kAdviceFormat = "hdbench-advice-1";
constexpr std::string_view kPredictionFormat = "hdbench-prediction-1";
// Longer files are neither, and no device profile.
constexpr std::size_t kForecastBytesMax = std::size_t{32} << 20;

std::string to_json_text(const Advice& advice);
std::string to_json_text(const Prediction& prediction);

// Errors: kData: file, field, found, expected.
Result<Advice> parse_advice(std::string_view text, const std::string& file);
Result<Prediction> parse_prediction(std::string_view text, const std::string& file);

// What a document says that it is. A device profile (pmem/emulator/device_profile.h) is known by
// any of the fields that it alone has; all else, and text that is no JSON, is kOther.
enum class DocumentKind { kAdvice, kPrediction, kProfile, kOther };
DocumentKind document_kind(std::string_view text);

}  // namespace hdbench::bench
