// A device profile to fill in: one of the project's, with every field explained in comments.
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"

namespace hdbench::bench {

// What --template takes: cxl, app-direct, memory-mode, nvme, ebs (a volume with credits), dram (the
// memory that ratios are held against).
std::vector<std::string> template_kinds();

// JSON with `//` comments (device_profile.h). The figures are a published device's, named in the
// first lines; fields that it has not stand in comments, with an example. Errors: kUsage, with the
// kinds.
Result<std::string> profile_template(const std::string& kind);

// How many of a profile's sources are still those of the template.
std::size_t template_sources(const std::string& text);

}  // namespace hdbench::bench
