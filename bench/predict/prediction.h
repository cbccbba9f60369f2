// What queries take on media that this machine has not, and at another size: recorded once in DRAM,
// replayed for each question.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/predict/query_recordings.h"
#include "bench/run/session.h"

namespace hdbench::bench {

// What is asked: the media, and how the database and its use differ from what is recorded. Absent:
// as they are.
struct PredictionQuestion {
  std::vector<std::string> media;    // words of media: "dram", "cxl:cxl-cz122", "nvme:nvme-p5510"
  std::optional<double> rows;        // of the largest table
  std::optional<double> partitions;  // of it
  std::size_t users = 1;             // that ask each query at once
  std::size_t cpus = 0;              // 0: as many as threads
  std::size_t repetitions = 5;
};

// Milliseconds; the parts add up to the whole.
struct PredictedTime {
  double ms = 0;  // the median of the recorded runs
  double low_ms = 0;
  double high_ms = 0;
  double work_ms = 0;
  double bandwidth_ms = 0;
  double latency_ms = 0;
  double waiting_ms = 0;
};

struct PredictedQuery {
  int id = 0;
  std::uint64_t rows_out = 0;     // of what was recorded
  std::vector<PredictedTime> on;  // by medium
};

struct Prediction {
  HostMemory host;
  std::vector<std::string> media;
  SizeFactors size;
  std::vector<PredictedQuery> queries;
  std::vector<std::string> extrapolated;  // what was not measured, a line each
};

// setting: its layout, attr, mode, codes and threads; its medium is dram. Errors: kUsage for a
// medium without a profile that is not dram; those of a session, and of the queries.
Result<Prediction> predict(Session& session, const std::vector<ListedQuery>& queries,
                           const Setting& setting, const PredictionQuestion& question);

}  // namespace hdbench::bench
