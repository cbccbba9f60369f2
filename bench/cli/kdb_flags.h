// The flags of `limit` that are about kdb+'s memory, and what it prints of that.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/base/json_value.h"
#include "bench/base/layers.h"
#include "bench/cli/flag_set.h"
#include "bench/kdb/kdb_memory.h"
#include "engine/base/result.h"

namespace hdbench::bench {

struct KdbFlags {
  std::string as = "hdbench";
  std::string version;  // empty: as --mode
  std::string gc = "0";
  std::size_t processes = 1;
  bool what_if = false;
  std::string table;
  std::string rows;
  std::string partitions;
  std::string matches;
  std::string distinct;
};

void add_kdb_flags(FlagSet& command, KdbFlags& flags);

// Whether kdb+'s memory is to be counted; errors: kUsage: an unknown word, flags that need another.
Result<bool> wants_kdb(const KdbFlags& flags);

// Puts the flags' version and -g into settings. Errors: kUsage.
Status apply(const KdbFlags& flags, KdbSettings& settings);

// hdbench limit --what-if: counts for one query over a table that is given by its schema alone.
// As JSON the peaks alone. Errors: kUsage, the query's with a caret.
Result<std::string> what_if_text(const KdbFlags& flags, const std::string& query,
                                 const KdbSettings& settings, bool is_json);

// "kdb+ 4.0, -s 4, -g 0".
std::string kdb_name(const KdbSettings& settings);

// Several lines: what is held when most is, and the trace of blocks.
std::string kdb_trace_text(const KdbMemory& memory, const KdbSettings& settings);

// The sum over a server's processes, a few lines.
std::string kdb_server_text(const KdbServer& server, const KdbSettings& settings);

Json kdb_json(const KdbMemory& memory);

}  // namespace hdbench::bench
