// The input of a report: the cells of one or more results.json, merged.
//
// Queries are identified by their text, databases by their tables' rows and their partitions,
// machines by their description and kernel: the same cell may have been run on several. If a cell
// was run twice on one machine, the last file's is shown. A result's checksum must be the same in
// all files; otherwise it is a conflict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/results/results_json.h"

namespace hdbench::bench {

struct ReportQuery {
  int id = 0;
  std::string text;
  std::string label;      // "Q07"; "Q07 (paper-counted.q)" where another text has this number too
  std::string name = {};  // what it asks, in its file's words; empty: not said
};

struct ReportDataset {
  std::string name;      // the run's, or the last part of the database's path
  std::string database;  // as it was named where it was first run
  std::size_t partitions = 0;
  std::vector<std::pair<std::string, std::uint64_t>> table_rows;
  std::vector<ColumnNeed> columns;  // of the last file that has them
  std::string compression = {};     // DatasetContext's
  double stored_share = 1;

  std::uint64_t rows() const;
};

struct ReportCell {
  CellResult result;
  // Places in the lists of ReportInput.
  std::size_t run = 0;
  std::size_t query = 0;
  std::size_t dataset = 0;
  std::size_t machine = 0;
};

// "p99<TIME at N users": of so many users at once, this part of the answers within that time.
struct LatencyGoal {
  std::string text;
  double part = 0.99;  // 0.5, 0.9, 0.99 or 0.999
  double ms = 0;
  std::size_t users = 1;
};

struct ReportInput {
  std::vector<SavedRun> runs;  // without their cells, which are below
  std::vector<ReportQuery> queries;
  std::vector<ReportDataset> datasets;
  std::vector<std::string> machines;             // each once, described in a line
  std::vector<std::size_t> machine_of_run = {};  // by run: its place among them
  std::vector<ReportCell> cells;                 // hdbench's own
  std::vector<ReportCell> peers;
  std::vector<std::string> conflicts;  // a line each: checksums that differ
  std::vector<std::string> notes;
  std::vector<LatencyGoal> goals = {};  // that the reader named

  // "Q07" and the like, of all these; "none" for no query.
  std::string labels_of(const std::vector<std::size_t>& chosen) const;
};

// Errors: kData, naming the files, where there is no cell in any of them.
Result<ReportInput> merge_runs(std::vector<SavedRun> runs);

}  // namespace hdbench::bench
