#include "pmem/media/present_medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "pmem/base/medium_spec.h"
#include "pmem/media/media_list.h"

namespace hdbench::pmem {
namespace {

struct Kind {
  std::string_view name;
  const char* profile;
  const char* near;  // of the near cache; null: none
  std::string_view lack;
};

constexpr std::array<Kind, 3> kKinds = {
    {{"app-direct", kAppDirectProfile, nullptr, "no persistent memory"},
     {"memory-mode", kMemoryModeProfile, kMemoryModeNear, "no Memory Mode"},
     {"cxl", kCxlProfile, nullptr, "no CXL memory"}}};

// Null: no profile may stand in for the word, or it has one already.
const Kind* kind_without_profile(const MediumSpec& word) {
  const auto* const kind = std::find_if(kKinds.begin(), kKinds.end(),
                                        [&](const Kind& one) { return one.name == word.name; });
  return kind == kKinds.end() || !word.profile.empty() ? nullptr : kind;
}

PresentMedium emulated(MediumSpec word, const Kind& kind, const std::string& why) {
  PresentMedium present;
  const std::string asked = to_text(word);
  word.profile = kind.profile;
  std::string size;
  if (kind.near != nullptr) {
    word.options.emplace("near", kind.near);
    size = fmt::format(" with a near cache of {} (near=SIZE: another)", kind.near);
  }
  present.word = to_text(word);
  present.note = fmt::format("note: {}: {} here ({}); emulated by the profile {}{}", asked,
                             kind.lack, why, kind.profile, size);
  return present;
}

}  // namespace

PresentMedium present_medium(const std::string& word, const MediumOptions& options,
                             const Machine& machine, const PmemProbe& probe) {
  const auto parsed = parse_medium_spec(word);
  const Kind* const kind = parsed.ok() ? kind_without_profile(*parsed) : nullptr;
  if (kind == nullptr || (kind->name == "app-direct" && !options.pmem_dir.empty())) {
    return {word, {}};
  }
  if (parsed->options.contains("near")) {  // an emulation by request
    MediumSpec named = *parsed;
    named.profile = kind->profile;
    return {to_text(named), {}};
  }
  const std::string why = why_absent(parsed->name, machine, probe);
  return why.empty() ? PresentMedium{word, {}} : emulated(*parsed, *kind, why);
}

PresentMedium present_medium(const std::string& word, const MediumOptions& options) {
  const auto parsed = parse_medium_spec(word);
  if (!parsed.ok() || kind_without_profile(*parsed) == nullptr) return {word, {}};
  return present_medium(word, options, read_machine(), probe_pmem);
}

}  // namespace hdbench::pmem
