#include "bench/predict/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/base/number_text.h"
#include "bench/base/statistics.h"
#include "bench/run/placement_notes.h"

namespace hdbench::bench {
namespace {

// Sizes are said of the table with most rows. Sets what was recorded and asked.
SizeFactors set_size(const std::vector<const Table*>& tables, const PredictionQuestion& question,
                     Prediction& prediction) {
  prediction.recorded.partitions = 1;
  for (const Table* const table : tables) {
    const auto rows = static_cast<double>(rows_of(*table));
    if (rows <= prediction.recorded.rows) continue;
    prediction.recorded = {rows, static_cast<double>(table->part_count())};
  }
  const auto [rows, partitions] = prediction.recorded;
  SizeFactors size;
  size.partitions = question.partitions.value_or(partitions) / partitions;
  size.columns = question.columns.value_or(0);
  if (question.rows && rows > 0) size.rows = *question.rows / rows / size.partitions;
  prediction.asked.rows = rows * size.rows * size.partitions;
  prediction.asked.partitions = partitions * size.partitions;
  prediction.asked.columns = question.columns;
  prediction.asked.users = question.use.users;
  prediction.asked.cpus = question.use.cpus;
  prediction.asked.beside_gb_s = question.use.beside_gb_s;
  return size;
}

std::vector<std::string> extrapolations(const PredictionQuestion& question, const SizeFactors& size,
                                        std::size_t threads, std::size_t cpus) {
  std::vector<std::string> lines;
  if (size.rows != 1)
    lines.push_back(fmt::format("partitions with {:.4g} times as many rows", size.rows));
  if (size.partitions != 1)
    lines.push_back(fmt::format("{:.4g} times as many partitions", size.partitions));
  if (question.columns)
    lines.push_back(fmt::format("{} columns in rows that are shown whole", *question.columns));
  if (threads > cpus) {
    lines.push_back(
        fmt::format("{}: this machine has {} CPUs; their memory is taken for this one's",
                    counted(threads, "thread"), cpus));
  }
  if (question.use.users > 1) lines.push_back(fmt::format("{} users at once", question.use.users));
  return lines;
}

// By what share a prediction of this kind may be off: what nine of ten were off by at most
// (docs/measurements/2026-11-29-predict.md); of several kinds the most.
double share_off(const PredictionQuestion& question, const SizeFactors& size, std::size_t threads,
                 const std::string& medium) {
  constexpr double kOfAny = 0.05, kOfThreads = 0.07, kOfSize = 0.1, kOfOtherMedium = 0.11;
  constexpr double kUnchecked = 0.25;
  double share = kOfAny;
  if (threads > 1) share = std::max(share, kOfThreads);
  if (size.rows != 1 || size.partitions != 1) share = std::max(share, kOfSize);
  if (medium != "dram") share = std::max(share, kOfOtherMedium);
  if (question.columns || question.use.users > 1) share = kUnchecked;
  return share;
}

PredictedTime summary(const std::string& medium, const std::vector<ReplayTimes>& times,
                      double off) {
  std::vector<double> totals;
  for (const ReplayTimes& one : times) totals.push_back(one.total_ns);
  const double middle = median(totals);
  const auto nearest =
      std::min_element(times.begin(), times.end(), [&](const ReplayTimes& a, const ReplayTimes& b) {
        return std::abs(a.total_ns - middle) < std::abs(b.total_ns - middle);
      });
  constexpr double kMsPerNs = 1e-6;
  PredictedTime time;
  time.medium = medium;
  time.ms = middle * kMsPerNs;
  time.low_ms = *std::min_element(totals.begin(), totals.end()) * (1 - off) * kMsPerNs;
  time.high_ms = *std::max_element(totals.begin(), totals.end()) * (1 + off) * kMsPerNs;
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
  prediction.setting = forecast_setting(session, setting);
  prediction.media = question.media;
  HDB_ASSIGN(const auto recordings, QueryRecordings::make(session, queries, setting, question.media,
                                                          question.repetitions));
  const HostMemory& host = recordings->host();
  for (const BandwidthPoint& point : host.calibration.read.points)
    prediction.host.read_gb_s.push_back({static_cast<double>(point.threads), point.gb_s});
  prediction.host.chase_ns = host.calibration.chase_ns;
  prediction.host.cache_bytes = host.cache_bytes;
  UseOfMachine use = question.use;
  HDB_ASSIGN(use.host_slowed,
             measure_slowed_beside(session.pools(), setting.threads, use.beside_gb_s));
  const SizeFactors size = set_size(recordings->tables(), question, prediction);
  prediction.extrapolated =
      extrapolations(question, size, setting.threads, session.pools().all_threads());
  HDB_ASSIGN(const std::vector<RecordedQuery> recorded, recordings->record(queries, size));
  for (std::size_t q = 0; q < queries.size(); ++q) {
    PredictedQuery predicted{recorded[q].id, queries[q].name, recorded[q].rows_out, {}};
    for (std::size_t m = 0; m < question.media.size(); ++m) {
      std::vector<std::size_t> places(recordings->places().size(), recordings->devices()[m]);
      places[kNoColumn] = kHostDevice;
      const std::string& medium = question.media[m];
      predicted.on.push_back(summary(medium, recordings->replays(recorded[q], places, size, use),
                                     share_off(question, size, setting.threads, medium)));
    }
    prediction.queries.push_back(std::move(predicted));
  }
  return prediction;
}

}  // namespace hdbench::bench
