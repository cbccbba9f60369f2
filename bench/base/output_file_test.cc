#include "bench/base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <thread>

#include "engine/base/catch.h"
#include "engine/base/file_handle.h"
#include "engine/testing/files.h"

namespace hdbench::bench {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryDirectory;
using testing::write_text;

constexpr const char* kOwn = "{\n \"context\": {\n  \"hdbench_version\": \"0\"\n }\n}\n";

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

OutputFile out(const fs::path& path, bool force = false) { return {"--out", path, force}; }

// What both the look before and the write say.
std::string refusal(const OutputFile& output) {
  const Status checked = check_output(output);
  const Status written = write_output(output, "new");
  REQUIRE_FALSE(checked.ok());
  REQUIRE_FALSE(written.ok());
  CHECK(checked.error().kind == ErrorKind::kUsage);
  CHECK(checked.error().message == written.error().message);
  CHECK(checked.error().message.starts_with("--out: "));
  return checked.error().message;
}

TEST_CASE("an output is written whole, replaces hdbench's own and leaves nothing beside it") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.json";
  CHECK(check_output(out(path)).ok());
  CHECK_FALSE(fs::exists(path));
  REQUIRE(write_output(out(path), kOwn).ok());
  const auto more = begin_output(out(path), std::string(kOwn) + " ");
  REQUIRE(more.ok());
  CHECK(::write(more->descriptor(), "x", 1) == 1);
  CHECK(text_of(path) == std::string(kOwn) + " x");
  CHECK(*file_of(out(path)) == fs::canonical(path));
  CHECK_FALSE(*file_of({"--out", "", false}));
  CHECK(testing::entries_in(directory.path()) == 1);
  CHECK(write_output({"--out", "", false}, "x").ok());
}

TEST_CASE("another's file is replaced only by force, an empty one always, kdb+'s never") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "diary.txt";
  write_text(path, "dear");
  CHECK(testing::contains(refusal(out(path)), "add --force"));
  CHECK(text_of(path) == "dear");
  CHECK(write_output(out(path, true), "new").ok());
  CHECK(text_of(path) == "new");
  write_text(path, "");
  CHECK(write_output(out(path), "more").ok());
  write_text(path, "\xfe\x20\x07 column");
  CHECK(testing::contains(refusal(out(path, true)), "never replaced"));
}

TEST_CASE("what hdbench writes is known again") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "x";
  for (const char* const own :
       {kOwn, "{\"name\": \"x\", \"about\": \"measured by hdbench profile: /\"}",
        "<!DOCTYPE html>\n<meta name=\"generator\" content=\"hdbench 0.1\">",
        "file,machine,dataset,engine,query,query_text,medium", "# What each memory tier is worth\n",
        "name,processes,unit,median,low", "## Storage primitives\n", ""}) {
    write_text(path, own);
    CHECK(is_own_file(path));
  }
  for (const char* const other : {"{}", "<!DOCTYPE html>\n<p>hdbench", "name,age", "x"}) {
    write_text(path, other);
    CHECK_FALSE(is_own_file(path));
  }
  CHECK(is_own_file(directory.path() / "gone"));
}

TEST_CASE("links are followed first: what they point to is written, and they stay") {
  const TemporaryDirectory directory;
  const auto link = directory.path() / "latest.json";
  fs::create_symlink("run1.json", link);
  REQUIRE(write_output(out(link), kOwn).ok());
  CHECK(fs::is_symlink(link));
  CHECK(text_of(directory.path() / "run1.json") == kOwn);
  write_text(directory.path() / "diary.txt", "dear");
  fs::create_symlink("diary.txt", directory.path() / "other.json");
  refusal(out(directory.path() / "other.json"));
  CHECK(text_of(directory.path() / "diary.txt") == "dear");
}

TEST_CASE("nothing is written into a database, by force neither") {
  const TemporaryDirectory directory;
  write_text(directory.path() / "db/2020.01.07/quote/.d", "x");
  for (const char* const inside : {"db/sym", "db/r.json", "db/2020.01.07/quote/bid"}) {
    CHECK(testing::contains(refusal(out(directory.path() / inside, true)), "lies in the database"));
  }
  fs::create_symlink("db/sym", directory.path() / "link");
  refusal(out(directory.path() / "link", true));
  CHECK(text_of(directory.path() / "db/2020.01.07/quote/.d") == "x");
  CHECK(testing::entries_in(directory.path() / "db") == 1);
}

TEST_CASE("a place that cannot be written is known before anything is run") {
  const TemporaryDirectory directory;
  CHECK(testing::contains(refusal(out(directory.path())), "is a directory"));
  CHECK(testing::contains(refusal(out(directory.path() / "nowhere/r.json")), "no directory"));
  write_text(directory.path() / "file", "x");
  refusal(out(directory.path() / "file/r.json"));
  fs::create_symlink("loop", directory.path() / "loop");
  refusal(out(directory.path() / "loop"));
}

TEST_CASE("a pipe is written to and stays one; without a reader it is an error in the end") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "pipe";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK(check_output(out(path)).ok());
  CHECK_FALSE(*file_of(out(path)));
  std::string got;
  std::jthread reader([&] { got = text_of(path); });
  CHECK(write_output(out(path), "all of it").ok());
  reader.join();
  CHECK(got == "all of it");
  CHECK(fs::is_fifo(path));
}

TEST_CASE("the null device is written to, other devices are refused") {
  const TemporaryDirectory directory;
  const auto make = [&](const char* name, mode_t kind, unsigned number) {
    const auto path = directory.path() / name;
    return ::mknod(path.c_str(), kind | 0666, makedev(number >> 8, number & 0xff)) == 0
               ? path
               : fs::path();
  };
  CHECK(write_output(out("/dev/null"), "x").ok());
  CHECK(fs::is_character_file("/dev/null"));
  const fs::path null = make("null", S_IFCHR, 0x103);
  if (null.empty() || !FileHandle(::open(null.c_str(), O_WRONLY)).is_open()) return;  // not root
  CHECK(write_output(out(null, true), "x").ok());
  CHECK(fs::is_character_file(null));
  const Status full = write_output(out(make("full", S_IFCHR, 0x107)), "x");
  REQUIRE_FALSE(full.ok());
  CHECK(full.error().kind == ErrorKind::kData);
  // Numbers that no driver has: nothing can be opened by them.
  CHECK(testing::contains(refusal(out(make("block", S_IFBLK, 0xefff), true)), "block device"));
  CHECK(testing::contains(refusal(out(make("char", S_IFCHR, 0xefff), true)), "is a device"));
}

}  // namespace
}  // namespace hdbench::bench
