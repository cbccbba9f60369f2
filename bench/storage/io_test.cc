#include "bench/storage/io_test.h"

#include <fmt/format.h>

#include "engine/base/units.h"

namespace hdbench::bench {

std::string_view word(IoVector vector) {
  constexpr std::string_view kWords[] = {"", "tiny", "small", "medium", "large", "huge"};
  return kWords[static_cast<std::size_t>(vector)];
}

std::string_view io_type_name(QType type) {
  return type == QType::kSymbol ? "sym" : type_name(type);
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

}  // namespace hdbench::bench
