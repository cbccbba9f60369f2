#include "pmem/base/capabilities.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "engine/base/file_handle.h"

namespace hdbench::pmem {
namespace {

using CapabilityWords = std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3>;

constexpr int kCapabilitiesMax = 64;

std::uint64_t joined_words(std::uint32_t low, std::uint32_t high) {
  return std::uint64_t{high} << 32 | low;
}

Status set_capabilities(const CapabilitySets& sets) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  CapabilityWords words{};
  for (std::size_t k = 0; k < words.size(); ++k) {
    words[k].effective = static_cast<std::uint32_t>(sets.effective >> (32 * k));
    words[k].permitted = static_cast<std::uint32_t>(sets.permitted >> (32 * k));
  }
  if (::syscall(SYS_capset, &header, words.data()) == 0) return ok_status();
  return file_error("capabilities", "cannot be set", errno);
}

}  // namespace

CapabilitySets read_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  CapabilityWords words{};
  if (::syscall(SYS_capget, &header, words.data()) != 0) return {};
  return {joined_words(words[0].effective, words[1].effective),
          joined_words(words[0].permitted, words[1].permitted)};
}

bool has_capability(int capability) {
  return (read_capabilities().effective & capability_bit(capability)) != 0;
}

Status set_effective(std::uint64_t effective) {
  return set_capabilities({effective, read_capabilities().permitted});
}

Status keep_capabilities(std::uint64_t kept) {
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  // Where this is not permitted, the next line takes its place: an executed program gets no
  // capability that its caller lacks.
  for (int capability = 0; capability < kCapabilitiesMax; ++capability) {
    if ((kept & capability_bit(capability)) == 0) ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  }
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return file_error("privileges", "cannot be given up", errno);
  }
  const std::uint64_t permitted = read_capabilities().permitted & kept;
  return set_capabilities({permitted, permitted});
}

}  // namespace hdbench::pmem
