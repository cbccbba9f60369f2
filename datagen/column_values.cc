#include "datagen/column_values.h"

#include <bit>

#include "datagen/paper_symbols.h"
#include "datagen/price_walk.h"
#include "datagen/random.h"
#include "datagen/taq_values.h"
#include "engine/base/check.h"

namespace hdbench::datagen {
namespace {

static_assert(std::endian::native == std::endian::little, "kdb+ files are written little-endian");

constexpr std::int64_t kNanoseconds = 1'000'000'000;
constexpr std::int64_t kOpen = (9 * 3600 + 30 * 60) * kNanoseconds;
constexpr std::int64_t kClose = 16 * 3600 * kNanoseconds;

// Rows divide the session into equal steps; each is at a random place within its own.
void fill_time(const Stream& stream, const DayCount& day, const RowSlice& slice,
               std::span<std::byte> out) {
  const std::int64_t step = (kClose - kOpen) / static_cast<std::int64_t>(day.rows());
  // A step of the smallest day is longer than 2^32 ns, so the random place is scaled in two parts.
  const auto step_high = static_cast<std::uint64_t>(step) >> 16;
  fill_rows<std::int64_t>(slice, out, [=](std::uint64_t row) {
    const std::uint64_t within = (stream.at(row) >> 32) * step_high >> 16;
    return kOpen + static_cast<std::int64_t>(row) * step + static_cast<std::int64_t>(within);
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

}  // namespace hdbench::datagen
