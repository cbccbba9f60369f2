#include "pmem/emulator/device_profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include "pmem/base/medium_spec.h"
#include "pmem/emulator/json_fields.h"

namespace hdbench {
namespace {

using Json = JsonFields::Json;

constexpr double kGranularityMax = 1 << 20;
constexpr double kSmallFileMax = 1 << 30;
constexpr double kLatencyMaxNs = 1e9;
constexpr std::uintmax_t kProfileBytesMax = std::uintmax_t{1} << 20;
constexpr double kGbPerSMin = 1e-5;
constexpr std::string_view kSlowest = "10 kB/s (1e-5 GB/s) or more";

// GB/s.
Result<double> read_gb_s(const JsonFields& fields, const char* field) {
  HDB_ASSIGN(const double gb_s, fields.positive(field));
  if (gb_s < kGbPerSMin) return fields.wrong(field, fmt::format("{}", gb_s), kSlowest);
  return gb_s;
}

Status read_source(const JsonFields& fields, DeviceProfile& profile) {
  HDB_ASSIGN(profile.sources[fields.path()], fields.text("source"));
  return ok_status();
}

// A number with its source, which may be left out: {"ns": 169.4, "source": "[P] ..."}.
template <typename T>
Status read_sourced(const JsonFields& parent, const char* field, const char* unit,
                    DeviceProfile& profile, T& value) {
  if (!parent.has(field)) return ok_status();
  HDB_ASSIGN(const JsonFields figure, parent.object(field, {unit, "source"}));
  HDB_ASSIGN(const double number, figure.positive(unit));
  value = static_cast<T>(number);
  return read_source(figure, profile);
}

Result<std::vector<BandwidthPoint>> read_points(const JsonFields& curve) {
  const Json& list = curve["points"];
  constexpr std::string_view kExpected = "a list of [threads, GB/s], threads rising";
  if (!list.is_array() || list.empty()) return curve.wrong("points", list.dump(), kExpected);
  std::vector<BandwidthPoint> points;
  for (const Json& pair : list) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_number()) {
      return curve.wrong("points", pair.dump(), kExpected);
    }
    const BandwidthPoint point{pair[0].get<double>(), pair[1].get<double>()};
    if (!(point.threads > 0) || !(point.gb_s > 0)) {
      return curve.wrong("points", pair.dump(), "numbers above 0");
    }
    if (point.gb_s < kGbPerSMin) return curve.wrong("points", pair.dump(), kSlowest);
    if (!points.empty() && point.threads <= points.back().threads) {
      return curve.wrong("points",
                         fmt::format("{} threads after {}", point.threads, points.back().threads),
                         "threads rising");
    }
    points.push_back(point);
  }
  return points;
}

// Either points by threads, or one gb_s for any threads.
Status read_curve(const JsonFields& parent, const char* field, DeviceProfile& profile,
                  BandwidthCurve& curve) {
  HDB_ASSIGN(const JsonFields fields,
             parent.object(field, {"points", "gb_s", "one_thread_gb_s", "source"}));
  if (fields.has("points") == fields.has("gb_s")) {
    return fields.wrong("points", fields.has("points") ? "both points and gb_s" : "missing",
                        "either points or gb_s");
  }
  if (fields.has("points")) {
    HDB_ASSIGN(curve.points, read_points(fields));
  } else {
    HDB_ASSIGN(const double gb_s, read_gb_s(fields, "gb_s"));
    curve.points = {{1, gb_s}};
  }
  if (fields.has("one_thread_gb_s")) {
    HDB_ASSIGN(curve.one_thread_gb_s, read_gb_s(fields, "one_thread_gb_s"));
  }
  return read_source(fields, profile);
}

Status read_bandwidth(const JsonFields& root, DeviceProfile& profile) {
  HDB_ASSIGN(const JsonFields bandwidth, root.object("bandwidth", {"read", "write"}));
  if (!bandwidth.has("read")) return bandwidth.wrong("read", "missing", "an object");
  constexpr const char* kNames[2] = {"read", "write"};  // [AccessKind]
  for (int kind = 0; kind < 2; ++kind) {
    if (!bandwidth.has(kNames[kind])) continue;
    HDB_ASSIGN(const JsonFields by_pattern,
               bandwidth.object(kNames[kind], {"sequential", "random"}));
    auto& curves = profile.curves[kind];
    HDB_TRY(read_curve(by_pattern, "sequential", profile, curves[0]));
    if (by_pattern.has("random")) HDB_TRY(read_curve(by_pattern, "random", profile, curves[1]));
  }
  return ok_status();
}

Status read_latency(const JsonFields& root, DeviceProfile& profile) {
  if (!root.has("latency")) return ok_status();
  HDB_ASSIGN(const JsonFields latency,
             root.object("latency", {"read_sequential", "read_random", "write"}));
  const std::pair<const char*, double*> figures[] = {
      {"read_sequential", &profile.latency.read_sequential_ns},
      {"read_random", &profile.latency.read_random_ns},
      {"write", &profile.latency.write_ns}};
  for (const auto& [field, ns] : figures) {
    HDB_TRY(read_sourced(latency, field, "ns", profile, *ns));
    if (*ns > kLatencyMaxNs) {
      return latency.wrong(fmt::format("{}.ns", field), fmt::format("{}", *ns),
                           "a second (1e9) at most");
    }
  }
  return ok_status();
}

Status read_credits(const JsonFields& root, DeviceProfile& profile) {
  if (!root.has("credits")) return ok_status();
  HDB_ASSIGN(const JsonFields fields, root.object("credits", {"unit", "capacity", "refill_per_s",
                                                              "burst_per_s", "refill", "source"}));
  CreditBucket& bucket = profile.credits.emplace();
  HDB_ASSIGN(bucket.unit, fields.choice<CreditBucket::Unit>("unit", {"bytes", "ios"}));
  HDB_ASSIGN(bucket.capacity, fields.positive("capacity"));
  HDB_ASSIGN(bucket.refill_per_s, fields.positive("refill_per_s"));
  HDB_ASSIGN(bucket.burst_per_s, fields.positive("burst_per_s"));
  if (bucket.burst_per_s < bucket.refill_per_s) {
    return fields.wrong("burst_per_s", fmt::format("{}", bucket.burst_per_s),
                        fmt::format("refill_per_s ({}) or more", bucket.refill_per_s));
  }
  if (fields.has("refill")) {
    HDB_ASSIGN(bucket.refill, fields.choice<CreditBucket::Refill>("refill", {"even", "steps"}));
  }
  return read_source(fields, profile);
}

Status read_iops(const JsonFields& root, DeviceProfile& profile) {
  if (!root.has("iops")) return ok_status();
  HDB_ASSIGN(const JsonFields fields, root.object("iops", {"read", "write", "source"}));
  if (fields.has("read")) {
    HDB_ASSIGN(profile.iops[0], fields.positive("read"));
  }
  if (fields.has("write")) {
    HDB_ASSIGN(profile.iops[1], fields.positive("write"));
  }
  return read_source(fields, profile);
}

Status read_small_files(const JsonFields& root, DeviceProfile& profile) {
  if (!root.has("small_files")) return ok_status();
  HDB_ASSIGN(const JsonFields fields, root.object("small_files", {"bytes", "points", "source"}));
  if (profile.kind != DeviceKind::kBlock) {
    return root.wrong("small_files", "of a memory", "none, or kind block");
  }
  SmallFiles& small = profile.small_files.emplace();
  HDB_ASSIGN(const double bytes, fields.positive("bytes"));
  if (bytes < profile.granularity_bytes || bytes > kSmallFileMax) {
    return fields.wrong("bytes", fmt::format("{}", bytes),
                        fmt::format("{} to {}", profile.granularity_bytes, kSmallFileMax));
  }
  small.bytes = static_cast<std::uint64_t>(bytes);
  if (!fields.has("points")) return fields.wrong("points", "missing", "a list");
  HDB_ASSIGN(small.read.points, read_points(fields));
  return read_source(fields, profile);
}

Status read_mix(const JsonFields& root, DeviceProfile& profile) {
  if (!root.has("mix")) return ok_status();
  HDB_ASSIGN(const JsonFields fields, root.object("mix", {"rule", "source"}));
  HDB_ASSIGN(profile.mix, fields.choice<MixRule>("rule", {"shared", "duplex"}));
  return read_source(fields, profile);
}

Status read_sizes(const JsonFields& root, DeviceProfile& profile) {
  if (!root.has("granularity")) return root.wrong("granularity", "missing", "an object");
  double bytes = 0;
  HDB_TRY(read_sourced(root, "granularity", "bytes", profile, bytes));
  const auto whole = static_cast<std::uint32_t>(std::min(bytes, kGranularityMax));
  if (whole != bytes || whole < 64 || (whole & (whole - 1)) != 0) {
    return root.wrong("granularity.bytes", fmt::format("{}", bytes),
                      "a power of two from 64 to 1048576");
  }
  profile.granularity_bytes = whole;
  HDB_TRY(read_sourced(root, "capacity", "bytes", profile, profile.capacity_bytes));
  HDB_TRY(read_sourced(root, "random_cost", "bytes", profile, profile.random_cost_bytes));
  HDB_TRY(read_sourced(root, "read_around", "bytes", profile, profile.read_around_bytes));
  HDB_TRY(read_sourced(root, "mlp", "accesses", profile, profile.mlp));
  HDB_TRY(read_sourced(root, "instance", "gb_s", profile, profile.instance_gb_s));
  if (root.has("instance") && profile.instance_gb_s < kGbPerSMin) {
    return root.wrong("instance.gb_s", fmt::format("{}", profile.instance_gb_s), kSlowest);
  }
  return ok_status();
}

Result<DeviceProfile> read_device(const JsonFields& root);

// A near or far device: a name, or an object of its own.
Result<DeviceProfile> read_tier(const JsonFields& fields, const char* field) {
  if (!fields.has(field)) return fields.wrong(field, "missing", "a profile's name or an object");
  const Json& value = fields[field];
  Result<DeviceProfile> tier =
      value.is_string() ? load_profile(value.get<std::string>())
                        : read_device(JsonFields(value, fields.file(), fields.path_of(field)));
  if (tier.ok() && tier->near_cache) {
    return fields.wrong(field, tier->name, "a device without a near cache");
  }
  return tier;
}

Status read_near_cache(const JsonFields& root, DeviceProfile& profile) {
  HDB_ASSIGN(const JsonFields fields,
             root.object("near_cache", {"near", "far", "line_bytes", "cache_bytes", "source"}));
  auto cache = std::make_shared<NearCacheProfile>();
  HDB_ASSIGN(cache->near, read_tier(fields, "near"));
  HDB_ASSIGN(cache->far, read_tier(fields, "far"));
  HDB_ASSIGN(const double line, fields.positive("line_bytes"));
  if (line != 64 && line != 4096) {
    return fields.wrong("line_bytes", fmt::format("{}", line), "64 or 4096");
  }
  cache->line_bytes = static_cast<std::uint32_t>(line);
  if (fields.has("cache_bytes")) {
    HDB_ASSIGN(const double bytes, fields.positive("cache_bytes"));
    cache->cache_bytes = static_cast<std::uint64_t>(bytes);
  }
  profile.near_cache = std::move(cache);
  return read_source(fields, profile);
}

Result<DeviceProfile> read_device(const JsonFields& root) {
  HDB_TRY(root.only({"name", "about", "kind", "medium", "reference", "granularity", "capacity",
                     "latency", "mlp", "bandwidth", "mix", "instance", "credits", "iops",
                     "random_cost", "read_around", "small_files", "near_cache"}));
  DeviceProfile profile;
  HDB_ASSIGN(profile.name, root.text("name"));
  HDB_ASSIGN(profile.about, root.text("about"));
  HDB_ASSIGN(profile.kind, root.choice<DeviceKind>("kind", {"memory", "block"}));
  const bool is_block = profile.kind == DeviceKind::kBlock;
  if (root.has("medium")) {
    HDB_ASSIGN(profile.medium, root.text("medium"));
    std::vector<std::string> known = media_with_profiles();
    known.emplace_back(kReferenceMedium);
    if (std::find(known.begin(), known.end(), profile.medium) == known.end()) {
      return root.wrong("medium", profile.medium, fmt::format("one of {}", fmt::join(known, ", ")));
    }
    if ((profile.medium == "nvme") != is_block) {
      return root.wrong(
          "medium", profile.medium,
          is_block ? "nvme, as the kind is block" : "another than nvme, as the kind is memory");
    }
    if (profile.medium == "memory-mode" && !root.has("near_cache")) {
      return root.wrong("near_cache", "missing", "an object, as the medium is memory-mode");
    }
  }
  if (root.has("reference")) {
    HDB_ASSIGN(profile.reference, root.text("reference"));
    if (is_block) {
      return root.wrong("reference", profile.reference, "none, as the kind is block");
    }
  }
  if (root.has("near_cache")) {
    HDB_TRY(root.only({"name", "about", "kind", "medium", "reference", "near_cache"}));
    HDB_TRY(read_near_cache(root, profile));
    return profile;
  }
  HDB_TRY(read_sizes(root, profile));
  HDB_TRY(read_latency(root, profile));
  HDB_TRY(read_bandwidth(root, profile));
  HDB_TRY(read_credits(root, profile));
  HDB_TRY(read_iops(root, profile));
  HDB_TRY(read_small_files(root, profile));
  HDB_TRY(read_mix(root, profile));
  return profile;
}

// Parses, and tells the first field that an object has twice ("latency.read_random"): one of two
// figures would be dropped in silence.
Json parse_json(std::string_view text, std::optional<std::string>& twice) {
  struct Open {
    std::set<std::string> names;
    std::string last;
  };
  std::vector<Open> open;
  return Json::parse(text, [&](int /*depth*/, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event != Json::parse_event_t::key) return true;
    open.back().last = value.get<std::string>();
    if (open.back().names.insert(open.back().last).second || twice) return true;
    std::vector<std::string> path;
    for (const Open& one : open) path.push_back(one.last);
    twice = fmt::format("{}", fmt::join(path, "."));
    return true;
  });
}

// Of the byte with this number, counted from 1.
std::size_t line_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte == 0 ? 0 : byte - 1, text.size()));
  return static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
}

}  // namespace

const BandwidthCurve& DeviceProfile::curve(AccessKind access, AccessPattern pattern) const {
  for (const int kind_index : {static_cast<int>(access), static_cast<int>(AccessKind::kRead)}) {
    const BandwidthCurve& own = curves[kind_index][static_cast<int>(pattern)];
    if (own.known()) return own;
    if (curves[kind_index][0].known()) return curves[kind_index][0];
  }
  return curves[0][0];
}

double DeviceProfile::access_ns(AccessKind access, AccessPattern pattern) const {
  if (access == AccessKind::kWrite) return latency.write_ns;
  const bool has_own = pattern == AccessPattern::kSequential && latency.read_sequential_ns > 0;
  return has_own ? latency.read_sequential_ns : latency.read_random_ns;
}

Result<DeviceProfile> parse_profile(std::string_view text, const std::string& file) {
  Json json;
  std::optional<std::string> twice;
  try {
    json = parse_json(text, twice);
  } catch (const Json::parse_error& error) {
    return usage_error(fmt::format("{}: line {} (byte {}): not JSON, expected a device profile",
                                   file, line_of(text, error.byte), error.byte));
  } catch (const Json::out_of_range& error) {
    const std::string what = error.what();
    return usage_error(fmt::format("{}: {}, expected numbers that a double holds", file,
                                   what.substr(what.find("] ") + 2)));
  }
  if (twice) {
    return usage_error(fmt::format("{}: {}: given twice, expected once", file, *twice));
  }
  return read_device(JsonFields(json, file, ""));
}

std::filesystem::path profiles_directory() {
  std::error_code ignored;
  const auto executable = std::filesystem::read_symlink("/proc/self/exe", ignored);
  auto installed = (executable.parent_path() / "../share/hdbench/profiles").lexically_normal();
  if (std::filesystem::is_directory(installed, ignored)) return installed;
  return HDBENCH_PROFILES_DIR;
}

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(profiles_directory(), failed)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<DeviceProfile> load_profile(const std::string& name_or_path) {
  const bool is_path = name_or_path.find('/') != std::string::npos ||
                       std::string_view(name_or_path).ends_with(".json");
  const std::filesystem::path path = is_path ? std::filesystem::path(name_or_path)
                                             : profiles_directory() / (name_or_path + ".json");
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status)) {
    if (!std::filesystem::is_regular_file(status)) {
      return usage_error(
          fmt::format("{}: is no regular file, expected a device profile", path.string()));
    }
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    if (!error && bytes > kProfileBytesMax) {
      return usage_error(fmt::format("{}: {} bytes, expected 1 MiB at most", path.string(), bytes));
    }
  }
  std::ifstream in(path);
  const int failure = errno;
  if (!in) {
    if (is_path) {
      return usage_error(fmt::format("{}: cannot be read: {}", name_or_path,
                                     std::generic_category().message(failure)));
    }
    return usage_error(fmt::format("no device profile '{}': there are {}", name_or_path,
                                   fmt::join(profile_names(), ", ")));
  }
  std::ostringstream text;
  text << in.rdbuf();
  HDB_ASSIGN(DeviceProfile profile, parse_profile(text.str(), path.string()));
  if (profile.name != path.stem().string()) {
    return usage_error(fmt::format("{}: name: {}, expected the file's own, {}", path.string(),
                                   profile.name, path.stem().string()));
  }
  const std::string bytes = text.str();
  profile.digest = fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
  return profile;
}

}  // namespace hdbench
