#include "bench/run/memory_figures.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <set>
#include <string_view>

namespace hdbench::bench {
namespace {

// Bytes of a line of /proc/self/maps: "7f00-7f10 r--p 0 fe:00 12 /path".
std::uint64_t mapped_bytes(std::string_view line) {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  const char* const last = line.data() + line.size();
  const auto first = std::from_chars(line.data(), last, begin, 16);
  if (first.ec != std::errc() || first.ptr == last) return 0;
  if (std::from_chars(first.ptr + 1, last, end, 16).ec != std::errc()) return 0;
  return end - begin;
}

std::uint64_t mapped_below(const std::filesystem::path& root, const std::filesystem::path& maps) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::canonical(root, error);
  if (error) return 0;
  const std::string prefix = " " + whole.string() + "/";
  std::ifstream file(maps);
  std::uint64_t bytes = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.find(prefix) != std::string::npos) bytes += mapped_bytes(line);
  }
  return bytes;
}

}  // namespace

void add_surroundings(MemoryFigures& figures, const Table& table,
                      const std::filesystem::path& database, const std::filesystem::path& procfs) {
  figures.mmap = mapped_below(database, procfs / "self/maps");
  figures.mphy = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                 static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::set<const Domain*> domains;
  for (const Field& field : table.schema().fields) {
    if (field.domain) domains.insert(field.domain.get());
  }
  for (const Domain* domain : domains) {
    figures.syms += domain->stored_size();
    for (const std::string_view text : domain->symbols()) figures.symw += text.size();
  }
}

std::string to_text(const MemoryFigures& figures) {
  return fmt::format(
      "used| {}\nheap| {}\npeak| {}\nwmax| {}\nmmap| {}\nmphy| {}\nsyms| {}\nsymw| {}\n",
      figures.used, figures.heap, figures.peak, figures.wmax, figures.mmap, figures.mphy,
      figures.syms, figures.symw);
}

}  // namespace hdbench::bench
