#include "bench/machine/latency_checker.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("nothing is found in what is no table of loads") {
  CHECK(parse_loaded_latency("").empty());
  CHECK(parse_loaded_latency("mlc: command not found\n00000 x y\n123 1 2\n00002\n").empty());
  CHECK(parse_peak_bandwidth("ALL Reads\n3:1 Reads-Writes :\n").empty());
}

TEST_CASE("a line of each load gives ns and GB/s, rising") {
  const auto points = parse_loaded_latency(
      "Intel(R) Memory Latency Checker - v3.10\n"
      "Inject\tLatency\tBandwidth\nDelay\t(ns)\tMB/sec\n==========================\n"
      " 00000\t130.31\t 135655.9\n 00100\t98.94\t 68357.8\n 20000\t 81.96\t 1237.6\n");
  REQUIRE(points.size() == 3);
  CHECK(points[0].gb_s == Approx(1.2376));
  CHECK(points[0].ns == Approx(81.96));
  CHECK(points[2].gb_s == Approx(135.6559));
}

TEST_CASE("the peak bandwidths are read by their mix") {
  const auto points = parse_peak_bandwidth(
      "ALL Reads        :\t225630.8\n3:1 Reads-Writes :\t208349.9\n"
      "2:1 Reads-Writes :\t206510.3\n1:1 Reads-Writes :\t200031.8\nStream-triad like:\t187482.4\n");
  REQUIRE(points.size() == 4);
  CHECK(points[0].read_share == 0.5);
  CHECK(points[0].gb_s == Approx(200.0318));
  CHECK(points[3].read_share == 1);
  CHECK(points[3].gb_s == Approx(225.6308));
}

}  // namespace
}  // namespace hdbench::bench
