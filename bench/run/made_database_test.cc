#include "bench/run/made_database.h"

#include "datagen/generate.h"
#include "engine/base/bytes.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kGb = 1'000'000'000;

FirstScale scale_on(std::uint64_t cache_mib, std::uint64_t memory_gb,
                    std::optional<std::uint64_t> disk = 500 * kGb) {
  return first_scale({}, {cache_mib * kMiB, memory_gb * kGb, disk});
}

std::uint64_t bytes_at(double scale) {
  datagen::Spec spec;
  spec.scale = scale;
  return datagen::expected_bytes(spec);
}

bool gives_reason(const FirstScale& scale, const std::string& words) {
  return scale.reason.find(words) != std::string::npos;
}

TEST_CASE("a machine that tells nothing has the usual first database") {
  const FirstScale scale = first_scale({}, {});
  CHECK(scale.scale == Approx(0.05));
  CHECK(gives_reason(scale, "the kernel does not tell"));
}

TEST_CASE("small caches let six queries count, and the database is no smaller than usual") {
  const FirstScale scale = scale_on(8, 24);
  CHECK(scale.scale == Approx(0.05));
  CHECK(scale.queries == 6);
}

TEST_CASE("caches of 32 MiB let the three greater queries count, and the reason says how many") {
  const FirstScale scale = scale_on(32, 24);
  CHECK(scale.scale == Approx(0.05));
  CHECK(scale.queries == 3);
  CHECK(gives_reason(scale,
                     "3 of the 11 queries move at least 4 times the last-level caches (32 "
                     "MiB); reports leave the warm figures of the other 8 out"));
  CHECK_FALSE(gives_reason(scale, "does not let more"));
  CHECK(scale_on(100, 24).scale == Approx(0.14));
  CHECK(scale_on(100, 24).queries == 3);
}

TEST_CASE("great caches leave the queries that return rows, and the reason says what limits") {
  const FirstScale scale = scale_on(273, 24);
  CHECK(scale.queries == 2);
  CHECK(scale.scale == Approx(0.13));
  CHECK(gives_reason(scale, "within 3 GB does not let more of them count"));
  CHECK(scale_on(273, 1000).scale == Approx(scale.scale));
  const FirstScale sockets = scale_on(2 * 300, 1000);
  CHECK(sockets.queries == 1);
  CHECK(bytes_at(sockets.scale) <= 3 * kGb);
}

TEST_CASE("memory and disk limit the database, and are named") {
  const FirstScale small = scale_on(100, 4);
  CHECK(bytes_at(small.scale) <= 4 * kGb / 3);
  CHECK(small.queries == 2);
  CHECK(gives_reason(small, "within a third of the memory"));
  const FirstScale full = scale_on(273, 24, kGb / 10);
  CHECK(bytes_at(full.scale) <= kGb / 20);
  CHECK(full.scale > 0);
  CHECK(full.queries == 0);
  CHECK(gives_reason(full, "0 of the 11 queries"));
  CHECK(gives_reason(full, "within half of the free disk space"));
  CHECK(scale_on(32, 24, 0).scale > 0);
}

}  // namespace

}  // namespace hdbench::bench
