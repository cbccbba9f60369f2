// A test of storage primitives: its name, its requirements and the work of each process.
//
// A test that reads a column gets it created once for each process count, and made cold or warm
// before each repetition; the state is proved before the test begins. Tests that write create their
// files themselves, in a directory of each process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/process_group.h"
#include "bench/storage/column_data.h"
#include "bench/storage/file_calls.h"
#include "bench/storage/io_run.h"

namespace hdbench {

// The ceiling that a figure is compared with.
enum class IoCeilingKind : std::uint8_t {
  kNone,
  kDeviceRead,
  kDeviceWrite,
  kMemoryRead,
  kMemoryWrite
};

enum class IoVector : std::uint8_t { kNone, kTiny, kSmall, kMedium, kLarge, kHuge };
std::string_view word(IoVector vector);  // "" .. "huge"

// "long", "int", "float", "sym".
std::string_view io_type_name(QType type);

// The input of a process's work.
struct IoTask {
  std::filesystem::path directory;         // its own
  std::filesystem::path shared_directory;  // of all processes
  IoVectors vectors;                       // a process's
  std::uint64_t seed = 1;
  std::size_t processes = 1;
  std::vector<MadeColumn> columns;  // its own, to be read: IoTest::files of them
};

std::uint64_t elements_of(const IoVectors& vectors, IoVector vector);

struct IoTest {
  std::string test;
  std::string group;
  std::string unit = "MB/s";
  std::string what;
  std::uint64_t block_bytes = 0;
  std::string engine;
  std::string cache = "none";
  IoVector vector = IoVector::kNone;
  QType type = QType::kLong;
  std::string sync;
  IoCeilingKind ceiling = IoCeilingKind::kNone;
  bool reads_column = false;  // of `vector` and `type`
  std::size_t files = 1;      // that it is spread over: each a column of a part of the elements
  bool needs_direct = false;  // O_DIRECT
  std::function<Status(Worker&, const IoTask&)> work;
};

// "io/random-read/block:64KiB/engine:mmap/cache:cold/processes:4"
std::string name_of(const IoTest& test, std::size_t processes);

// "4KiB", "1MiB", "100B".
std::string bytes_word(std::uint64_t bytes);

// All tests, group by group, in the order in which they are shown.
std::vector<IoTest> all_io_tests();

// One file each.
void add_write_tests(std::vector<IoTest>& tests);
void add_read_tests(std::vector<IoTest>& tests);
void add_random_tests(std::vector<IoTest>& tests);
void add_metadata_tests(std::vector<IoTest>& tests);
void add_append_tests(std::vector<IoTest>& tests);
void add_replace_tests(std::vector<IoTest>& tests);
void add_table_tests(std::vector<IoTest>& tests);
void add_cpu_tests(std::vector<IoTest>& tests);

}  // namespace hdbench
