#include "bench/available_memory.h"

#include <fstream>
#include <string>

namespace hdbench {

std::optional<std::uint64_t> available_memory_bytes(const std::filesystem::path& procfs) {
  std::ifstream file(procfs / "meminfo");
  std::string name;
  std::uint64_t kib = 0;
  for (std::string rest; file >> name; std::getline(file, rest)) {
    if (name == "MemAvailable:" && file >> kib) return kib << 10;
  }
  return std::nullopt;
}

}  // namespace hdbench
