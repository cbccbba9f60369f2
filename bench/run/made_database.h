// Generates a database if it does not exist yet.
#pragma once

#include <cstdint>
#include <filesystem>

#include "datagen/manifest.h"
#include "datagen/spec.h"
#include "engine/base/result.h"

namespace hdbench::bench {

struct MadeDatabase {
  datagen::Manifest manifest;
  std::uint64_t written_bytes = 0;  // now; what was there is not counted
  double seconds = 0;
};

// datagen::generate() with progress on a terminal. resume: an interrupted one is completed, and a
// complete one of this spec is left as it is. spec.threads 0: as many as a control group lets run
// all the time. Errors: generate()'s.
// `scale_share`: of the flag --scale, in the spec's scale.
Result<MadeDatabase> make_database(const std::filesystem::path& directory, datagen::Spec spec,
                                   bool resume, double scale_share = 1);

// "paper-0.05-col3": tells one spec from another.
std::string database_name(const datagen::Spec& spec);

// Where databases that an experiment makes are kept: $XDG_CACHE_HOME/hdbench, or ~/.cache/hdbench;
// the temporary directory's hdbench, where there is no home.
std::filesystem::path database_cache();

}  // namespace hdbench::bench
