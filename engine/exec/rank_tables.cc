#include "engine/exec/rank_tables.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "engine/base/stopwatch.h"
#include "engine/operator/query_context.h"

namespace hdbench {
namespace {

// Codes become wider; all else has the same width.
void copy_elements(const std::byte* from, std::uint32_t from_width, std::uint64_t rows,
                   std::uint32_t width, std::byte* to) {
  if (from_width == width) {
    if (rows != 0) std::memcpy(to, from, rows * width);
    return;
  }
  std::memset(to, 0, rows * width);
  for (std::uint64_t row = 0; row < rows; ++row)
    std::memcpy(to + row * width, from + row * from_width, from_width);
}

void copy_segments(std::span<const RankSegment> segments, std::size_t rank, const std::byte* from,
                   std::uint32_t width, ResultColumn& to) {
  std::uint64_t at = 0;
  for (const RankSegment& segment : segments) {
    if (segment.rank == rank)
      copy_elements(from + segment.begin * width, width, segment.rows, to.width,
                    to.buffer.data() + at * to.width);
    at += segment.rows;
  }
}

NestedCell list_at(const std::byte* cells, std::uint64_t row) {
  NestedCell cell;
  std::memcpy(&cell, cells + row * sizeof(cell), sizeof(cell));
  return cell;
}

// Points the cells to their items. False: these are others.
bool point_lists(Buffer& cells, const Buffer& items) {
  std::size_t at = 0;
  for (std::size_t row = 0; row < cells.bytes() / sizeof(NestedCell); ++row) {
    NestedCell cell = list_at(cells.data(), row);
    cell.data = items.data() + at;
    at += cell.bytes();
    std::memcpy(cells.data() + row * sizeof(cell), &cell, sizeof(cell));
  }
  return at == items.bytes();
}

}  // namespace

Buffer items_of_lists(const ResultColumn& column, std::uint64_t rows,
                      std::pmr::memory_resource& memory) {
  if (column.type != QType::kNested) return {};
  std::size_t bytes = 0;
  for (std::uint64_t row = 0; row < rows; ++row)
    bytes += list_at(column.buffer.data(), row).bytes();
  Buffer items(memory, bytes);
  std::byte* at = items.data();
  for (std::uint64_t row = 0; row < rows; ++row) {
    const NestedCell cell = list_at(column.buffer.data(), row);
    if (cell.bytes() != 0) std::memcpy(at, cell.data, cell.bytes());
    at += cell.bytes();
  }
  return items;
}

ResultTable join_tables(ResultTable own, std::span<const SentTable> sent,
                        std::span<const RankSegment> segments, const TableJoin& join) {
  const auto has_none = [](const SentTable& one) { return one.rows == 0; };
  if (std::all_of(sent.begin() + 1, sent.end(), has_none)) return own;
  ResultTable result;
  std::vector<std::optional<Bytes>> here(sent.size());
  for (std::size_t rank = 1; rank < sent.size(); ++rank) here[rank] = sent[rank].columns;
  const auto take = [&](std::size_t rank, Buffer& to) {
    if (!here[rank]) return join.ranks.receive(rank, {to.data(), to.bytes()});
    if (to.bytes() != 0) std::memcpy(to.data(), here[rank]->data(), to.bytes());
    here[rank] = here[rank]->subspan(to.bytes());
  };
  const bool asks = std::any_of(here.begin() + 1, here.end(), [](const auto& one) { return !one; });
  result.keep_alive = std::move(own.keep_alive);
  for (const RankSegment& segment : segments) result.rows += segment.rows;
  for (std::size_t c = 0; c < own.columns.size(); ++c) {
    ResultColumn& first = own.columns[c];
    const bool has_lists = first.type == QType::kNested;
    ResultColumn column{first.name, first.type, first.width, {}, first.domain};
    std::vector<Buffer> elements(sent.size());
    std::vector<std::shared_ptr<Buffer>> items(sent.size());
    for (std::size_t rank = 1; rank < sent.size(); ++rank) {
      const std::uint32_t width = sent[rank].widths[c];
      if (sent[rank].rows != 0) column.width = std::max(column.width, width);
      elements[rank] = Buffer(join.memory, sent[rank].rows * width);
      if (has_lists) items[rank] = std::make_shared<Buffer>(join.memory, sent[rank].list_bytes[c]);
    }
    column.buffer = Buffer(join.memory, result.rows * column.width);
    if (asks) join.ask();
    std::optional<Stopwatch> watch(join.receive_ms);
    for (std::size_t rank = 1; rank < sent.size(); ++rank) {
      take(rank, elements[rank]);
      if (has_lists) take(rank, *items[rank]);
    }
    watch.reset();
    copy_segments(segments, 0, first.buffer.data(), first.width, column);
    first.buffer = {};
    for (std::size_t rank = 1; rank < sent.size(); ++rank) {
      if (has_lists && !point_lists(elements[rank], *items[rank]))
        throw QueryStop{data_error(join.ranks.name(rank) + ": its lists are broken")};
      if (has_lists) result.keep_alive.push_back(items[rank]);
      copy_segments(segments, rank, elements[rank].data(), sent[rank].widths[c], column);
      elements[rank] = {};
    }
    result.columns.push_back(std::move(column));
  }
  return result;
}

}  // namespace hdbench
