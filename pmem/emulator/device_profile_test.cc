#include "pmem/emulator/device_profile.h"

#include <fmt/format.h>

#include <string>

#include "engine/base/catch.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("a curve without points is not known, and one point holds for any threads") {
  CHECK_FALSE(BandwidthCurve{}.known());
  const BandwidthCurve flat{{{4, 12.5}}, 0};
  CHECK(flat.known());
  for (const double threads : {1.0, 4.0, 100.0}) CHECK(flat.at(threads) == 12.5);
}

TEST_CASE("a curve is straight between its points and flat outside them") {
  const BandwidthCurve curve{{{2, 5.8}, {4, 11.6}, {8, 21.1}}, 2.9};
  CHECK(curve.at(1) == 5.8);
  CHECK(curve.at(2) == 5.8);
  CHECK(curve.at(3) == Approx(8.7));
  CHECK(curve.at(4) == Approx(11.6));
  CHECK(curve.at(6) == Approx(16.35));
  CHECK(curve.at(64) == 21.1);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

const std::string kGood = R"({
  "name": "d", "about": "a device", "kind": "memory",
  "granularity": {"bytes": 256, "source": "[P] x"},
  "latency": {"read_random": {"ns": 305, "source": "[P] x"}},
  "mlp": {"accesses": 8.5, "source": "[D] x"},
  "bandwidth": {
    "read": {"sequential": {"points": [[1, 2.9], [2, 5.8]], "source": "[P] x"},
             "random": {"gb_s": 37.4, "source": "[P] x"}}}})";

std::string error_of(const std::string& text) {
  const auto profile = parse_profile(text, "d.json");
  REQUIRE_FALSE(profile.ok());
  CHECK(profile.error().kind == ErrorKind::kUsage);
  return profile.error().message;
}

TEST_CASE("what is no profile is refused with its place") {
  CHECK(error_of("") == "d.json: line 1 (byte 1): not JSON, expected a device profile");
  CHECK(error_of("[]") == "d.json: the file: array, expected an object");
  CHECK(error_of("{}") == "d.json: name: missing, expected a text");
}

TEST_CASE("a good profile is read, and what it lacks follows the rules of absence") {
  const auto profile = parse_profile(kGood, "d.json");
  REQUIRE(profile.ok());
  CHECK(profile->granularity_bytes == 256);
  CHECK(profile->mlp == 8.5);
  CHECK(profile->curve(AccessKind::kRead, AccessPattern::kRandom).at(3) == 37.4);
  CHECK(profile->curve(AccessKind::kWrite, AccessPattern::kSequential).at(1) == 2.9);
  CHECK(profile->access_ns(AccessKind::kRead, AccessPattern::kSequential) == 305);
  CHECK(profile->access_ns(AccessKind::kWrite, AccessPattern::kRandom) == 0);
  CHECK(profile->sources.at("latency.read_random") == "[P] x");
  CHECK_FALSE(profile->credits);
}

TEST_CASE("a field that is given twice is refused") {
  const auto twice = parse_profile(R"({"name": "a", "mlp": {"accesses": 1, "accesses": 2}})", "f");
  REQUIRE_FALSE(twice.ok());
  CHECK(twice.error().message == "f: mlp.accesses: given twice, expected once");
}

TEST_CASE("a text of brackets is refused however deep it is") {
  CHECK(error_of(std::string(300000, '[') + std::string(300000, ']')) ==
        "d.json: nested more than 100 deep, expected a device profile");
}

TEST_CASE("small files are a disk's, by rising size") {
  const auto with = [](const char* sizes) {
    const std::string disk = replaced(kGood, "\"kind\": \"memory\"", "\"kind\": \"block\"");
    return replaced(disk, "\"mlp\"", "\"small_files\": " + std::string(sizes) + ", \"mlp\"");
  };
  const auto profile = parse_profile(with(R"([{"bytes": 4096, "points": [[1, 0.5]], "source": "s"},
               {"bytes": 8192, "points": [[1, 0.6], [2, 0.9]], "source": "s"}])"),
                                     "d.json");
  REQUIRE(profile.ok());
  REQUIRE(profile->small_files.size() == 2);
  CHECK(profile->small_files[1].read.at(2) == 0.9);
  CHECK(error_of(with("[]")) ==
        "d.json: small_files: empty, expected a list of objects, bytes rising");
  CHECK(error_of(with(R"({"bytes": 4096})")) ==
        "d.json: small_files: object, expected a list of objects, bytes rising");
  CHECK(error_of(with("[1]")) == "d.json: small_files[0]: number, expected an object");
  CHECK(
      error_of(with(R"([{"bytes": 4096, "source": "s"}])")) ==
      "d.json: small_files[0].points: missing, expected a list of [threads, GB/s], threads rising");
  CHECK(error_of(with(R"([{"bytes": 4096, "points": [[1, 1]], "source": "s"},
                          {"bytes": 4096, "points": [[1, 1]], "source": "s"}])"))
            .starts_with("d.json: small_files[1].bytes: 4096, expected 4097 to "));
}

TEST_CASE("a profile that is not there is answered with those that are") {
  const auto profile = load_profile("optane-9000");
  REQUIRE_FALSE(profile.ok());
  CHECK(profile.error().message.starts_with("no device profile 'optane-9000': there are cxl-"));
  CHECK(load_profile("/nowhere/x.json").error().message ==
        "/nowhere/x.json: cannot open: No such file or directory");
}

TEST_CASE("every profile of the project reads, and every figure of it has a source") {
  const auto names = profile_names();
  CHECK(names.size() >= 19);
  for (const std::string& name : names) {
    INFO(name);
    const auto profile = load_profile(name);
    if (!profile.ok()) FAIL(profile.error().message);
    CHECK(profile->name == name);
    for (const auto& [field, source] : profile->sources) {
      INFO(field << ": " << source);
      CHECK((source.starts_with("[") || source.starts_with("chosen: ")));
    }
    if (profile->near_cache) {
      CHECK(profile->near_cache->far.curve(AccessKind::kRead, AccessPattern::kRandom).known());
    } else {
      CHECK(profile->curve(AccessKind::kWrite, AccessPattern::kRandom).at(1) > 0);
    }
  }
}

}  // namespace
}  // namespace hdbench::pmem
