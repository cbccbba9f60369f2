#include "engine/base/file_handle.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "engine/base/catch.h"
#include "engine/testing/files.h"

namespace hdbench {
namespace {

using testing::TemporaryDirectory;

TEST_CASE("a missing file and a directory are errors that name the path") {
  const TemporaryDirectory directory;
  const auto missing = open_file(directory.path() / "bid");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().message ==
        (directory.path() / "bid").string() + ": cannot open: No such file or directory");
  const auto folder = open_file(directory.path());
  REQUIRE_FALSE(folder.ok());
  CHECK(folder.error().message == directory.path().string() + ": not a regular file");
}

TEST_CASE("a text is read whole, up to what is allowed") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "par.txt";
  CHECK(read_text(path, 10).error().message ==
        path.string() + ": cannot open: No such file or directory");
  testing::write_bytes(path, {});
  CHECK(read_text(path, 0).value().empty());
  testing::write_bytes(path, testing::known_bytes(200000));
  CHECK(read_text(path, 200000).value().size() == 200000);
  CHECK(read_text(path, 199999).error().message ==
        path.string() + ": 200000 bytes, expected at most 199999");
  CHECK(read_text("/proc/self/status", 1 << 20).value().starts_with("Name:"));
}

TEST_CASE("what has no end is no text") {
  const TemporaryDirectory directory;
  const auto fifo = directory.path() / "results.json";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  CHECK(read_text(fifo, 10).error().message == fifo.string() + ": not a regular file");
  CHECK(read_text("/dev/zero", 10).error().message == "/dev/zero: not a regular file");
}

TEST_CASE("a file is read from any offset, and a short one is an error with both figures") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "bid";
  const auto bytes = testing::known_bytes(10000);
  testing::write_bytes(path, bytes);
  auto file = open_file(path);
  REQUIRE(file.ok());
  std::vector<std::byte> target(4000);
  REQUIRE(read_fully(file->handle, 6000, target, path).ok());
  CHECK(testing::equal_bytes(target, {bytes.begin() + 6000, bytes.end()}));
  const auto past = read_fully(file->handle, 6001, target, path);
  REQUIRE_FALSE(past.ok());
  CHECK(past.error().message == path.string() + ": ended at byte 10000, expected 10001");
}

TEST_CASE("a moved handle is closed once") {
  FileHandle first(::open("/", O_RDONLY | O_DIRECTORY));
  REQUIRE(first.is_open());
  const int descriptor = first.descriptor();
  {
    const FileHandle second = std::move(first);
    CHECK(second.descriptor() == descriptor);
  }
  CHECK(::fcntl(descriptor, F_GETFD) == -1);
  CHECK(errno == EBADF);
}

}  // namespace
}  // namespace hdbench
