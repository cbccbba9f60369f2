// The text form of a medium on the command line: `name[:argument]`.
//
//   dram                          a name alone
//   numa:1                        the memory of node 1
//   cxl:interleave=3:1            an option, here three pages near the CPUs for each on CXL
//   tmpfs                         files in this machine's memory
//   app-direct:optane-100-6dimm   a device profile: emulated
//   memory-mode:optane-memory-mode+near=2GiB   both, joined by `+`, as commas separate media
//   cxl:cxl-asic-ddr5+interleave=3:1           emulated, three pages in DRAM for each on the device
//   cxl:cxl-cz122+interleave=3:1+local=ddr5-6400-12ch   and the three in another machine's DRAM
//   cxl:cxl-cz122+interleave=auto              the weights at which a command's queries take the
//   least
//                                              time, which it searches before anything is loaded
//   memory-mode:near=SHARE%                    a near cache of a share of the database's bytes
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace hdbench::pmem {

struct MediumSpec {
  std::string name;                            // "cxl"
  std::string profile;                         // empty: the real one
  std::map<std::string, std::string> options;  // checked by name, each once
};

// Errors: kUsage: an unknown medium (the known ones are listed), a profile or an option that the
// medium has not, a part that is empty or said twice. Whether a profile exists is not looked at.
Result<MediumSpec> parse_medium_spec(std::string_view text);

// The names, in the order of `topo`; those that a device profile can emulate.
std::vector<std::string> medium_names();
std::vector<std::string> media_with_profiles();

// Whether the word leaves its weights to a search: +interleave=auto.
bool searches_interleave(const MediumSpec& word);

// As it was written, with its options in order.
std::string to_text(const MediumSpec& word);

// "3:1" -> {3, 1}: pages near the CPUs, then on CXL. Errors: kUsage, unless both are 1 to 255,
// which is what the kernel can weigh.
inline constexpr std::string_view kSearchedInterleave =
    "auto";  // a word's, which is not parsed here
struct InterleaveRatio {
  int local = 1;
  int far = 1;
};
Result<InterleaveRatio> parse_interleave(std::string_view text);

// "2GiB", "512MiB", "3GB", "1.5TB", "65536": powers of 1024 with an `i`, of 1000 without. Errors:
// kUsage.
Result<std::uint64_t> parse_size(std::string_view text);

// A near cache's size: "2GiB", or a share of the data, "25%". One of the two is 0.
struct NearSize {
  std::uint64_t bytes = 0;
  double share = 0;  // above 0, at most 1
};
Result<NearSize> parse_near(std::string_view text);

}  // namespace hdbench::pmem
