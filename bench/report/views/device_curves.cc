#include "bench/report/views/device_curves.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "pmem/base/medium_spec.h"

namespace hdbench::bench {
namespace {

class CurvesOfDevices {
 public:
  void add(const DeviceProfile& profile) {
    if (profile.near_cache) {
      add_device(profile.near_cache->near, profile.name + ", near: ");
      add_device(profile.near_cache->far, profile.name + ", far: ");
    } else {
      add_device(profile, "");
    }
  }
  DeviceCurves finish() { return std::move(curves_); }

 private:
  void add_device(const DeviceProfile& profile, const std::string& before) {
    profile_ = &profile;
    std::string name = before + profile.name;
    // Two files may have one name.
    const auto is_known = [&] { return std::ranges::count(curves_.devices, name) > 0; };
    for (int copy = 2; is_known(); ++copy)
      name = fmt::format("{}{} ({})", before, profile.name, copy);
    curves_.devices.push_back(name);
    curves_.abouts.push_back(profile.about);
    add_latency();
    add_threads();
    std::vector<std::pair<double, double>> mix;
    for (const MixPoint& point : profile.mix_points)
      mix.emplace_back(100 * point.read_share, point.gb_s);
    put(curves_.mix, "reads and writes", std::move(mix), "mix");
  }

  void put(std::vector<DeviceCurve>& list, const char* what,
           std::vector<std::pair<double, double>> points, const std::string& field) {
    if (points.empty()) return;
    list.push_back({curves_.devices.size() - 1, what, std::move(points), source_of(field)});
  }

  std::string source_of(const std::string& field) const {
    const auto found = profile_->sources.find(field);
    return found == profile_->sources.end() ? "not told" : found->second;
  }

  void add_latency() {
    std::vector<std::pair<double, double>> points;
    for (const LoadPoint& point : profile_->loaded_latency)
      points.emplace_back(point.gb_s, point.ns);
    if (!points.empty()) {
      put(curves_.latency, "a read at random", std::move(points), "loaded_latency");
    } else if (profile_->latency.read_random_ns > 0) {
      put(curves_.latency, "a read at random, at rest", {{0, profile_->latency.read_random_ns}},
          "latency.read_random");
    }
  }

  void add_threads() {
    struct Of {
      AccessKind kind;
      AccessPattern pattern;
      const char* what;
      const char* field;
    };
    constexpr Of kAll[] = {
        {AccessKind::kRead, AccessPattern::kSequential, "reads", "bandwidth.read.sequential"},
        {AccessKind::kRead, AccessPattern::kRandom, "reads at random", "bandwidth.read.random"},
        {AccessKind::kWrite, AccessPattern::kSequential, "writes", "bandwidth.write.sequential"},
        {AccessKind::kWrite, AccessPattern::kRandom, "writes at random", "bandwidth.write.random"}};
    for (const Of& of : kAll) {
      const BandwidthCurve& own =
          profile_->curves[static_cast<int>(of.kind)][static_cast<int>(of.pattern)];
      std::vector<std::pair<double, double>> points;
      for (const BandwidthPoint& point : own.points) points.emplace_back(point.threads, point.gb_s);
      // Until the threads together have the whole, each has its own share.
      const double one = own.one_thread_gb_s;
      if (points.size() == 1 && one > 0 && one < points[0].second)
        points = {{1, one}, {points[0].second / one, points[0].second}};
      put(curves_.threads, of.what, std::move(points), of.field);
    }
  }

  DeviceCurves curves_;
  const DeviceProfile* profile_ = nullptr;
};

}  // namespace

DeviceCurves device_curves(const std::vector<DeviceProfile>& profiles) {
  CurvesOfDevices all;
  for (const DeviceProfile& profile : profiles) all.add(profile);
  return all.finish();
}

ViewTable curve_table(const DeviceCurves& curves, const std::vector<DeviceCurve>& of,
                      const std::string& caption, const std::string& units) {
  ViewTable table{caption,
                  {{"device", true}, {"of", true}, {"points: " + units, true}, {"source", true}}};
  for (const DeviceCurve& curve : of) {
    std::string points;
    for (const auto& [at, value] : curve.points) {
      const bool is_any = curve.points.size() == 1 && at != 0;
      points += fmt::format("{}{:.5g} at {}", points.empty() ? "" : ", ", value,
                            is_any ? std::string("any") : fmt::format("{:.5g}", at));
    }
    table.rows.push_back({curves.devices[curve.device], curve.what, points, curve.source});
  }
  return table;
}

std::vector<DeviceProfile> profiles_of_media(const std::vector<std::string>& media,
                                             std::vector<std::string>& missing) {
  std::vector<DeviceProfile> profiles;
  std::vector<std::string> known;
  for (const std::string& medium : media) {
    const Result<MediumSpec> spec = parse_medium_spec(medium);
    if (!spec.ok() || spec->profile.empty()) continue;
    if (std::ranges::count(known, spec->profile) > 0) continue;
    known.push_back(spec->profile);
    Result<DeviceProfile> profile = load_profile(spec->profile);
    if (profile.ok()) {
      profiles.push_back(std::move(*profile));
    } else {
      missing.push_back(
          fmt::format("{}: its profile is not here: {}", medium, profile.error().message));
    }
  }
  return profiles;
}

}  // namespace hdbench::bench
