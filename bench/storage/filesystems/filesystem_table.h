// Summary of filesystems side by side: for each test how many times as fast the first one is, and
// for each group of tests and process count the geometric mean and the largest of those ratios.
//
// Ratios are of speed: above 1, the first filesystem is faster, whether the test reports MB/s or
// ms. Where a filesystem has no result there is no ratio, and means cover only tests that all
// filesystems have.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/base/bootstrap.h"
#include "bench/storage/io_run.h"

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

}  // namespace hdbench::bench
