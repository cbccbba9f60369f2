#include "datagen/synthetic_day.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "datagen/column_values.h"
#include "datagen/paper_symbols.h"
#include "datagen/taq_values.h"
#include "engine/base/check.h"

namespace hdbench::datagen {
namespace {

// Of a cycle's selected rows, how many have each class. Those of a value of col3 are a power of
// two, so that the blocks of a parted column are equal, too, and each is compressed once.
constexpr std::uint32_t kRowsOfClass[] = {16, 16, 8, 8, 8, 8};
static_assert(std::size(kRowsOfClass) == kSelectedClasses);

std::size_t class_of(bool is_selected, std::uint32_t place) {
  if (!is_selected) return kSelectedClasses + place % kOtherClasses;
  // Odd, so that it gives every number of the cycle once, and classes lie mixed.
  constexpr std::uint32_t kStride = 29;
  std::uint32_t left = place * kStride % SyntheticDay::kCycleRows;
  std::size_t found = 0;
  while (left >= kRowsOfClass[found]) left -= kRowsOfClass[found++];
  return found;
}

std::int64_t PaperClass::* code_of(Formula formula) {
  switch (formula) {
    case Formula::kCol1: return &PaperClass::col1;
    case Formula::kCol2: return &PaperClass::col2;
    case Formula::kCol3: return &PaperClass::col3;
    default: return nullptr;
  }
}

}  // namespace

SyntheticDay::SyntheticDay(std::uint64_t seed, const DayCount& day, std::string_view parted)
    : seed_(seed), day_(day) {
  std::vector<std::uint32_t> whole(kCycleRows);
  std::iota(whole.begin(), whole.end(), 0U);
  const auto symbols = domain_list(Profile::kPaper);
  std::int64_t PaperClass::* code = nullptr;
  const std::vector<TablePlan> tables = table_plans({});
  for (const ColumnPlan& column : tables.front().columns)
    if (column.name == parted) code = code_of(column.formula);
  if (code == nullptr) {
    HDB_CHECK(parted.empty(), "parted by a symbol column of the paper's table");
    for (const bool is_selected : {true, false}) add_run(is_selected, whole);
    return;
  }
  for (const std::uint32_t symbol : codes_in_text_order(symbols)) {
    const std::uint64_t begin = runs_.empty() ? 0 : runs_.back().end;
    for (const bool is_selected : {true, false}) {
      std::vector<std::uint32_t> cycle;
      std::copy_if(whole.begin(), whole.end(), std::back_inserter(cycle), [&](std::uint32_t place) {
        return kPaperClasses[class_of(is_selected, place)].*code == std::int64_t{symbol};
      });
      add_run(is_selected, std::move(cycle));
    }
    if (runs_.empty() || runs_.back().end == begin) continue;
    index_.keys.push_back(std::int64_t{symbol});
    index_.offsets.push_back(static_cast<std::int64_t>(begin));
  }
  index_.offsets.push_back(static_cast<std::int64_t>(day.rows()));
}

void SyntheticDay::add_run(bool is_selected, std::vector<std::uint32_t> cycle) {
  const std::uint64_t rows = is_selected ? day_.selected : day_.others;
  const auto last_cycle = std::count_if(
      cycle.begin(), cycle.end(), [&](std::uint32_t place) { return place < rows % kCycleRows; });
  const std::uint64_t places =
      rows / kCycleRows * cycle.size() + static_cast<std::uint64_t>(last_cycle);
  if (places == 0) return;
  const std::uint64_t begin = runs_.empty() ? 0 : runs_.back().end;
  runs_.push_back(
      {begin, begin + places, is_selected ? 0 : day_.selected, is_selected, std::move(cycle)});
}

void SyntheticDay::fill(const ColumnPlan& column, std::uint64_t first, std::size_t count,
                        std::span<std::byte> out) const {
  HDB_CHECK(type_width(column.type) == sizeof(std::int64_t) && out.size() / 8 >= count,
            "a column of the paper's table, and room for the rows");
  auto* const elements = reinterpret_cast<std::int64_t*>(out.data());
  for (const Run& run : runs_) {
    const std::uint64_t begin = std::max(run.begin, first);
    const std::uint64_t end = std::min(run.end, first + count);
    if (begin < end)
      fill_run(run, column, begin, {elements + (begin - first), elements + (end - first)});
  }
}

void SyntheticDay::fill_run(const Run& run, const ColumnPlan& column, std::uint64_t first,
                            std::span<std::int64_t> out) const {
  const std::size_t period = run.cycle.size();
  const std::uint64_t from = first - run.begin;
  if (column.formula == Formula::kTime) {
    const std::int64_t step = (kClosingNs - kOpeningNs) / static_cast<std::int64_t>(day_.rows());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::uint64_t row =
          run.first_row + (from + i) / period * kCycleRows + run.cycle[(from + i) % period];
      out[i] = kOpeningNs + step * static_cast<std::int64_t>(row / kTimeRows * kTimeRows);
    }
    return;
  }
  std::vector<std::int64_t> cycle(period);
  if (const auto code = code_of(column.formula); code != nullptr) {
    for (std::size_t i = 0; i < period; ++i)
      cycle[i] = kPaperClasses[class_of(run.is_selected, run.cycle[i])].*code;
  } else {
    fill_column(column, seed_, day_, {.count = period, .order = run.cycle.data()},
                std::as_writable_bytes(std::span(cycle)));
  }
  std::size_t filled = std::min(period, out.size());
  for (std::size_t i = 0; i < filled; ++i) out[i] = cycle[(from + i) % period];
  // What is there has whole cycles, so that it goes on from its own beginning.
  for (; filled < out.size(); filled *= 2)
    std::copy_n(out.begin(), std::min(filled, out.size() - filled),
                out.begin() + static_cast<std::ptrdiff_t>(filled));
}

}  // namespace hdbench::datagen
