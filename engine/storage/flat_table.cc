#include "engine/storage/flat_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/column/column.h"
#include "engine/column/filled_column.h"
#include "engine/column/memory_table.h"
#include "engine/storage/anymap.h"
#include "engine/storage/linked_table.h"
#include "engine/storage/parted_index.h"

namespace hdbench {
namespace {

// Elements that change on their way are made in pieces that stay in the cache.
constexpr std::uint64_t kCopiedRows = 4096;

// One field of the flat table while it is made.
struct FlatField {
  Column column;
  std::byte* destination = nullptr;
};

class FlatJoin {
 public:
  FlatJoin(const Table& source, Store& store, ThreadPool& pool, Codes codes, OutsideCodes* outside)
      : source_(source),
        store_(store),
        pool_(pool),
        codes_(codes),
        outside_(outside),
        schema_(source.schema()) {}

  Result<std::shared_ptr<Table>> join() {
    HDB_TRY(count_rows());
    columns_.assign(parts() * schema_.fields.size(), nullptr);
    has_nulls_.assign(parts() * schema_.fields.size(), 0);
    fields_.resize(schema_.fields.size());
    std::size_t at_once = fields_.size();
    bool are_released = true;  // columns of the fields before
    for (std::size_t first = 0; first < fields_.size();) {
      const FieldSpan range{first, std::min(first + at_once, fields_.size())};
      const Status joined = join_fields(range);
      if (joined.ok()) {
        first = range.end;
      } else if (joined.error().kind != ErrorKind::kLimit || !source_.release_columns()) {
        return joined.error();
      } else if (are_released) {
        if (range.count() == 1) return joined.error();
        at_once = (range.count() + 1) / 2;
      }
      are_released = !joined.ok();
    }
    MemoryTable::Part part;
    for (FlatField& field : fields_) part.columns.push_back(std::move(field.column));
    schema_.was_partitioned = schema_.partitioned;
    schema_.partitioned = false;
    std::vector<MemoryTable::Part> whole;
    whole.push_back(std::move(part));
    return std::shared_ptr<Table>(std::make_shared<MemoryTable>(source_.name(), std::move(schema_),
                                                                std::move(whole), source_.notes()));
  }

 private:
  struct FieldSpan {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t count() const { return end - begin; }
  };

  Status join_fields(FieldSpan range) {
    HDB_TRY(load_columns(range));
    HDB_TRY(allocate_fields(range));
    HDB_TRY(for_each_task(parts() * range.count(), [&](std::size_t task) -> Status {
      const std::size_t part = task % parts();
      const std::size_t field = range.begin + task / parts();
      return is_left_out(field) ? ok_status() : sort_out(part, field, copy_piece(part, field));
    }));
    leave_out_failed();
    for (std::size_t field = range.begin; field < range.end; ++field) settle_attribute(field);
    return ok_status();
  }

  std::size_t parts() const { return source_.part_count(); }
  bool is_left_out(std::size_t field) const { return schema_.fields[field].unreadable.has_value(); }
  bool is_virtual(std::size_t field) const { return source_.schema().partitioned && field == 0; }

  // Runs work(task) on the pool; the error of the lowest task that failed is the result.
  template <typename Work>
  Status for_each_task(std::size_t tasks, Work work) {
    std::vector<std::optional<Error>> errors(tasks);
    pool_.run(tasks, [&](std::size_t task, std::size_t) {
      Status status = work(task);
      if (!status.ok()) errors[task] = status.error();
    });
    for (const auto& error : errors) {
      if (error.has_value()) return *error;
    }
    return ok_status();
  }

  // A field that some part cannot give is left out, with the error of the first such part; other
  // errors are the table's.
  Status sort_out(std::size_t part, std::size_t field, const Status& status) {
    if (status.ok() || status.error().kind != ErrorKind::kData) return status;
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = failed_.try_emplace(field, part, status.error());
    if (!is_new && part < known->second.first) known->second = {part, status.error()};
    return ok_status();
  }

  void leave_out_failed() {
    for (auto& [field, failure] : failed_) {
      schema_.fields[field].unreadable = std::move(failure.second);
    }
    failed_.clear();
  }

  Status count_rows() {
    std::vector<std::uint64_t> rows(parts());
    HDB_TRY(for_each_task(parts(), [&](std::size_t part) -> Status {
      HDB_ASSIGN(rows[part], source_.rows(part));
      return ok_status();
    }));
    first_rows_.assign(1, 0);
    for (const std::uint64_t count : rows) first_rows_.push_back(first_rows_.back() + count);
    return ok_status();
  }

  Status load_columns(FieldSpan range) {
    HDB_TRY(for_each_task(parts(), [&](std::size_t part) -> Status {
      for (std::size_t field = range.begin; field < range.end; ++field) {
        if (is_virtual(field) || is_left_out(field)) continue;
        const Result<const Column*> column = source_.column(part, field);
        columns_[part * fields_.size() + field] = column.ok() ? *column : nullptr;
        const Status sorted = column.ok() ? ok_status() : sort_out(part, field, column.error());
        if (!sorted.ok()) return sorted;
      }
      return ok_status();
    }));
    leave_out_failed();
    return ok_status();
  }

  const Column& piece(std::size_t part, std::size_t field) const {
    return *columns_[part * fields_.size() + field];
  }
  std::uint64_t piece_rows(std::size_t part) const {
    return first_rows_[part + 1] - first_rows_[part];
  }

  // The width that all pieces with rows share; 8 for codes that are stored in several. Narrowed,
  // what the domain needs is enough for all of them.
  std::uint32_t flat_width(std::size_t field) const {
    const QType type = schema_.fields[field].type;
    if (is_virtual(field) && codes_ == Codes::kNarrow) {
      return narrow_offset_width(partition_range(), type_width(type));
    }
    if (type != QType::kSymbol) return type_width(type);
    std::uint32_t width = 0;
    bool differ = false;
    for (std::size_t part = 0; part < parts(); ++part) {
      if (piece_rows(part) == 0) continue;
      const std::uint32_t stored = piece(part, field).width;
      differ |= width != 0 && width != stored;
      width = stored;
    }
    if (differ || width == 0) width = 8;
    if (codes_ == Codes::kStored) return width;
    // Nulls included, which are only met on the way.
    return narrow_width(schema_.fields[field].domain->size(), width);
  }

  // Between the least and the greatest value of the partition field; parts rise.
  std::uint64_t partition_range() const {
    if (parts() == 0) return 0;
    return static_cast<std::uint64_t>(source_.partition_value(parts() - 1)) -
           static_cast<std::uint64_t>(source_.partition_value(0));
  }

  // The bytes of a field as stored, where it is to be narrowed; else 0.
  std::uint64_t narrowed_from(std::size_t field, std::uint32_t width) const {
    const QType type = schema_.fields[field].type;
    std::uint64_t bytes = 0;
    if (codes_ == Codes::kStored) return bytes;
    if (is_virtual(field)) {
      bytes = first_rows_.back() * type_width(type);
    } else if (type == QType::kSymbol) {
      for (std::size_t part = 0; part < parts(); ++part) bytes += piece(part, field).bytes();
    }
    return bytes > first_rows_.back() * width ? bytes : 0;
  }

  Status allocate_fields(FieldSpan range) {
    for (std::size_t field = range.begin; field < range.end; ++field) {
      Column& column = fields_[field].column;
      column.type = schema_.fields[field].type;
      column.domain = schema_.fields[field].domain;
      column.rows = first_rows_.back();
      if (is_left_out(field)) continue;
      column.width = flat_width(field);
      column.narrowed_from = narrowed_from(field, column.width);
      if (column.narrowed_from != 0 && is_virtual(field)) column.base = source_.partition_value(0);
      column.source = fmt::format("{}/{} (flat)", source_.name(), schema_.fields[field].name);
      HDB_ASSIGN(Region region, store_.allocate_for(schema_.fields[field].name, column.bytes()));
      fields_[field].destination = region.bytes.data();
      column.data = region.bytes.data();
      column.keep_alive.push_back(std::move(region.keep_alive));
      if (column.type == QType::kNested) keep_heaps(field, column);
    }
    return ok_status();
  }

  // Cells go on pointing into the source's heaps.
  void keep_heaps(std::size_t field, Column& column) {
    for (std::size_t part = 0; part < parts(); ++part) {
      const Column& from = piece(part, field);
      column.keep_alive.insert(column.keep_alive.end(), from.keep_alive.begin(),
                               from.keep_alive.end());
    }
  }

  Status copy_piece(std::size_t part, std::size_t field) {
    const std::uint64_t rows = piece_rows(part);
    if (rows == 0) return ok_status();
    const Column& to = fields_[field].column;
    std::byte* destination = fields_[field].destination + first_rows_[part] * to.width;
    if (is_virtual(field)) {
      const std::int64_t value = source_.partition_value(part) - to.base;
      fill_elements(store_, destination, std::as_bytes(std::span(&value, 1)).first(to.width), rows);
      return ok_status();
    }
    const Column& from = piece(part, field);
    HDB_CHECK(from.rows == rows, "a column has its part's rows");
    if (to.type == QType::kNested && from.width != sizeof(NestedCell)) {
      return copy_cells(destination, from);
    }
    if (to.type == QType::kSymbol) {
      HDB_ASSIGN(const CopiedNulls nulls,
                 copy_codes(from, to.width, store_, destination, outside_));
      has_nulls_[part * fields_.size() + field] = nulls != CopiedNulls::kNone;
      return ok_status();
    }
    store_.copy_in(destination, {from.data, from.bytes()});
    return ok_status();
  }

  Status copy_cells(std::byte* destination, const Column& from) {
    std::vector<NestedCell> cells;
    for (std::uint64_t row = 0; row < from.rows; row += kCopiedRows) {
      cells.resize(std::min(kCopiedRows, from.rows - row));
      for (std::size_t i = 0; i < cells.size(); ++i) {
        HDB_ASSIGN(cells[i], nested_cell(from, row + i));
      }
      store_.copy_in(destination + row * sizeof(NestedCell), std::as_bytes(std::span(cells)));
    }
    return ok_status();
  }

  // Joined columns keep no attribute; the partition field is parted by its partitions.
  void settle_attribute(std::size_t field) {
    if (is_left_out(field)) return;
    Column& column = fields_[field].column;
    for (std::size_t part = 0; part < parts(); ++part)
      column.has_null_codes |= has_nulls_[part * fields_.size() + field] != 0;
    if (is_virtual(field)) {
      column.attribute = Attribute::kParted;
      column.index = partition_index();
    } else if (!source_.schema().partitioned) {
      const Column& stored = piece(0, field);
      const auto index = parted_index_of_copy(stored, outside_ != nullptr);
      if (!index.ok()) {
        schema_.fields[field].unreadable = index.error();
        return;
      }
      column.index = *index;
      const bool was_parted = has_parted_index(stored) && *index == nullptr;
      column.attribute = was_parted ? Attribute::kNone : stored.attribute;
    }
    schema_.fields[field].attribute = column.attribute;
  }

  std::shared_ptr<const PartedIndex> partition_index() const {
    auto index = std::make_shared<PartedIndex>();
    for (std::size_t part = 0; part < parts(); ++part) {
      if (piece_rows(part) == 0) continue;
      if (!index->keys.empty() && index->keys.back() == source_.partition_value(part)) continue;
      index->keys.push_back(source_.partition_value(part));
      index->offsets.push_back(static_cast<std::int64_t>(first_rows_[part]));
    }
    index->offsets.push_back(static_cast<std::int64_t>(first_rows_.back()));
    return index;
  }

  const Table& source_;
  Store& store_;
  ThreadPool& pool_;
  Codes codes_;
  OutsideCodes* outside_;
  Schema schema_;
  std::vector<const Column*> columns_;     // by part, then field; null for the virtual field
  std::vector<std::uint64_t> first_rows_;  // of each part, then the total
  std::vector<FlatField> fields_;
  std::vector<std::uint8_t> has_nulls_;  // by part, then field: its codes have nulls
  std::mutex mutex_;
  std::map<std::size_t, std::pair<std::size_t, Error>> failed_;  // by field: part and error
};

}  // namespace

Result<std::shared_ptr<Table>> make_flat_table(const Table& source,
                                               const std::shared_ptr<Store>& store,
                                               ThreadPool& pool, Codes codes,
                                               OutsideCodes* outside) {
  const auto* const linked = dynamic_cast<const LinkedTable*>(&source);
  const Table& own = linked == nullptr ? source : linked->beneath();
  HDB_ASSIGN(std::shared_ptr<Table> flat, FlatJoin(own, *store, pool, codes, outside).join());
  return linked == nullptr ? std::move(flat) : linked->over(std::move(flat), store, codes);
}

}  // namespace hdbench
