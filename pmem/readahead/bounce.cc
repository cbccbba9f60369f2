#include "pmem/readahead/bounce.h"

#include <fmt/format.h>
#include <hwy/cache_control.h>
#include <hwy/highway.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cstring>

#include "engine/base/demote.h"
#include "pmem/machine/block_device.h"

namespace hdbench {
namespace {

bool is_virtio(const std::filesystem::path& sysfs, const std::string& name) {
  const auto device = read_block_device(sysfs, name);
  if (!device) return false;
  return device->transport == "virtio" ||
         std::any_of(device->below.begin(), device->below.end(),
                     [&](const std::string& below) { return is_virtio(sysfs, below); });
}

}  // namespace

void copy_from_bounce(std::byte* to, std::span<const std::byte> bounce) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<std::uint8_t> d;
  constexpr std::size_t kStepBytes = 4096;
  for (std::size_t at = 0; at < bounce.size(); at += kStepBytes) {
    const std::byte* const from = bounce.data() + at;
    const std::size_t bytes = std::min(kStepBytes, bounce.size() - at);
    const std::size_t whole = bytes / hn::Lanes(d) * hn::Lanes(d);
    for (std::size_t i = 0; i < whole; i += hn::Lanes(d)) {
      hn::Stream(hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(from + i)), d,
                 reinterpret_cast<std::uint8_t*>(to + at + i));
    }
    std::memcpy(to + at + whole, from + whole, bytes - whole);
    demote_lines(from, from + bytes);
  }
  hwy::FlushStream();
}

bool may_be_copied_by_host(const std::filesystem::path& sysfs, std::uint64_t device) {
  std::error_code failed;
  const auto target = std::filesystem::read_symlink(
      sysfs / "dev/block" / fmt::format("{}:{}", gnu_dev_major(device), gnu_dev_minor(device)),
      failed);
  return !failed && is_virtio(sysfs, target.filename().string());
}

}  // namespace hdbench
