#include "bench/base/output_file.h"

#include <unistd.h>

#include "engine/base/catch.h"
#include "engine/base/file_handle.h"
#include "engine/testing/files.h"

namespace hdbench::bench {
namespace {

namespace fs = std::filesystem;
using testing::file_text;
using testing::TemporaryDirectory;
using testing::write_text;

constexpr const char* kOwn = "{\n \"context\": {\n  \"hdbench_version\": \"0\"\n }\n}\n";

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
  CHECK(file_text(path) == std::string(kOwn) + " x");
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
  CHECK(file_text(path) == "dear");
  CHECK(write_output(out(path, true), "new").ok());
  CHECK(file_text(path) == "new");
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
    CHECK(check_output(out(path)).ok());
  }
  for (const char* const other : {"{}", "<!DOCTYPE html>\n<p>hdbench", "name,age", "x"}) {
    write_text(path, other);
    refusal(out(path));
  }
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

}  // namespace
}  // namespace hdbench::bench
