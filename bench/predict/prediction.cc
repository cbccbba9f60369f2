#include "bench/predict/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/base/progress.h"
#include "bench/base/statistics.h"
#include "bench/run/placement_notes.h"

namespace hdbench::bench {
namespace {

// A size is said of the table with most rows.
SizeFactors size_factors(const std::vector<const Table*>& tables,
                         const PredictionQuestion& question) {
  double rows = 0;
  double partitions = 1;
  for (const Table* const table : tables) {
    const auto of_table = static_cast<double>(rows_of(*table));
    if (of_table <= rows) continue;
    rows = of_table;
    partitions = static_cast<double>(table->part_count());
  }
  SizeFactors size;
  size.partitions = question.partitions.value_or(partitions) / partitions;
  if (question.rows && rows > 0) size.rows = *question.rows / rows / size.partitions;
  return size;
}

PredictedTime summary(const std::vector<ReplayTimes>& times) {
  std::vector<double> totals;
  for (const ReplayTimes& one : times) totals.push_back(one.total_ns);
  const double middle = median(totals);
  const auto nearest =
      std::min_element(times.begin(), times.end(), [&](const ReplayTimes& a, const ReplayTimes& b) {
        return std::abs(a.total_ns - middle) < std::abs(b.total_ns - middle);
      });
  constexpr double kMsPerNs = 1e-6;
  PredictedTime time;
  time.ms = middle * kMsPerNs;
  time.low_ms = *std::min_element(totals.begin(), totals.end()) * kMsPerNs;
  time.high_ms = *std::max_element(totals.begin(), totals.end()) * kMsPerNs;
  time.work_ms = nearest->work_ns * kMsPerNs;
  time.bandwidth_ms = nearest->bandwidth_ns * kMsPerNs;
  time.latency_ms = nearest->latency_ns * kMsPerNs;
  time.waiting_ms = nearest->waiting_ns * kMsPerNs;
  return time;
}

}  // namespace

Result<Prediction> predict(Session& session, const std::vector<ListedQuery>& queries,
                           const Setting& setting, const PredictionQuestion& question) {
  Prediction prediction;
  prediction.media = question.media;
  HDB_ASSIGN(const auto recordings, QueryRecordings::make(session, queries, setting, question.media,
                                                          question.repetitions));
  prediction.host = recordings->host();
  prediction.size = size_factors(recordings->tables(), question);
  Progress progress("predict");
  for (const ListedQuery& listed : queries) {
    progress.show(prediction.queries.size(), queries.size(), query_label(listed.id));
    HDB_ASSIGN(const RecordedQuery recorded, recordings->record(listed, prediction.size));
    PredictedQuery predicted{recorded.id, recorded.rows_out, {}};
    for (const std::size_t device : recordings->devices()) {
      std::vector<std::size_t> places(recordings->places().size(), device);
      places[kNoColumn] = kHostDevice;
      predicted.on.push_back(summary(
          recordings->replays(recorded, places, prediction.size, question.users, question.cpus)));
    }
    prediction.queries.push_back(std::move(predicted));
  }
  return prediction;
}

}  // namespace hdbench::bench
