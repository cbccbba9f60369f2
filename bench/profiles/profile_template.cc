#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "bench/base/layers.h"
#include "bench/base/lines.h"
#include "bench/profiles/profile_list.h"
#include "engine/base/nearest_word.h"
#include "pmem/base/medium_spec.h"
#include "pmem/emulator/device_profile.h"

namespace hdbench::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kColumns = 96;
constexpr std::string_view kReplace = "REPLACE by where this figure is from; in the template: ";

struct Kind {
  std::string_view name;
  const char* profile;  // whose figures it begins with
};
constexpr std::array<Kind, 6> kKinds = {{{"cxl", "cxl-asic-ddr5"},
                                         {"app-direct", "optane-100-6dimm"},
                                         {"memory-mode", "optane-memory-mode"},
                                         {"nvme", "nvme-p5510"},
                                         {"ebs", "ebs-st1"},
                                         {"dram", "ddr5-4800-8ch"}}};

enum class Of { kAny, kMemory, kBlock, kCache };

struct FieldHelp {
  const char* name;
  Of of;
  const char* about;
  const char* example;  // where the profile has none; empty: it is required
};

// In the order in which they are written: the last one of a kind is required.
constexpr FieldHelp kFields[] = {
    {"name", Of::kAny, "Required. What labels and tables call it; need not be the file's name.",
     ""},
    {"about", Of::kAny, "Required. One line for tables: what it is.", ""},
    {"kind", Of::kAny,
     "Required. memory: loads and stores reach it; block: a disk behind the page cache.", ""},
    {"medium", Of::kAny,
     "The medium that it emulates: nvme, app-direct, memory-mode, cxl; dram: a reference of "
     "ratios. Absent: any of its kind.",
     "\"cxl\""},
    {"reference", Of::kMemory,
     "The profile (name or path) of the DRAM that was measured beside it, which --emulation ratio "
     "needs. Absent: no ratio.",
     "\"ddr5-4800-8ch\""},
    {"granularity", Of::kAny,
     "Required. bytes: the unit that the device moves, a power of two from 64 to 1048576. Here and "
     "below, source: where the figure is from, required with each.",
     ""},
    {"capacity", Of::kAny, "bytes: the device's size. Absent: not limited.",
     R"({"bytes": 137438953472, "source": "..."})"},
    {"latency", Of::kAny,
     "ns of one access that finds the device idle, a second (1e9) at most. read_random: of a read "
     "at random (absent: none is charged). read_sequential: of a read in a stream (absent: as "
     "read_random). write: until a write is accepted (absent: 0).",
     R"({"read_random": {"ns": 300, "source": "..."}, "write": {"ns": 90, "source": "..."}})"},
    {"mlp", Of::kAny, "accesses: how many a core keeps in flight. Absent: 1.",
     R"({"accesses": 8, "source": "..."})"},
    {"mix", Of::kAny,
     "rule: shared: reads and writes share the device's time; duplex: each have their own. Absent: "
     "shared.",
     R"({"rule": "duplex", "source": "..."})"},
    {"instance", Of::kBlock, "gb_s: the cap of the machine that a volume is attached to.",
     R"({"gb_s": 0.4375, "source": "..."})"},
    {"credits", Of::kBlock,
     "A volume's bucket. unit: bytes or ios; capacity: what is in the full bucket; refill_per_s: "
     "the rate when it is empty; burst_per_s: the rate while there are credits, refill_per_s or "
     "more; refill: even, or steps (full again whenever capacity / refill_per_s has passed). "
     "Absent: no bucket.",
     R"({"unit": "ios", "capacity": 5400000, "refill_per_s": 300, "burst_per_s": 3000, )"
     R"("refill": "even", "source": "..."})"},
    {"iops", Of::kAny, "read, write: caps of accesses at random a second. Absent: none.",
     R"({"read": 16000, "write": 16000, "source": "..."})"},
    {"random_cost", Of::kAny,
     "bytes: an access at random costs at least this. Absent: the granularity.",
     R"({"bytes": 65536, "source": "..."})"},
    {"read_around", Of::kBlock,
     "bytes: what the kernel reads around a page that a mapping lacks. Absent: the page alone.",
     R"({"bytes": 131072, "source": "..."})"},
    {"small_files", Of::kBlock,
     "Files by rising size. bytes: a file's; points: [threads, GB/s] of reading such files one "
     "after another, of which nothing was read ahead. Absent: as fast as a stream.",
     R"([{"bytes": 65536, "points": [[1, 0.2], [4, 0.6]], "source": "..."}, )"
     R"({"bytes": 4194304, "points": [[1, 0.9]], "source": "..."}])"},
    {"bandwidth", Of::kAny,
     "Required: read.sequential. GB/s (10^9 bytes a second) of read and write, each sequential and "
     "random: either gb_s, for any number of threads, or points [threads, GB/s], threads rising, "
     "interpolated between. one_thread_gb_s caps one thread. Absent: random as sequential, writes "
     "as reads.",
     ""},
    {"near_cache", Of::kCache,
     "Required for memory-mode, with none of the other figures: a cache of near memory before a "
     "far "
     "device. near, far: a profile's name, or an object with the fields of one; line_bytes: 64 or "
     "4096; cache_bytes: its size (absent: near=SIZE of the medium says it); source: of the whole.",
     ""},
};

bool applies(Of of, bool is_block, bool has_cache, std::string_view name) {
  const bool is_head = name == "name" || name == "about" || name == "kind" || name == "medium" ||
                       name == "reference";
  if (has_cache && !is_head) return of == Of::kCache;
  return of == Of::kAny || (of == Of::kBlock && is_block) || (of == Of::kMemory && !is_block);
}

// Marks every source of the profile as the template's.
void mark_sources(Json& value) {
  if (!value.is_structured()) return;
  for (auto& [name, part] : value.items()) {
    if (name == "source") part = std::string(kReplace) + part.get<std::string>();
    mark_sources(part);
  }
}

std::string comment(const std::string& text) { return "  // " + folded(text, kColumns - 5, {}); }

std::string commented(std::string text) {
  for (std::size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 1)) {
    text.insert(at + 1, "  // ");
  }
  return text;
}

// How a profile of this medium is named to a run.
std::string use_of(const std::string& medium) {
  if (medium == kReferenceMedium)
    return "\"reference\": \"./FILE.json\" in another profile and --emulation ratio";
  return fmt::format("--medium {}:./FILE.json{}", medium,
                     medium == "memory-mode" ? "+near=2GiB" : "");
}

// A member on a line where that is short, else its own members on lines of theirs.
std::string member_text(const std::string& name, const Json& value, std::size_t indent) {
  const std::string blanks(indent, ' ');
  const std::string begin = fmt::format("{}\"{}\": ", blanks, name);
  std::string line = begin + value.dump();
  if (!value.is_object() || line.size() <= kColumns) return line;
  std::string text;
  for (const auto& [part, inner] : value.items()) {
    text += (text.empty() ? "\n" : ",\n") + member_text(part, inner, indent + 2);
  }
  return begin + "{" + text + "\n" + blanks + "}";
}

}  // namespace

std::vector<std::string> template_kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) names.emplace_back(kind.name);
  return names;
}

Result<std::string> profile_template(const std::string& kind) {
  const auto* const known =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& one) { return one.name == kind; });
  if (known == kKinds.end()) {
    return usage_error(fmt::format("--template: unknown value '{}': known are {}{}", kind,
                                   fmt::join(template_kinds(), ", "),
                                   did_you_mean(kind, template_kinds())));
  }
  HDB_ASSIGN(const std::string original, profile_text(known->profile));
  Json profile = Json::parse(original, nullptr, true, true);
  const bool has_cache = profile.contains("near_cache");
  const bool is_block = profile.at("kind") == "block";
  profile["name"] = "mine";
  mark_sources(profile);
  std::string text =
      "{\n" +
      commented(comment(fmt::format(
          "A device profile. The figures are those of {}: replace them and their sources. A field "
          "that is commented out is optional. Check it with hdbench profile --check FILE.json, use "
          "it with {}.",
          known->profile, use_of(profile.at("medium").get<std::string>()))));
  const std::string_view last = has_cache ? "near_cache" : "bandwidth";
  for (const FieldHelp& field : kFields) {
    if (!applies(field.of, is_block, has_cache, field.name)) continue;
    text += "\n" + commented(comment(field.about));
    if (profile.contains(field.name)) {
      text +=
          member_text(field.name, profile.at(field.name), 2) + (field.name == last ? "\n" : ",\n");
    } else {
      text += fmt::format("  // \"{}\": {},\n", field.name, field.example);
    }
  }
  return text + "}\n";
}

std::size_t template_sources(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(kReplace); at != std::string::npos;
       at = text.find(kReplace, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace hdbench::bench
