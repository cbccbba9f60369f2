#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "engine/column/format_value.h"
#include "engine/shaping/windows.h"
#include "engine/testing/plain_aggregates.h"
#include "engine/testing/plain_stages.h"

namespace hdbench {
namespace {

__extension__ typedef __float128 Quad;
__extension__ typedef __int128 Place;

using Cells = std::vector<Cell>;

bool is_moving(Uniform function) {
  switch (function) {
    case Uniform::kMsum:
    case Uniform::kMavg:
    case Uniform::kMmax:
    case Uniform::kMmin:
    case Uniform::kMdev:
    case Uniform::kMcount: return true;
    default: return false;
  }
}

// The elements up to this place that the function sees.
Cells cells_seen(const Window& window, const Cells& segment, std::size_t place) {
  Cells seen;
  for (std::size_t at = 0; at <= place; ++at) {
    const bool is_near = Place{place} - Place{at} < Place{window.length};
    if (!is_moving(window.function) || is_near) seen.push_back(segment[at]);
  }
  return seen;
}

double number_of(const Cell& cell) { return cell.is_null() ? std::nan("") : cell.as_double(); }

Cell floating_cell(QType type, double number) {
  return type == QType::kReal ? make_cell(type, static_cast<float>(number))
                              : make_cell(type, number);
}

Cell integer_sum(QType type, const Cells& cells) {
  std::uint64_t sum = 0;
  for (const Cell& cell : cells) {
    if (!cell.is_null()) sum += static_cast<std::uint64_t>(cell.integer);
  }
  return integer_cell(type, static_cast<std::int64_t>(sum));
}

// `count` becomes that of what is not null.
Quad exact_sum(const Cells& cells, double& count) {
  Quad sum = 0;
  count = 0;
  for (const Cell& cell : cells) {
    if (cell.is_null()) continue;
    sum += static_cast<Quad>(cell.as_double());
    ++count;
  }
  return sum;
}

Cell sum_so_far(QType type, const Cells& cells) {
  if (!is_floating(type)) return integer_sum(type, cells);
  double sum = 0;
  for (const Cell& cell : cells) {
    if (!cell.is_null()) sum += cell.number;
  }
  return floating_cell(type, sum);
}

Cell product_so_far(QType type, const Cells& cells) {
  std::uint64_t whole = 1;
  double product = 1;
  for (const Cell& cell : cells) {
    if (cell.is_null()) continue;
    whole *= static_cast<std::uint64_t>(cell.integer);
    product *= cell.number;
  }
  return is_floating(type) ? floating_cell(type, product)
                           : integer_cell(type, static_cast<std::int64_t>(whole));
}

Cell moving_sum(QType type, const Cells& cells) {
  if (!is_floating(type)) return integer_sum(type, cells);
  double count = 0;
  return floating_cell(type, static_cast<double>(exact_sum(cells, count)));
}

double moving_average(const Cells& cells) {
  double count = 0;
  const auto sum = static_cast<double>(exact_sum(cells, count));
  return count == 0 ? std::nan("") : sum / count;
}

double moving_deviation(const Cells& cells) {
  double count = 0;
  const Quad sum = exact_sum(cells, count);
  Quad squares = 0;
  for (const Cell& cell : cells) {
    if (!cell.is_null())
      squares += static_cast<Quad>(cell.as_double()) * static_cast<Quad>(cell.as_double());
  }
  const auto spread = static_cast<double>(static_cast<Quad>(count) * squares - sum * sum);
  if (count == 0 || std::isnan(spread)) return std::nan("");
  return std::sqrt(spread < 0 ? 0 : spread) / count;
}

Cell extreme_of(Aggregate aggregate, const Cells& cells) {
  std::vector<Row> rows;
  for (const Cell& cell : cells) rows.push_back({cell});
  return aggregate_of_rows({"", aggregate, 0, std::nullopt}, cells.back().type, rows);
}

// A null is the least value. Without a window each element is its own.
Cell moving_extreme_of(bool is_greatest, const Cells& cells, const Cell& own) {
  Cell found = own;
  for (const Cell& cell : cells) {
    const Row one = {cell};
    const Row other = {found};
    if (is_greatest ? RowLess()(other, one) : RowLess()(one, other)) found = cell;
  }
  if (!is_floating(found.type) || found.is_null()) return found;
  return floating_cell(found.type, found.number + 0.0);  // both zeros are 0.0
}

Cell difference(QType type, const Cells& segment, std::size_t place) {
  const Cell& own = segment[place];
  if (is_floating(own.type)) {
    const double number = number_of(own);
    return floating_cell(type, place == 0 ? number : number - number_of(segment[place - 1]));
  }
  if (own.is_null()) return null_cell(type);
  if (place == 0) return integer_cell(type, own.integer);
  const Cell& before = segment[place - 1];
  if (before.is_null()) return null_cell(type);
  return integer_cell(type, static_cast<std::int64_t>(static_cast<std::uint64_t>(own.integer) -
                                                      static_cast<std::uint64_t>(before.integer)));
}

double ratio(const Cells& segment, std::size_t place) {
  const double own = number_of(segment[place]);
  return place == 0 ? own : own / number_of(segment[place - 1]);
}

Cell cell_before(const Cells& segment, std::size_t place, std::int64_t distance) {
  const Place at = Place{place} - Place{distance};
  if (at < 0 || at >= Place{segment.size()}) return null_cell(segment[place].type);
  return segment[static_cast<std::size_t>(at)];
}

bool is_missing(const Cell& cell) {
  if (cell.type == QType::kSymbol || cell.type == QType::kNested) return cell.bytes.empty();
  if (cell.type == QType::kChar) return cell.integer == ' ';
  if (cell.type == QType::kGuid) return cell.bytes == std::string(16, '\0');
  return cell.is_null();
}

Cell filled_cell(const Cells& cells) {
  for (auto cell = cells.rbegin(); cell != cells.rend(); ++cell) {
    if (!is_missing(*cell)) return *cell;
  }
  return cells.back();
}

Cell window_cell(const Window& window, const Cells& segment, std::size_t place) {
  const Cell& own = segment[place];
  const QType type = *window_type(window.function, own.type);
  const Cells seen = cells_seen(window, segment, place);
  switch (window.function) {
    case Uniform::kSums: return sum_so_far(type, seen);
    case Uniform::kPrds: return product_so_far(type, seen);
    case Uniform::kMaxs: return extreme_of(Aggregate::kMax, seen);
    case Uniform::kMins: return extreme_of(Aggregate::kMin, seen);
    case Uniform::kMsum: return moving_sum(type, seen);
    case Uniform::kMavg: return floating_cell(type, moving_average(seen));
    case Uniform::kMmax: return moving_extreme_of(true, seen, own);
    case Uniform::kMmin: return moving_extreme_of(false, seen, own);
    case Uniform::kMdev: return floating_cell(type, moving_deviation(seen));
    case Uniform::kMcount: {
      double count = 0;
      exact_sum(seen, count);
      return integer_cell(type, static_cast<std::int64_t>(count));
    }
    case Uniform::kDeltas: return difference(type, segment, place);
    case Uniform::kRatios: return floating_cell(type, ratio(segment, place));
    case Uniform::kDiffer: {
      const bool is_other = place == 0 || !are_one_key({own}, {segment[place - 1]});
      return integer_cell(type, is_other ? 1 : 0);
    }
    case Uniform::kPrev: return cell_before(segment, place, 1);
    case Uniform::kNext: return cell_before(segment, place, -1);
    case Uniform::kXprev: return cell_before(segment, place, window.length);
    case Uniform::kFills: return filled_cell(seen);
    case Uniform::kRank: {
      std::int64_t before = 0;
      for (std::size_t at = 0; at < segment.size(); ++at) {
        const bool is_less = RowLess()({segment[at]}, {own});
        if (is_less || (at < place && are_one_key({segment[at]}, {own}))) ++before;
      }
      return integer_cell(type, before);
    }
    case Uniform::kString: {
      Cell text = null_cell(QType::kNested);
      const Domain none("", {own.bytes}, nullptr);
      const std::uint64_t code = 0;
      const auto* element = reinterpret_cast<const std::byte*>(own.bytes.data());
      if (own.type == QType::kSymbol) element = reinterpret_cast<const std::byte*>(&code);
      append_shown(text.bytes, own.type, type_width(own.type), element, &none, Digits::kSeven);
      return text;
    }
  }
  return own;
}

}  // namespace

void add_window(const Window& window, std::vector<Row>& rows) {
  std::map<Row, std::vector<std::size_t>, RowLess> segments;
  for (std::size_t row = 0; row < rows.size(); ++row)
    segments[cells_at(rows[row], window.by)].push_back(row);
  for (const auto& [key, members] : segments) {
    Cells cells;
    for (const std::size_t row : members) cells.push_back(rows[row][window.input]);
    for (std::size_t place = 0; place < cells.size(); ++place)
      rows[members[place]].push_back(window_cell(window, cells, place));
  }
}

}  // namespace hdbench
