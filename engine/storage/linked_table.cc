#include "engine/storage/linked_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "engine/base/check.h"
#include "engine/column/column.h"
#include "engine/column/column_error.h"
#include "engine/column/filled_column.h"
#include "engine/storage/anymap.h"
#include "engine/storage/column_file.h"

namespace hdbench {
namespace {

constexpr std::uint64_t kGatheredRows = 4096;  // what a store copies in at once

bool is_null_code(const Column& column, std::int64_t code) {
  return code == (column.width == sizeof(std::int32_t) ? kNullInt : kNullLong);
}

// The elements of `from` that a column of pointers picks, in the form that `to` has.
class Picker {
 public:
  // `null`: the element of a null pointer, in the form that `to` has.
  Picker(const Column& pointers, const Column& from, std::string_view target, const Column& to,
         const std::array<std::byte, 16>& null)
      : pointers_(pointers), from_(from), target_(target), to_(to), null_(null) {}

  Status pick(std::uint64_t row, std::byte* out) const {
    const auto pointer = load_element<std::int64_t>(pointers_.data + row * sizeof(std::int64_t));
    if (pointer == kNullLong) return put(null_.data(), out);
    const auto at = static_cast<std::uint64_t>(pointer);
    if (at >= from_.rows) {
      return row_outside_table(pointers_, row, pointer, target_, from_.rows);
    }
    if (from_.type == QType::kNested) {
      HDB_ASSIGN(const NestedCell cell, nested_cell(from_, at));
      return put(&cell, out);
    }
    if (from_.type != QType::kSymbol) return put(from_.data + at * from_.width, out);
    const std::int64_t code = order_key_at(from_, at);
    if (static_cast<std::uint64_t>(code) >= from_.code_bound()) {
      if (!is_null_code(from_, code)) return code_outside_domain(from_, at, code);
      return put(null_.data(), out);
    }
    return put(&code, out);  // little-endian: the low bytes come first
  }

 private:
  Status put(const void* element, std::byte* out) const {
    std::memcpy(out, element, to_.width);
    return ok_status();
  }

  const Column& pointers_;
  const Column& from_;
  std::string_view target_;
  const Column& to_;
  const std::array<std::byte, 16>& null_;
};

}  // namespace

Error row_outside_table(const Column& pointers, std::uint64_t row, std::int64_t pointer,
                        std::string_view table, std::uint64_t table_rows) {
  return data_error(fmt::format("{}: byte {} (row {}): index {}, but {} has {} rows",
                                pointers.source, stored_offset(pointers, row), row, pointer, table,
                                table_rows));
}

LinkedTable::LinkedTable(std::shared_ptr<const Table> beneath,
                         std::map<std::string, LinkTarget> targets, std::shared_ptr<Store> store,
                         Codes codes)
    : beneath_(std::move(beneath)),
      targets_(std::move(targets)),
      store_(std::move(store)),
      codes_(codes),
      schema_(beneath_->schema()),
      paths_(schema_.fields.size()) {
  const std::size_t own = schema_.fields.size();
  for (std::size_t pointers = 0; pointers < own; ++pointers) {
    const auto found = targets_.find(schema_.fields[pointers].link);
    if (found == targets_.end()) continue;
    const LinkTarget& target = found->second;
    if (target.unreadable) schema_.fields[pointers].unreadable = target.unreadable;
    if (target.unreadable) continue;
    const std::vector<Field>& fields = target.table->schema().fields;
    for (std::size_t field = 0; field < fields.size(); ++field) {
      Field followed = fields[field];
      followed.name = schema_.fields[pointers].name + "." + followed.name;
      followed.followed = true;
      paths_.push_back(follow(pointers, target, field, followed));
      schema_.fields.push_back(std::move(followed));
    }
    if (target.keys == 1) paths_[pointers] = follow(pointers, target, 0, schema_.fields[pointers]);
  }
  columns_ = std::vector<std::atomic<const Column*>>(part_count() * schema_.fields.size());
}

LinkedTable::~LinkedTable() {
  for (const auto& column : columns_) delete column.load(std::memory_order_relaxed);
}

// A followed field has the type of its target's, and no attribute of it: its rows are others.
LinkedTable::Path LinkedTable::follow(std::size_t pointers, const LinkTarget& target,
                                      std::size_t field, Field& shown) {
  const Field& source = target.table->schema().fields[field];
  shown.type = source.type;
  shown.attribute = Attribute::kNone;
  shown.domain = source.domain;
  shown.unreadable = source.unreadable;
  return {pointers, target.table.get(), field};
}

Result<const Column*> LinkedTable::column(std::size_t part, std::size_t field) const {
  HDB_CHECK(field < schema_.fields.size(), "a field of the table");
  if (schema_.fields[field].unreadable) return *schema_.fields[field].unreadable;
  if (paths_[field].target == nullptr) return beneath_->column(part, field);
  const std::size_t slot = part * schema_.fields.size() + field;
  std::atomic<const Column*>& gathered = columns_[slot];
  if (const Column* column = gathered.load(std::memory_order_acquire)) return column;
  const std::lock_guard lock(locks_[slot % kLocks]);
  if (const Column* column = gathered.load(std::memory_order_relaxed)) return column;
  HDB_ASSIGN(Column made, gather(part, field));
  const Column* column = new Column(std::move(made));
  gathered.store(column, std::memory_order_release);
  return column;
}

bool LinkedTable::release_columns() const {
  bool released = beneath_->release_columns();
  for (const auto& [name, target] : targets_) {
    released |= target.table != nullptr && target.table->release_columns();
  }
  if (!released) return false;
  for (auto& column : columns_) delete column.exchange(nullptr);
  return true;
}

bool LinkedTable::mend_codes(const void* column) const {
  const auto mends = [column](const auto& target) {
    return target.second.table != nullptr && target.second.table->mend_codes(column);
  };
  return beneath_->mend_codes(column) || std::any_of(targets_.begin(), targets_.end(), mends);
}

Result<Column> LinkedTable::gather(std::size_t part, std::size_t field) const {
  const Path& path = paths_[field];
  HDB_ASSIGN(const Column* pointers, beneath_->column(part, path.pointers));
  HDB_ASSIGN(const Column* from, path.target->column(0, path.field));
  Column column;
  column.type = from->type;
  column.rows = pointers->rows;
  column.source = fmt::format("{} ({})", pointers->source, schema_.fields[field].name);
  column.width = from->width;
  column.domain = from->domain;
  if (column.type == QType::kNested) {
    column.width = sizeof(NestedCell);
    column.keep_alive = from->keep_alive;  // the cells point to the target's items
  }
  if (column.type == QType::kSymbol) {
    column.has_null_codes = true;
    const std::uint32_t needed = narrow_width(column.domain->size(), 8);
    column.width = codes_ == Codes::kNarrow ? needed : std::max(column.width, needed);
  }
  HDB_ASSIGN(Region region, store_->allocate_for(schema_.fields[field].name, column.bytes()));
  const auto null = null_element(column);
  const Picker picker(*pointers, *from, path.target->name(), column, null);
  std::vector<std::byte> piece;
  for (std::uint64_t row = 0; row < column.rows; row += kGatheredRows) {
    const std::uint64_t count = std::min(kGatheredRows, column.rows - row);
    piece.resize(count * column.width);
    for (std::uint64_t i = 0; i < count; ++i) {
      HDB_TRY(picker.pick(row + i, piece.data() + i * column.width));
    }
    store_->copy_in(region.bytes.data() + row * column.width, piece);
  }
  column.data = region.bytes.data();
  column.keep_alive.push_back(std::move(region.keep_alive));
  return column;
}

}  // namespace hdbench
