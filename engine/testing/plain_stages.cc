#include "engine/testing/plain_stages.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "engine/testing/plain_aggregates.h"

namespace hdbench {
namespace {

bool is_as_of(SourceKind kind) {
  return kind == SourceKind::kAsOf || kind == SourceKind::kAsOfTimes;
}

// The first right row with these keys.
std::optional<std::size_t> first_match(const Row& keys, const std::vector<Row>& right_keys) {
  for (std::size_t row = 0; row < right_keys.size(); ++row) {
    if (are_one_key(keys, right_keys[row])) return row;
  }
  return std::nullopt;
}

// Of the right rows with these keys but the last, which is at most this one, the one whose last key
// is greatest; of equal ones the last.
std::optional<std::size_t> match_as_of(const Row& keys, const std::vector<Row>& right_keys) {
  const auto others = [](const Row& all) { return Row(all.begin(), all.end() - 1); };
  std::optional<std::size_t> best;
  for (std::size_t row = 0; row < right_keys.size(); ++row) {
    const Row time = {right_keys[row].back()};
    if (!are_one_key(others(keys), others(right_keys[row]))) continue;
    if (RowLess()({keys.back()}, time)) continue;
    if (!best || !RowLess()(time, {right_keys[*best].back()})) best = row;
  }
  return best;
}

// The source's columns of a left row and a right one.
Row beside(const PlanSource& source, const Row& left, const Row& right) {
  Row made;
  for (const SourceColumn& column : source.columns)
    made.push_back(column.is_right ? right[column.column] : left[column.column]);
  return made;
}

// Numbers of rows by their first cells, in the order of those.
std::map<Row, std::vector<std::size_t>, RowLess> rows_by_first_cells(std::size_t count,
                                                                     const std::vector<Row>& rows) {
  std::map<Row, std::vector<std::size_t>, RowLess> by_key;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto begin = rows[row].begin();
    by_key[Row(begin, begin + static_cast<std::ptrdiff_t>(count))].push_back(row);
  }
  return by_key;
}

Cell list_of(const std::vector<Cell>& items, QType type) {
  Cell list = null_cell(QType::kNested);
  list.kind = type == QType::kSymbol ? kSymbolsType : static_cast<std::uint8_t>(type);
  for (const Cell& item : items) {
    list.bytes += item.bytes;
    if (type == QType::kSymbol) list.bytes += '\0';
  }
  return list;
}

}  // namespace

namespace {

// Numbers of the right rows with these keys but the last, whose last key lies between the two ends;
// where none is at the first end, the prevailing one too. In the order of those keys.
std::vector<std::size_t> rows_between(const PlanSource& source, const Row& left, const Row& keys,
                                      const std::vector<Row>& right_keys) {
  std::vector<std::size_t> within;
  std::optional<std::size_t> prevailing;
  const Row low = {left[source.ends[0]]};
  const Row high = {left[source.ends[1]]};
  const auto time = [&](std::size_t row) { return Row{right_keys[row].back()}; };
  for (std::size_t row = 0; row < right_keys.size(); ++row) {
    const Row others(right_keys[row].begin(), right_keys[row].end() - 1);
    if (!are_one_key(Row(keys.begin(), keys.end() - 1), others)) continue;
    if (RowLess()(time(row), low)) {
      if (!prevailing || !RowLess()(time(row), time(*prevailing))) prevailing = row;
    } else if (!RowLess()(high, time(row))) {
      within.push_back(row);
    }
  }
  std::stable_sort(within.begin(), within.end(),
                   [&](std::size_t a, std::size_t b) { return RowLess()(time(a), time(b)); });
  const bool is_at_low = !within.empty() && are_one_key(time(within.front()), low);
  if (source.takes_prevailing && prevailing && !is_at_low)
    within.insert(within.begin(), *prevailing);
  return within;
}

std::vector<Row> window_rows(const PlanSource& source, const std::vector<Row>& left,
                             const std::vector<Row>& right) {
  std::vector<Row> right_keys;
  for (const Row& row : right) right_keys.push_back(cells_at(row, source.right_keys));
  std::vector<Row> joined;
  for (const Row& row : left) {
    std::vector<Row> members;
    for (const std::size_t place :
         rows_between(source, row, cells_at(row, source.left_keys), right_keys))
      members.push_back(right[place]);
    Row& made = joined.emplace_back();
    for (const SourceColumn& column : source.columns) {
      if (!column.is_right) {
        made.push_back(row[column.column]);
        continue;
      }
      const Output& output = source.aggregates[column.column];
      made.push_back(
          aggregate_of_rows(output, source.right.rows.fields[*output.field].type, members));
    }
  }
  return joined;
}

std::vector<Row> appended_rows(const PlanSource& source, const std::vector<Row>& left,
                               const std::vector<Row>& right) {
  std::vector<Row> made;
  for (const std::size_t side : {0U, 1U}) {
    for (const Row& row : side == 0 ? left : right) {
      Row& cells = made.emplace_back();
      for (std::size_t c = 0; c < source.appended.size(); ++c) {
        const auto place = source.appended[c][side];
        cells.push_back(place ? row[*place] : null_cell(source.schema.fields[c].type));
      }
    }
  }
  return made;
}

}  // namespace

std::vector<Row> joined_rows(const PlanSource& source, const std::vector<Row>& left,
                             const std::vector<Row>& right) {
  if (source.kind == SourceKind::kAppend) return appended_rows(source, left, right);
  if (source.kind == SourceKind::kBetween) return window_rows(source, left, right);
  std::vector<Row> right_keys;
  for (const Row& row : right) right_keys.push_back(cells_at(row, source.right_keys));
  std::vector<Row> joined;
  // A row that nothing is beside keeps the cells of its own table.
  const auto unmatched = [&](const Row& row, const Field& field) {
    const auto own = source.left.rows.find(field.name);
    return own ? row[*own] : null_cell(field.type);
  };
  for (const Row& row : left) {
    const Row keys = cells_at(row, source.left_keys);
    auto match =
        is_as_of(source.kind) ? match_as_of(keys, right_keys) : first_match(keys, right_keys);
    const bool needs_one = source.kind == SourceKind::kInner || source.kind == SourceKind::kEach;
    if ((!match && needs_one) || (match && source.kind == SourceKind::kWithout)) continue;
    for (std::size_t other = match ? *match + 1 : right.size();
         source.kind == SourceKind::kEach && other < right.size(); ++other) {
      if (!are_one_key(keys, right_keys[other])) continue;
      joined.push_back(beside(source, row, right[*match]));
      match = other;
    }
    Row made;
    for (std::size_t c = 0; c < source.columns.size(); ++c) {
      const SourceColumn& column = source.columns[c];
      if (!column.is_right) {
        made.push_back(row[column.column]);
      } else if (match) {
        made.push_back(right[*match][column.column]);
      } else {
        made.push_back(unmatched(row, source.schema.fields[c]));
      }
    }
    joined.push_back(std::move(made));
  }
  return joined;
}

std::vector<Row> distinct_rows(const std::vector<Row>& rows) {
  std::set<Row, RowLess> known;
  std::vector<Row> distinct;
  for (const Row& row : rows) {
    if (known.insert(row).second) distinct.push_back(row);
  }
  return distinct;
}

std::vector<Row> rows_in_order(const RowOrder& order, const std::vector<Row>& rows) {
  const auto less = [&](const Row& a, const Row& b) {
    const Row x = cells_at(a, order.columns);
    const Row y = cells_at(b, order.columns);
    return order.descending ? RowLess()(y, x) : RowLess()(x, y);
  };
  std::vector<Row> ordered;
  for (const Row& row : rows)
    ordered.insert(std::upper_bound(ordered.begin(), ordered.end(), row, less), row);
  return ordered;
}

namespace {

std::vector<std::optional<std::size_t>> places_taken(const RowTake& take, std::size_t count) {
  std::vector<std::optional<std::size_t>> taken;
  const auto all = static_cast<std::int64_t>(count);
  if (take.is_cyclic) {
    for (std::int64_t i = 0; i < std::abs(take.count); ++i) {
      const std::int64_t from = take.count < 0 ? i - std::abs(take.count) : i;
      if (all == 0) {
        taken.emplace_back();
      } else {
        taken.emplace_back(static_cast<std::size_t>((from % all + all) % all));
      }
    }
  } else {
    for (std::int64_t place = 0; place < all; ++place) {
      const bool is_taken = take.count < 0
                                ? place - all >= take.count
                                : place >= take.first && place - take.first < take.count &&
                                      all - place > take.without_last;
      if (is_taken) taken.emplace_back(static_cast<std::size_t>(place));
    }
  }
  if (take.is_backwards) std::reverse(taken.begin(), taken.end());
  return taken;
}

}  // namespace

std::vector<Row> taken_rows_of(const RowTake& take, const std::vector<Row>& rows,
                               const Schema& schema) {
  Row nulls;
  for (const Field& field : schema.fields) nulls.push_back(null_cell(field.type));
  std::vector<Row> taken;
  for (const auto& place : places_taken(take, rows.size()))
    taken.push_back(place ? rows[*place] : nulls);
  return taken;
}

std::vector<Row> item_rows_of(const std::vector<Row>& rows, const Schema& lists) {
  std::vector<Row> made;
  for (const Row& row : rows) {
    std::size_t count = 0;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (lists.fields[c].items) count = items_in(row[c]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      Row& cells = made.emplace_back(row);
      for (std::size_t c = 0; c < row.size(); ++c) {
        if (!lists.fields[c].items) continue;
        const std::size_t width = type_width(*lists.fields[c].items);
        cells[c] = scalar_cell(*lists.fields[c].items,
                               reinterpret_cast<const std::byte*>(row[c].bytes.data() + i * width));
      }
    }
  }
  return made;
}

namespace {

// What the steps make of a list.
std::vector<Cell> stepped(const std::vector<ListStep>& steps, std::size_t column, QType type,
                          const std::vector<Row>& rows, const std::vector<std::size_t>& members) {
  std::vector<std::pair<Cell, bool>> items;  // and whether a kWhere keeps it
  for (const std::size_t row : members) {
    bool is_kept = true;
    for (const ListStep& step : steps) {
      if (step.kind == ListStep::Kind::kWhere) is_kept = rows[row][step.column].integer != 0;
    }
    if (is_kept) items.emplace_back(rows[row][column], true);
  }
  std::vector<Cell> cells;
  for (const auto& [cell, kept] : items) cells.push_back(cell);
  const auto less = [](const Cell& a, const Cell& b) { return RowLess()({a}, {b}); };
  for (const ListStep& step : steps) {
    if (step.kind == ListStep::Kind::kAscending) {
      std::stable_sort(cells.begin(), cells.end(), less);
    } else if (step.kind == ListStep::Kind::kDescending) {
      std::stable_sort(cells.begin(), cells.end(),
                       [&](const Cell& a, const Cell& b) { return less(b, a); });
    } else if (step.kind == ListStep::Kind::kDistinct) {
      std::vector<Row> as_rows;
      for (const Cell& cell : cells) as_rows.push_back({cell});
      cells.clear();
      for (const Row& row : distinct_rows(as_rows)) cells.push_back(row.front());
    } else if (step.kind == ListStep::Kind::kTake) {
      std::vector<Cell> taken;
      for (const auto& place : places_taken(step.take, cells.size()))
        taken.push_back(place ? cells[*place] : null_cell(type));
      cells = std::move(taken);
    }
  }
  return cells;
}

}  // namespace

std::vector<Row> listed_rows(const RowLists& lists, const std::vector<Row>& rows,
                             const Schema& schema) {
  auto by_key = rows_by_first_cells(lists.keys, rows);
  if (lists.keys == 0) by_key[{}];
  std::vector<Row> listed;
  for (const auto& [key, members] : by_key) {
    std::vector<std::vector<Cell>> columns;
    std::size_t count = members.size();
    for (std::size_t c = 0; c < lists.columns.size(); ++c) {
      columns.push_back(stepped(lists.columns[c].steps, c, schema.fields[c].type, rows, members));
      if (lists.columns[c].is_list) count = columns.back().size();
    }
    const std::size_t made_rows = lists.are_rows ? count : 1;
    for (std::size_t i = 0; i < made_rows; ++i) {
      Row& made = listed.emplace_back();
      for (std::size_t c = 0; c < lists.columns.size(); ++c) {
        const ListColumn& shown = lists.columns[c];
        if (shown.aggregate != Aggregate::kNone) {
          std::vector<Row> items;
          for (const Cell& cell : columns[c]) items.push_back({cell});
          made.push_back(aggregate_of_rows({"", shown.aggregate, 0, std::nullopt},
                                           schema.fields[c].type, items));
        } else if (!shown.is_list) {
          made.push_back(members.empty() ? null_cell(schema.fields[c].type)
                                         : rows[members.front()][c]);
        } else if (lists.are_rows) {
          made.push_back(columns[c][i]);
        } else {
          made.push_back(list_of(columns[c], schema.fields[c].type));
        }
      }
    }
  }
  return listed;
}

}  // namespace hdbench
