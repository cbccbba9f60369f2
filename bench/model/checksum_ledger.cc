#include "bench/model/checksum_ledger.h"

#include <fmt/format.h>

namespace hdbench::bench {

Status ChecksumLedger::add(int query, const std::string& cell, std::uint64_t checksum) {
  const auto [entry, is_first] = first_.try_emplace(query, First{cell, checksum});
  const First& first = entry->second;
  if (is_first || first.checksum == checksum) return ok_status();
  return Error{ErrorKind::kMismatch,
               fmt::format("{}: checksum {:016x}, but {} gave {:016x}: the results differ", cell,
                           checksum, first.cell, first.checksum),
               {}};
}

}  // namespace hdbench::bench
