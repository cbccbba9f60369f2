// Device profiles: those that come with the program, one a line; one of them to fill in, with every
// field explained in comments; and a measured device as a profile (device_profile.h) and as a
// table.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/machine/disk_probe.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// A table of name, medium, GB/s of sequential reads, ns of a read at random and the bandwidth's
// source, at most `columns` wide. Near cache and device stand with a stroke between. Errors:
// load_profile()'s.
Result<std::string> profiles_text(std::size_t columns);

// The same as a JSON list of objects.
Result<std::string> profiles_json();

// What --template takes: cxl, app-direct, memory-mode, nvme, ebs (a volume with credits), dram
// (near memory of other profiles).
std::vector<std::string> template_kinds();

// JSON with `//` comments (device_profile.h). The figures are a published device's, named in the
// first lines; fields that it has not stand in comments, with an example. Errors: kUsage, with the
// kinds.
Result<std::string> profile_template(const std::string& kind);

// How many of a profile's sources are still those of the template.
std::size_t template_sources(const std::string& text);

// A measured device. `source` says who measured what, where and when it was built: it is beside
// each figure. Requires: sequential_read has a point.
std::string profile_json(const ProbedDevice& device, const std::string& name,
                         const std::string& source);

std::string profile_table(const ProbedDevice& device);

}  // namespace hdbench::bench
