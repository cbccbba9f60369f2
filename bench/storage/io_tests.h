// The tests of storage primitives: name, requirements and the work of each process; and the plan of
// a run: which tests run on which vector sizes, and which are left out and why.
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

// The tests of a group.
void add_write_tests(std::vector<IoTest>& tests);
void add_read_tests(std::vector<IoTest>& tests);
void add_metadata_tests(std::vector<IoTest>& tests);
void add_append_tests(std::vector<IoTest>& tests);
void add_replace_tests(std::vector<IoTest>& tests);
void add_table_tests(std::vector<IoTest>& tests);
void add_cpu_tests(std::vector<IoTest>& tests);

// Options as they are run: --quick makes everything small. Errors: kUsage, naming the flag.
Result<IoOptions> checked_options(IoOptions options);

// The vectors of all processes together.
IoVectors vectors_of(std::uint64_t bytes);
// The vectors of one process: large and huge are divided.
IoVectors vectors_a_process(const IoVectors& all, std::size_t processes);

// Bytes that a test's vector has in a process's memory or file, for its ceiling.
std::uint64_t touched_bytes(const IoTest& test, const IoVectors& process);

// The tests whose names match and that can run on these targets. Adds a line for each kind that
// cannot.
std::vector<IoTest> choose_tests(const IoOptions& options, const std::vector<IoTarget>& targets,
                                 std::size_t processes, std::vector<std::string>& left_out);

// The bytes that the chosen tests of one process count have on disk at a time, by the vectors of
// all processes: the columns that they read and the ceilings' file; if one writes, kIoDiskTimes
// huge vectors.
std::uint64_t disk_bytes(const std::vector<IoTest>& tests, const IoVectors& vectors,
                         std::size_t processes);

// Published figures for the same test (articles on nano v1), shown beside the measured ones:
// "NVMe x24 2139, PMem 3557 MiB/s"; empty: none is published. With one process the figures of one
// thread, with more those of 36.
std::string published_of(const IoTest& test, std::size_t processes);

// A result without figures yet. The name of one of several ranks' ends in "/ranks:4".
IoResult blank_result(const IoTest& test, std::size_t processes, std::size_t ranks = 1);

}  // namespace hdbench::bench
