#include "bench/profiles/profile_json.h"

#include <fmt/format.h>

#include <string>

#include "bench/base/json_value.h"
#include "bench/base/lines.h"

namespace hdbench::bench {
namespace {

// Three significant digits and one to spare: more would promise more than a noisy machine gives.
double rounded(double value) { return std::stod(fmt::format("{:.4g}", value)); }

Json curve(const std::vector<ProbedPoint>& points, const std::string& source) {
  Json list = Json::array();
  for (const ProbedPoint& point : points)
    list.push_back(Json::array({point.threads, rounded(point.gb_s)}));
  return {{"points", std::move(list)}, {"source", source}};
}

// The rate while the bucket lasts is the bandwidth, and the bucket holds it down to the steady one.
void add_burst(const ProbedBurst& burst, const std::string& source, Json& profile) {
  profile["bandwidth"]["read"]["sequential"] = {{"gb_s", rounded(burst.gb_s)}, {"source", source}};
  profile["credits"] = {{"unit", "bytes"},
                        {"capacity", rounded(burst.bytes)},
                        {"refill_per_s", rounded(burst.refill_gb_s * 1e9)},
                        {"burst_per_s", rounded(burst.gb_s * 1e9)},
                        {"refill", burst.in_steps ? "steps" : "even"},
                        {"source", source}};
}

std::string cell(const std::vector<ProbedPoint>& points, std::size_t k) {
  return k < points.size() ? fmt::format("{:.4g}", points[k].gb_s) : "-";
}

}  // namespace

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
      {"latency", {{"read_random", {{"ns", rounded(device.read_ns)}, {"source", source}}}}},
      {"bandwidth", std::move(bandwidth)}};
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
