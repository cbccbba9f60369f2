#include "pmem/media/column_choice.h"

#include <fmt/format.h>

#include <charconv>

namespace hdbench::pmem {

Result<ColumnChoice> parse_column_choice(std::string_view text) {
  constexpr std::string_view kNewest = "last";
  ColumnChoice choice;
  const auto at = text.find('@');
  std::string_view name = text.substr(0, at);
  if (at != text.npos) {
    std::string_view count = text.substr(at + 1);
    const bool is_newest = count.starts_with(kNewest);
    if (is_newest) count.remove_prefix(kNewest.size());
    const auto [end, error] =
        std::from_chars(count.data(), count.data() + count.size(), choice.newest);
    if (!is_newest || error != std::errc() || end != count.data() + count.size() ||
        choice.newest == 0) {
      return usage_error(fmt::format("'{}': after @ comes lastN, such as @last20", text));
    }
  }
  const auto dot = name.find('.');
  if (dot != name.npos) {
    choice.table = std::string(name.substr(0, dot));
    name.remove_prefix(dot + 1);
    if (choice.table.empty()) return usage_error(fmt::format("'{}': a table without a name", text));
  }
  choice.column = std::string(name);
  if (name.empty()) return usage_error(fmt::format("'{}': a column without a name", text));
  return choice;
}

std::string to_text(const ColumnChoice& choice) {
  return fmt::format("{}{}{}{}", choice.table, choice.table.empty() ? "" : ".", choice.column,
                     choice.newest > 0 ? fmt::format("@last{}", choice.newest) : "");
}

int closeness(const ColumnChoice& choice, const std::set<std::string>& newest,
              const std::filesystem::path& file) {
  std::string name = file.filename().string();
  while (name.ends_with('#')) name.pop_back();
  if (name != choice.column) return 0;
  const std::filesystem::path directory = file.parent_path();
  if (!choice.table.empty() && directory.filename() != choice.table) return 0;
  if (choice.newest > 0 && !newest.contains(directory.parent_path().filename().string())) return 0;
  return 1 + (choice.table.empty() ? 0 : 1) + (choice.newest > 0 ? 2 : 0);
}

}  // namespace hdbench::pmem
