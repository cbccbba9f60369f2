#include "datagen/session_times.h"

#include <vector>

#include "engine/base/catch.h"

namespace hdbench::datagen {
namespace {

std::vector<std::int64_t> times(std::uint64_t rows) {
  SessionTimes session(Stream(1, "time", 7307), rows);
  std::vector<std::int64_t> found;
  for (std::uint64_t row = 0; row < rows; ++row) found.push_back(session.at(row));
  return found;
}

// Of the times, the share within these seconds from `from`.
double share(const std::vector<std::int64_t>& times, std::int64_t from, std::int64_t seconds) {
  std::size_t count = 0;
  for (const std::int64_t time : times) {
    count += time >= from && time < from + seconds * kSecondNs;
  }
  return static_cast<double>(count) / static_cast<double>(times.size());
}

}  // namespace

TEST_CASE("days of any size lie between four and twenty o'clock and never fall") {
  for (const std::uint64_t rows : {1U, 4U, 64U, 999U, 100'000U}) {
    const auto found = times(rows);
    CHECK(found.front() >= 4 * 3600 * kSecondNs);
    CHECK(found.back() < 20 * 3600 * kSecondNs);
    for (std::size_t i = 1; i < found.size(); ++i) REQUIRE(found[i] >= found[i - 1]);
  }
}

TEST_CASE("opening and closing are bursts, and some rows lie before and after them") {
  const auto found = times(100'000);
  CHECK(share(found, kOpeningNs, 5) > 0.02);
  CHECK(share(found, kClosingNs, 10) > 0.01);
  CHECK(share(found, kOpeningNs, 1800) > 2 * share(found, kOpeningNs + 3 * 3600 * kSecondNs, 1800));
  CHECK(share(found, kClosingNs - 300 * kSecondNs, 300) > 0.07);
  CHECK(share(found, 0, 9 * 3600 + 1800) > 0.03);
  CHECK(share(found, kClosingNs, 4 * 3600) < 0.03);
}

TEST_CASE("single rows in any order give what the whole gives") {
  const auto found = times(5000);
  SessionTimes session(Stream(1, "time", 7307), 5000);
  for (std::uint64_t row = 0; row < 5000; ++row) {
    const std::uint64_t place = row * 3571 % 5000;
    REQUIRE(session.at(place) == found[place]);
  }
}

}  // namespace hdbench::datagen
