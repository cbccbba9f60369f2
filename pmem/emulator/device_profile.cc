#include "pmem/emulator/device_profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <system_error>
#include <type_traits>
#include <utility>

#include "engine/base/file_handle.h"
#include "engine/base/text.h"
#include "pmem/base/medium_spec.h"
#include "pmem/emulator/profile_fields.h"

namespace hdbench::pmem {
namespace {

using Json = ProfileFields::Json;

constexpr double kGranularityMax = 1 << 20;
constexpr double kSmallFileMax = 1 << 30;
constexpr double kLatencyMaxNs = 1e9;
constexpr double kBytesMax = 1e18;  // an exabyte: what a 64-bit number surely holds
constexpr std::size_t kProfileBytesMax = std::size_t{1} << 20;
constexpr double kGbPerSMin = 1e-5;
constexpr std::string_view kSlowest = "10 kB/s (1e-5 GB/s) or more";

// GB/s.
Result<double> read_gb_s(const ProfileFields& fields, const char* field) {
  HDB_ASSIGN(const double gb_s, fields.positive(field));
  HDB_TRY(fields.check(gb_s >= kGbPerSMin, field, fmt::format("{}", gb_s), kSlowest));
  return gb_s;
}

Status read_source(const ProfileFields& fields, DeviceProfile& profile) {
  HDB_ASSIGN(profile.sources[fields.path()], fields.text("source"));
  return ok_status();
}

// A number with its source, which may be left out: {"ns": 169.4, "source": "[P] ..."}.
template <typename T>
Status read_sourced(const ProfileFields& parent, const char* field, const char* unit,
                    DeviceProfile& profile, T& value) {
  if (!parent.has(field)) return ok_status();
  const Result<ProfileFields> figure = parent.object(field, {unit, "source"});
  if (!figure.ok()) return parent.unless_kept(figure.error());
  HDB_ASSIGN(double number, figure->positive(unit));
  if (std::is_integral_v<T>) {
    HDB_TRY(figure->check(number <= kBytesMax, unit, fmt::format("{}", number), "1e18 at most"));
    number = std::min(number, kBytesMax);
  }
  value = static_cast<T>(number);
  return read_source(*figure, profile);
}

// A list of pairs of numbers, the first rising: `x_name` and `y_name` are theirs in messages.
struct PairNames {
  std::string_view x;
  std::string_view y;
};

Result<std::vector<std::pair<double, double>>> read_pairs(const ProfileFields& curve,
                                                          const PairNames& names, double x_least) {
  const std::string expected =
      fmt::format("a list of [{}, {}], {} rising", names.x, names.y, names.x);
  if (!curve.has("points")) return curve.wrong("points", "missing", expected);
  const Json& list = curve["points"];
  if (!list.is_array() || list.empty()) return curve.wrong("points", list.dump(), expected);
  std::vector<std::pair<double, double>> points;
  for (const Json& pair : list) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_number()) {
      return curve.wrong("points", pair.dump(), expected);
    }
    const std::pair point{pair[0].get<double>(), pair[1].get<double>()};
    if (!(point.first >= x_least) || !(point.second > 0)) {
      return curve.wrong("points", pair.dump(),
                         x_least > 0 ? std::string("numbers above 0")
                                     : fmt::format("{} from 0 on, {} above 0", names.x, names.y));
    }
    if (!points.empty() && point.first <= points.back().first) {
      return curve.wrong("points",
                         fmt::format("{} {} after {}", point.first, names.x, points.back().first),
                         fmt::format("{} rising", names.x));
    }
    points.push_back(point);
  }
  return points;
}

Result<std::vector<BandwidthPoint>> read_points(const ProfileFields& curve) {
  constexpr double kThreadsMin = 1e-9;
  HDB_ASSIGN(const auto pairs, read_pairs(curve, {"threads", "GB/s"}, kThreadsMin));
  std::vector<BandwidthPoint> points;
  for (const auto& [threads, gb_s] : pairs) {
    if (gb_s < kGbPerSMin) {
      return curve.wrong("points", fmt::format("[{},{}]", threads, gb_s), kSlowest);
    }
    points.push_back({threads, gb_s});
  }
  return points;
}

// Either points by threads, or one gb_s for any threads.
Status read_curve(const ProfileFields& parent, const char* field, DeviceProfile& profile,
                  BandwidthCurve& curve) {
  HDB_ASSIGN(const ProfileFields fields,
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

Status read_bandwidth(const ProfileFields& root, DeviceProfile& profile) {
  HDB_ASSIGN(const ProfileFields bandwidth, root.object("bandwidth", {"read", "write"}));
  if (!bandwidth.has("read")) return bandwidth.wrong("read", "missing", "an object");
  constexpr const char* kNames[2] = {"read", "write"};  // [AccessKind]
  for (int kind = 0; kind < 2; ++kind) {
    if (!bandwidth.has(kNames[kind])) continue;
    HDB_ASSIGN(const ProfileFields by_pattern,
               bandwidth.object(kNames[kind], {"sequential", "random"}));
    auto& curves = profile.curves[kind];
    HDB_TRY(by_pattern.unless_kept(read_curve(by_pattern, "sequential", profile, curves[0])));
    if (!by_pattern.has("random")) continue;
    HDB_TRY(by_pattern.unless_kept(read_curve(by_pattern, "random", profile, curves[1])));
  }
  return ok_status();
}

Status read_latency(const ProfileFields& root, DeviceProfile& profile) {
  if (!root.has("latency")) return ok_status();
  HDB_ASSIGN(const ProfileFields latency,
             root.object("latency", {"read_sequential", "read_random", "write"}));
  const std::pair<const char*, double*> figures[] = {
      {"read_sequential", &profile.latency.read_sequential_ns},
      {"read_random", &profile.latency.read_random_ns},
      {"write", &profile.latency.write_ns}};
  for (const auto& [field, ns] : figures) {
    HDB_TRY(read_sourced(latency, field, "ns", profile, *ns));
    HDB_TRY(latency.check(*ns <= kLatencyMaxNs, fmt::format("{}.ns", field), fmt::format("{}", *ns),
                          "a second (1e9) at most"));
  }
  return ok_status();
}

Status read_credits(const ProfileFields& root, DeviceProfile& profile) {
  if (!root.has("credits")) return ok_status();
  HDB_ASSIGN(const ProfileFields fields,
             root.object("credits",
                         {"unit", "capacity", "refill_per_s", "burst_per_s", "refill", "source"}));
  CreditBucket& bucket = profile.credits.emplace();
  HDB_ASSIGN(bucket.unit, fields.choice<CreditBucket::Unit>("unit", {"bytes", "ios"}));
  HDB_ASSIGN(bucket.capacity, fields.positive("capacity"));
  HDB_ASSIGN(bucket.refill_per_s, fields.positive("refill_per_s"));
  HDB_ASSIGN(bucket.burst_per_s, fields.positive("burst_per_s"));
  HDB_TRY(fields.check(bucket.burst_per_s >= bucket.refill_per_s, "burst_per_s",
                       fmt::format("{}", bucket.burst_per_s),
                       fmt::format("refill_per_s ({}) or more", bucket.refill_per_s)));
  if (fields.has("refill")) {
    HDB_ASSIGN(bucket.refill, fields.choice<CreditBucket::Refill>("refill", {"even", "steps"}));
  }
  return read_source(fields, profile);
}

Status read_iops(const ProfileFields& root, DeviceProfile& profile) {
  if (!root.has("iops")) return ok_status();
  HDB_ASSIGN(const ProfileFields fields, root.object("iops", {"read", "write", "source"}));
  if (fields.has("read")) {
    HDB_ASSIGN(profile.iops[0], fields.positive("read"));
  }
  if (fields.has("write")) {
    HDB_ASSIGN(profile.iops[1], fields.positive("write"));
  }
  return read_source(fields, profile);
}

Status read_small_files(const ProfileFields& root, DeviceProfile& profile) {
  if (!root.has("small_files")) return ok_status();
  if (profile.kind != DeviceKind::kBlock) {
    return root.wrong("small_files", "of a memory", "none, or kind block");
  }
  const Json& sizes = root["small_files"];
  if (!sizes.is_array() || sizes.empty()) {
    return root.wrong("small_files", sizes.empty() ? "empty" : sizes.type_name(),
                      "a list of objects, bytes rising");
  }
  double least = profile.granularity_bytes;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const ProfileFields fields = root.element("small_files", k);
    HDB_TRY(fields.only({"bytes", "points", "source"}));
    HDB_ASSIGN(const double bytes, fields.positive("bytes"));
    HDB_TRY(fields.check(bytes >= least && bytes <= kSmallFileMax, "bytes",
                         fmt::format("{}", bytes),
                         fmt::format("{} to {}, rising", least, kSmallFileMax)));
    least = bytes + 1;
    SmallFiles& small = profile.small_files.emplace_back();
    small.bytes = static_cast<std::uint64_t>(bytes);
    HDB_ASSIGN(small.read.points, read_points(fields));
    HDB_TRY(read_source(fields, profile));
  }
  return ok_status();
}

Status read_mix(const ProfileFields& root, DeviceProfile& profile) {
  if (!root.has("mix")) return ok_status();
  HDB_ASSIGN(const ProfileFields fields, root.object("mix", {"rule", "points", "source"}));
  if (fields.has("rule")) {
    HDB_ASSIGN(profile.mix, fields.choice<MixRule>("rule", {"shared", "duplex"}));
  }
  if (fields.has("rule") == fields.has("points")) {
    return fields.wrong("points", fields.has("rule") ? "both points and rule" : "missing",
                        "either points or rule");
  }
  if (fields.has("points")) {
    HDB_ASSIGN(const auto pairs, read_pairs(fields, {"share of reads", "GB/s"}, 0));
    for (const auto& [share, gb_s] : pairs) {
      if (share > 1 || gb_s < kGbPerSMin) {
        return fields.wrong("points", fmt::format("[{},{}]", share, gb_s),
                            "a share of reads up to 1, and 10 kB/s or more");
      }
      profile.mix_points.push_back({share, gb_s});
    }
    if (pairs.front().first > 0 || pairs.back().first < 1) {
      return fields.wrong("points",
                          fmt::format("{} to {}", pairs.front().first, pairs.back().first),
                          "shares of reads from 0 to 1");
    }
  }
  return read_source(fields, profile);
}

Status read_loaded_latency(const ProfileFields& root, DeviceProfile& profile) {
  if (!root.has("loaded_latency")) return ok_status();
  HDB_ASSIGN(const ProfileFields fields, root.object("loaded_latency", {"points", "source"}));
  HDB_ASSIGN(const auto pairs, read_pairs(fields, {"GB/s", "ns"}, 0));
  for (const auto& [gb_s, ns] : pairs) {
    if (ns > kLatencyMaxNs) {
      return fields.wrong("points", fmt::format("{} ns", ns), "a second (1e9) at most");
    }
    auto& points = profile.loaded_latency;
    if (!points.empty() && ns < points.back().ns) {
      return fields.wrong("points", fmt::format("{} ns after {}", ns, points.back().ns),
                          "latencies that do not fall");
    }
    points.push_back({gb_s, ns});
  }
  if (profile.latency.read_random_ns == 0) {
    profile.latency.read_random_ns = profile.loaded_latency.front().ns;
  }
  return read_source(fields, profile);
}

Status read_interference(const ProfileFields& root, DeviceProfile& profile) {
  HDB_TRY(read_sourced(root, "interference", "share", profile, profile.interference_share));
  return root.check(profile.interference_share < 1, "interference.share",
                    fmt::format("{}", profile.interference_share), "a share below 1");
}

Status read_sizes(const ProfileFields& root, DeviceProfile& profile) {
  HDB_TRY(root.check(root.has("granularity"), "granularity", "missing", "an object"));
  double bytes = profile.granularity_bytes;
  HDB_TRY(read_sourced(root, "granularity", "bytes", profile, bytes));
  const auto whole = static_cast<std::uint32_t>(std::min(bytes, kGranularityMax));
  HDB_TRY(root.check(whole == bytes && whole >= 64 && (whole & (whole - 1)) == 0,
                     "granularity.bytes", fmt::format("{}", bytes),
                     "a power of two from 64 to 1048576"));
  profile.granularity_bytes = whole;
  HDB_TRY(read_sourced(root, "capacity", "bytes", profile, profile.capacity_bytes));
  HDB_TRY(read_sourced(root, "random_cost", "bytes", profile, profile.random_cost_bytes));
  HDB_TRY(read_sourced(root, "read_around", "bytes", profile, profile.read_around_bytes));
  HDB_TRY(read_sourced(root, "mlp", "accesses", profile, profile.mlp));
  HDB_TRY(read_sourced(root, "instance", "gb_s", profile, profile.instance_gb_s));
  return root.check(!root.has("instance") || profile.instance_gb_s >= kGbPerSMin, "instance.gb_s",
                    fmt::format("{}", profile.instance_gb_s), kSlowest);
}

Result<DeviceProfile> read_device(const ProfileFields& root);

// A near or far device: a name, or an object of its own.
Result<DeviceProfile> read_tier(const ProfileFields& fields, const char* field) {
  if (!fields.has(field)) return fields.wrong(field, "missing", "a profile's name or an object");
  const Json& value = fields[field];
  Result<DeviceProfile> tier =
      value.is_string() ? load_profile(value.get<std::string>()) : read_device(fields.at(field));
  if (tier.ok() && tier->near_cache) {
    return fields.wrong(field, tier->name, "a device without a near cache");
  }
  return tier;
}

Status read_near_cache(const ProfileFields& root, DeviceProfile& profile) {
  HDB_ASSIGN(
      const ProfileFields fields,
      root.object("near_cache", {"near", "far", "line_bytes", "cache_bytes", "policy", "source"}));
  auto cache = std::make_shared<NearCacheProfile>();
  for (const auto& [field, place] : {std::pair{"near", &cache->near}, {"far", &cache->far}}) {
    Result<DeviceProfile> tier = read_tier(fields, field);
    if (!tier.ok()) {
      HDB_TRY(fields.unless_kept(tier.error()));
      continue;
    }
    *place = std::move(*tier);
  }
  HDB_ASSIGN(const double line, fields.positive("line_bytes"));
  HDB_TRY(fields.check(line == 64 || line == 4096, "line_bytes", fmt::format("{}", line),
                       "64 or 4096"));
  cache->line_bytes = static_cast<std::uint32_t>(line);
  if (fields.has("cache_bytes")) {
    HDB_ASSIGN(const double bytes, fields.positive("cache_bytes"));
    HDB_TRY(
        fields.check(bytes <= kBytesMax, "cache_bytes", fmt::format("{}", bytes), "1e18 at most"));
    cache->cache_bytes = static_cast<std::uint64_t>(std::min(bytes, kBytesMax));
  }
  if (fields.has("policy")) {
    HDB_ASSIGN(cache->policy, fields.choice<NearPolicy>("policy", {"inclusive", "exclusive"}));
  }
  HDB_TRY(fields.check(cache->policy == NearPolicy::kInclusive || cache->line_bytes == 64,
                       "line_bytes", fmt::format("{}", cache->line_bytes),
                       "64, as the policy is exclusive"));
  profile.near_cache = std::move(cache);
  return read_source(fields, profile);
}

// The kind, and the fields that have to fit it.
Status read_kind(const ProfileFields& root, DeviceProfile& profile) {
  HDB_ASSIGN(profile.kind, root.choice<DeviceKind>("kind", {"memory", "block"}));
  const bool is_block = profile.kind == DeviceKind::kBlock;
  if (!root.has("medium")) return ok_status();
  HDB_ASSIGN(profile.medium, root.text("medium"));
  std::vector<std::string> known = media_with_profiles();
  known.emplace_back(kNearMedium);
  if (std::find(known.begin(), known.end(), profile.medium) == known.end()) {
    return root.wrong("medium", profile.medium, fmt::format("one of {}", fmt::join(known, ", ")));
  }
  HDB_TRY(root.check(
      (profile.medium == "nvme") == is_block, "medium", profile.medium,
      is_block ? "nvme, as the kind is block" : "another than nvme, as the kind is memory"));
  return root.check(profile.medium != "memory-mode" || root.has("near_cache"), "near_cache",
                    "missing", "an object, as the medium is memory-mode");
}

Result<DeviceProfile> read_device(const ProfileFields& root) {
  DeviceProfile profile;
  HDB_TRY(root.has("near_cache")
              ? root.only({"name", "about", "kind", "medium", "near_cache"})
              : root.only({"name", "about", "kind", "medium", "granularity", "capacity", "latency",
                           "loaded_latency", "mlp", "bandwidth", "mix", "interference", "instance",
                           "credits", "iops", "random_cost", "read_around", "small_files",
                           "near_cache"}));
  HDB_ASSIGN(profile.name, root.text("name"));
  HDB_ASSIGN(profile.about, root.text("about"));
  HDB_TRY(root.unless_kept(read_kind(root, profile)));
  if (root.has("near_cache")) {
    HDB_TRY(root.unless_kept(read_near_cache(root, profile)));
    return profile;
  }
  for (const auto read : {read_sizes, read_latency, read_bandwidth, read_credits, read_iops,
                          read_small_files, read_mix, read_loaded_latency, read_interference}) {
    HDB_TRY(root.unless_kept(read(root, profile)));
  }
  return profile;
}

// What is wrong with a profile's JSON although it is JSON.
struct JsonFaults {
  // The first field that an object has twice ("latency.read_random"): one of two figures would be
  // dropped in silence.
  std::optional<std::string> twice;
  bool is_too_deep = false;  // its tree is cut at kJsonDepthMax
};

Json parse_json(std::string_view text, JsonFaults& faults) {
  struct Open {
    std::set<std::string> names;
    std::string last;
  };
  std::vector<Open> open;
  const auto note = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > static_cast<int>(kJsonDepthMax)) faults.is_too_deep = true;
    if (faults.is_too_deep) return false;
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event != Json::parse_event_t::key) return true;
    open.back().last = value.get<std::string>();
    if (open.back().names.insert(open.back().last).second || faults.twice) return true;
    std::vector<std::string> path;
    for (const Open& one : open) path.push_back(one.last);
    faults.twice = fmt::format("{}", fmt::join(path, "."));
    return true;
  };
  constexpr bool kThrows = true;
  constexpr bool kSkipsComments = true;
  return Json::parse(text, note, kThrows, kSkipsComments);
}

// Of the byte with this number, counted from 1.
std::size_t line_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte == 0 ? 0 : byte - 1, text.size()));
  return static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
}

Result<Json> read_json(std::string_view text, const std::string& file) {
  JsonFaults faults;
  Json json;
  try {
    json = parse_json(text, faults);
  } catch (const Json::parse_error& error) {
    return usage_error(fmt::format("{}: line {} (byte {}): not JSON, expected a device profile",
                                   file, line_of(text, error.byte), error.byte));
  } catch (const Json::out_of_range& error) {
    const std::string what = error.what();
    return usage_error(fmt::format("{}: {}, expected numbers that a double holds", file,
                                   what.substr(what.find("] ") + 2)));
  }
  if (faults.is_too_deep) {
    return usage_error(fmt::format("{}: nested more than {} deep, expected a device profile", file,
                                   kJsonDepthMax));
  }
  if (faults.twice) {
    return usage_error(fmt::format("{}: {}: given twice, expected once", file, *faults.twice));
  }
  return json;
}

// Errors: kUsage, naming the file.
Result<std::string> read_profile_text(const std::filesystem::path& path) {
  const Result<std::string> text = read_text(path, kProfileBytesMax);
  return text.ok() ? text : Result<std::string>(usage_error(text.error().message));
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

double DeviceProfile::loaded_over_idle(double gb_s) const {
  if (loaded_latency.empty()) return 1;
  const double idle = loaded_latency.front().ns;
  return value_at(loaded_latency, &LoadPoint::gb_s, &LoadPoint::ns, gb_s) / idle;
}

double DeviceProfile::mix_gain(double read_share) const {
  if (mix_points.empty()) return 1;
  const double reads = mix_points.back().gb_s;
  const double writes = mix_points.front().gb_s;
  const double apart = 1 / (read_share / reads + (1 - read_share) / writes);
  return value_at(mix_points, &MixPoint::read_share, &MixPoint::gb_s, read_share) / apart;
}

Result<DeviceProfile> parse_profile(std::string_view text, const std::string& file) {
  HDB_ASSIGN(const Json json, read_json(text, file));
  return read_device(ProfileFields(json, file, ""));
}

std::vector<std::string> profile_errors(std::string_view text, const std::string& file) {
  const Result<Json> json = read_json(text, file);
  if (!json.ok()) return {json.error().message};
  ProfileFields::Errors errors;
  const auto profile = read_device(ProfileFields(*json, file, "", &errors));
  std::vector<std::string> messages;
  for (const auto& [place, message] : errors) messages.push_back(message);
  if (!profile.ok() && messages.empty()) messages.push_back(profile.error().message);
  return messages;
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

Result<std::string> profile_text(const std::string& name_or_path) {
  const bool is_path = name_or_path.find('/') != std::string::npos ||
                       std::string_view(name_or_path).ends_with(".json");
  if (is_path) return read_profile_text(name_or_path);
  const std::filesystem::path path = profiles_directory() / (name_or_path + ".json");
  std::error_code error;
  if (std::filesystem::exists(path, error)) return read_profile_text(path);
  const std::vector<std::string> known = profile_names();
  return usage_error(fmt::format("no device profile '{}': there are {}{}", name_or_path,
                                 fmt::join(known, ", "), did_you_mean(name_or_path, known)));
}

Result<DeviceProfile> load_profile(const std::string& name_or_path) {
  HDB_ASSIGN(const std::string text, profile_text(name_or_path));
  HDB_ASSIGN(DeviceProfile profile, parse_profile(text, name_or_path));
  profile.digest = fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
  return profile;
}

}  // namespace hdbench::pmem
