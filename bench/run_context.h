// What a run's figures were taken with: everything that is the same in all of its cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/cell_ceiling.h"
#include "bench/host.h"
#include "bench/peer_memory.h"

namespace hdbench {

struct RunContext {
  std::string date;  // ISO 8601 with the offset from UTC
  std::string executable;
  Host host;
  std::string version;
  std::string commit;
  std::string build_type;

  std::string database;
  std::size_t partitions = 0;
  std::vector<std::pair<std::string, std::uint64_t>> table_rows;
  std::string query_file;
  std::size_t repetitions = 0;
  std::string result_medium;
  // What narrow codes saved, a line a layout and table.
  std::vector<std::string> codes_saved;
  // What of the matrix could not be run here, a line each.
  std::vector<std::string> left_out;
  std::vector<std::string> host_floors;
  RunCeilings ceilings;
  std::optional<PeerMemory> peer_memory;  // of a run with peers
  std::optional<std::uint64_t> available_before_bytes;
  std::optional<std::uint64_t> available_lowest_bytes;
  bool complete = true;  // false: the run ended before its last cell
};

}  // namespace hdbench
