#include "engine/shaping/row_tables.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "engine/column/format_value.h"
#include "engine/column/order_key.h"
#include "engine/operator/gather.h"
#include "engine/shaping/row_keys.h"
#include "engine/shaping/row_order.h"
#include "engine/shaping/timed_groups.h"

namespace hdbench {
namespace {

// An element a row, in the type's width: of symbols codes of 8 bytes in the domain.
void put_elements(const ResultColumn* column, std::uint64_t rows, const Field& field,
                  QueryContext& context, std::byte* to) {
  const std::size_t width = type_width(field.type);
  if (rows == 0) return;
  if (column == nullptr) {
    const Element null = null_element(field.type, field.domain.get());
    for (std::uint64_t row = 0; row < rows; ++row)
      std::memcpy(to + row * width, null.data(), width);
    return;
  }
  context.accesses.pass_column(column->buffer);
  std::vector<std::int64_t> translated;
  if (column->domain != field.domain) translated = translated_codes(*column->domain, *field.domain);
  for_each_chunk(context.pool, rows, [&](std::size_t begin, std::size_t end) {
    if (field.type != QType::kSymbol) {
      std::memcpy(to + begin * width, column->buffer.data() + begin * width, (end - begin) * width);
      return;
    }
    auto* const codes = reinterpret_cast<std::int64_t*>(to) + begin;
    equality_words(*column, begin, end, codes);
    if (translated.empty()) return;
    for (std::size_t row = 0; row < end - begin; ++row)
      codes[row] = translated[static_cast<std::size_t>(codes[row])];
  });
}

// A list's items as elements of a column. Symbols would need codes: lists of them are refused when
// a query is bound.
std::uint64_t put_items(const ResultColumn& lists, std::uint64_t row, std::byte* to) {
  NestedCell cell;
  std::memcpy(&cell, lists.buffer.data() + row * sizeof(cell), sizeof(cell));
  if (to != nullptr && cell.bytes() != 0) std::memcpy(to, cell.data, cell.bytes());
  return cell.count;
}

}  // namespace

ResultTable append_rows(const PlanSource& source, ResultTable left, ResultTable right,
                        QueryContext& context) {
  ResultTable made;
  made.rows = left.rows + right.rows;
  for (ResultTable* side : {&left, &right})
    made.keep_alive.insert(made.keep_alive.end(), side->keep_alive.begin(), side->keep_alive.end());
  for (std::size_t c = 0; c < source.appended.size(); ++c) {
    const Field& field = source.schema.fields[c];
    ResultColumn column{field.name, field.type, type_width(field.type), {}, field.domain};
    column.buffer = Buffer(context.memory, made.rows * column.width);
    const auto side = [&](const ResultTable& table, std::optional<std::size_t> place) {
      return place ? &table.columns[*place] : nullptr;
    };
    put_elements(side(left, source.appended[c][0]), left.rows, field, context,
                 column.buffer.data());
    put_elements(side(right, source.appended[c][1]), right.rows, field, context,
                 column.buffer.data() + left.rows * column.width);
    context.accesses.write(column.buffer.data(), column.buffer.bytes());
    made.columns.push_back(std::move(column));
  }
  return made;
}

Result<ResultTable> item_rows(const PlanSource& source, ResultTable rows, QueryContext& context) {
  std::vector<std::uint64_t> counts;
  for (std::size_t c = 0; c < rows.columns.size(); ++c) {
    if (!source.left.rows.fields[c].items) continue;
    for (std::uint64_t row = 0; row < rows.rows; ++row) {
      const std::uint64_t count = put_items(rows.columns[c], row, nullptr);
      if (counts.size() <= row) counts.push_back(count);
      if (counts[row] != count)
        return usage_error("'length: ungroup: the lists of a row differ in length");
    }
  }
  RowNumbers repeated(&context.memory);
  for (std::uint64_t row = 0; row < rows.rows; ++row)
    repeated.insert(repeated.end(), static_cast<std::size_t>(counts[row]), row);
  ResultTable made;
  made.rows = repeated.size();
  made.keep_alive = rows.keep_alive;
  for (std::size_t c = 0; c < rows.columns.size(); ++c) {
    const ResultColumn& column = rows.columns[c];
    const Field& field = source.schema.fields[c];
    if (!source.left.rows.fields[c].items) {
      made.columns.push_back(take_elements(column, repeated, context));
      continue;
    }
    ResultColumn items{column.name, field.type, type_width(field.type), {}, nullptr};
    items.buffer = Buffer(context.memory, made.rows * items.width);
    std::byte* to = items.buffer.data();
    for (std::uint64_t row = 0; row < rows.rows; ++row)
      to += put_items(column, row, to) * items.width;
    context.accesses.write(items.buffer.data(), items.buffer.bytes());
    made.columns.push_back(std::move(items));
  }
  return made;
}

ResultTable pivot_rows(Plan::Pivot pivot, std::size_t keys, ResultTable rows,
                       QueryContext& context) {
  const ResultColumn& names = rows.columns[keys - 1];
  const ResultColumn& values = rows.columns[keys];
  const auto group_words = [&](std::size_t first, std::size_t last) {
    std::vector<Words> words;
    for (std::size_t k = first; k < last; ++k) {
      for (Words& made : equality_words(rows.columns[k], rows.rows, context))
        words.push_back(std::move(made));
    }
    return words;
  };
  ResultTable made;
  made.key_count = keys - 1;
  if (rows.rows == 0) {
    rows.columns.resize(keys - 1);
    rows.key_count = keys - 1;
    return rows;
  }
  const std::vector<Words> row_words = group_words(0, keys - 1);
  const std::vector<Words> name_words = group_words(keys - 1, keys);
  const RowGroups made_rows(row_words, context);
  const RowGroups columns(name_words, context);
  // Columns in the order of their names' values.
  ResultTable firsts;
  RowNumbers first_rows(columns.first_rows().begin(), columns.first_rows().end(), &context.memory);
  firsts.columns.push_back(take_elements(names, first_rows, context));
  firsts.rows = first_rows.size();
  const RowNumbers order = ordered_rows(firsts, {{0}, false}, {0, firsts.rows}, context);
  RowNumbers key_rows(made_rows.first_rows().begin(), made_rows.first_rows().end(),
                      &context.memory);
  made.rows = key_rows.size();
  for (std::size_t k = 0; k + 1 < keys; ++k)
    made.columns.push_back(take_elements(rows.columns[k], key_rows, context));
  std::pmr::vector<std::uint64_t> cells(made.rows * order.size(), kNoRow, &context.memory);
  for (std::uint64_t row = 0; row < rows.rows; ++row)
    cells[columns.find(name_words, row) * made.rows + made_rows.find(row_words, row)] = row;
  const Element null = null_element(values.type, values.domain.get());
  const auto is_null = [&](std::uint64_t row) {
    return row == kNoRow || (values.type != QType::kNested &&
                             element_order_key(values.type, values.width,
                                               values.buffer.data() + row * values.width) ==
                                 element_order_key(values.type, values.width, null.data()));
  };
  for (const std::uint64_t column : order) {
    const std::span<std::uint64_t> shown =
        std::span(cells).subspan(static_cast<std::size_t>(column * made.rows), made.rows);
    for (std::size_t row = 1; pivot == Plan::Pivot::kFilled && row < shown.size(); ++row) {
      if (is_null(shown[row])) shown[row] = shown[row - 1];
    }
    made.columns.push_back(take_elements(values, shown, context));
    ResultColumn& last = made.columns.back();
    last.name.clear();
    append_value(last.name, names.type, names.width,
                 names.buffer.data() + first_rows[column] * names.width, names.domain.get());
  }
  return made;
}

}  // namespace hdbench
