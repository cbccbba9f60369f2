#include "bench/base/outside_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "engine/storage/database.h"

namespace hdbench {

Status check_outside(std::string_view flag, const std::filesystem::path& path,
                     const std::filesystem::path& database) {
  if (path.empty()) return ok_status();
  std::error_code error;
  const auto root = std::filesystem::weakly_canonical(database, error);
  if (error || root.empty()) return ok_status();  // whoever opens it says more
  const auto inside = std::filesystem::weakly_canonical(path, error);
  if (error) return usage_error(fmt::format("{}: {}: {}", flag, path.string(), error.message()));
  const auto mismatch = std::mismatch(root.begin(), root.end(), inside.begin(), inside.end());
  if (mismatch.first != root.end()) return ok_status();
  return usage_error(fmt::format("{}: {} lies in the database {}: give a path outside", flag,
                                 path.string(), root.string()));
}

Status check_no_database(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::path above = std::filesystem::canonical(directory, error);
  constexpr int kLevels = 3;  // the database, a partition, a table
  for (int level = 0; !error && level < kLevels; ++level, above = above.parent_path()) {
    if (!Database::open(above).ok()) continue;
    return usage_error(fmt::format(
        "{} {} a database, and nothing is written into one: expected a directory beside it",
        directory.string(), level == 0 ? "is" : "lies in"));
  }
  return ok_status();
}

}  // namespace hdbench
