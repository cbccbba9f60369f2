// Resolves a medium's word on this machine: the real medium, or its default profile where the
// machine lacks it.
//
// Words are resolved before cells, tables and files are named after them, so that every name shows
// the profile that was charged.
#pragma once

#include <string>

#include "pmem/machine/topology.h"
#include "pmem/media/medium.h"
#include "pmem/persistent/app_direct_place.h"

namespace hdbench::pmem {

struct PresentMedium {
  std::string word;  // with a profile where the medium is emulated
  std::string note;  // one line for the user; empty: the medium is what was asked for
};

// `app-direct`, `memory-mode` and `cxl` become `app-direct:optane-100-6dimm` and their like where
// the machine lacks them; `memory-mode:near=SIZE`, which is always emulated, gets its profile's
// name. All other words stay as they are, unknown ones too: make_medium() reports these. With
// options.pmem_dir app-direct stays: the directory is used or refused.
PresentMedium present_medium(const std::string& word, const MediumOptions& options,
                             const Machine& machine, const PmemProbe& probe);

// The same on this machine.
PresentMedium present_medium(const std::string& word, const MediumOptions& options);

}  // namespace hdbench::pmem
