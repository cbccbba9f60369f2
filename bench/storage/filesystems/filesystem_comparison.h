// Runs the storage primitives on one filesystem after another, over the same blocks, in rounds of
// rotating order, so that drift of the machine affects all of them alike; and shows them side by
// side: for each test how many times as fast the first one is, and for each group of tests and
// process count the geometric mean and the largest of those ratios.
//
// Ratios are of speed: above 1, the first filesystem is faster, whether the test reports MB/s or
// ms. Where a filesystem has no result there is no ratio, and means cover only tests that all
// filesystems have.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/base/bootstrap.h"
#include "bench/storage/filesystems/filesystem_image.h"
#include "bench/storage/io_run.h"
#include "engine/base/result.h"

namespace hdbench::bench {

struct FilesystemFigures {
  std::string filesystem;
  std::vector<IoResult> results;  // by name, each once: samples of all rounds together
};

// One filesystem's results of another round: samples behind those of the same name.
void add_round(FilesystemFigures& figures, std::vector<IoResult> results);

struct FilesystemRow {
  std::string test;   // "random-read/block:64KiB/engine:mmap/cache:cold"
  std::string group;  // "write", "read cold", "metadata"
  std::size_t processes = 1;
  std::string unit;
  std::vector<std::optional<double>> medians;  // a filesystem each
  std::vector<std::optional<Ratio>> ratios;    // of the first over each of the others
  std::vector<std::string> notes;              // why a figure is missing
};

struct FilesystemMean {
  std::string group;
  std::size_t processes = 1;
  std::size_t tests = 0;  // that all filesystems have a figure of
  // Ratios of the first to each of the others; nothing without tests.
  std::vector<std::optional<double>> geometric_means;
  std::vector<std::optional<double>> maxima;
  std::vector<std::string> maximum_tests;
};

struct FilesystemTable {
  std::vector<std::string> filesystems;
  std::vector<FilesystemRow> rows;    // by group, then processes, in the order of the tests
  std::vector<FilesystemMean> means;  // in the order of the rows
};

FilesystemTable filesystem_table(std::span<const FilesystemFigures> figures);

std::string filesystem_text(const FilesystemTable& table);

struct ComparisonOptions {
  std::vector<FilesystemKind> kinds;  // the first is what the others are held against
  IoOptions io;                       // its targets, reps and budget are set here
  std::filesystem::path directory;    // where the image and the mount are
  std::string device;                 // instead of an image; empty: none
  bool yes = false;                   // the device may be overwritten whatever it holds
  std::size_t rounds = 5;             // at most; a repetition each
  double budget_s = 540;              // no round but the first begins that would not end in it
};

struct FilesystemComparison {
  std::vector<FilesystemFigures> figures;  // in the order of the kinds
  std::vector<std::string> left_out;       // "btrfs: mkfs.btrfs is not installed ...", a line each
  std::vector<std::string> places;         // as mounted: "xfs on /dev/loop0, rw,noatime,..."
  std::string place;                       // what they lie on
  std::size_t rounds = 0;                  // that were run
  bool complete = true;                    // false: the budget left out rounds
  IoRun last;                              // of the last run: host, options, vectors, ceilings
};

// In which order the filesystems are visited in a round.
std::vector<std::size_t> visiting_order(std::size_t filesystems, std::size_t round);

// The size of an image for run_io() with these options.
ImageSize image_size(const ComparisonOptions& options);

// Starts the guard, so: before this process has a second thread. on_step(what) is called before
// each step; once stop is set the comparison ends with kUsage "interrupted". Errors: kData:
// fewer than two filesystems are left; what run_io() says. Everything is undone when this returns.
Result<FilesystemComparison> compare_filesystems(
    const ComparisonOptions& options, const std::atomic<bool>& stop,
    const std::function<void(std::size_t done, std::size_t total, std::string_view what)>& on_step);

// The comparison in the form of one run of storage primitives, so that results.json, `report` and
// `compare` handle it: each result's name ends in the filesystem's, ".../filesystem:xfs".
IoRun joined(const FilesystemComparison& comparison);

// The other way: results whose names have a filesystem, by filesystem, their names without it.
// Empty for any other run.
std::vector<FilesystemFigures> filesystems_of(const IoRun& run);

// Without those.
std::vector<IoResult> plain_results(const IoRun& run);

}  // namespace hdbench::bench
