// The study's ten charts for this machine and database: which queries and axes each one is of.
//
// 1 to 8: mode 3.6 and 4.0, each without and with p, each with the queries on the milliseconds'
// scale and on the seconds' apart. 9 and 10: the larger database, mode 4.0, with p. A chart whose
// cells were not run says which command runs them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/report/views/report_pivot.h"

namespace hdbench::bench {

// The end of the milliseconds' scale, by each query's slowest bar on the most threads.
struct ScaleSplit {
  double at_ms = 0;
  std::string words;               // how it was found
  std::vector<std::size_t> small;  // queries below it
  std::vector<std::size_t> large;
};

// At a second where that parts the queries; else at the widest gap between them. No query, or only
// one: all are small.
ScaleSplit scale_split(const ReportPivot& pivot, std::size_t dataset);

struct PaperChart {
  int number = 0;
  std::string title;     // "Mode 3.6, without p: the shorter queries"
  std::string subtitle;  // which queries these are
  std::vector<std::size_t> queries;
  std::vector<std::size_t> columns;  // its series
  std::vector<std::size_t> threads;  // that were run, fewest first
  std::optional<ReportBlock> block;  // of the most threads; nothing: nothing was run
  std::string missing;               // why there is no bar
  std::string command;               // that would run it
};

std::vector<PaperChart> paper_charts(const ReportPivot& pivot);

// Of other queries than the study's: one chart a dataset, attribute and mode, of all queries.
std::vector<PaperChart> own_charts(const ReportPivot& pivot);

}  // namespace hdbench::bench
