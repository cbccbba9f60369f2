#include "engine/testing/plain_stages.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

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

Cell list_of(const std::vector<Row>& rows, const std::vector<std::size_t>& members,
             std::size_t column) {
  Cell list = null_cell(QType::kNested);
  const QType type = rows[members.front()][column].type;
  list.kind = type == QType::kSymbol ? kSymbolsType : static_cast<std::uint8_t>(type);
  for (const std::size_t row : members) {
    list.bytes += rows[row][column].bytes;
    if (type == QType::kSymbol) list.bytes += '\0';
  }
  return list;
}

}  // namespace

std::vector<Row> joined_rows(const PlanSource& source, const std::vector<Row>& left,
                             const std::vector<Row>& right) {
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
    const auto match =
        is_as_of(source.kind) ? match_as_of(keys, right_keys) : first_match(keys, right_keys);
    if (!match && source.kind == SourceKind::kInner) continue;
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

std::vector<Row> taken_rows_of(const RowTake& take, const std::vector<Row>& rows) {
  std::vector<Row> taken;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto place = static_cast<std::int64_t>(row);
    const auto from_end = place - static_cast<std::int64_t>(rows.size());
    const bool is_taken = take.count < 0 ? from_end >= take.count
                                         : place >= take.first && place - take.first < take.count;
    if (is_taken) taken.push_back(rows[row]);
  }
  return taken;
}

std::vector<Row> listed_rows(const RowLists& lists, const std::vector<Row>& rows) {
  std::vector<Row> listed;
  for (const auto& [key, members] : rows_by_first_cells(lists.keys, rows)) {
    if (lists.are_rows) {
      for (const std::size_t row : members) listed.push_back(rows[row]);
      continue;
    }
    Row made = rows[members.front()];
    for (std::size_t column = 0; column < made.size(); ++column) {
      if (lists.is_list[column]) made[column] = list_of(rows, members, column);
    }
    listed.push_back(std::move(made));
  }
  return listed;
}

}  // namespace hdbench
