// Where the kernel tells about the machine; tests put a tree of their own here.
#pragma once

#include <filesystem>

namespace hdbench {

struct MachinePaths {
  std::filesystem::path sysfs = "/sys";
  std::filesystem::path procfs = "/proc";
  std::filesystem::path devfs = "/dev";
};

}  // namespace hdbench
