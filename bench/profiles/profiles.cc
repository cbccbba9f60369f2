#include "bench/profiles/profiles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/base/json_value.h"
#include "bench/base/layers.h"
#include "bench/base/lines.h"
#include "engine/base/text.h"
#include "pmem/base/medium_spec.h"
#include "pmem/emulator/device_profile.h"

namespace hdbench::bench {
namespace {

struct Listed {
  std::string name;
  std::string medium;  // or block, memory: any of that kind
  std::string about;
  std::string source;
  // Of the device; of the near cache before it, if there is one.
  std::vector<double> gb_s;
  std::vector<std::optional<double>> ns;  // none: the profile has no figure
};

void add_figures(Listed& listed, const DeviceProfile& device) {
  double most = 0;
  for (const BandwidthPoint& point : device.curves[0][0].points) most = std::max(most, point.gb_s);
  listed.gb_s.push_back(most);
  const double ns = device.latency.read_random_ns;
  listed.ns.push_back(ns > 0 ? std::optional(ns) : std::nullopt);
}

std::string source_of(const DeviceProfile& device, const char* field) {
  const auto source = device.sources.find(field);
  return source == device.sources.end() ? "" : source->second;
}

Listed listed_of(const DeviceProfile& profile) {
  Listed listed;
  listed.name = profile.name;
  listed.about = profile.about;
  listed.medium = profile.medium;
  if (listed.medium.empty())
    listed.medium = profile.kind == DeviceKind::kBlock ? "block" : "memory";
  if (profile.near_cache) {
    add_figures(listed, profile.near_cache->near);
    add_figures(listed, profile.near_cache->far);
    listed.source = source_of(profile, "near_cache");
  } else {
    add_figures(listed, profile);
    listed.source = source_of(profile, "bandwidth.read.sequential");
  }
  return listed;
}

Result<std::vector<Listed>> all_profiles() {
  std::vector<Listed> all;
  for (const std::string& name : profile_names()) {
    HDB_ASSIGN(const DeviceProfile profile, load_profile(name));
    all.push_back(listed_of(profile));
  }
  // Those of a medium together.
  std::stable_sort(all.begin(), all.end(),
                   [](const Listed& a, const Listed& b) { return a.medium < b.medium; });
  return all;
}

std::string rates(const Listed& listed) {
  std::string text;
  for (const double gb_s : listed.gb_s) {
    text += fmt::format("{}{:.4g}", text.empty() ? "" : "/", gb_s);
  }
  return text;
}

std::string latencies(const Listed& listed) {
  std::string text;
  for (const auto& ns : listed.ns) {
    text += (text.empty() ? "" : "/") + (ns ? fmt::format("{:.0f}", *ns) : "-");
  }
  return text;
}

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
                                         {"dram", "ddr4-2933-6ch"}}};

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
     "The medium that it emulates: nvme, app-direct, memory-mode, cxl; dram: near memory of "
     "other profiles. Absent: any of its kind.",
     "\"cxl\""},
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
    {"loaded_latency", Of::kMemory,
     "points: [GB/s, ns] of a read at random while the device moves so much, GB/s rising from 0, "
     "ns "
     "not falling. Absent: as at rest.",
     R"({"points": [[0, 300], [20, 350], [30, 800]], "source": "..."})"},
    {"mix", Of::kAny,
     "points: [share of reads, GB/s] of reads and writes together, shares from 0 to 1; or rule: "
     "shared: they share the device's time; duplex: each have their own. Absent: shared.",
     R"({"points": [[0, 20], [0.667, 36], [1, 27]], "source": "..."})"},
    {"interference", Of::kMemory,
     "share: of the bandwidth of the socket's other memories, what this device takes when it is "
     "fully loaded. Absent: nothing.",
     R"({"share": 0.2, "source": "..."})"},
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
     "4096; cache_bytes: its size (absent: near=SIZE of the medium says it); policy: inclusive, or "
     "exclusive (lines move between near and far, as in Flat Memory Mode; absent: inclusive); "
     "source: of the whole.",
     ""},
};

bool applies(Of of, bool is_block, bool has_cache, std::string_view name) {
  const bool is_head = name == "name" || name == "about" || name == "kind" || name == "medium";
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
  if (medium == kNearMedium) return "\"near\": \"./FILE.json\" in another profile's near_cache";
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

// Three significant digits and one to spare: more would promise more than a noisy machine gives.
double rounded_figure(double value) { return std::stod(fmt::format("{:.4g}", value)); }

Json curve(const std::vector<ProbedPoint>& points, const std::string& source) {
  Json list = Json::array();
  for (const ProbedPoint& point : points)
    list.push_back(Json::array({point.threads, rounded_figure(point.gb_s)}));
  return {{"points", std::move(list)}, {"source", source}};
}

// The rate while the bucket lasts is the bandwidth, and the bucket holds it down to the steady one.
void add_burst(const ProbedBurst& burst, const std::string& source, Json& profile) {
  profile["bandwidth"]["read"]["sequential"] = {{"gb_s", rounded_figure(burst.gb_s)},
                                                {"source", source}};
  profile["credits"] = {{"unit", "bytes"},
                        {"capacity", rounded_figure(burst.bytes)},
                        {"refill_per_s", rounded_figure(burst.refill_gb_s * 1e9)},
                        {"burst_per_s", rounded_figure(burst.gb_s * 1e9)},
                        {"refill", burst.in_steps ? "steps" : "even"},
                        {"source", source}};
}

Json pair_of(double x, double y) { return Json::array({rounded_figure(x), rounded_figure(y)}); }

void add_load(const ProbedDevice& device, const std::string& source, Json& profile) {
  if (device.load.latency.size() > 1) {
    Json points = Json::array();
    for (const LoadPoint& point : rising_latencies(device.load.latency))
      points.push_back(pair_of(point.gb_s, point.ns));
    profile["loaded_latency"] = {{"points", std::move(points)}, {"source", source}};
  }
  if (!device.load.mixes.empty()) {
    Json points = Json::array();
    for (const MixPoint& point : device.load.mixes)
      points.push_back(pair_of(point.read_share, point.gb_s));
    profile["mix"] = {{"points", std::move(points)}, {"source", source}};
  }
  if (device.taken_share && rounded_figure(*device.taken_share) > 0) {
    profile["interference"] = {{"share", rounded_figure(*device.taken_share)}, {"source", source}};
  }
}

// A column more of what mlc has for the same, and how far off that is.
void add_checked(double ours, std::optional<double> checked, std::vector<std::string>& row) {
  row.push_back(checked ? fmt::format("{:.4g}", *checked) : "-");
  row.push_back(checked ? fmt::format("{:+.1f} %", (ours / *checked - 1) * 100) : "-");
}

std::string load_table(const ProbedDevice& device) {
  std::string text;
  const LoadCurves& load = device.load;
  const bool is_checked = !device.checked.latency.empty();
  if (load.latency.size() > 1) {
    TextRows rows{{"load GB/s", "read ns"}};
    if (is_checked) rows[0].insert(rows[0].end(), {"mlc ns", "off"});
    for (const LoadPoint& point : load.latency) {
      rows.push_back({fmt::format("{:.4g}", point.gb_s), fmt::format("{:.4g}", point.ns)});
      if (!is_checked) continue;
      const auto& checked = device.checked.latency;
      std::optional<double> ns;
      if (point.gb_s <= checked.back().gb_s)
        ns = value_at(checked, &LoadPoint::gb_s, &LoadPoint::ns, point.gb_s);
      add_checked(point.ns, ns, rows.back());
    }
    text += "\na random read on one thread while the others read\n" + aligned(rows, 0);
  }
  if (!load.mixes.empty()) {
    TextRows rows{{"reads", "writes", "GB/s"}};
    if (is_checked) rows[0].insert(rows[0].end(), {"mlc GB/s", "off"});
    for (std::size_t k = load.mixes.size(); k-- > 0;) {
      rows.push_back({fmt::format("{}", kMixes[k].reads), fmt::format("{}", kMixes[k].writes),
                      fmt::format("{:.4g}", load.mixes[k].gb_s)});
      if (!is_checked) continue;
      std::optional<double> gb_s;
      for (const MixPoint& point : device.checked.mixes) {
        if (point.read_share == load.mixes[k].read_share) gb_s = point.gb_s;
      }
      add_checked(load.mixes[k].gb_s, gb_s, rows.back());
    }
    text += "\nreads and writes together, on all threads\n" + aligned(rows, 0);
  }
  if (device.taken_share) {
    text += fmt::format("\nfully loaded it takes {:.3g} % of the bandwidth of the CPUs' memory\n",
                        *device.taken_share * 100);
  }
  return text;
}

std::string cell(const std::vector<ProbedPoint>& points, std::size_t k) {
  return k < points.size() ? fmt::format("{:.4g}", points[k].gb_s) : "-";
}

}  // namespace

Result<std::string> profiles_text(std::size_t columns) {
  constexpr std::size_t kSource = 55;
  HDB_ASSIGN(const std::vector<Listed> all, all_profiles());
  std::string text =
      fmt::format("{:<21}{:<12}{:>10}{:>9}   {}\n", "profile", "kind", "GB/s", "ns", "source");
  for (const Listed& one : all) {
    text += fmt::format("{:<21}{:<12}{:>10}{:>9}   {}\n", one.name, one.medium, rates(one),
                        latencies(one),
                        wrapped(one.source, columns, std::string(kSource, ' '), kSource));
  }
  return text + folded(
                    "Written KIND:PROFILE, as --medium cxl:cxl-asic-ddr5; those of dram are "
                    "near memory of other profiles. GB/s: the most that "
                    "sequential reads reach; ns: a read at random of an idle device, - "
                    "where no source gives it; near/far where a cache is before a device.",
                    columns, {});
}

Result<std::string> profiles_json() {
  HDB_ASSIGN(const std::vector<Listed> all, all_profiles());
  Json list = Json::array();
  for (const Listed& one : all) {
    Json json = Json::object();
    json["name"] = one.name;
    json["medium"] = one.medium;
    json["about"] = one.about;
    json["gb_s"] = one.gb_s;
    json["ns"] = Json::array();
    for (const auto& ns : one.ns) {
      json["ns"].push_back(ns ? Json(*ns) : Json());
    }
    json["source"] = one.source;
    list.push_back(std::move(json));
  }
  return list.dump(2) + "\n";
}

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

std::string profile_json(const ProbedDevice& device, const std::string& name,
                         const std::string& source) {
  Json read{{"sequential", curve(device.sequential_read, source)}};
  if (!device.random_read.empty()) read["random"] = curve(device.random_read, source);
  Json bandwidth{{"read", std::move(read)}};
  if (!device.sequential_write.empty())
    bandwidth["write"] = {{"sequential", curve(device.sequential_write, source)}};
  Json profile{
      {"name", name},
      {"about", "measured by hdbench profile: " + device.place},
      {"kind", device.is_block ? "block" : "memory"},
      {"granularity", {{"bytes", device.granularity_bytes}, {"source", source}}},
      {"latency", {{"read_random", {{"ns", rounded_figure(device.read_ns)}, {"source", source}}}}},
      {"bandwidth", std::move(bandwidth)}};
  if (device.mlp > 0)
    profile["mlp"] = {{"accesses", rounded_figure(device.mlp)}, {"source", source}};
  add_load(device, source, profile);
  if (device.read_around_bytes > 0)
    profile["read_around"] = {{"bytes", device.read_around_bytes}, {"source", source}};
  for (const ProbedFiles& size : device.small_files) {
    Json small{{"bytes", size.bytes}};
    small.update(curve(size.points, source));
    profile["small_files"].push_back(std::move(small));
  }
  if (device.burst) add_burst(*device.burst, source, profile);
  return profile.dump(2) + "\n";
}

std::string profile_table(const ProbedDevice& device) {
  TextRows rows{{"threads", "sequential read", "random read", "write"},
                {"", "GB/s", "GB/s", "GB/s"}};
  for (const ProbedFiles& size : device.small_files) {
    rows[0].push_back(fmt::format("{} KiB files", size.bytes >> 10));
    rows[1].push_back("GB/s");
  }
  for (std::size_t k = 0; k < device.sequential_read.size(); ++k) {
    rows.push_back({fmt::format("{}", device.sequential_read[k].threads),
                    cell(device.sequential_read, k), cell(device.random_read, k),
                    cell(device.sequential_write, k)});
    for (const ProbedFiles& size : device.small_files) rows.back().push_back(cell(size.points, k));
  }
  std::string text = device.place + "\n\n" + aligned(rows, 0);
  text += fmt::format("\none random read of {} bytes: {:.4g} {}\n", device.granularity_bytes,
                      device.read_ns >= 1e4 ? device.read_ns / 1e3 : device.read_ns,
                      device.read_ns >= 1e4 ? "us" : "ns");
  text += load_table(device);
  if (device.burst) {
    const ProbedBurst& burst = *device.burst;
    text += fmt::format("after idleness {:.3g} MB at {:.3g} GB/s, then {:.4g} GB/s: refilled {}\n",
                        burst.bytes / 1e6, burst.gb_s, burst.refill_gb_s,
                        burst.in_steps ? fmt::format("at once every {:.3g} ms",
                                                     burst.bytes / burst.refill_gb_s / 1e6)
                                       : "evenly");
  }
  return text;
}

}  // namespace hdbench::bench
