// A test of storage primitives: its name, its requirements and the work of each process.
//
// A test that reads a column gets it created once for each process count, and made cold or warm
// before each repetition; the state is proved before the test begins. Tests that write create their
// files themselves, in a directory of each process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bench/base/process_group.h"
#include "bench/storage/column_data.h"
#include "bench/storage/file_calls.h"
#include "bench/storage/io_run.h"

namespace hdbench::bench {

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

std::uint64_t elements_of(const IoVectors& vectors, IoVector vector);

struct IoTask;
using IoWork = std::function<Status(Worker&, const IoTask&)>;

struct IoTest : IoKind {
  IoVector vector = IoVector::kNone;
  QType type = QType::kLong;
  IoCeilingKind ceiling = IoCeilingKind::kNone;
  std::size_t files = 1;  // that it is spread over: each a column of a part of the elements
  IoWork work;

  // Its column is one of `vector` and `type`.
  bool reads_column() const { return group == "read"; }
  bool needs_direct() const { return engine == "direct"; }
};

// The input of a process's work.
struct IoTask {
  const IoTest* test = nullptr;
  std::filesystem::path directory;         // its own
  std::filesystem::path shared_directory;  // of all processes
  IoVectors vectors;                       // a process's
  std::uint64_t seed = 1;
  std::span<const MadeColumn> columns;  // its own, to be read: IoTest::files of them
};

// "io/random-read/block:64KiB/engine:mmap/cache:cold/processes:4"
std::string name_of(const IoTest& test, std::size_t processes);

// "4KiB", "1MiB", "100B"; with a blank "4 KiB".
std::string bytes_word(std::uint64_t bytes, const char* blank = "");

// All tests, group by group, in the order in which they are shown.
std::vector<IoTest> all_io_tests();

// "1 process", "4 processes".
std::string processes_text(std::size_t processes);

struct TypedVector {
  IoVector vector = IoVector::kNone;
  QType type = QType::kLong;
};

// The fields that few tests have as they are.
struct IoTraits {
  TypedVector of = {};
  const char* sync = "";
  IoCeilingKind ceiling = IoCeilingKind::kNone;
  std::uint64_t block_bytes = 0;
  const char* unit = "MB/s";
  const char* cache = "none";
};

IoTest& add_test(std::vector<IoTest>& tests, const char* group, const char* name,
                 const char* engine, const char* what, IoWork work, const IoTraits& traits);

// The vectors that are set, and read whole.
constexpr TypedVector kSetVectors[] = {
    {IoVector::kTiny, QType::kInt},    {IoVector::kSmall, QType::kInt},
    {IoVector::kMedium, QType::kInt},  {IoVector::kLarge, QType::kSymbol},
    {IoVector::kLarge, QType::kFloat}, {IoVector::kHuge, QType::kInt},
};

// Checks the sum of a file's words.
Status check_file(Worker& worker, const std::filesystem::path& path, std::uint64_t expected);

// One file each.
void add_write_tests(std::vector<IoTest>& tests);
void add_read_tests(std::vector<IoTest>& tests);
void add_metadata_tests(std::vector<IoTest>& tests);
void add_append_tests(std::vector<IoTest>& tests);
void add_replace_tests(std::vector<IoTest>& tests);
void add_table_tests(std::vector<IoTest>& tests);
void add_cpu_tests(std::vector<IoTest>& tests);

}  // namespace hdbench::bench
