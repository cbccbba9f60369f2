#include "datagen/column_values.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "datagen/paper_symbols.h"
#include "datagen/price_walk.h"
#include "datagen/random.h"
#include "datagen/taq_values.h"
#include "engine/base/check.h"

namespace hdbench::datagen {
namespace {

static_assert(std::endian::native == std::endian::little, "kdb+ files are written little-endian");

// Rows divide the session into equal steps; each is at a random place within its own.
void fill_time(const Stream& stream, const DayCount& day, const RowSlice& slice,
               std::span<std::byte> out) {
  const std::int64_t step = (kClosingNs - kOpeningNs) / static_cast<std::int64_t>(day.rows());
  // A step of the smallest day is longer than 2^32 ns, so the random place is scaled in two parts.
  const auto step_high = static_cast<std::uint64_t>(step) >> 16;
  fill_rows<std::int64_t>(slice, out, [=](std::uint64_t row) {
    const std::uint64_t within = (stream.at(row) >> 32) * step_high >> 16;
    return kOpeningNs + static_cast<std::int64_t>(row) * step + static_cast<std::int64_t>(within);
  });
}

void fill_paper_symbol(std::int64_t PaperClass::* code, std::uint64_t seed, const DayCount& day,
                       const RowSlice& slice, std::span<std::byte> out) {
  fill_rows<std::int64_t>(slice, out,
                          [rows = PaperRows(seed, day), code](std::uint64_t row) mutable {
                            return kPaperClasses[rows.class_of(row)].*code;
                          });
}

// The spread is one to four cents; both sides of a quote come from one walk.
void fill_price(bool is_ask, std::uint64_t seed, const DayCount& day, const RowSlice& slice,
                std::span<std::byte> out) {
  const Stream spread(seed, "spread", day.date);
  fill_rows<double>(slice, out, [=, walk = PriceWalk(seed, day)](std::uint64_t row) mutable {
    std::int64_t cents = walk.at(row);
    if (is_ask) cents += 1 + static_cast<std::int64_t>(spread.at(row) & 3);
    return static_cast<double>(cents) / 100.0;
  });
}

// Round lots: small ones often, up to 3200 shares.
void fill_size(const Stream& stream, const RowSlice& slice, std::span<std::byte> out) {
  fill_rows<std::int64_t>(slice, out, [=](std::uint64_t row) {
    const std::uint64_t random = stream.at(row);
    return static_cast<std::int64_t>(100 * (1 + ((random & 63) * (random >> 8 & 63) >> 7)));
  });
}

constexpr std::size_t kRowsAtATime = 1 << 14;

// Calls visit(row, code) for every row in time order.
template <class Visit>
void for_each_code(const ColumnPlan& column, std::uint64_t seed, const DayCount& day, Visit visit) {
  std::vector<std::int64_t> codes(kRowsAtATime);
  for (std::uint64_t first = 0; first < day.rows(); first += kRowsAtATime) {
    const std::size_t count = std::min<std::uint64_t>(kRowsAtATime, day.rows() - first);
    fill_column(column, seed, day, {.first = first, .count = count},
                std::as_writable_bytes(std::span(codes)));
    for (std::size_t i = 0; i < count; ++i) visit(first + i, static_cast<std::size_t>(codes[i]));
  }
}

}  // namespace

void fill_column(const ColumnPlan& column, std::uint64_t seed, const DayCount& day,
                 const RowSlice& slice, std::span<std::byte> out) {
  HDB_CHECK(out.size() >= slice.count * type_width(column.type), "room for the slice");
  const Stream stream(seed, column.name, day.date);
  switch (column.formula) {
    case Formula::kTime: return fill_time(stream, day, slice, out);
    case Formula::kCol1: return fill_paper_symbol(&PaperClass::col1, seed, day, slice, out);
    case Formula::kCol2: return fill_paper_symbol(&PaperClass::col2, seed, day, slice, out);
    case Formula::kCol3: return fill_paper_symbol(&PaperClass::col3, seed, day, slice, out);
    case Formula::kBid: return fill_price(false, seed, day, slice, out);
    case Formula::kAsk: return fill_price(true, seed, day, slice, out);
    case Formula::kSize: return fill_size(stream, slice, out);
    case Formula::kFloat:
      return fill_rows<double>(slice, out, [=](std::uint64_t row) {
        return static_cast<double>(stream.at(row) >> 44) / 100.0;
      });
    case Formula::kLong:
      return fill_rows<std::int64_t>(slice, out, [=](std::uint64_t row) {
        return static_cast<std::int64_t>(stream.at(row) >> 44);
      });
    default: return fill_taq_column(column, seed, day, slice, out);
  }
}

std::vector<std::uint32_t> codes_in_text_order(std::span<const std::string> symbols) {
  std::vector<std::uint32_t> codes(symbols.size());
  std::iota(codes.begin(), codes.end(), std::uint32_t{0});
  std::sort(codes.begin(), codes.end(),
            [&](std::uint32_t a, std::uint32_t b) { return symbols[a] < symbols[b]; });
  return codes;
}

PartedIndex index_of_counts(std::span<std::uint64_t> counts,
                            std::span<const std::uint32_t> codes_in_order) {
  PartedIndex index;
  std::uint64_t place = 0;
  for (const std::uint32_t code : codes_in_order) {
    if (counts[code] == 0) continue;
    index.keys.push_back(std::int64_t{code});
    index.offsets.push_back(static_cast<std::int64_t>(place));
    place += std::exchange(counts[code], place);
  }
  index.offsets.push_back(static_cast<std::int64_t>(place));
  return index;
}

DayOrder order_by_symbol(const ColumnPlan& column, std::uint64_t seed, const DayCount& day,
                         std::span<const std::string> symbols) {
  HDB_CHECK(day.rows() <= std::numeric_limits<std::uint32_t>::max(), "rows numbered in 32 bits");
  std::vector<std::uint64_t> next(symbols.size());
  for_each_code(column, seed, day, [&](std::uint64_t, std::size_t code) { ++next[code]; });
  DayOrder order;
  order.index = index_of_counts(next, codes_in_text_order(symbols));
  order.rows.resize(day.rows());
  for_each_code(column, seed, day, [&](std::uint64_t row, std::size_t code) {
    order.rows[next[code]++] = static_cast<std::uint32_t>(row);
  });
  return order;
}

}  // namespace hdbench::datagen
