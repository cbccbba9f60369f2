#include "pmem/base/sysfs_text.h"

#include <algorithm>
#include <charconv>
#include <climits>
#include <fstream>
#include <system_error>

namespace hdbench::pmem {

std::string first_line(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const auto low = line.find_first_not_of(" \t\r");
  if (low == std::string::npos) return {};
  return line.substr(low, line.find_last_not_of(" \t\r") - low + 1);
}

std::optional<std::uint64_t> read_figure(const std::filesystem::path& file) {
  const std::string line = first_line(file);
  const bool hexadecimal = line.starts_with("0x");
  const char* const begin = line.data() + (hexadecimal ? 2 : 0);
  const char* const end = line.data() + line.size();
  std::uint64_t figure = 0;
  const auto parsed = std::from_chars(begin, end, figure, hexadecimal ? 16 : 10);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return figure;
}

std::optional<int> read_int(const std::filesystem::path& file) {
  const std::string line = first_line(file);
  const char* const end = line.data() + line.size();
  int figure = 0;
  const auto parsed = std::from_chars(line.data(), end, figure);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return figure;
}

std::vector<std::pair<int, std::filesystem::path>> numbered(const std::filesystem::path& parent,
                                                            std::string_view prefix) {
  std::vector<std::pair<int, std::filesystem::path>> found;
  for (const std::string& name : names_below(parent, prefix)) {
    unsigned number = 0;
    const char* const end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + prefix.size(), end, number);
    if (parsed.ec != std::errc() || parsed.ptr != end || number > INT_MAX) continue;
    found.emplace_back(static_cast<int>(number), parent / name);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> names_below(const std::filesystem::path& directory,
                                     std::string_view prefix) {
  std::vector<std::string> names;
  std::error_code failed;
  std::filesystem::directory_iterator entry(directory, failed);
  for (; !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed)) {
    std::string name = entry->path().filename().string();
    if (name.starts_with(prefix)) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<int> parse_list(std::string_view text) {
  constexpr int kRangeMax = 65536;
  std::vector<int> numbers;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (at < end) {
    int low = 0;
    auto parsed = std::from_chars(at, end, low);
    if (parsed.ec != std::errc()) break;
    int high = low;
    if (parsed.ptr < end && *parsed.ptr == '-') {
      parsed = std::from_chars(parsed.ptr + 1, end, high);
      if (parsed.ec != std::errc()) break;
    }
    if (low < 0 || high - low > kRangeMax) break;
    for (int number = low; number <= high; ++number) numbers.push_back(number);
    at = parsed.ptr;
    if (at < end && *at != ',') break;
    if (at < end) ++at;
  }
  return numbers;
}

std::string chosen_word(std::string_view line) {
  const auto open = line.find('[');
  const auto close = line.find(']');
  if (open == line.npos || close == line.npos || close < open) return {};
  return std::string(line.substr(open + 1, close - open - 1));
}

std::string link_name(const std::filesystem::path& link) {
  std::error_code failed;
  const auto target = std::filesystem::read_symlink(link, failed);
  return failed ? std::string() : target.filename().string();
}

}  // namespace hdbench::pmem
