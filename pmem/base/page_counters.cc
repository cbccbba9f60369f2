#include "pmem/base/page_counters.h"

#include <sys/resource.h>

#include <fstream>
#include <string>

namespace hdbench::pmem {
namespace {

std::optional<std::uint64_t> device_bytes_read(const std::filesystem::path& procfs) {
  std::ifstream io(procfs / "self/io");
  std::string key;
  std::uint64_t figure = 0;
  while (io >> key >> figure) {
    if (key == "read_bytes:") return figure;
  }
  return std::nullopt;
}

}  // namespace

PageCounters PageCounters::since(const PageCounters& earlier) const {
  PageCounters delta;
  delta.major_faults = major_faults - earlier.major_faults;
  delta.minor_faults = minor_faults - earlier.minor_faults;
  if (device_bytes_read && earlier.device_bytes_read) {
    delta.device_bytes_read = *device_bytes_read - *earlier.device_bytes_read;
  }
  return delta;
}

PageCounters read_page_counters(const std::filesystem::path& procfs) {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return {static_cast<std::uint64_t>(usage.ru_majflt), static_cast<std::uint64_t>(usage.ru_minflt),
          device_bytes_read(procfs)};
}

}  // namespace hdbench::pmem
