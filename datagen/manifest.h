// The manifest describes a generated database and is written beside it as DB.manifest.json.
//
// It records the spec, which partitions are complete, the checksum of each, and the row counts that
// the paper's queries must return. It is a function of the spec and of the set of complete
// partitions.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "datagen/day_counts.h"
#include "datagen/spec.h"

namespace hdbench::datagen {

// The rows that one of the paper's eleven queries returns over a generated database. A range query
// that groups by date returns a row per date and group as printed in the paper (`within`), and
// those of the range's two end dates as counted there (`date in`): see paper.q and paper-counted.q.
struct QueryCount {
  std::uint32_t id = 0;
  std::uint64_t as_printed = 0;
  std::uint64_t as_counted = 0;
};

// Of one column file: its bytes and their XXH3-64. Of a partition: the bytes of its column files
// (without `.d`), and the XXH3-64 of the files' checksums in `.d` order, table after table.
struct FileSum {
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

struct PartitionEntry {
  DayCount day;
  std::optional<FileSum> sum;  // nothing: not in the database yet, or not checked since
};

struct Manifest {
  Spec spec;
  std::vector<PartitionEntry> partitions;
  std::vector<QueryCount> queries;  // paper profiles only

  std::size_t partitions_complete() const;
  bool complete() const { return partitions_complete() == partitions.size(); }
  std::uint64_t rows() const;   // of all tables of the whole database, complete or not
  std::uint64_t bytes() const;  // of the complete partitions
};

// Follows from the day counts and the classes of rows; no row is read. Requires: the days of a
// paper profile.
std::array<QueryCount, 11> paper_query_counts(std::span<const DayCount> days);

// Makes the manifest of a database without any complete partition.
Manifest new_manifest(const Spec& spec);

// Formats JSON, ending in a newline. Equal manifests give equal text; spec.threads is left out.
std::string manifest_text(const Manifest& manifest);

// Errors: kData: not JSON, a field that is absent or of another type, another format.
Result<Manifest> parse_manifest(const std::string& text, const std::filesystem::path& source);

// Errors: kData, naming the path.
Result<Manifest> read_manifest(const std::filesystem::path& path);

// Whether `wanted` continues the database of `found`. Errors: kUsage, naming the first field that
// differs and both values.
Status check_same_spec(const Spec& found, const Spec& wanted, const std::filesystem::path& source);

}  // namespace hdbench::datagen
