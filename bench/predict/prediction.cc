#include "bench/predict/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/base/number_text.h"
#include "bench/base/statistics.h"
#include "bench/machine/host.h"
#include "bench/run/placement_notes.h"

namespace hdbench::bench {
namespace {

// Sizes are said of the table with most rows.
void set_size(const std::vector<const Table*>& tables, Prediction& prediction) {
  for (const Table* const table : tables) {
    const auto rows = static_cast<double>(rows_of(*table));
    if (rows <= prediction.recorded_rows) continue;
    prediction.recorded_rows = rows;
    prediction.recorded_partitions = static_cast<double>(table->part_count());
  }
  const PredictionQuestion& question = prediction.question;
  SizeFactors& size = prediction.size;
  size.partitions =
      question.partitions.value_or(prediction.recorded_partitions) / prediction.recorded_partitions;
  size.columns = question.columns.value_or(0);
  if (question.rows && prediction.recorded_rows > 0)
    size.rows = *question.rows / prediction.recorded_rows / size.partitions;
}

std::string threads_text(std::size_t threads) { return counted(threads, "thread"); }

void set_words(const Host& host, Prediction& prediction) {
  const PredictionQuestion& question = prediction.question;
  prediction.machine = describe(host);
  prediction.question_line =
      fmt::format("{}: {} rows in {} partitions, {}, recorded in DRAM on {}", prediction.database,
                  with_commas(static_cast<std::uint64_t>(prediction.asked_rows())),
                  with_commas(static_cast<std::uint64_t>(prediction.asked_partitions())),
                  threads_text(prediction.setting.threads), prediction.machine);
  std::vector<std::string>& lines = prediction.extrapolated;
  if (prediction.size.rows != 1)
    lines.push_back(fmt::format("partitions with {:.4g} times as many rows", prediction.size.rows));
  if (prediction.size.partitions != 1)
    lines.push_back(fmt::format("{:.4g} times as many partitions", prediction.size.partitions));
  if (question.columns)
    lines.push_back(fmt::format("{} columns in rows that are shown whole", *question.columns));
  if (prediction.setting.threads > host.cpus)
    lines.push_back(
        fmt::format("{}: this machine has {} CPUs; their memory is taken for this one's",
                    threads_text(prediction.setting.threads), host.cpus));
  if (question.use.users > 1) lines.push_back(fmt::format("{} users at once", question.use.users));
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
  prediction.question = question;
  prediction.setting = setting;
  prediction.media = question.media;
  prediction.database = session.database().root().string();
  HDB_ASSIGN(const auto recordings, QueryRecordings::make(session, queries, setting, question.media,
                                                          question.repetitions));
  prediction.host = recordings->host();
  HDB_ASSIGN(prediction.question.use.host_slowed,
             measure_slowed_beside(session.pools(), setting.threads, question.use.beside_gb_s));
  set_size(recordings->tables(), prediction);
  set_words(read_host(session.pools().all_threads()), prediction);
  HDB_ASSIGN(const std::vector<RecordedQuery> recorded,
             recordings->record(queries, prediction.size));
  for (std::size_t q = 0; q < queries.size(); ++q) {
    PredictedQuery predicted{recorded[q].id, queries[q].name, recorded[q].rows_out, {}};
    for (const std::size_t device : recordings->devices()) {
      std::vector<std::size_t> places(recordings->places().size(), device);
      places[kNoColumn] = kHostDevice;
      predicted.on.push_back(summary(
          recordings->replays(recorded[q], places, prediction.size, prediction.question.use)));
    }
    prediction.queries.push_back(std::move(predicted));
  }
  return prediction;
}

}  // namespace hdbench::bench
