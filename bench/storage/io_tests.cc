#include "bench/storage/io_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "bench/base/lines.h"
#include "bench/base/name_pattern.h"
#include "engine/base/bytes.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kNanoLarge = std::uint64_t{31} << 20;
constexpr std::uint64_t kNanoHuge = std::uint64_t{1} << 30;
constexpr std::uint64_t kQuickBytes = 16 * kMiB;
constexpr double kQuickSeconds = 0.03;

// Empty: it can be run.
std::string reason_against(const IoTest& test, const std::vector<IoTarget>& targets) {
  for (const IoTarget& target : targets) {
    if (test.cache == "cold" && target.memory) {
      return fmt::format("cold: {} is on {}, which is memory: it cannot be cold",
                         target.path.string(), target.filesystem);
    }
    if (test.cache == "cold" && target.dax) {
      return fmt::format("cold: {} is mapped without a page cache (DAX): it has no cold and warm",
                         target.path.string());
    }
    if (test.needs_direct() && !target.direct_io) {
      return fmt::format("O_DIRECT: {} on {} refuses it", target.path.string(), target.filesystem);
    }
  }
  return {};
}

}  // namespace

std::string_view word(IoVector vector) {
  constexpr std::string_view kWords[] = {"", "tiny", "small", "medium", "large", "huge"};
  return kWords[static_cast<std::size_t>(vector)];
}

std::uint64_t elements_of(const IoVectors& all, IoVector vector) {
  const std::uint64_t elements[] = {0, all.tiny, all.small, all.medium, all.large, all.huge};
  return elements[static_cast<std::size_t>(vector)];
}

std::string bytes_word(std::uint64_t bytes, const char* blank) {
  if (bytes >= kMiB && bytes % kMiB == 0) return fmt::format("{}{}MiB", bytes / kMiB, blank);
  if (bytes >= kKiB && bytes % kKiB == 0) return fmt::format("{}{}KiB", bytes / kKiB, blank);
  return fmt::format("{}{}B", bytes, blank);
}

std::string processes_text(std::size_t processes) {
  return fmt::format("{} process{}", processes, processes == 1 ? "" : "es");
}

IoTest& add_test(std::vector<IoTest>& tests, const char* group, const char* name,
                 const char* engine, const char* what, IoWork work, const IoTraits& traits) {
  const IoKind kind{name,   group,        traits.unit, what, traits.block_bytes,
                    engine, traits.cache, traits.sync};
  tests.push_back({kind, traits.of.vector, traits.of.type, traits.ceiling, 1, std::move(work)});
  return tests.back();
}

Status check_file(Worker& worker, const std::filesystem::path& path, std::uint64_t expected) {
  HDB_ASSIGN(const std::uint64_t found, sum_of_file(path));
  return worker.check_sum(found, expected, path.c_str());
}

std::string name_of(const IoTest& test, std::size_t processes) {
  std::string name = "io/" + test.test;
  if (test.vector != IoVector::kNone && test.block_bytes == 0) {
    name += fmt::format("/vector:{}/type:{}", word(test.vector), io_type_name(test.type));
  }
  if (test.block_bytes != 0) name += "/block:" + bytes_word(test.block_bytes);
  name += "/engine:" + test.engine;
  if (!test.sync.empty()) name += "/sync:" + test.sync;
  if (test.cache != "none") name += "/cache:" + test.cache;
  return name + fmt::format("/processes:{}", processes);
}

std::vector<IoTest> all_io_tests() {
  std::vector<IoTest> tests;
  add_write_tests(tests);
  add_read_tests(tests);
  add_metadata_tests(tests);
  add_append_tests(tests);
  add_replace_tests(tests);
  add_table_tests(tests);
  add_cpu_tests(tests);
  return tests;
}

Result<IoOptions> checked_options(IoOptions options) {
  if (options.targets.empty()) return usage_error("io: give a directory to measure");
  if (options.processes.empty()) return usage_error("--processes: no count");
  for (const std::size_t count : options.processes) {
    if (count < 1 || count > kIoProcessesMax) {
      return usage_error(fmt::format("--processes: {}, expected 1 to {}", count, kIoProcessesMax));
    }
  }
  if (options.reps < 1) return usage_error("--reps: 0, expected 1 or more");
  if (options.quick) {
    options.bytes = std::min(options.bytes, kQuickBytes);
    options.pass_seconds = std::min(options.pass_seconds, kQuickSeconds);
  }
  if (options.bytes < kQuickBytes) {
    return usage_error(fmt::format("--size: {} MiB, expected {} or more", options.bytes / kMiB,
                                   kQuickBytes / kMiB));
  }
  HDB_TRY(NamePattern::make("--tests", options.tests));
  return options;
}

IoVectors vectors_of(std::uint64_t bytes) {
  IoVectors vectors;
  vectors.huge = bytes / 8;
  vectors.scale = static_cast<double>(vectors.huge) / static_cast<double>(kNanoHuge);
  const auto large =
      static_cast<std::uint64_t>(vectors.scale * static_cast<double>(kNanoLarge)) / 2 * 2;
  vectors.large = std::max(large, vectors.medium);
  return vectors;
}

IoVectors vectors_a_process(const IoVectors& all, std::size_t processes) {
  IoVectors one = all;
  one.huge = all.huge / processes / 2 * 2;
  one.large = all.large / processes / 2 * 2;
  return one;
}

std::uint64_t touched_bytes(const IoTest& test, const IoVectors& process) {
  if (test.group == "append") return process.huge * 8;
  return elements_of(process, test.vector) * type_width(test.type);
}

std::vector<IoTest> choose_tests(const IoOptions& options, const std::vector<IoTarget>& targets,
                                 std::size_t processes, std::vector<std::string>& left_out) {
  // Requires: checked_options().
  const NamePattern wanted = *NamePattern::make("--tests", options.tests);
  const std::uint64_t file_bytes = vectors_a_process(vectors_of(options.bytes), processes).huge * 8;
  const bool is_dax =
      std::any_of(targets.begin(), targets.end(), [](const IoTarget& one) { return one.dax; });
  std::vector<IoTest> chosen;
  for (IoTest& test : all_io_tests()) {
    if (is_dax && test.cache == "warm") test.cache = "dax";
    const std::string name = name_of(test, processes);
    if (!wanted.chooses(name)) continue;
    std::string reason = reason_against(test, targets);
    if (test.block_bytes > file_bytes / test.files) {
      reason = fmt::format("{} in blocks of {}: a file of {} processes is smaller", test.test,
                           bytes_word(test.block_bytes), processes);
    }
    if (reason.empty()) {
      chosen.push_back(std::move(test));
    } else {
      add_once(left_out, reason);
    }
  }
  return chosen;
}

std::uint64_t disk_bytes(const std::vector<IoTest>& tests, const IoVectors& vectors,
                         std::size_t processes) {
  const bool reads_only = std::all_of(tests.begin(), tests.end(),
                                      [](const IoTest& test) { return test.reads_column(); });
  if (!reads_only) return kIoDiskTimes * vectors.huge * 8;
  const IoVectors process = vectors_a_process(vectors, processes);
  std::uint64_t bytes = vectors.huge * 8;
  std::set<std::tuple<IoVector, QType, std::size_t>> columns;
  for (const IoTest& test : tests) {
    if (!columns.insert({test.vector, test.type, test.files}).second) continue;
    bytes += processes * touched_bytes(test, process);
  }
  return bytes;
}

IoResult blank_result(const IoTest& test, std::size_t processes, std::size_t ranks) {
  IoResult result;
  static_cast<IoKind&>(result) = test;
  result.name = name_of(test, processes);
  if (ranks > 1) result.name += fmt::format("/ranks:{}", ranks);
  result.processes = processes;
  result.vector = word(test.vector);
  if (test.vector != IoVector::kNone) result.type = io_type_name(test.type);
  result.published = published_of(test, processes * ranks);
  return result;
}

}  // namespace hdbench::bench
