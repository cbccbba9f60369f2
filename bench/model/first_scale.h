// Chooses the scale of a first database of the profile paper: the smallest at which as many of the
// study's greater queries as possible move several times the last-level caches, so that their warm
// figures are memory's (cell_ceiling.h), within what the machine can spare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "datagen/spec.h"
#include "engine/base/result.h"

namespace hdbench::bench {

struct MachineRoom {
  std::uint64_t cache_bytes = 0;   // of all last-level caches; 0: not told
  std::uint64_t memory_bytes = 0;  // of the machine or its control group; 0: not told
  std::optional<std::uint64_t> free_disk_bytes = {};  // nothing: not told
};

// Of this machine, and of the filesystem that holds the directory or will.
MachineRoom room_for(const std::filesystem::path& directory);

struct FirstScale {
  double scale = 0;
  std::size_t queries = 0;  // of the eleven, that move enough
  std::string reason;       // "6 of the 11 queries move at least 4 times ..."
};

// The database takes at most 3 GB, a third of the memory and half of the free disk space. Below
// these limits it is no smaller than the usual first one. Requires: the profile paper; its scale is
// not looked at.
FirstScale first_scale(const datagen::Spec& spec, const MachineRoom& room);

// The word of --scale: a number, or `auto`: that of the database which is completed, if it is
// `known`, else first_scale(). Errors: kUsage, naming the flag. `reason` is empty unless the scale
// was chosen.
Result<FirstScale> scale_of_word(const std::string& word, const datagen::Spec& spec,
                                 const std::filesystem::path& directory,
                                 std::optional<double> known = {});

}  // namespace hdbench::bench
