#include "bench/report/views/pivot_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace hdbench {
namespace {

std::string limit_text(const PivotBlock& block) {
  return block.limit_mib == 0 ? std::string() : fmt::format(", -w {} MiB", block.limit_mib);
}

}  // namespace

std::string cut_to(const std::string& text, std::size_t width, std::string_view mark) {
  if (text.size() <= width) return text;
  const std::string options = text.substr(std::min(text.find('+'), text.size()));
  const std::size_t kept = options.size() + mark.size() < width ? options.size() : 0;
  return fmt::format("{}{}{}", text.substr(0, width - mark.size() - kept), mark,
                     text.substr(text.size() - kept));
}

std::string threads_text(std::size_t threads) {
  return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

std::string column_title(const PivotColumn& column) {
  std::string title = column.medium.substr(0, column.medium.find(':'));
  if (column.shows_cache) title += fmt::format(" {}", word(column.cache));
  if (column.emulated) title += '*';
  if (column.prefetch == Prefetch::kOn) title += "+p";
  return title;
}

std::string column_argument(const PivotColumn& column, std::size_t width) {
  const std::size_t colon = column.medium.find(':');
  if (colon == std::string::npos) return {};
  std::string argument = column.medium.substr(colon + 1);
  if (argument.find('/') != std::string::npos)
    argument = std::filesystem::path(argument).stem().string();
  return cut_to(argument, width, "..");
}

std::string block_title(const PivotBlock& block) {
  return fmt::format("attr {}, mode {}, {}{}", word(block.attr), word(block.mode),
                     threads_text(block.threads), limit_text(block));
}

std::string block_title_of_all_threads(const PivotBlock& block) {
  return fmt::format("attr {}, mode {}{}", word(block.attr), word(block.mode), limit_text(block));
}

std::string line_of(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

}  // namespace hdbench
