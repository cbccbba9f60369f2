// Resolves the media that a command's flags name, before anything is named after them
// (pmem/media/media_list.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/cli/axis_flags.h"
#include "pmem/media/media_list.h"

namespace hdbench::bench {

using MediumResolver = std::function<PresentMedium(const std::string& word)>;

// Replaces each word of --medium, --place and --result-medium by what it means here. Returns the
// notes for the user, each once. Values that are malformed stay as they are: their parsers report
// them.
std::vector<std::string> resolve_media(AxisFlags& flags, const MediumResolver& resolve);

// The same on this machine, with the flags' --pmem-dir.
std::vector<std::string> resolve_media(AxisFlags& flags);

// The same, with the notes on standard error.
void resolve_media_and_tell(AxisFlags& flags);

}  // namespace hdbench::bench
