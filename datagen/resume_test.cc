// Runs that are killed, stopped or refused by the disk, and what --resume makes of them.

#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

#include "datagen/generate.h"
#include "datagen/testing/scratch.h"
#include "engine/base/catch.h"
#include "engine/testing/child.h"

namespace hdbench::datagen {
namespace {

namespace fs = std::filesystem;
using testing::status_of_child;

const Spec kSmall{.profile = Profile::kTaq, .scale = 0.0005, .threads = 2};

GenerateOptions resuming() {
  GenerateOptions options;
  options.resume = true;
  return options;
}

// A generator that kills itself after as many columns.
void killed_after(const fs::path& db, const Spec& spec, int columns, bool resume = false) {
  const int status = status_of_child([&] {
    GenerateOptions options;
    options.resume = resume;
    options.progress = [&](const Progress&) {
      if (--columns == 0) ::raise(SIGKILL);
    };
    return generate(db, spec, options).ok() ? 0 : 1;
  });
  REQUIRE(status == -SIGKILL);
}

bool mentions(const Error& error, const char* text) {
  return error.message.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a killed run that is resumed gives the bytes of an undisturbed one") {
  const Scratch scratch;
  const Spec plain{.scale = 0.0001, .columns = 5, .threads = 2};
  const Spec parted{.scale = 0.0001, .columns = 5, .parted = "col1", .threads = 2};
  // A day of taq is 12 columns of one table, then 12 of the other.
  const std::pair<Spec, std::vector<int>> runs[] = {{plain, {1, 3, 4, 5, 42, 247}},
                                                    {parted, {1, 4, 42, 247}},
                                                    {kSmall, {1, 12, 13, 24, 60, 479}}};
  for (const auto& [spec, stops] : runs) {
    const fs::path whole = scratch.path() / "whole";
    REQUIRE(generate(whole, spec).ok());
    const auto expected = tree_contents(whole);
    const auto expected_manifest = tree_contents(scratch.path()).at("whole.manifest.json");
    for (const int columns : stops) {
      const fs::path db = scratch.path() / "killed";
      killed_after(db, spec, columns);
      CHECK(fs::exists(scratch.path() / "killed.partial"));
      CHECK_FALSE(generate(db, spec).ok());
      const auto manifest = generate(db, spec, resuming());
      REQUIRE(manifest.ok());
      CHECK(tree_contents(db) == expected);
      CHECK(tree_contents(scratch.path()).at("killed.manifest.json") == expected_manifest);
      CHECK_FALSE(fs::exists(scratch.path() / "killed.partial"));
      fs::remove_all(db);
      fs::remove(scratch.path() / "killed.manifest.json");
    }
    fs::remove_all(whole);
    fs::remove(scratch.path() / "whole.manifest.json");
  }
}

TEST_CASE("a run killed at any moment, again and again, is completed in the end") {
  const Scratch scratch;
  REQUIRE(generate(scratch.path() / "whole", kSmall).ok());
  const fs::path db = scratch.path() / "db";
  for (useconds_t wait_us = 200; wait_us < 40'000; wait_us = wait_us * 3 / 2) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) ::_exit(generate(db, kSmall, resuming()).ok() ? 0 : 1);
    ::usleep(wait_us);
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    if (WIFEXITED(status)) CHECK(WEXITSTATUS(status) == 0);
  }
  REQUIRE(generate(db, kSmall, resuming()).ok());
  CHECK(tree_contents(db) == tree_contents(scratch.path() / "whole"));
}

TEST_CASE("whole partitions are kept by a resumed run") {
  const Scratch scratch;
  const fs::path db = scratch.path() / "db";
  Spec spec = kSmall;
  spec.threads = 1;
  killed_after(db, spec, 49);
  const fs::path kept = db / "2020.01.03" / "quote" / "bid";
  const auto made_at = fs::last_write_time(kept);
  std::size_t done_at_first = 0;
  GenerateOptions options = resuming();
  options.progress = [&](const Progress& now) {
    if (done_at_first == 0) done_at_first = now.partitions_done;
  };
  REQUIRE(generate(db, kSmall, options).ok());
  CHECK(fs::last_write_time(kept) == made_at);
  CHECK(done_at_first >= 2);
}

TEST_CASE("resuming with another spec is refused by the field that differs") {
  const Scratch scratch;
  const fs::path db = scratch.path() / "db";
  killed_after(db, kSmall, 9);
  const auto before = tree_contents(db);
  Spec other = kSmall;
  other.seed = 2;
  const auto refused = generate(db, other, resuming());
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == ErrorKind::kUsage);
  CHECK(mentions(refused.error(), "made with seed 1, not 2"));
  CHECK(tree_contents(db) == before);
  CHECK(generate(db, kSmall, resuming()).ok());
}

TEST_CASE("resuming a complete database changes nothing, where nothing is it starts anew") {
  const Scratch scratch;
  const fs::path db = scratch.path() / "db";
  const auto fresh = generate(db, kSmall, resuming());
  REQUIRE(fresh.ok());
  const auto before = tree_contents(scratch.path());
  const auto again = generate(db, kSmall, resuming());
  REQUIRE(again.ok());
  CHECK(manifest_text(*again) == manifest_text(*fresh));
  CHECK(tree_contents(scratch.path()) == before);
}

TEST_CASE("a shortened column is found when resuming, and made again once its day is removed") {
  const Scratch scratch;
  const fs::path db = scratch.path() / "db";
  REQUIRE(generate(db, kSmall).ok());
  const auto before = tree_contents(db);
  const fs::path day = db / "2020.01.08";
  const auto bytes = fs::file_size(day / "quote" / "bid");
  fs::resize_file(day / "quote" / "bid", bytes - 8);
  const auto short_file = generate(db, kSmall, resuming());
  REQUIRE_FALSE(short_file.ok());
  CHECK(short_file.error().kind == ErrorKind::kData);
  CHECK(mentions(short_file.error(), "2020.01.08/quote/bid: "));
  CHECK(mentions(short_file.error(), std::to_string(bytes).c_str()));
  fs::remove_all(day);
  REQUIRE(generate(db, kSmall, resuming()).ok());
  CHECK(tree_contents(db) == before);
}

TEST_CASE("a stop leaves whole partitions only, says so, and can be resumed") {
  const Scratch scratch;
  const fs::path db = scratch.path() / "db";
  std::atomic<bool> stop{false};
  GenerateOptions options;
  options.stop = &stop;
  options.progress = [&](const Progress& now) { stop = now.partitions_done >= 3; };
  const auto stopped = generate(db, kSmall, options);
  REQUIRE_FALSE(stopped.ok());
  CHECK(mentions(stopped.error(), "stopped; "));
  CHECK(mentions(stopped.error(), " of 20 partitions of "));
  CHECK(mentions(stopped.error(), "--resume continues"));
  CHECK_FALSE(fs::exists(scratch.path() / "db.partial"));
  REQUIRE(generate(db, kSmall, resuming()).ok());
  REQUIRE(generate(scratch.path() / "whole", kSmall).ok());
  CHECK(tree_contents(db) == tree_contents(scratch.path() / "whole"));
}

TEST_CASE("a write that the system refuses names the file and how far it came") {
  const Scratch scratch;
  const fs::path db = scratch.path() / "db";
  const fs::path said = scratch.path() / "said";
  const int status = status_of_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = 20'000, .rlim_max = 20'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto refused = generate(db, kSmall);
    std::ofstream(said) << (refused.ok() ? "" : refused.error().message);
    return refused.ok() ? 0 : 1;
  });
  CHECK(status == 1);
  std::string line;
  std::getline(std::ifstream(said), line);
  INFO(line);
  // The list of symbols is the first file that is larger than the limit.
  const std::string sym = (scratch.path() / "db.partial" / "sym").string();
  CHECK(line.find(sym + ": File too large after 20000 of 40032 bytes; no partition ") == 0);
  CHECK_FALSE(fs::exists(scratch.path() / "db.partial"));
}

TEST_CASE("a full disk leaves whole partitions only, and --resume goes on when there is space") {
  const Scratch scratch;
  const fs::path mount = scratch.path() / "tmpfs";
  fs::create_directory(mount);
  if (::mount("tmpfs", mount.c_str(), "tmpfs", 0, "size=2m") != 0) {
    std::printf("skipped: mounting a tmpfs: %s (%d)\n", std::strerror(errno), errno);
    return;
  }
  const fs::path db = mount / "db";
  GenerateOptions options;
  options.check_free_space = false;
  Spec spec = kSmall;
  spec.scale = 0.001;
  const auto full = generate(db, spec, options);
  REQUIRE_FALSE(full.ok());
  CHECK(mentions(full.error(), "No space left on device after "));
  CHECK(mentions(full.error(), "--resume continues"));
  CHECK(full.error().message.find('\n') == std::string::npos);
  CHECK_FALSE(fs::exists(mount / "db.partial"));

  REQUIRE(::mount("tmpfs", mount.c_str(), "tmpfs", MS_REMOUNT, "size=64m") == 0);
  REQUIRE(generate(db, spec, resuming()).ok());
  REQUIRE(generate(mount / "whole", spec).ok());
  CHECK(tree_contents(db) == tree_contents(mount / "whole"));
  REQUIRE(::umount(mount.c_str()) == 0);
}

}  // namespace hdbench::datagen
