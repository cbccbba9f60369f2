#include "bench/run_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bench/statistics.h"

namespace hdbench {
namespace {

constexpr std::size_t kLineMax = 120;
constexpr std::size_t kLeadWidth = 19;   // query and rows
constexpr std::size_t kFirstWidth = 11;  // ms alone: the column that others are compared with
constexpr std::size_t kColumnWidth = 18;
constexpr std::size_t kColumnsMax = 1 + (kLineMax - kLeadWidth - kFirstWidth) / kColumnWidth;

// What a column of the table stands for.
struct ColumnKey {
  std::string medium;
  Layout layout = Layout::kPartitioned;
  Cache cache = Cache::kWarm;
  bool has_cache = false;
  bool emulated = false;

  bool holds(const CellResult& cell) const {
    return cell.setting.medium == medium && cell.setting.layout == layout &&
           cell.setting.cache == cache;
  }
};

// What a block of the table stands for.
struct BlockKey {
  std::uint64_t limit_mib = 0;
  AttrUse attr = AttrUse::kNone;
  Mode mode = Mode::k40;
  std::size_t threads = 1;

  bool operator==(const BlockKey&) const = default;
};

BlockKey block_of(const Setting& setting) {
  return {setting.limit_mib, setting.attr, setting.mode, setting.threads};
}

template <typename T>
void append_once(std::vector<T>& values, const T& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

std::vector<ColumnKey> columns_of(const std::vector<CellResult>& cells) {
  std::vector<ColumnKey> columns;
  for (const CellResult& cell : cells) {
    const auto known = std::find_if(columns.begin(), columns.end(),
                                    [&](const ColumnKey& key) { return key.holds(cell); });
    if (known != columns.end()) continue;
    const bool has_cold = std::any_of(cells.begin(), cells.end(), [&](const CellResult& other) {
      return other.setting.medium == cell.setting.medium && other.setting.cache == Cache::kCold;
    });
    columns.push_back(
        {cell.setting.medium, cell.setting.layout, cell.setting.cache, has_cold, cell.emulated});
  }
  // What was run cold on disk leads: it is what the rest is compared with.
  std::stable_sort(columns.begin(), columns.end(), [](const ColumnKey& a, const ColumnKey& b) {
    return (a.cache == Cache::kCold) > (b.cache == Cache::kCold);
  });
  return columns;
}

// The cells of one block, by query and column.
class Block {
 public:
  Block(const std::vector<CellResult>& cells, const BlockKey& key) : cells_(cells), key_(key) {}

  const CellResult* cell(int query, const ColumnKey& column) const {
    return find(query, column, key_.attr);
  }

  // Without p# on disk attr:none is all there is: then it stands in for attr:parted.
  const CellResult* cell_or_unparted(int query, const ColumnKey& column) const {
    const CellResult* found = cell(query, column);
    return found != nullptr ? found : find(query, column, AttrUse::kNone);
  }

  bool has(const ColumnKey& column) const {
    return std::any_of(cells_.begin(), cells_.end(), [&](const CellResult& cell) {
      return block_of(cell.setting) == key_ && column.holds(cell);
    });
  }

  bool has_unparted(const ColumnKey& column) const {
    return std::any_of(cells_.begin(), cells_.end(), [&](const CellResult& cell) {
      return cell_or_unparted(cell.query, column) != nullptr;
    });
  }

 private:
  const CellResult* find(int query, const ColumnKey& column, AttrUse attr) const {
    BlockKey key = key_;
    key.attr = attr;
    for (const CellResult& cell : cells_) {
      if (cell.query == query && block_of(cell.setting) == key && column.holds(cell)) return &cell;
    }
    return nullptr;
  }

  const std::vector<CellResult>& cells_;
  BlockKey key_;
};

std::string column_title(const ColumnKey& key) {
  std::string title = key.medium;
  if (key.has_cache) title += fmt::format(" {}", word(key.cache));
  if (key.emulated) title += '*';
  return title;
}

std::string format_ratio(double ratio) {
  if (ratio < 10) return fmt::format("{:.2f}x", ratio);
  if (ratio < 100) return fmt::format("{:.1f}x", ratio);
  return fmt::format("{:.0f}x", ratio);
}

std::optional<double> ratio_of(const CellResult* first, const CellResult* cell) {
  if (first == nullptr || cell == nullptr) return std::nullopt;
  const std::optional<double> first_ms = median_ms(*first);
  const std::optional<double> ms = median_ms(*cell);
  if (!first_ms || !ms || *first_ms <= 0 || *ms <= 0) return std::nullopt;
  return *first_ms / *ms;
}

std::string ms_text(const CellResult* cell) {
  if (cell == nullptr) return {};
  const std::optional<double> ms = median_ms(*cell);
  return ms ? format_ms(*ms) : "0N";
}

void trim_end(std::string& text) { text.erase(text.find_last_not_of(' ') + 1); }

std::string block_title(const BlockKey& key) {
  std::string title = fmt::format("attr {}, mode {}, {} thread{}", word(key.attr), word(key.mode),
                                  key.threads, key.threads == 1 ? "" : "s");
  if (key.limit_mib != 0) title += fmt::format(", -w {} MiB", key.limit_mib);
  return title;
}

// One block with some of its columns; columns.front() is what the others are compared with.
class BlockText {
 public:
  BlockText(const Block& block, const std::vector<ColumnKey>& columns)
      : block_(block), columns_(columns), ratios_(columns.size()) {}

  std::string header() const {
    std::string media = fmt::format("{:>5}{:>14}", "query", "rows");
    std::string layouts(kLeadWidth, ' ');
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::size_t width = i == 0 ? kFirstWidth : kColumnWidth;
      const std::string layout(word(columns_[i].layout));
      media += fmt::format(" {:>{}}", column_title(columns_[i]), width - 1);
      layouts +=
          fmt::format(" {:>{}}", block_.has(columns_[i]) ? layout : layout + ", no p", width - 1);
    }
    return media + "\n" + layouts + "\n";
  }

  std::string line(int query) {
    const CellResult* first = block_.cell_or_unparted(query, columns_.front());
    std::string cells;
    std::string rows;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const CellResult* cell = block_.cell_or_unparted(query, columns_[i]);
      if (cell != nullptr && cell->rows_out) rows = with_commas(*cell->rows_out);
      if (cell != nullptr && !cell->rows_out && rows.empty()) rows = "0N";
      cells += fmt::format(" {:>10}", ms_text(cell));
      if (i == 0) continue;
      const std::optional<double> ratio = ratio_of(first, cell);
      if (ratio) ratios_[i].push_back(*ratio);
      cells += fmt::format(" {:>6}", ratio ? format_ratio(*ratio) : "");
    }
    return finish(fmt::format("{:>5}{:>14}", query, rows) + cells);
  }

  std::string geometric_means() const {
    std::string line = fmt::format("{:<{}}", "geometric mean", kLeadWidth + kFirstWidth);
    for (std::size_t i = 1; i < columns_.size(); ++i) {
      line += fmt::format(" {:>17}",
                          ratios_[i].empty() ? "" : format_ratio(geometric_mean(ratios_[i])));
    }
    return finish(std::move(line));
  }

 private:
  static std::string finish(std::string line) {
    trim_end(line);
    return line + "\n";
  }

  const Block& block_;
  const std::vector<ColumnKey>& columns_;
  std::vector<std::vector<double>> ratios_;
};

std::string block_text(const Block& block, const std::vector<ColumnKey>& columns,
                       const std::vector<int>& queries) {
  std::string text;
  for (std::size_t begin = 1; begin == 1 || begin < columns.size(); begin += kColumnsMax - 1) {
    std::vector<ColumnKey> some{columns.front()};
    for (std::size_t i = begin; i < std::min(columns.size(), begin + kColumnsMax - 1); ++i) {
      some.push_back(columns[i]);
    }
    BlockText part(block, some);
    text += part.header();
    for (const int query : queries) text += part.line(query);
    if (some.size() > 1) text += part.geometric_means();
  }
  return text;
}

std::string media_lines(const std::vector<CellResult>& cells) {
  std::vector<std::string> lines;
  for (const CellResult& cell : cells) {
    append_once(lines, fmt::format("{}{}: {}\n", cell.emulated ? "* " : "", cell.setting.medium,
                                   cell.medium_label));
  }
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

std::string spread_line(const std::vector<CellResult>& cells) {
  const CellResult* widest = nullptr;
  double relative = 0;
  for (const CellResult& cell : cells) {
    if (!median_ms(cell) || cell.real_ms.size() < 2) continue;
    const double spread = summarise(cell.real_ms).relative_spread;
    if (widest == nullptr || spread > relative) {
      widest = &cell;
      relative = spread;
    }
  }
  if (widest == nullptr) return {};
  return fmt::format("largest spread: (max - min) / median = {:.0f} % in {}\n", relative * 100,
                     widest->name());
}

}  // namespace

std::string run_header(const RunContext& context) {
  std::string tables;
  for (const auto& [name, rows] : context.table_rows) {
    tables += fmt::format("{}{} {} rows", tables.empty() ? "" : ", ", name, with_commas(rows));
  }
  return fmt::format(
      "hdbench {} ({}), {}\n{}: {}, {} partition{}; {}\nmedians of {} repetition{} in ms; x: how "
      "many times "
      "as fast as the first column\n",
      context.version, context.commit, describe(context.host), context.database, tables,
      context.partitions, context.partitions == 1 ? "" : "s", context.query_file,
      context.repetitions, context.repetitions == 1 ? "" : "s");
}

std::string run_blocks(const std::vector<CellResult>& cells) {
  if (cells.empty()) return {};
  std::vector<BlockKey> blocks;
  std::vector<int> queries;
  for (const CellResult& cell : cells) {
    append_once(blocks, block_of(cell.setting));
    append_once(queries, cell.query);
  }
  const std::vector<ColumnKey> all_columns = columns_of(cells);
  std::string text;
  for (const BlockKey& key : blocks) {
    const Block block(cells, key);
    std::vector<ColumnKey> columns;
    for (const ColumnKey& column : all_columns) {
      if (block.has(column) || block.has_unparted(column)) columns.push_back(column);
    }
    text += "\n" + block_title(key) + "\n" + block_text(block, columns, queries);
  }
  return text + "\n" + media_lines(cells) + spread_line(cells);
}

std::string format_ms(double ms) {
  if (ms < 1) return fmt::format("{:.3f}", ms);
  if (ms < 100) return fmt::format("{:.2f}", ms);
  if (ms < 10000) return fmt::format("{:.1f}", ms);
  return with_commas(static_cast<std::uint64_t>(ms + 0.5));
}

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t place = 3; place < digits.size(); place += 4) {
    digits.insert(digits.size() - place, 1, ',');
  }
  return digits;
}

}  // namespace hdbench
