#include "pmem/machine/block_device.h"

#include <fmt/format.h>

#include <system_error>

#include "pmem/base/sysfs_text.h"

namespace hdbench::pmem {
namespace {

constexpr std::uint64_t kSectorBytes = 512;  // sysfs counts in these, whatever the device's are

// One word is all there is where there is nothing to choose.
std::string scheduler_of(const std::string& line) {
  return line.find('[') == std::string::npos ? line : chosen_word(line);
}

std::optional<std::uint64_t> kibibytes(const std::filesystem::path& file) {
  const auto figure = read_figure(file);
  return figure ? std::optional(*figure * 1024) : std::nullopt;
}

void read_queue(const std::filesystem::path& disk, BlockDevice& device) {
  const auto queue = disk / "queue";
  if (const auto rotational = read_figure(queue / "rotational")) {
    device.rotational = *rotational != 0;
  }
  device.scheduler = scheduler_of(first_line(queue / "scheduler"));
  device.readahead_bytes = kibibytes(queue / "read_ahead_kb");
  device.requests_max = read_figure(queue / "nr_requests");
  device.request_bytes_max = kibibytes(queue / "max_sectors_kb");
  device.logical_block_bytes = read_figure(queue / "logical_block_size");
  device.physical_block_bytes = read_figure(queue / "physical_block_size");
  device.write_cache = first_line(queue / "write_cache");
  device.dax = read_figure(queue / "dax").value_or(0) == 1;
  device.hardware_queues = names_below(disk / "mq").size();
}

// A partition's directory lies in its disk's.
std::filesystem::path disk_of(const std::filesystem::path& place) {
  std::error_code failed;
  if (!std::filesystem::exists(place / "partition", failed)) return place;
  const auto resolved = std::filesystem::canonical(place, failed);
  return failed ? place : resolved.parent_path();
}

}  // namespace

std::optional<BlockDevice> read_block_device(const std::filesystem::path& sysfs,
                                             const std::string& name) {
  const auto place = sysfs / "class/block" / name;
  std::error_code failed;
  if (name.empty() || !std::filesystem::is_directory(place, failed)) return std::nullopt;
  const auto disk = disk_of(place);
  BlockDevice device;
  device.name = name;
  device.disk = disk.filename().string();
  device.bytes = read_figure(place / "size").value_or(0) * kSectorBytes;
  device.model = first_line(disk / "device/model");
  device.transport = link_name(disk / "device/subsystem");
  // The block layer's own directory has no node; the controller's may lie one step further up.
  for (const char* up : {"device/numa_node", "device/device/numa_node"}) {
    if (const auto node = read_int(disk / up); node && device.numa_node < 0) {
      device.numa_node = *node;
    }
  }
  device.below = names_below(place / "slaves");
  read_queue(disk, device);
  return device;
}

std::string describe(const BlockDevice& device) {
  std::string text = fmt::format("/dev/{}", device.name);
  if (device.disk != device.name) text += fmt::format(" on {}", device.disk);
  if (!device.below.empty()) text += fmt::format(" over {}", fmt::join(device.below, " "));
  text += fmt::format(": {:.1f} GiB", static_cast<double>(device.bytes) / (1 << 30));
  if (!device.model.empty()) text += ", " + device.model;
  if (!device.transport.empty()) text += ", " + device.transport;
  if (device.rotational) text += *device.rotational ? ", rotational" : ", not rotational";
  if (!device.scheduler.empty()) text += ", scheduler " + device.scheduler;
  if (device.readahead_bytes) {
    text += fmt::format(", readahead {} KiB", *device.readahead_bytes >> 10);
  }
  if (device.requests_max) {
    text += fmt::format(", {} requests", *device.requests_max);
    if (device.hardware_queues == 1) text += " in one queue";
    if (device.hardware_queues > 1) {
      text += fmt::format(" in each of {} queues", device.hardware_queues);
    }
  }
  if (device.request_bytes_max) {
    text += fmt::format(" of up to {} KiB", *device.request_bytes_max >> 10);
  }
  if (device.numa_node >= 0) text += fmt::format(", near node {}", device.numa_node);
  return text;
}

}  // namespace hdbench::pmem
