#include "bench/report/views/device_curves.h"

#include "bench/testing/sample_forecasts.h"

namespace hdbench::bench {
namespace {

using Points = std::vector<std::pair<double, double>>;

DeviceCurves curves_of(const std::string& name) { return device_curves({*load_profile(name)}); }

}  // namespace

TEST_CASE("no profiles have no curves") {
  const DeviceCurves curves = device_curves({});
  CHECK(curves.devices.empty());
}

TEST_CASE("a profile's curves have their points and sources") {
  const DeviceCurves curves = device_curves(sample_forecasts().profiles);
  CHECK(curves.devices == std::vector<std::string>{"card"});
  REQUIRE(curves.latency.size() == 1);
  CHECK(curves.latency[0].points == Points{{0, 300}});
  CHECK(curves.latency[0].source == "S2");
  REQUIRE(curves.threads.size() == 2);
  CHECK(curves.threads[0].points == Points{{1, 10}, {4, 27}});
  CHECK(curves.threads[1].points == Points{{1, 20}});
  CHECK(curves.threads[1].source == "S4 <b>");
  REQUIRE(curves.mix.size() == 1);
  CHECK(curves.mix[0].points == Points{{0, 20}, {100, 27}});
  const ViewTable table = curve_table(curves, curves.threads, "Bandwidth", "GB/s at threads");
  CHECK(table.rows[0][2].text == "10 at 1, 27 at 4");
  CHECK(table.rows[1][2].text == "20 at any");
}

TEST_CASE("a cap of one thread is where a bandwidth's curve begins") {
  DeviceProfile profile = sample_forecasts().profiles[0];
  profile.curves[1][0].one_thread_gb_s = 5;
  CHECK(device_curves({profile}).threads[1].points == Points{{1, 5}, {4, 20}});
}

TEST_CASE("two profiles of one name and a near cache's two devices are told apart") {
  const DeviceProfile profile = sample_forecasts().profiles[0];
  CHECK(device_curves({profile, profile}).devices == std::vector<std::string>{"card", "card (2)"});
  CHECK(curves_of("optane-memory-mode").devices.size() == 2);
  CHECK(curves_of("ddr5-6400-12ch").latency[0].points.size() == 5);
}

TEST_CASE("media's profiles are loaded once, and missing ones are told") {
  std::vector<std::string> missing;
  const auto profiles = profiles_of_media(
      {"dram", "cxl:cxl-cz122", "cxl:cxl-cz122+interleave=3:1", "nvme", "cxl:no-such", "nonsense:"},
      missing);
  REQUIRE(profiles.size() == 1);
  CHECK(profiles[0].name == "cxl-cz122");
  REQUIRE(missing.size() == 1);
  CHECK(missing[0].starts_with("cxl:no-such: its profile is not here: "));
}

}  // namespace hdbench::bench
