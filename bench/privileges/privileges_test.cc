#include "bench/privileges/privileges.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "bench/base/layers.h"
#include "engine/base/catch.h"
#include "engine/testing/child.h"
#include "engine/testing/column_files.h"
#include "pmem/base/capabilities.h"

namespace hdbench::bench {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kOther = 65534;

bool is_root() {
  constexpr std::uint64_t kOfRoot = capability_bit(CAP_DAC_OVERRIDE) | capability_bit(CAP_CHOWN);
  return (read_capabilities().effective & kOfRoot) == kOfRoot && geteuid() == 0;
}

void give_to_other(const fs::path& path, mode_t mode) {
  REQUIRE(chown(path.c_str(), kOther, kOther) == 0);
  REQUIRE(chmod(path.c_str(), mode) == 0);
}

// A table of two partitions and a symbol file.
fs::path make_database(const ScratchDirectory& folder) {
  const fs::path root = folder / "db";
  for (const char* partition : {"2020.01.01", "2020.01.02", "2020.01.03"}) {
    fs::create_directories(root / partition / "t");
    std::ofstream(root / partition / "t/a") << "x";
  }
  std::ofstream(root / "sym") << "x";
  return root;
}

std::uint64_t for_reading(const fs::path& path, bool proves_caches = false) {
  return needed_capabilities({{path}, {}, proves_caches, 0});
}

std::uint64_t for_writing(const fs::path& path) {
  return needed_capabilities({{}, {path}, false, 0});
}

bool has_landlock() { return syscall(444, nullptr, 0, 1) >= 3; }

bool can_make(const std::filesystem::path& file) {
  const int made = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (made >= 0) close(made);
  return made >= 0;
}

TEST_CASE("what everybody may read and write needs no capability") {
  const ScratchDirectory folder;
  const fs::path root = make_database(folder);
  CHECK(needed_capabilities({}) == 0);
  CHECK(for_reading(root, true) == 0);
  CHECK(for_reading(folder / "not there") == 0);
  CHECK(for_writing(folder / "out.json") == 0);
  CHECK(for_writing(folder / "not/there/out.json") == 0);
  CHECK(for_writing(root / "sym") == 0);
  CHECK(for_writing(folder / "db") == 0);
}

TEST_CASE("a database of another user is read by the right to read, no more") {
  if (!is_root()) return;
  const ScratchDirectory folder;
  const fs::path root = make_database(folder);
  give_to_other(root / "2020.01.03/t/a", 0600);
  CHECK(for_reading(root) == capability_bit(CAP_DAC_READ_SEARCH));
  give_to_other(root / "2020.01.03/t/a", 0644);
  CHECK(for_reading(root) == 0);
  CHECK(for_reading(root, true) == capability_bit(CAP_FOWNER));
  give_to_other(root, 0700);
  CHECK(for_reading(root) == capability_bit(CAP_DAC_READ_SEARCH));
  CHECK(for_reading(root / "2020.01.01") == capability_bit(CAP_DAC_READ_SEARCH));
}

TEST_CASE("segments that par.txt names are looked at") {
  if (!is_root()) return;
  const ScratchDirectory folder;
  const fs::path root = make_database(folder);
  fs::create_directory(folder / "other");
  std::ofstream(folder / "other/par.txt") << root.string() << "\r\n";
  CHECK(for_reading(folder / "other") == 0);
  give_to_other(root, 0700);
  CHECK(for_reading(folder / "other") == capability_bit(CAP_DAC_READ_SEARCH));
}

TEST_CASE("a directory of another user is written by the right to write") {
  if (!is_root()) return;
  const ScratchDirectory folder;
  fs::create_directory(folder / "home");
  give_to_other(folder / "home", 0755);
  CHECK(for_writing(folder / "home/out.json") == capability_bit(CAP_DAC_OVERRIDE));
  CHECK(for_writing(folder / "home") == capability_bit(CAP_DAC_OVERRIDE));
  give_to_other(folder / "home", 01777);
  CHECK(for_writing(folder / "home/out.json") == 0);
  std::ofstream(folder / "home/out.json") << "{}";
  give_to_other(folder / "home/out.json", 0666);
  CHECK(for_writing(folder / "home/out.json") == capability_bit(CAP_FOWNER));
}

TEST_CASE("what setting up takes is kept until it is given up") {
  const std::uint64_t before = read_capabilities().permitted;
  const std::uint64_t wanted = capability_bit(CAP_SYS_ADMIN) | capability_bit(CAP_DAC_OVERRIDE);
  CHECK(testing::status_of_child([&] {
          if (!give_up_privileges({{}, {}, false, wanted}).ok()) return 1;
          if (read_capabilities().effective != (before & wanted)) return 2;
          if (!give_up_set_up().ok() || read_capabilities().permitted != 0) return 3;
          return give_up_set_up().ok() && give_up_privileges({}).ok() ? 0 : 4;
        }) == 0);
}

TEST_CASE("a file is made where the nearest directory is") {
  const ScratchDirectory folder;
  std::filesystem::create_directory(folder / "real");
  std::filesystem::create_directory_symlink("real", folder / "link");
  const auto places = places_of({folder / "link/new/file"});
  REQUIRE(places.size() == 2);
  CHECK(places[0] == folder / "link");
  CHECK(places[1] == std::filesystem::canonical(folder / "real"));
  CHECK(places_of({}).empty());
  CHECK(places_of({"/dev/null"}).front() == "/dev/null");
}

TEST_CASE("a confined process writes in its places only, root or not") {
  if (!has_landlock()) return;
  const ScratchDirectory folder;
  for (const char* name : {"mine", "other", "tmp"}) {
    std::filesystem::create_directory(folder / name);
  }
  std::ofstream(folder / "other/file") << "x";
  std::ofstream(folder / "mine/file") << "x";
  CHECK(testing::status_of_child([&] {
          setenv("TMPDIR", (folder / "tmp").c_str(), 1);
          const int held = open((folder / "other/file").c_str(), O_RDWR);
          if (!confine_writes({folder / "mine", folder / "not there"}).ok()) return 1;
          if (!can_make(folder / "mine/new") || !can_make(folder / "tmp/new")) return 2;
          if (can_make(folder / "other/new") || can_make(folder / "new")) return 3;
          if (open((folder / "other/file").c_str(), O_WRONLY) >= 0) return 4;
          if (truncate((folder / "other/file").c_str(), 0) == 0) return 5;
          if (unlink((folder / "other/file").c_str()) == 0) return 6;
          if (rename((folder / "mine/file").c_str(), (folder / "other/moved").c_str()) == 0)
            return 7;
          if (open((folder / "other/file").c_str(), O_RDONLY) < 0) return 8;
          if (write(held, "y", 1) != 1) return 9;
          if (open("/dev/null", O_WRONLY) < 0) return 10;
          if (rename((folder / "mine/file").c_str(), (folder / "mine/moved").c_str()) != 0)
            return 11;
          return 0;
        }) == 0);
  CHECK(std::filesystem::file_size(folder / "other/file") == 1);
}

}  // namespace
}  // namespace hdbench::bench
