#include "bench/profiles/profile_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "bench/base/layers.h"
#include "bench/base/lines.h"
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
                    "what --emulation ratio holds others against. GB/s: the most that "
                    "sequential reads reach; ns: a read at random of an idle device, - "
                    "where no source gives it; near/far where a cache is before a device.",
                    columns, {});
}

Result<std::string> profiles_json() {
  HDB_ASSIGN(const std::vector<Listed> all, all_profiles());
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Listed& one : all) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    json["name"] = one.name;
    json["medium"] = one.medium;
    json["about"] = one.about;
    json["gb_s"] = one.gb_s;
    json["ns"] = nlohmann::ordered_json::array();
    for (const auto& ns : one.ns) {
      json["ns"].push_back(ns ? nlohmann::ordered_json(*ns) : nlohmann::ordered_json());
    }
    json["source"] = one.source;
    list.push_back(std::move(json));
  }
  return list.dump(2) + "\n";
}

}  // namespace hdbench::bench
