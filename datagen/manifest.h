// The manifest: what a generated database is, written beside it as DB.manifest.json.
//
// It says which spec made the database, how far it is, what each partition holds, and what the
// paper's queries must return. It depends on nothing but the spec and on which partitions are
// there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "datagen/day_counts.h"
#include "datagen/query_counts.h"
#include "datagen/spec.h"

namespace hdbench::datagen {

// What was written of a partition: its column files (`.d` not counted), and the XXH3-64 of their
// checksums in `.d` order. A file's checksum is the XXH3-64 of its bytes.
struct PartitionSum {
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

struct PartitionEntry {
  DayCount day;
  std::optional<PartitionSum> sum;  // nothing: not in the database yet, or not looked at since
};

struct Manifest {
  Spec spec;
  std::vector<PartitionEntry> partitions;
  std::vector<QueryCount> queries;  // paper profiles only

  std::size_t partitions_complete() const;
  bool complete() const { return partitions_complete() == partitions.size(); }
  std::uint64_t rows() const;   // of the whole database, complete or not
  std::uint64_t bytes() const;  // of the complete partitions
};

// The manifest of a database of which nothing is written yet.
Manifest new_manifest(const Spec& spec);

// JSON text, with a line end. Equal manifests give equal text; spec.threads is not in it.
std::string manifest_text(const Manifest& manifest);

// Errors: kData: not JSON, a field that is absent or of another type, another format.
Result<Manifest> parse_manifest(const std::string& text, const std::filesystem::path& source);

// Errors: kData, naming the path.
Result<Manifest> read_manifest(const std::filesystem::path& path);

// Whether `wanted` continues the database of `found`. Errors: kUsage, naming the first field that
// differs and both values.
Status check_same_spec(const Spec& found, const Spec& wanted, const std::filesystem::path& source);

}  // namespace hdbench::datagen
