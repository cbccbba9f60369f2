// The queries of a database recorded in DRAM, and the devices on which they are replayed: what
// predictions and advice have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/predict/recording.h"
#include "bench/results/forecasts.h"

namespace hdbench::bench {

// How a database differs from the recorded one.
struct SizeFactors {
  double rows = 1;  // in each partition
  double partitions = 1;
  double columns = 0;  // of the table with most rows, the partitions' own too; 0: as many
};

// Who else is there.
struct UseOfMachine {
  std::size_t users = 1;   // that ask each query at once
  std::size_t cpus = 0;    // that they share; 0: a user's threads
  double beside_gb_s = 0;  // that other work reads of this machine's memory
  double host_slowed = 1;  // by that
};

// Of a forecast that is made here and now.
ForecastSetting forecast_setting(Session& session, const Setting& setting);

class QueryRecordings {
 public:
  // Measures the host's memory, and loads what the queries need into DRAM. setting: its layout,
  // attr, mode, codes and threads. media: dram, or those with a profile. Errors: kUsage for other
  // media; those of the session and of the queries.
  static Result<std::unique_ptr<QueryRecordings>> make(Session& session,
                                                       const std::vector<ListedQuery>& queries,
                                                       const Setting& setting,
                                                       const std::vector<std::string>& media,
                                                       std::size_t repetitions);

  const HostMemory& host() const { return host_; }
  const BoundQueries& bound() const { return bound_; }
  // Those that the queries read.
  const std::vector<const Table*>& tables() const { return tables_; }
  const Table* table(const std::string& name) const;  // null: none of them
  const std::vector<TracePlace>& places() const { return recording_->targets().places(); }
  const std::vector<std::size_t>& devices() const { return devices_; }  // by medium

  // In their order, as a database of such a size would have the caches. Errors: those of the
  // queries.
  Result<std::vector<RecordedQuery>> record(const std::vector<ListedQuery>& queries,
                                            const SizeFactors& size);

  // One more device; its number is the last of devices(). Errors: kUsage: what cannot be emulated.
  Status add_device(EmulatedDeviceSetup setup);

  // Each trace with its places on these devices.
  std::vector<ReplayTimes> replays(const RecordedQuery& query,
                                   const std::vector<std::size_t>& device_of_place,
                                   const SizeFactors& size, const UseOfMachine& use);
  // Of one of them, in the middle of their work, alone. local_share: of an interleave's pages
  // (ReplayQuestion).
  double middle_ms(const RecordedQuery& query, const std::vector<std::size_t>& device_of_place,
                   const SizeFactors& size, double local_share = 0.5);
  // How long the device was busy in the last replay, which took so long.
  double busy_ms(std::size_t device, double all_ms);

 private:
  QueryRecordings(Session& session, const Setting& setting)
      : session_(session), setting_(setting) {}
  Status add_devices(const std::vector<std::string>& media);
  std::vector<double> columns_of(const RecordedQuery& query, double columns) const;
  ReplayQuestion question(const RecordedQuery& query,
                          const std::vector<std::size_t>& device_of_place,
                          const SizeFactors& size) const;

  Session& session_;
  Setting setting_;
  std::size_t repetitions_ = 0;
  HostMemory host_;
  std::unique_ptr<TablePlacement> placement_;
  BoundQueries bound_;
  std::vector<const Table*> tables_;
  std::optional<Recording> recording_;
  std::vector<std::size_t> devices_;
};

}  // namespace hdbench::bench
