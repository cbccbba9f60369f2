#include "engine/storage/saved_table.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/store.h"
#include "engine/column/memory_table.h"
#include "engine/storage/anymap.h"
#include "engine/storage/column_file.h"
#include "engine/storage/plain_file.h"
#include "engine/storage/saved_object.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kVectorHead = 6;  // bytes of a vector's type, attribute and count

// Gives each text the code of its first appearance.
class Interner {
 public:
  std::uint32_t code(std::string_view text) {
    const auto [entry, is_new] =
        codes_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return entry->second;
  }
  std::vector<std::string_view> take() { return std::move(texts_); }

 private:
  std::unordered_map<std::string_view, std::uint32_t> codes_;
  std::vector<std::string_view> texts_;
};

class SavedTableReader {
 public:
  SavedTableReader(const fs::path& path, std::string name, Store& store, Codes codes,
                   PlainFile file)
      : path_(path),
        name_(std::move(name)),
        store_(store),
        codes_(codes),
        file_(std::move(file)),
        reader_(file_.bytes, 2, path.string()) {}

  Result<SavedTable> read() {
    HDB_ASSIGN(const ObjectHead head, reader_.next());
    std::size_t keys = 0;
    if (head.type == kDictionaryType) {
      HDB_ASSIGN(const ObjectHead key_table, reader_.next());
      HDB_TRY(read_columns(key_table));
      keys = columns_.size();
      HDB_ASSIGN(const ObjectHead value_table, reader_.next());
      HDB_TRY(read_columns(value_table));
    } else {
      HDB_TRY(read_columns(head));
    }
    std::vector<MemoryTable::Part> parts;
    parts.push_back({0, std::move(columns_)});
    return SavedTable{
        std::make_shared<MemoryTable>(std::move(name_), std::move(schema_), std::move(parts)), keys,
        file_.bytes.size() - reader_.at()};
  }

 private:
  Result<ObjectHead> expect(int type, std::string_view what) {
    HDB_ASSIGN(const ObjectHead head, reader_.next());
    if (head.type != type) return unexpected(head, what);
    return head;
  }

  Error unexpected(const ObjectHead& head, std::string_view what) const {
    return reader_.error(head.at,
                         fmt::format("{}, but {} is expected", object_name(head.type), what));
  }

  // A table is a dictionary of its columns' names and of the list of them.
  Status read_columns(const ObjectHead& table) {
    if (table.type != kTableType) return unexpected(table, "a table");
    HDB_TRY(expect(kDictionaryType, "the dictionary of a table's columns"));
    HDB_ASSIGN(const ObjectHead names, expect(kSymbolsType, "the list of a table's column names"));
    HDB_ASSIGN(const ObjectHead list, expect(0, "the list of a table's columns"));
    if (list.count != names.count || list.count == 0) {
      return reader_.error(
          list.at, fmt::format("{} columns, but {} names of columns", list.count, names.count));
    }
    for (const std::string_view name : symbol_texts(names)) HDB_TRY(read_column(std::string(name)));
    return ok_status();
  }

  Status read_column(std::string name) {
    HDB_ASSIGN(const ObjectHead head, reader_.next());
    if (schema_.find(name).has_value()) {
      return reader_.error(head.at, fmt::format("a second column {}", name));
    }
    if (head.is_atom() || head.type > static_cast<int>(QType::kTime)) {
      return unexpected(head, fmt::format("a list for column {}", name));
    }
    if (!columns_.empty() && head.count != columns_.front().rows) {
      return reader_.error(head.at,
                           fmt::format("column {} has {} rows, but {} has {}", name, head.count,
                                       schema_.fields.front().name, columns_.front().rows));
    }
    Field field{std::move(name), QType::kNested, Attribute::kNone, nullptr};
    Column column;
    column.rows = head.count;
    column.source = fmt::format("{} (column {})", path_.string(), field.name);
    column.data_offset = head.at + kVectorHead;
    if (head.attribute == Attribute::kSorted) column.attribute = head.attribute;
    if (head.type == 0) {
      HDB_TRY(take_cells(field.name, head, column));
    } else if (head.type == kSymbolsType) {
      HDB_TRY(take_symbols(field.name, head, column));
      field.domain = column.domain;
    } else {
      column.type = static_cast<QType>(head.type);
      column.width = type_width(column.type);
      HDB_TRY(hold(field.name, head.items, {}, column));
    }
    field.type = column.type;
    field.attribute = column.attribute;
    schema_.fields.push_back(std::move(field));
    columns_.push_back(std::move(column));
    return ok_status();
  }

  // Copies the elements, and what they point to behind them, into one region of the store.
  Result<std::byte*> hold(const std::string& name, Bytes elements, Bytes behind, Column& column) {
    HDB_ASSIGN(Region region, store_.allocate_for(path_ / name, elements.size() + behind.size()));
    std::byte* const begin = region.bytes.data();
    store_.copy_in(begin, elements);
    store_.copy_in(begin + elements.size(), behind);
    column.data = begin;
    column.keep_alive.push_back(std::move(region.keep_alive));
    return begin;
  }

  std::shared_ptr<const Domain> make_domain_of(const std::string& column, Interner& symbols) {
    return std::make_shared<const Domain>(name_ + "." + column, symbols.take(), file_.keep_alive);
  }

  Status take_symbols(const std::string& name, const ObjectHead& head, Column& column) {
    Interner symbols;
    std::vector<std::uint32_t> codes;
    codes.reserve(head.count);
    for (const std::string_view text : symbol_texts(head)) codes.push_back(symbols.code(text));
    column.type = QType::kSymbol;
    column.width = sizeof(std::uint32_t);
    column.domain = make_domain_of(name, symbols);
    const Bytes stored = std::as_bytes(std::span(codes));
    if (codes_ == Codes::kStored || narrow_width(column.domain->stored_size(), column.width) == 4) {
      HDB_TRY(hold(name, stored, {}, column));
      return ok_status();
    }
    column.data = stored.data();
    HDB_ASSIGN(column, narrow_column(column, store_));
    return ok_status();
  }

  // A cell that is no vector and no atom is shown by what it is.
  Status take_cells(const std::string& name, const ObjectHead& list, Column& column) {
    column.type = QType::kNested;
    column.width = sizeof(NestedCell);
    std::vector<NestedCell> cells;
    std::vector<std::byte> items;
    for (std::uint64_t row = 0; row < list.count; ++row) {
      HDB_ASSIGN(const ObjectHead head, reader_.next());
      const int kind = head.is_atom() ? -head.type : head.type;
      NestedCell cell{nullptr, static_cast<std::uint32_t>(head.count),
                      static_cast<std::uint8_t>(kind), head.is_atom(), 0};
      Bytes bytes = head.items;
      if (kind != kSymbolsType && !is_plain_type(kind)) {
        bytes = std::as_bytes(std::span(opaque_text(kind)));
        cell = {nullptr, 0, kShownCell, false, static_cast<std::uint16_t>(kind)};
      }
      if (!is_plain_type(kind)) cell.count = static_cast<std::uint32_t>(bytes.size());
      cells.push_back(cell);
      items.insert(items.end(), bytes.begin(), bytes.end());
      HDB_TRY(reader_.skip(head.inside));
    }
    return hold_cells(name, cells, items, column);
  }

  // The cells point to their items, which lie behind them in the region.
  Status hold_cells(const std::string& name, std::vector<NestedCell>& cells, Bytes items,
                    Column& column) {
    HDB_ASSIGN(std::byte* const begin, hold(name, std::as_bytes(std::span(cells)), items, column));
    const std::byte* at = begin + column.bytes();
    for (NestedCell& cell : cells) {
      cell.data = at;
      at += cell.bytes();
    }
    store_.copy_in(begin, std::as_bytes(std::span(cells)));
    return ok_status();
  }

  const fs::path& path_;
  std::string name_;
  Store& store_;
  Codes codes_;
  PlainFile file_;
  ObjectReader reader_;
  Schema schema_;
  std::vector<Column> columns_;
};

}  // namespace

Result<SavedTable> read_saved_table(const fs::path& path, std::string name, Store& store,
                                    Codes codes) {
  const std::shared_ptr<Store> page_cache = make_page_cache_store();
  HDB_ASSIGN(PlainFile file, read_plain_file(path, *page_cache));
  if (!starts_with(file.bytes, "\xff\x01")) {
    return data_error(path.string() + ": byte 0: no object that q saved, which begins with ff 01");
  }
  return SavedTableReader(path, std::move(name), store, codes, std::move(file)).read();
}

}  // namespace hdbench
