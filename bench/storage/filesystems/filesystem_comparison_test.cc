#include "bench/storage/filesystems/filesystem_comparison.h"

#include "bench/storage/io_plan.h"
#include "engine/base/catch.h"

namespace hdbench {

TEST_CASE("each round begins with another filesystem") {
  CHECK(visiting_order(0, 0).empty());
  CHECK(visiting_order(3, 0) == std::vector<std::size_t>{0, 1, 2});
  CHECK(visiting_order(3, 1) == std::vector<std::size_t>{1, 2, 0});
  CHECK(visiting_order(3, 5) == std::vector<std::size_t>{2, 0, 1});
}

TEST_CASE("an image holds what the tests write, and what every mkfs takes") {
  ComparisonOptions options;
  options.kinds = filesystem_kinds();
  options.io.bytes = std::uint64_t{512} << 20;
  CHECK(image_size(options).bytes >= kIoDiskTimes * 512 << 20);
  options.io.quick = true;
  CHECK(image_size(options).bytes < std::uint64_t{3} << 30);
  CHECK(image_size(options).bytes >= options.kinds.front().bytes_min);
}

TEST_CASE("an image seems larger than it is only to a filesystem that reserves by its size") {
  ComparisonOptions options;
  options.io.bytes = std::uint64_t{512} << 20;
  const auto plain = parse_filesystems("xfs,ext4");
  REQUIRE(plain.ok());
  options.kinds = *plain;
  CHECK(image_size(options).seeming_bytes == image_size(options).bytes);
  const auto reserving = parse_filesystems("btrfs");
  REQUIRE(reserving.ok());
  options.kinds = *reserving;
  const ImageSize size = image_size(options);
  CHECK(size.seeming_bytes == size.bytes + 1024 * 8 * vectors_of(options.io.bytes).large);
}

TEST_CASE("where nothing is left to compare one line says why") {
  ComparisonOptions options;
  options.kinds = {{"hdbfs", "hdbench-no-such-mkfs", "hdbfsprogs", {}, 0},
                   {"other", "hdbench-no-other-mkfs", "otherprogs", {}, 0}};
  const std::atomic<bool> stop{false};
  const auto done = compare_filesystems(options, stop, [](std::size_t, std::size_t, auto) {});
  REQUIRE(!done.ok());
  CHECK(done.error().kind == ErrorKind::kData);
  CHECK(done.error().message ==
        "nothing is left to compare: hdbfs: hdbench-no-such-mkfs is not installed (package "
        "hdbfsprogs); other: hdbench-no-other-mkfs is not installed (package otherprogs)");
}

}  // namespace hdbench
