// What queries take on media that this machine has not, and at another size: recorded once in DRAM,
// replayed for each question.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/predict/query_recordings.h"
#include "bench/results/forecasts.h"
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

// setting: its layout, attr, mode, codes and threads; its medium is dram. Errors: kUsage for a
// medium without a profile that is not dram; those of a session, and of the queries.
Result<Prediction> predict(Session& session, const std::vector<ListedQuery>& queries,
                           const Setting& setting, const PredictionQuestion& question);

}  // namespace hdbench::bench
