#include "engine/shaping/row_lists.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/operator/gather.h"
#include "engine/shaping/range_aggregates.h"
#include "engine/shaping/row_keys.h"
#include "engine/shaping/row_order.h"

namespace hdbench {
namespace {

// Rows of the keys, one key behind the other, and where each ends. in_place: they are all rows as
// they are, and not in `rows`.
struct KeyedRows {
  RowNumbers rows;
  std::pmr::vector<std::uint64_t> ends;
  bool in_place = false;
};

KeyedRows rows_by_key(const ResultTable& table, std::size_t keys, QueryContext& context) {
  KeyedRows keyed{RowNumbers(&context.memory), std::pmr::vector<std::uint64_t>(&context.memory)};
  if (keys == 0) {
    keyed.in_place = true;
    keyed.ends.push_back(table.rows);
    return keyed;
  }
  if (table.rows == 0) return keyed;
  std::vector<Words> words;
  std::vector<Words> order;
  for (std::size_t k = 0; k < keys; ++k) {
    context.accesses.pass_column(table.columns[k].buffer);
    for (Words& made : equality_words(table.columns[k], table.rows, context))
      words.push_back(std::move(made));
    for (Words& made : order_words(table.columns[k], table.rows, context))
      order.push_back(std::move(made));
  }
  const RowGroups groups(words, context);
  const RowSegments segments = make_segments(groups, context);
  std::pmr::vector<std::uint32_t> by_key(groups.count(), 0, &context.memory);
  std::iota(by_key.begin(), by_key.end(), 0U);
  const auto first_row = groups.first_rows();
  std::sort(by_key.begin(), by_key.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (const Words& column : order) {
      const std::int64_t x = column[first_row[a]];
      const std::int64_t y = column[first_row[b]];
      if (x != y) return x < y;
    }
    return a < b;
  });
  if (segments.order.empty() && std::is_sorted(by_key.begin(), by_key.end())) {
    keyed.in_place = true;
    keyed.ends = segments.ends;
    return keyed;
  }
  keyed.rows.reserve(static_cast<std::size_t>(table.rows));
  for (const std::uint32_t group : by_key) {
    const std::uint64_t begin = group == 0 ? 0 : segments.ends[group - 1];
    for (std::uint64_t place = begin; place < segments.ends[group]; ++place)
      keyed.rows.push_back(segments.order.empty() ? place : segments.order[place]);
    keyed.ends.push_back(keyed.rows.size());
  }
  return keyed;
}

// Cells over memory that they keep alive.
class CellMaker {
 public:
  CellMaker(const ResultColumn& column, std::span<const std::uint64_t> ends, QueryContext& context)
      : column_(column), ends_(ends), context_(context) {}

  ResultColumn make(std::vector<std::shared_ptr<const void>>& keep_alive) {
    ResultColumn lists{column_.name, QType::kNested, sizeof(NestedCell), {}, nullptr};
    lists.buffer = Buffer(context_.memory, ends_.size() * sizeof(NestedCell));
    const bool is_symbols = column_.type == QType::kSymbol;
    auto items =
        std::make_shared<Buffer>(context_.memory, is_symbols ? text_bytes() : element_bytes());
    context_.accesses.pass_column(column_.buffer, 0, rows() * column_.width);
    std::byte* out = items->data();
    if (!is_symbols) copy_elements(out);
    for (std::size_t key = 0; key < ends_.size(); ++key) {
      const std::uint64_t begin = key == 0 ? 0 : ends_[key - 1];
      NestedCell cell{out, 0, static_cast<std::uint8_t>(column_.type), false, 0};
      out = is_symbols ? put_texts(begin, ends_[key], out)
                       : out + (ends_[key] - begin) * column_.width;
      if (is_symbols) cell.kind = kSymbolsType;
      cell.count = static_cast<std::uint32_t>(is_symbols ? out - cell.data : ends_[key] - begin);
      std::memcpy(lists.buffer.data() + key * sizeof(cell), &cell, sizeof(cell));
    }
    keep_alive.push_back(std::move(items));
    return lists;
  }

 private:
  std::uint64_t rows() const { return ends_.empty() ? 0 : ends_.back(); }
  std::size_t element_bytes() const { return static_cast<std::size_t>(rows()) * column_.width; }

  std::string_view text(std::uint64_t row) const {
    std::uint64_t code = 0;
    std::memcpy(&code, column_.buffer.data() + row * column_.width, column_.width);
    return column_.domain->text(static_cast<std::size_t>(code));
  }

  // Each symbol's text, and a zero behind it.
  std::size_t text_bytes() const {
    std::size_t bytes = 0;
    for (std::uint64_t row = 0; row < rows(); ++row) bytes += text(row).size() + 1;
    return bytes;
  }

  std::byte* put_texts(std::uint64_t begin, std::uint64_t end, std::byte* out) const {
    for (std::uint64_t row = begin; row < end; ++row) {
      const std::string_view symbol = text(row);
      if (!symbol.empty()) std::memcpy(out, symbol.data(), symbol.size());
      out[symbol.size()] = std::byte{0};
      out += symbol.size() + 1;
    }
    return out;
  }

  // One list lies behind the other, as in the column.
  void copy_elements(std::byte* out) const {
    const std::byte* const from = column_.buffer.data();
    for_each_chunk(context_.pool, element_bytes(), [&](std::size_t begin, std::size_t end) {
      std::memcpy(out + begin, from + begin, end - begin);
    });
  }

  const ResultColumn& column_;
  std::span<const std::uint64_t> ends_;
  QueryContext& context_;
};

// The first row of each key; a null where it has none.
ResultColumn firsts(const ResultColumn& column, std::span<const std::uint64_t> ends,
                    std::pmr::memory_resource& resource) {
  ResultColumn shown{column.name, column.type, column.width, {}, column.domain};
  shown.buffer = Buffer(resource, ends.size() * column.width);
  const Element null = null_element(column.type, column.domain.get());
  for (std::size_t key = 0; key < ends.size(); ++key) {
    const std::uint64_t row = key == 0 ? 0 : ends[key - 1];
    const bool is_empty = row == ends[key];
    std::memcpy(shown.buffer.data() + key * column.width,
                is_empty ? null.data() : column.buffer.data() + row * column.width, column.width);
  }
  return shown;
}

// The rows of the items of each key's list, one list behind the other, and where each ends.
class ListItems {
 public:
  ListItems(const ListColumn& shown, const ResultTable& table, std::size_t column,
            QueryContext& context)
      : shown_(shown), table_(table), context_(context) {
    const auto orders = [](const ListStep& step) {
      return step.kind != ListStep::Kind::kTake && step.kind != ListStep::Kind::kWhere;
    };
    for (const ListStep& step : shown.steps) {
      if (step.kind == ListStep::Kind::kWhere)
        context.accesses.pass_column(table.columns[step.column].buffer);
    }
    if (std::any_of(shown.steps.begin(), shown.steps.end(), orders)) {
      context.accesses.pass_column(table.columns[column].buffer);
      words_ = order_words(table.columns[column], table.rows, context);
    }
  }

  KeyedRows make(std::span<const std::uint64_t> ends) {
    KeyedRows items = no_rows();
    constexpr std::size_t kKeysAtOnce = 256;
    std::vector<KeyedRows> parts;
    for (std::size_t key = 0; key < ends.size(); key += kKeysAtOnce) parts.push_back(no_rows());
    for_each_chunk(
        context_.pool, ends.size(),
        [&](std::size_t begin, std::size_t end) {
          KeyedRows& part = parts[begin / kKeysAtOnce];
          List list(context_.memory);
          for (std::size_t key = begin; key < end; ++key) {
            make_list(key == 0 ? 0 : ends[key - 1], ends[key], list);
            part.rows.insert(part.rows.end(), list.rows.begin(), list.rows.end());
            part.ends.push_back(part.rows.size());
          }
        },
        kKeysAtOnce);
    items.ends.reserve(ends.size());
    for (const KeyedRows& part : parts) {
      const std::size_t before = items.rows.size();
      items.rows.insert(items.rows.end(), part.rows.begin(), part.rows.end());
      for (const std::uint64_t end : part.ends) items.ends.push_back(before + end);
    }
    return items;
  }

 private:
  KeyedRows no_rows() const {
    return {RowNumbers(&context_.memory), std::pmr::vector<std::uint64_t>(&context_.memory)};
  }

  // One key's rows, and space for what a step makes of them.
  struct List {
    explicit List(std::pmr::memory_resource& memory) : rows(&memory), taken(&memory) {}
    RowNumbers rows;
    RowNumbers taken;
  };

  void make_list(std::uint64_t begin, std::uint64_t end, List& list) const {
    RowNumbers& rows = list.rows;
    rows.resize(static_cast<std::size_t>(end - begin));
    std::iota(rows.begin(), rows.end(), begin);
    for (std::size_t s = 0; s < shown_.steps.size(); ++s) {
      const ListStep& step = shown_.steps[s];
      const ListStep* const next = s + 1 < shown_.steps.size() ? &shown_.steps[s + 1] : nullptr;
      const bool takes_first = next != nullptr && next->kind == ListStep::Kind::kTake &&
                               next->take.count >= 0 && next->take.first == 0 &&
                               next->take.without_last == 0 && !next->take.is_backwards;
      const std::size_t needed =
          takes_first ? static_cast<std::size_t>(next->take.count) : rows.size();
      apply(step, needed, list);
    }
  }

  // Of a sorted list only the first `needed` are put in order.
  void apply(const ListStep& step, std::size_t needed, List& list) const {
    RowNumbers& rows = list.rows;
    switch (step.kind) {
      case ListStep::Kind::kAscending: return sort(rows, needed, 0);
      case ListStep::Kind::kDescending: return sort(rows, needed, -1);
      case ListStep::Kind::kDistinct: return keep_distinct(rows);
      case ListStep::Kind::kWhere: {
        const std::byte* const chosen = table_.columns[step.column].buffer.data();
        std::erase_if(
            rows, [&](std::uint64_t row) { return row == kNoRow || chosen[row] == std::byte{0}; });
        return;
      }
      case ListStep::Kind::kTake: break;
    }
    list.taken.clear();
    append_taken(step.take, rows.size(), list.taken);
    for (std::uint64_t& place : list.taken) {
      if (place != kNoRow) place = rows[static_cast<std::size_t>(place)];
    }
    std::swap(rows, list.taken);
  }

  // `flip`: -1 turns the order of words around.
  void sort(RowNumbers& rows, std::size_t needed, std::int64_t flip) const {
    const auto less = [&](std::uint64_t a, std::uint64_t b) {
      // What is no row is a null, which comes first upwards.
      if (a == kNoRow || b == kNoRow) return a != b && (flip == 0 ? a == kNoRow : b == kNoRow);
      for (const Words& words : words_) {
        if (words[a] != words[b]) return (words[a] ^ flip) < (words[b] ^ flip);
      }
      return a < b;
    };
    const auto behind = rows.begin() + static_cast<std::ptrdiff_t>(std::min(needed, rows.size()));
    std::partial_sort(rows.begin(), behind, rows.end(), less);
  }

  void keep_distinct(RowNumbers& rows) const {
    const auto hash = [&](std::uint64_t row) {
      return std::hash<std::int64_t>()(row == kNoRow ? 0 : words_.front()[row]);
    };
    const auto same = [&](std::uint64_t a, std::uint64_t b) {
      return a == kNoRow || b == kNoRow ? a == b : are_equal(words_, a, words_, b);
    };
    std::pmr::unordered_set<std::uint64_t, decltype(hash), decltype(same)> known(
        rows.size(), hash, same, &context_.memory);
    std::erase_if(rows, [&](std::uint64_t row) { return !known.insert(row).second; });
  }

  const ListColumn& shown_;
  const ResultTable& table_;
  QueryContext& context_;
  std::vector<Words> words_;
};

class ListMaker {
 public:
  ListMaker(const RowLists& lists, ResultTable table, QueryContext& context)
      : lists_(lists),
        context_(context),
        keyed_(rows_by_key(table, lists.keys, context)),
        table_(keyed_.in_place ? std::move(table)
                               : take_rows(std::move(table), keyed_.rows, context)) {}

  ResultTable run() {
    for (std::size_t c = 0; c < lists_.columns.size(); ++c) {
      const ListColumn& shown = lists_.columns[c];
      std::optional<KeyedRows>& items = items_.emplace_back();
      if (!shown.steps.empty() || shown.aggregate != Aggregate::kNone)
        items = ListItems(shown, table_, c, context_).make(keyed_.ends);
    }
    return lists_.are_rows ? rows() : lists();
  }

 private:
  ResultTable lists() {
    ResultTable made;
    made.rows = keyed_.ends.size();
    made.keep_alive = table_.keep_alive;
    for (std::size_t c = 0; c < lists_.columns.size(); ++c) {
      const ListColumn& shown = lists_.columns[c];
      const ResultColumn& column = table_.columns[c];
      if (shown.aggregate != Aggregate::kNone) {
        made.columns.push_back(aggregated(c, items_[c]->ends, /*is_repeated=*/false));
        continue;
      }
      if (!shown.is_list) {
        made.columns.push_back(firsts(column, keyed_.ends, context_.memory));
      } else if (items_[c]) {
        const ResultColumn taken = take_elements(column, items_[c]->rows, context_);
        made.columns.push_back(CellMaker(taken, items_[c]->ends, context_).make(made.keep_alive));
      } else {
        made.columns.push_back(CellMaker(column, keyed_.ends, context_).make(made.keep_alive));
      }
      const Buffer& written = made.columns.back().buffer;
      context_.accesses.write(written.data(), written.bytes());
    }
    return made;
  }

  ResultColumn aggregated(std::size_t c, std::span<const std::uint64_t> ends, bool is_repeated) {
    RowRanges ranges(&context_.memory);
    std::uint64_t begin = 0;
    for (std::size_t key = 0; key < items_[c]->ends.size(); ++key) {
      const std::uint64_t end = items_[c]->ends[key];
      const std::uint64_t times = is_repeated ? ends[key] - (key == 0 ? 0 : ends[key - 1]) : 1;
      const RowRangeOf range{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
      ranges.insert(ranges.end(), static_cast<std::size_t>(times), range);
      begin = end;
    }
    const ResultColumn taken = take_elements(table_.columns[c], items_[c]->rows, context_);
    return aggregate_ranges(taken.name, lists_.columns[c].aggregate, taken, nullptr, ranges,
                            context_);
  }

  // Where the items of each key end, which all of its lists must agree on.
  std::span<const std::uint64_t> common_ends() const {
    const std::pmr::vector<std::uint64_t>* ends = nullptr;
    for (std::size_t c = 0; c < lists_.columns.size(); ++c) {
      if (!lists_.columns[c].is_list) continue;
      const auto& own = items_[c] ? items_[c]->ends : keyed_.ends;
      if (ends == nullptr) ends = &own;
      if (own == *ends) continue;
      throw QueryStop{usage_error(
          "'length: the lists of a row differ in length, and their items are to be rows")};
    }
    return ends == nullptr ? keyed_.ends : *ends;
  }

  ResultTable rows() {
    const bool has_steps = std::any_of(items_.begin(), items_.end(),
                                       [](const auto& items) { return items.has_value(); });
    if (!has_steps) {
      table_.columns.resize(lists_.columns.size());
      return std::move(table_);
    }
    const std::span<const std::uint64_t> ends = common_ends();
    RowNumbers repeated(&context_.memory);  // each key's first row
    for (std::size_t key = 0; key < ends.size(); ++key) {
      const std::uint64_t times = ends[key] - (key == 0 ? 0 : ends[key - 1]);
      const std::uint64_t begin = key == 0 ? 0 : keyed_.ends[key - 1];
      const std::uint64_t first = begin == keyed_.ends[key] ? kNoRow : begin;
      repeated.insert(repeated.end(), static_cast<std::size_t>(times), first);
    }
    ResultTable made;
    made.rows = repeated.size();
    made.keep_alive = table_.keep_alive;
    for (std::size_t c = 0; c < lists_.columns.size(); ++c) {
      const ListColumn& shown = lists_.columns[c];
      if (shown.aggregate != Aggregate::kNone) {
        made.columns.push_back(aggregated(c, ends, /*is_repeated=*/true));
      } else if (shown.is_list && !items_[c]) {
        made.columns.push_back(std::move(table_.columns[c]));
      } else {
        made.columns.push_back(
            take_elements(table_.columns[c], shown.is_list ? items_[c]->rows : repeated, context_));
      }
    }
    return made;
  }

  const RowLists& lists_;
  QueryContext& context_;
  KeyedRows keyed_;
  ResultTable table_;                            // in the order of the keys
  std::vector<std::optional<KeyedRows>> items_;  // by column, where they are not the rows
};

}  // namespace

ResultTable list_rows(const RowLists& lists, ResultTable table, QueryContext& context) {
  return ListMaker(lists, std::move(table), context).run();
}

}  // namespace hdbench
