#include "bench/report/text/ceiling_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/report/views/pivot_text.h"
#include "bench/report/views/run_pivot.h"

namespace hdbench {
namespace {

constexpr std::size_t kFigureWidth = 14;  // "123.4 (125.6)"
constexpr std::size_t kThreadsWidth = 7;
constexpr std::size_t kCeilingLeadWidth = 5;
constexpr std::size_t kCeilingColumnWidth = 17;
constexpr std::size_t kPercentWidth = 9;  // " 49.5% c!"
constexpr std::size_t kCeilingColumnsMax = (kTableWidth - kCeilingLeadWidth) / kCeilingColumnWidth;

using Columns = std::vector<const PivotColumn*>;

std::string memory_line(const ThreadCeilings& one) {
  std::string line = fmt::format("{:>{}}", one.threads, kThreadsWidth);
  for (const CeilingFigure& figure : {one.read_gb_s, one.write_gb_s, one.stream_gb_s, one.copy_gb_s,
                                      one.gather_gb_s, one.gather_ns, one.chase_ns}) {
    line += fmt::format("{:>{}}", fmt::format("{:.1f} ({:.1f})", figure.median, figure.best),
                        kFigureWidth);
  }
  return line_of(line);
}

std::string memory_text(const MemoryCeilings& memory) {
  if (memory.by_threads.empty()) {
    return fmt::format("\nceilings of this machine's memory: none: {}\n", memory.reason);
  }
  const std::size_t rounds = memory.by_threads.front().rounds;
  std::string text = fmt::format(
      "\nceilings of this machine's memory: median (best) of {} timed rounds, 2 buffers of {} "
      "MiB\n",
      rounds, memory.buffer_bytes >> 20);
  std::string titles = fmt::format("{:>{}}", "", kThreadsWidth);
  std::string units = fmt::format("{:>{}}", "threads", kThreadsWidth);
  for (const char* title :
       {"read", "write", "write past", "copy past", "gather", "gather", "chase"})
    titles += fmt::format("{:>{}}", title, kFigureWidth);
  for (const char* unit :
       {"GB/s", "GB/s", "caches GB/s", "caches GB/s", "lines GB/s", "ns/line", "ns/line"})
    units += fmt::format("{:>{}}", unit, kFigureWidth);
  text += line_of(titles) + line_of(units);
  for (const ThreadCeilings& one : memory.by_threads) text += memory_line(one);
  text +=
      "  copy: bytes read and written; gather, chase: 64-byte lines in random order, each "
      "independent, each found in\n  the one before; ns on one thread\n";
  if (memory.may_be_cached()) {
    text += fmt::format(
        "  last-level caches hold {} MiB, both buffers or more: these may be the caches' figures\n",
        memory.cache_bytes >> 20);
  }
  return text;
}

std::string device_text(const std::string& whose, const DeviceCeilings& device) {
  if (!device.known()) return fmt::format("ceiling of {}: none: {}\n", whose, device.reason);
  const auto read_text = [](const DeviceRead& read) {
    const CeilingFigure figure = read.figure();
    return fmt::format("{:.3g} ({:.3g}) GB/s, {} KiB, {} at a time", figure.median, figure.best,
                       read.block_bytes >> 10, read.in_flight);
  };
  std::string text =
      fmt::format("ceiling of {}, past the page cache ({}): median (best)\n", whose, device.device);
  text += fmt::format("  in order {}; in random places {}\n", read_text(device.sequential),
                      read_text(device.random));
  if (!device.summed.gb_s.empty()) {
    const CeilingFigure summed = device.summed.figure();
    text += fmt::format("  in order, each byte then summed by a CPU: {:.3g} ({:.3g}) GB/s\n",
                        summed.median, summed.best);
  }
  return text;
}

std::string devices_text(const std::vector<CellResult>& cells, const RunCeilings& ceilings) {
  const bool cold = std::any_of(cells.begin(), cells.end(), [](const CellResult& cell) {
    return cell.setting.cache == Cache::kCold;
  });
  if (!cold) return {};
  std::string text = device_text("the device", ceilings.device);
  if (ceilings.scratch_device) {
    text += device_text("the scratch files' device", *ceilings.scratch_device);
  }
  for (const PlacementCeilings& one : ceilings.placements) {
    if (one.device_sequential.gb_s.empty()) continue;
    const CeilingFigure figure = one.device_sequential.figure();
    text += fmt::format(
        "  beside the cold cells of {} {}{}{}: in order {:.3g} ({:.3g}) GB/s, {} rounds\n",
        one.medium, word(one.layout), one.codes == Codes::kNarrow ? " narrow" : "",
        one.dataset.empty() ? "" : ", " + one.dataset, figure.median, figure.best,
        one.device_sequential.gb_s.size());
  }
  return text;
}

// In few characters, however far above the ceiling.
std::string percent_text(double percent) {
  if (percent >= 999.5) return ">999";
  return percent < 9.95 ? fmt::format("{:.1f}", percent) : fmt::format("{:.0f}", percent);
}

std::string gb_text(double gb_s) {
  return gb_s < 999.5 ? fmt::format("{:.2f}", gb_s) : std::string(">999");
}

std::string cell_text(const CellResult* cell, const RunCeilings& ceilings) {
  if (cell == nullptr) return std::string(kCeilingColumnWidth, ' ');
  const Result<CellCeiling> ceiling = cell_ceiling(*cell, ceilings);
  if (!ceiling.ok()) return fmt::format("{:>{}}   ", "-", kCeilingColumnWidth - 3);
  return fmt::format("{:>{}}{:>{}}% {}{}", gb_text(ceiling->gb_s),
                     kCeilingColumnWidth - kPercentWidth, percent_text(ceiling->percent),
                     kPercentWidth - 4, word(ceiling->kind).front(), ceiling->above() ? '!' : ' ');
}

std::string block_text(const RunPivot& pivot, const PivotBlock& block, const Columns& piece,
                       const RunCeilings& ceilings) {
  std::string media = fmt::format("{:>{}}", "query", kCeilingLeadWidth);
  std::string layouts(kCeilingLeadWidth, ' ');
  for (const PivotColumn* column : piece) {
    media += fmt::format("{:>{}}", column_title(*column), kCeilingColumnWidth);
    layouts += fmt::format("{:>{}}", word(column->layout), kCeilingColumnWidth);
  }
  std::string text = line_of(media) + line_of(layouts);
  for (const int query : pivot.queries()) {
    std::string line = fmt::format("{:>{}}", query, kCeilingLeadWidth);
    for (const PivotColumn* column : piece)
      line += cell_text(pivot.cell(block, *column, query), ceilings);
    text += line_of(line);
  }
  return text;
}

// Lines, each once.
class Notes {
 public:
  void add(const std::string& line) {
    if (std::find(lines_.begin(), lines_.end(), line) == lines_.end()) lines_.push_back(line);
  }
  std::string text() const {
    std::string text;
    for (const std::string& line : lines_) text += fmt::format("  {}\n", line);
    return text;
  }

 private:
  std::vector<std::string> lines_;
};

// A column is shown if one of its cells has a ceiling; otherwise a line says why not. What a shown
// column lacks is told as well.
bool is_shown(const RunPivot& pivot, const PivotBlock& block, const PivotColumn& column,
              const RunCeilings& ceilings, Notes& notes) {
  std::vector<std::string> reasons;
  bool shown = false;
  for (const int query : pivot.queries()) {
    const CellResult* cell = pivot.cell(block, column, query);
    if (cell == nullptr || !median_ms(*cell)) continue;
    const Result<CellCeiling> ceiling = cell_ceiling(*cell, ceilings);
    shown |= ceiling.ok();
    if (!ceiling.ok()) reasons.push_back(ceiling.error().message);
  }
  for (const std::string& reason : reasons) {
    notes.add(shown ? "-: " + reason
                    : fmt::format("no ceiling for {}: {}", column_title(column), reason));
  }
  return shown;
}

}  // namespace

std::string ceiling_blocks(const std::vector<CellResult>& cells, const RunCeilings& ceilings) {
  if (cells.empty()) return {};
  const RunPivot pivot(cells);
  std::string text = memory_text(ceilings.memory) + devices_text(cells, ceilings);
  bool above = false;
  for (const CellResult& cell : cells) {
    const Result<CellCeiling> ceiling = cell_ceiling(cell, ceilings);
    above |= ceiling.ok() && ceiling->above();
  }
  bool any = false;
  Notes notes;
  for (const PivotBlock& block : pivot.blocks()) {
    Columns columns;
    for (const PivotColumn& column : pivot.columns()) {
      if (pivot.stands_in(block, column)) continue;
      if (is_shown(pivot, block, column, ceilings, notes)) columns.push_back(&column);
    }
    if (columns.empty()) continue;
    any = true;
    text += fmt::format("\nGB/s, and per cent of the ceiling: {}\n", block_title(block));
    for (std::size_t i = 0; i < columns.size(); i += kCeilingColumnsMax) {
      const auto begin = columns.begin() + static_cast<std::ptrdiff_t>(i);
      const std::size_t count = std::min(kCeilingColumnsMax, columns.size() - i);
      text += block_text(pivot, block, Columns(begin, begin + static_cast<std::ptrdiff_t>(count)),
                         ceilings);
    }
  }
  if (any)
    text +=
        "  the ceiling is of the same placement's rounds, and mostly: r read, w write, c copy, d "
        "device\n";
  if (above)
    text +=
        "  !: above its ceiling: bytes came from a cache, or the memory was slower when the "
        "ceiling was measured\n";
  return text + notes.text();
}

}  // namespace hdbench
