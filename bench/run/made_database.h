// Generates a database if it does not exist yet, and chooses the scale of a first one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

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

// Chooses the scale of a first database of the profile paper: the smallest at which as many of the
// study's greater queries as possible move several times the last-level caches, so that their warm
// figures are memory's (cell_ceiling.h), within what the machine can spare.

struct MachineLimits {
  std::uint64_t cache_bytes = 0;   // of all last-level caches; 0: not known
  std::uint64_t memory_bytes = 0;  // of the machine or its control group; 0: not known
  std::optional<std::uint64_t> free_disk_bytes = {};  // nothing: not known
};

// Of this machine, and of the filesystem that holds the directory or will.
MachineLimits limits_for(const std::filesystem::path& directory);

struct FirstScale {
  double scale = 0;
  std::size_t queries = 0;  // of the eleven, that move enough
  std::string reason;       // "6 of the 11 queries move at least 4 times ..."
};

// The database takes at most 3 GB, a third of the memory and half of the free disk space. Below
// these limits it is no smaller than the usual first one. Requires: the profile paper; its scale is
// not looked at.
FirstScale first_scale(const datagen::Spec& spec, const MachineLimits& limits);

// The word of --scale: a number, or `auto`: that of the database which is completed, if it is
// `known`, else first_scale(). Errors: kUsage, naming the flag. `reason` is empty unless the scale
// was chosen.
Result<FirstScale> scale_of_word(const std::string& word, const datagen::Spec& spec,
                                 const std::filesystem::path& directory,
                                 std::optional<double> known = {});

}  // namespace hdbench::bench
