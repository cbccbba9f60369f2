#include "bench/storage/filesystems/spare_device.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::bench {

TEST_CASE("what is no block device is refused by name") {
  const testing::TemporaryDirectory folder;
  const std::string file = (folder.path() / "file").string();
  const auto absent = allow_device(file, true);
  REQUIRE(!absent.ok());
  CHECK(testing::contains(absent.error().message, "No such file"));
  testing::write_text(file, "x");
  const auto plain = allow_device(file, true);
  REQUIRE(!plain.ok());
  CHECK(plain.error().message == "--device: " + file + " is no block device");
  CHECK(plain.error().kind == ErrorKind::kUsage);
}

}  // namespace hdbench::bench
