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
  std::optional<double> columns;     // of the largest table, the partitions' own among them
  UseOfMachine use;
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
  std::string name;
  std::uint64_t rows_out = 0;     // of what was recorded
  std::vector<PredictedTime> on;  // by medium
};

struct Prediction {
  HostMemory host;
  std::string machine;   // in words
  std::string database;  // its root
  Setting setting;
  PredictionQuestion question;
  double recorded_rows = 0;  // of the largest table
  double recorded_partitions = 1;
  SizeFactors size;
  std::vector<std::string> media;
  std::vector<PredictedQuery> queries;
  std::string question_line;              // what is predicted, in words
  std::vector<std::string> extrapolated;  // what was not measured, a line each

  double asked_partitions() const { return recorded_partitions * size.partitions; }
  double asked_rows() const { return recorded_rows * size.rows * size.partitions; }
};

// setting: its layout, attr, mode, codes and threads; its medium is dram. Errors: kUsage for a
// medium without a profile that is not dram; those of a session, and of the queries.
Result<Prediction> predict(Session& session, const std::vector<ListedQuery>& queries,
                           const Setting& setting, const PredictionQuestion& question);

}  // namespace hdbench::bench
