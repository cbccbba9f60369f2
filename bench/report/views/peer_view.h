// Other engines' times beside hdbench's over the same table in memory.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/report/views/report_pivot.h"

namespace hdbench::bench {

struct PeerFigure {
  const ReportCell* cell = nullptr;  // null: not run
  std::optional<double> ms;
  // Above 1: it took longer. Nothing where it answers without reading the columns.
  std::optional<Ratio> times_hdbench;
};

struct PeerRow {
  std::size_t query = 0;
  std::optional<double> hdbench_ms;  // DRAM, flat, mode 4.0; the faster attribute
  std::vector<PeerFigure> figures;   // one an engine of the table
};

struct PeerTable {
  std::size_t dataset = 0;
  std::size_t machine = 0;
  std::size_t threads = 1;
  std::vector<std::string> engines;  // "duckdb 2.0.0"
  std::vector<PeerRow> rows;
  // One an engine: the geometric mean of its ratios over the queries that have one of every engine
  // that has any; nothing where there is no such query.
  std::vector<std::optional<double>> means;
  std::size_t mean_queries = 0;
};

// "mean", or "mean of 12" where these are not all: the name of the line of means.
std::string mean_name(const PeerTable& table);

// Most threads first; empty without peers.
std::vector<PeerTable> peer_tables(const ReportPivot& pivot);

}  // namespace hdbench::bench
