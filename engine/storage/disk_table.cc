#include "engine/storage/disk_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/store.h"
#include "engine/column/filled_column.h"
#include "engine/storage/column_file.h"
#include "engine/storage/plain_file.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kRowsUnknown = -1;

// Also where it cannot be looked at: reading it says why.
bool has_file(const fs::path& path) {
  std::error_code ignored;
  return fs::status(path, ignored).type() != fs::file_type::not_found;
}

Result<bool> is_named(const fs::path& directory, const std::string& column) {
  HDB_ASSIGN(const auto names, read_column_names(directory / ".d"));
  return std::find(names.begin(), names.end(), column) != names.end();
}

}  // namespace

Error absent_column(const fs::path& directory, const std::string& name) {
  if (const auto link = dangling_link(directory / name)) return data_error(*link);
  const Result<bool> named = is_named(directory, name);
  if (!named.ok()) {
    return data_error(
        fmt::format("{}: no such file; {}", (directory / name).string(), named.error().message));
  }
  if (*named) {
    return data_error((directory / name).string() + ": named by .d, but there is no such file");
  }
  return data_error(
      fmt::format("{}: names no column {}, which newer partitions have (--missing "
                  "null reads nulls)",
                  (directory / ".d").string(), name));
}

Result<std::vector<std::string>> read_newest_columns(std::vector<TableDirectory>& directories) {
  std::string newest_error;
  for (auto part = directories.rbegin(); part != directories.rend(); ++part) {
    if (part->path.empty() && part->unreadable.empty()) continue;
    if (part->unreadable.empty()) {
      auto names = read_column_names(part->path / ".d");
      if (names.ok()) return names;
      part->unreadable = names.error().message;
    }
    if (newest_error.empty()) newest_error = part->unreadable;
  }
  HDB_CHECK(!newest_error.empty(), "a table has a directory");
  return data_error(newest_error);
}

std::uint64_t most_frequent(std::span<const std::uint64_t> counts) {
  const auto votes = [&](std::uint64_t value) {
    return std::count(counts.begin(), counts.end(), value);
  };
  return *std::max_element(counts.begin(), counts.end(),
                           [&](std::uint64_t a, std::uint64_t b) { return votes(a) < votes(b); });
}

Result<std::shared_ptr<Table>> DiskTable::open(std::string name, const Field* partition_field,
                                               std::vector<TableDirectory> parts,
                                               std::shared_ptr<Store> store,
                                               std::shared_ptr<Domains> domains,
                                               DiskTableOptions options) {
  HDB_ASSIGN(const std::vector<std::string> names, read_newest_columns(parts));
  std::shared_ptr<DiskTable> table(new DiskTable());
  table->name_ = std::move(name);
  table->parts_ = std::move(parts);
  table->store_ = std::move(store);
  table->domains_ = std::move(domains);
  table->options_ = std::move(options);
  if (table->options_.codes == Codes::kNarrow) table->page_cache_ = make_page_cache_store();
  if (partition_field != nullptr) {
    table->schema_.partitioned = true;
    table->schema_.fields.push_back(*partition_field);
    table->type_sources_.emplace_back();
  }
  for (const std::string& field : names) table->add_field(field);

  table->columns_ =
      std::vector<std::atomic<const Column*>>(table->parts_.size() * table->empty_columns_.size());
  table->mends_ = std::vector<std::atomic<bool>>(table->empty_columns_.size());
  table->rows_ = std::vector<std::atomic<std::int64_t>>(table->parts_.size());
  for (auto& rows : table->rows_) rows.store(kRowsUnknown, std::memory_order_relaxed);
  if (table->options_.maps != nullptr)
    table->options_.maps->enroll(table.get(), [it = table.get()] { it->free_columns(); });
  return std::shared_ptr<Table>(std::move(table));
}

DiskTable::~DiskTable() {
  if (options_.maps != nullptr) options_.maps->leave(this);
  free_columns();
}

void DiskTable::free_columns() const {
  for (auto& column : columns_) delete column.exchange(nullptr);
  replaced_.clear();
  if (options_.maps != nullptr) options_.maps->give_back(maps_taken_.exchange(0));
}

bool DiskTable::release_columns() const {
  return options_.maps != nullptr && options_.maps->release_all();
}

Status DiskTable::count_maps(const Column& column) const {
  if (options_.maps == nullptr) return ok_status();
  // Compressed files have addresses of their plain bytes beside what the store maps.
  std::uint64_t maps = (column.packed != nullptr ? 1 : 0) + (column.packed_heap != nullptr ? 1 : 0);
  if (store_->takes_maps()) maps += column.keep_alive.size();
  if (maps == 0) return ok_status();
  if (options_.maps->take(maps)) {
    maps_taken_ += maps;
    return ok_status();
  }
  return Error{ErrorKind::kLimit,
               fmt::format("{}: {} memory maps are columns', and no more are left for all of its "
                           "{}; {}",
                           name_, options_.maps->taken(), columns_.size(),
                           map_limit_advice(options_.maps->limit(), columns_.size()))};
}

// The type comes from the newest part whose header can be read, so that the other parts stay
// readable where one is broken; a list without items has none.
void DiskTable::add_field(const std::string& name) {
  if (schema_.find(name).has_value()) {
    notes_.push_back(fmt::format(
        "{}: the stored column {} is not read: the partitions' own has its name", name_, name));
    return;
  }
  Field field{name, QType::kLong, Attribute::kNone, nullptr};
  Column empty;
  fs::path source;
  bool is_untyped = true;
  for (std::size_t part = parts_.size(); part > 0 && is_untyped; --part) {
    if (is_lacking(part - 1) || !parts_[part - 1].unreadable.empty()) continue;
    const fs::path path = parts_[part - 1].path / name;
    const Result<ColumnSummary> summary =
        has_file(path) ? read_column_summary(path) : absent_column(parts_[part - 1].path, name);
    if (!summary.ok()) {
      if (source.empty() && !field.unreadable) field.unreadable = summary.error();
      continue;
    }
    is_untyped = summary->header.is_untyped;
    if (is_untyped && !source.empty()) continue;
    source = path;
    field.unreadable.reset();
    field.type = summary->header.type;
    field.attribute = summary->header.attribute;
    empty.width = summary->header.width;
    if (field.type != QType::kSymbol) continue;
    if (domains_->is_table(summary->header.domain)) {
      field.type = QType::kLong;
      field.link = summary->header.domain;
      if (field.attribute != Attribute::kSorted) field.attribute = Attribute::kNone;
      empty.width = type_width(field.type);
      empty.link = field.link;
      continue;
    }
    const auto domain = domains_->get(summary->header.domain, path.string());
    if (!domain.ok()) {
      field.unreadable = domain.error();
      continue;
    }
    field.domain = *domain;
    if (page_cache_ != nullptr)
      empty.width = narrow_width(field.domain->stored_size(), empty.width);
  }
  empty.type = field.type;
  empty.domain = field.domain;
  empty_columns_.push_back(std::move(empty));
  schema_.fields.push_back(std::move(field));
  type_sources_.push_back(std::move(source));
}

fs::path DiskTable::file(std::size_t part, std::size_t field) const {
  return parts_[part].path / schema_.fields[field].name;
}

Result<std::uint64_t> DiskTable::count_rows(std::size_t part) const {
  std::vector<std::uint64_t> counts;
  std::optional<Error> first_error;
  for (std::size_t field = first_real(); field < schema_.fields.size(); ++field) {
    const fs::path path = file(part, field);
    const auto summary = read_column_summary(path);
    if (summary.ok()) counts.push_back(summary->rows);
    if (counts.size() == 2 && counts[0] == counts[1]) return counts[0];
    if (summary.ok() || first_error) continue;
    first_error = has_file(path) ? summary.error()
                                 : absent_column(parts_[part].path, schema_.fields[field].name);
  }
  if (counts.empty()) {
    return first_error ? *first_error
                       : data_error(parts_[part].path.string() + ": no column to count rows by");
  }
  const std::uint64_t rows = most_frequent(counts);
  const auto votes = [&](std::uint64_t value) {
    return std::count(counts.begin(), counts.end(), value);
  };
  const auto rival = std::find_if(counts.begin(), counts.end(), [&](std::uint64_t other) {
    return other != rows && votes(other) == votes(rows);
  });
  if (rival == counts.end()) return rows;
  return data_error(fmt::format("{}: as many columns have {} rows as have {}",
                                parts_[part].path.string(), rows, *rival));
}

Result<std::uint64_t> DiskTable::rows(std::size_t part) const {
  HDB_CHECK(part < parts_.size(), "a part of the table");
  if (is_lacking(part)) return std::uint64_t{0};
  if (!parts_[part].unreadable.empty()) return data_error(parts_[part].unreadable);
  const std::int64_t known = rows_[part].load(std::memory_order_relaxed);
  if (known != kRowsUnknown) return static_cast<std::uint64_t>(known);
  HDB_ASSIGN(const std::uint64_t rows, count_rows(part));
  rows_[part].store(static_cast<std::int64_t>(rows), std::memory_order_relaxed);
  return rows;
}

Result<const Column*> DiskTable::column(std::size_t part, std::size_t field) const {
  HDB_CHECK(part < parts_.size(), "a part of the table");
  HDB_CHECK(field >= first_real() && field < schema_.fields.size(), "a real field of the table");
  if (schema_.fields[field].unreadable) return *schema_.fields[field].unreadable;
  const std::size_t real = field - first_real();
  if (is_lacking(part)) return &empty_columns_[real];
  const std::size_t slot = part * empty_columns_.size() + real;
  std::atomic<const Column*>& loaded = columns_[slot];
  if (const Column* column = loaded.load(std::memory_order_acquire)) return column;
  const std::lock_guard lock(locks_[slot % kLocks]);
  if (const Column* column = loaded.load(std::memory_order_relaxed)) return column;
  HDB_ASSIGN(Column read_now, read(part, field));
  HDB_TRY(count_maps(read_now));
  const Column* column = new Column(std::move(read_now));
  loaded.store(column, std::memory_order_release);
  return column;
}

Result<Column> DiskTable::read_file(const fs::path& path, QType type, bool mends) const {
  if (page_cache_ != nullptr && type == QType::kSymbol) {
    HDB_ASSIGN(const Column stored, read_column(path, *page_cache_, *domains_));
    const bool has_codes = stored.type == QType::kSymbol;
    if (has_codes && narrow_width(stored.domain->stored_size(), stored.width) < stored.width) {
      return narrow_column(stored, *store_, domains_->outside_codes());
    }
  }
  return read_column(path, *store_, *domains_, mends ? Compressed::kUnpacked : options_.compressed);
}

// A column that the part's `.d` does not name may be nulls; one that it names is lost.
Result<Column> DiskTable::read_absent(std::size_t part, std::size_t field) const {
  const std::string& name = schema_.fields[field].name;
  const fs::path& directory = parts_[part].path;
  const Result<bool> named = is_named(directory, name);
  if (!options_.missing_as_null || !named.ok() || *named) return absent_column(directory, name);
  HDB_ASSIGN(const std::uint64_t rows, this->rows(part));
  return make_null_column(empty_columns_[field - first_real()], rows, *store_, directory / name);
}

Result<Column> DiskTable::read(std::size_t part, std::size_t field) const {
  HDB_ASSIGN(const std::uint64_t expected_rows, rows(part));
  const fs::path path = file(part, field);
  const Field& expected = schema_.fields[field];
  if (!has_file(path)) return read_absent(part, field);
  const bool mends_field = mends_[field - first_real()].load();
  HDB_ASSIGN(Column column, read_file(path, expected.type, mends_field));
  if (is_untyped(column)) column = empty_columns_[field - first_real()];
  if (column.type != expected.type) {
    return data_error(fmt::format("{}: type {}, but {} has {}", path.string(),
                                  type_name(column.type), type_sources_[field].string(),
                                  type_name(expected.type)));
  }
  const bool is_symbol = column.type == QType::kSymbol;
  if (column.link != expected.link || (is_symbol && column.domain != expected.domain)) {
    const auto over = [](const std::string& link, const std::shared_ptr<const Domain>& domain) {
      return domain != nullptr ? domain->name() : link.empty() ? "none" : link;
    };
    return data_error(fmt::format("{}: domain {}, but {} has {}", path.string(),
                                  over(column.link, column.domain), type_sources_[field].string(),
                                  over(expected.link, expected.domain)));
  }
  if (column.rows != expected_rows) {
    std::size_t other = first_real();
    const auto agrees = [&](std::size_t candidate) {
      const auto summary = read_column_summary(file(part, candidate));
      return summary.ok() && summary->rows == expected_rows;
    };
    while (other + 1 < schema_.fields.size() && !agrees(other)) ++other;
    return data_error(fmt::format("{}: {} rows, but {} has {}", path.string(), column.rows,
                                  schema_.fields[other].name, expected_rows));
  }
  const bool mends = mends_field && column.narrowed_from == 0;
  if (!mends || column.type != QType::kSymbol || column.has_null_codes) return column;
  return mended_column(std::move(column), *store_, domains_->outside_codes());
}

bool DiskTable::mend_codes(const void* column) const {
  if (column == nullptr) return false;
  // Whoever comes second waits here, and then finds its column replaced.
  const std::lock_guard replacing(replaced_lock_);
  const auto is_it = [&](const auto& one) { return &*one == column; };
  if (std::any_of(replaced_.begin(), replaced_.end(), is_it)) return true;
  const auto found =
      std::find_if(columns_.begin(), columns_.end(), [&](const std::atomic<const Column*>& slot) {
        return slot.load(std::memory_order_acquire) == column;
      });
  if (found == columns_.end()) return false;
  const std::size_t fields = empty_columns_.size();
  const std::size_t real = static_cast<std::size_t>(found - columns_.begin()) % fields;
  if (mends_[real].exchange(true)) return false;
  for (std::size_t slot = real; slot < columns_.size(); slot += fields) {
    const std::lock_guard lock(locks_[slot % kLocks]);
    const Column* old = columns_[slot].load(std::memory_order_acquire);
    if (old == nullptr || old->has_null_codes) continue;
    if (old != column && !old->is_packed() && has_only_stored_symbols(*old)) continue;
    replaced_.emplace_back(columns_[slot].exchange(nullptr));
  }
  return true;
}

}  // namespace hdbench
