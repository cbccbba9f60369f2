#include "bench/machine/machine_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/base/json_fields.h"
#include "bench/base/lines.h"
#include "engine/base/file_handle.h"
#include "engine/base/text.h"
#include "pmem/base/sysfs_text.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kSmbiosBytesMax = std::size_t{1} << 20;

// Little-endian fields of one structure; 0 where it is too short for one.
struct SmbiosStructure {
  std::string_view bytes;

  std::uint32_t field(std::size_t at, std::size_t width) const {
    std::uint32_t value = 0;
    if (at + width > bytes.size()) return 0;
    for (std::size_t i = width; i > 0; --i)
      value = value << 8 | static_cast<std::uint8_t>(bytes[at + i - 1]);
    return value;
  }
  // A word that says "see the longer field" where it is all ones.
  std::uint32_t word_or(std::size_t at, std::uint32_t longer, std::size_t longer_at) const {
    const std::uint32_t value = field(at, 2);
    return value == longer ? field(longer_at, 4) : value;
  }
};

std::string module_type(const SmbiosStructure& module) {
  constexpr std::uint32_t kOptane = 7;
  if (module.field(0x28, 1) == kOptane) return "Optane";
  constexpr std::pair<std::uint32_t, const char*> kTypes[] = {
      {0x18, "DDR3"}, {0x1a, "DDR4"}, {0x1d, "LPDDR3"}, {0x1e, "LPDDR4"}, {0x20, "HBM"},
      {0x21, "HBM2"}, {0x22, "DDR5"}, {0x23, "LPDDR5"}, {0x24, "HBM3"}};
  for (const auto& [code, name] : kTypes) {
    if (module.field(0x12, 1) == code) return name;
  }
  return {};
}

// Nothing of an empty slot.
std::uint64_t module_bytes(const SmbiosStructure& module) {
  constexpr std::uint32_t kLonger = 0x7fff;
  constexpr std::uint32_t kUnknown = 0xffff;
  constexpr std::uint32_t kOfKib = 0x8000;
  const std::uint32_t size = module.field(0x0c, 2);
  if (size == kUnknown) return 0;
  if (size == kLonger) return std::uint64_t{module.field(0x1c, 4)} << 20;
  return (size & kOfKib) != 0 ? std::uint64_t{size & ~kOfKib} << 10 : std::uint64_t{size} << 20;
}

// "64 GiB": modules are whole GiB, but for the smallest.
std::string module_size(std::uint64_t bytes) {
  constexpr std::uint64_t kGib = std::uint64_t{1} << 30;
  return bytes % kGib == 0 ? fmt::format("{} GiB", bytes / kGib) : memory_text(bytes);
}

std::string governors(const std::filesystem::path& cpus) {
  std::vector<std::string> words;
  for (const std::string& cpu : names_below(cpus, "cpu")) {
    const std::string word = first_line(cpus / cpu / "cpufreq/scaling_governor");
    if (!word.empty()) add_once(words, word);
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string flag_of_command_line(const std::string& line, const std::string& flag) {
  std::string value;
  for (const std::string& word : split_trimmed(line, ' ')) {
    if (word.starts_with(flag)) value = word.substr(flag.size());
  }
  return value;
}

}  // namespace

std::vector<MemoryModules> memory_modules_of(std::string_view table) {
  constexpr std::uint32_t kMemoryDevice = 17;
  constexpr std::size_t kHeader = 4;
  std::vector<MemoryModules> modules;
  while (table.size() >= kHeader) {
    const std::size_t length = static_cast<std::uint8_t>(table[1]);
    if (length < kHeader || length > table.size()) break;
    const SmbiosStructure module{table.substr(0, length)};
    if (module.field(0, 1) == kMemoryDevice && module_bytes(module) > 0) {
      MemoryModules one{1, module_bytes(module), module_type(module),
                        module.word_or(0x20, 0xffff, 0x58)};
      if (one.mt_per_s == 0) one.mt_per_s = module.word_or(0x15, 0xffff, 0x54);
      const auto same = std::ranges::find_if(modules, [&](const MemoryModules& other) {
        return other.bytes == one.bytes && other.type == one.type && other.mt_per_s == one.mt_per_s;
      });
      if (same != modules.end()) {
        ++same->count;
      } else {
        modules.push_back(std::move(one));
      }
    }
    // Its texts follow, each with a zero, and one more at their end.
    const std::size_t end = table.find(std::string_view("\0\0", 2), length);
    if (end == table.npos) break;
    table.remove_prefix(end + 2);
  }
  return modules;
}

MachineFacts read_machine_facts(const MachinePaths& paths) {
  MachineFacts facts;
  const auto cpus = paths.sysfs / "devices/system/cpu";
  for (const std::string& name : names_below(cpus / "vulnerabilities")) {
    const std::string text = first_line(cpus / "vulnerabilities" / name);
    if (!text.empty() && text != "Not affected") facts.mitigations.emplace_back(name, text);
  }
  facts.mitigations_flag =
      flag_of_command_line(first_line(paths.procfs / "cmdline"), "mitigations=");
  facts.governor = governors(cpus);
  facts.transparent_huge_pages =
      chosen_word(first_line(paths.sysfs / "kernel/mm/transparent_hugepage/enabled"));
  facts.numa_balancing = read_int(paths.procfs / "sys/kernel/numa_balancing");
  const auto table = read_text(paths.sysfs / "firmware/dmi/tables/DMI", kSmbiosBytesMax);
  if (table.ok()) facts.memory_modules = memory_modules_of(*table);
  return facts;
}

std::string modules_text(const std::vector<MemoryModules>& modules) {
  std::string text;
  for (const MemoryModules& one : modules) {
    text += fmt::format("{}{} x {}{}{}", text.empty() ? "" : ", ", one.count,
                        module_size(one.bytes), one.type.empty() ? "" : " " + one.type,
                        one.mt_per_s == 0 ? "" : fmt::format(" at {} MT/s", one.mt_per_s));
  }
  return text;
}

std::string mitigations_text(const MachineFacts& facts) {
  if (facts.mitigations.empty() && facts.mitigations_flag.empty()) return {};
  std::vector<std::string> vulnerable;
  for (const auto& [name, text] : facts.mitigations) {
    if (text.starts_with("Vulnerable")) vulnerable.push_back(name);
  }
  std::string text = facts.mitigations_flag.empty()
                         ? std::string()
                         : "mitigations=" + facts.mitigations_flag + ": ";
  text += fmt::format("{} of {} mitigated", facts.mitigations.size() - vulnerable.size(),
                      facts.mitigations.size());
  if (!vulnerable.empty()) text += fmt::format(", vulnerable: {}", fmt::join(vulnerable, ", "));
  return text;
}

void fields(JsonFields& a, MemoryModules& modules) {
  HDB_FIELDS(modules, count, bytes, type, mt_per_s);
}

void fields(JsonFields& a, MachineFacts& facts) {
  HDB_FIELDS(facts, sockets, cores, memory_modules, mitigations);
  a.or_null("mitigations_flag", facts.mitigations_flag);
  a.or_null("governor", facts.governor);
  a.or_null("transparent_huge_pages", facts.transparent_huge_pages);
  a("numa_balancing", facts.numa_balancing);
}

}  // namespace hdbench::bench
