// Where the kernel describes the machine; tests set directories of their own.
#pragma once

#include <filesystem>

namespace hdbench::pmem {

struct MachinePaths {
  std::filesystem::path sysfs = "/sys";
  std::filesystem::path procfs = "/proc";
  std::filesystem::path devfs = "/dev";
};

}  // namespace hdbench::pmem
