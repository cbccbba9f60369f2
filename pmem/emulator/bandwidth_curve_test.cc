#include "pmem/emulator/bandwidth_curve.h"

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

}  // namespace
}  // namespace hdbench::pmem
