#include "bench/storage/io_test.h"

#include <fmt/format.h>

namespace hdbench {

std::string_view word(IoVector vector) {
  switch (vector) {
    case IoVector::kNone: return "";
    case IoVector::kTiny: return "tiny";
    case IoVector::kSmall: return "small";
    case IoVector::kMedium: return "medium";
    case IoVector::kLarge: return "large";
    case IoVector::kHuge: return "huge";
  }
  return "";
}

std::string_view io_type_name(QType type) {
  return type == QType::kSymbol ? "sym" : type_name(type);
}

std::uint64_t elements_of(const IoVectors& vectors, IoVector vector) {
  switch (vector) {
    case IoVector::kNone: return 0;
    case IoVector::kTiny: return vectors.tiny;
    case IoVector::kSmall: return vectors.small;
    case IoVector::kMedium: return vectors.medium;
    case IoVector::kLarge: return vectors.large;
    case IoVector::kHuge: return vectors.huge;
  }
  return 0;
}

std::string bytes_word(std::uint64_t bytes) {
  constexpr std::uint64_t kKiB = 1 << 10;
  constexpr std::uint64_t kMiB = 1 << 20;
  if (bytes >= kMiB && bytes % kMiB == 0) return fmt::format("{}MiB", bytes / kMiB);
  if (bytes >= kKiB && bytes % kKiB == 0) return fmt::format("{}KiB", bytes / kKiB);
  return fmt::format("{}B", bytes);
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
  add_random_tests(tests);
  add_metadata_tests(tests);
  add_append_tests(tests);
  add_replace_tests(tests);
  add_table_tests(tests);
  add_cpu_tests(tests);
  return tests;
}

}  // namespace hdbench
