#include "bench/storage/filesystems/spare_device.h"

#include <unistd.h>

#include <string_view>

#include "bench/base/child_process.h"
#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::bench {
namespace {

bool answered(std::string_view words) {
  Result<Channel> pipe = make_pipe();
  REQUIRE(pipe.ok());
  REQUIRE(write(pipe->second.descriptor(), words.data(), words.size()) ==
          static_cast<ssize_t>(words.size()));
  pipe->second = FileHandle();
  const Result<bool> agreed = is_agreed("Go on?", pipe->first.descriptor());
  REQUIRE(agreed.ok());
  return *agreed;
}

}  // namespace

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

TEST_CASE("no answer, and any other than y or yes, is a no") {
  CHECK(!answered(""));
  CHECK(!answered("\n"));
  CHECK(!answered("n\ny\n"));
  CHECK(!answered("yesterday\n"));
  CHECK(!answered(std::string(5000, 'y')));
  CHECK(answered("y\n"));
  CHECK(answered("yes \r\n"));
  CHECK(answered("y"));
}

}  // namespace hdbench::bench
