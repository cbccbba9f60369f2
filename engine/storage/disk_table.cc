#include "engine/storage/disk_table.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/check.h"
#include "engine/storage/column_file.h"
#include "engine/storage/page_cache_store.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kRowsUnknown = -1;

bool has_file(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

Error missing_file(const fs::path& path) {
  return data_error(path.string() + ": named by .d, but there is no such file");
}

}  // namespace

Result<std::shared_ptr<Table>> DiskTable::open(std::string name, const Field* partition_field,
                                               std::vector<Part> parts,
                                               std::shared_ptr<Store> store,
                                               std::shared_ptr<Domains> domains, Codes codes) {
  std::shared_ptr<DiskTable> table(new DiskTable());
  table->name_ = std::move(name);
  table->parts_ = std::move(parts);
  table->store_ = std::move(store);
  table->domains_ = std::move(domains);
  if (codes == Codes::kNarrow) table->page_cache_ = make_page_cache_store();
  if (partition_field != nullptr) {
    table->schema_.partitioned = true;
    table->schema_.fields.push_back(*partition_field);
    table->type_sources_.emplace_back();
  }
  std::size_t newest = table->parts_.size();
  while (newest > 0 && table->parts_[newest - 1].directory.empty()) --newest;
  HDB_CHECK(newest > 0, "a table has a directory");
  HDB_ASSIGN(const std::vector<std::string> names,
             read_column_names(table->parts_[newest - 1].directory / ".d"));
  for (const std::string& field : names) HDB_TRY(table->add_field(field));

  table->columns_ = std::vector<std::atomic<const Column*>>(table->parts_.size() * names.size());
  table->rows_ = std::vector<std::atomic<std::int64_t>>(table->parts_.size());
  for (auto& rows : table->rows_) rows.store(kRowsUnknown, std::memory_order_relaxed);
  return std::shared_ptr<Table>(std::move(table));
}

DiskTable::~DiskTable() {
  for (const auto& column : columns_) delete column.load(std::memory_order_relaxed);
}

// The type comes from the newest part that has the file, so that the other parts stay readable
// where one lacks it.
Status DiskTable::add_field(const std::string& name) {
  if (schema_.find(name).has_value()) {
    return data_error(fmt::format("{}: column {} is named as the partitions are", name_, name));
  }
  fs::path newest_file;
  for (std::size_t part = parts_.size(); part > 0; --part) {
    const Part& candidate = parts_[part - 1];
    if (candidate.directory.empty()) continue;
    const fs::path path = candidate.directory / name;
    if (newest_file.empty()) newest_file = path;
    if (!has_file(path)) continue;
    HDB_ASSIGN(const ColumnSummary summary, read_column_summary(path));
    Field field{name, summary.header.type, summary.header.attribute, nullptr};
    if (field.type == QType::kSymbol && domains_->is_table(summary.header.domain)) {
      field.type = QType::kLong;
      field.link = summary.header.domain;
      if (field.attribute != Attribute::kSorted) field.attribute = Attribute::kNone;
    } else if (field.type == QType::kSymbol) {
      HDB_ASSIGN(field.domain, domains_->get(summary.header.domain, path.string()));
    }
    Column empty;
    empty.type = field.type;
    empty.width = field.link.empty() ? summary.header.width : type_width(field.type);
    if (page_cache_ != nullptr && field.type == QType::kSymbol) {
      empty.width = narrow_width(field.domain->size(), empty.width);
    }
    empty.domain = field.domain;
    empty_columns_.push_back(std::move(empty));
    schema_.fields.push_back(std::move(field));
    type_sources_.push_back(path);
    return ok_status();
  }
  return missing_file(newest_file);
}

fs::path DiskTable::file(std::size_t part, std::size_t field) const {
  return parts_[part].directory / schema_.fields[field].name;
}

Result<std::uint64_t> DiskTable::rows(std::size_t part) const {
  HDB_CHECK(part < parts_.size(), "a part of the table");
  if (parts_[part].directory.empty()) return std::uint64_t{0};
  const std::int64_t known = rows_[part].load(std::memory_order_relaxed);
  if (known != kRowsUnknown) return static_cast<std::uint64_t>(known);
  const fs::path path = file(part, first_real());
  if (!has_file(path)) return missing_file(path);
  HDB_ASSIGN(const ColumnSummary summary, read_column_summary(path));
  rows_[part].store(static_cast<std::int64_t>(summary.rows), std::memory_order_relaxed);
  return summary.rows;
}

Result<const Column*> DiskTable::column(std::size_t part, std::size_t field) const {
  HDB_CHECK(part < parts_.size(), "a part of the table");
  HDB_CHECK(field >= first_real() && field < schema_.fields.size(), "a real field of the table");
  const std::size_t real = field - first_real();
  if (parts_[part].directory.empty()) return &empty_columns_[real];
  const std::size_t slot = part * empty_columns_.size() + real;
  std::atomic<const Column*>& loaded = columns_[slot];
  if (const Column* column = loaded.load(std::memory_order_acquire)) return column;
  const std::lock_guard lock(locks_[slot % kLocks]);
  if (const Column* column = loaded.load(std::memory_order_relaxed)) return column;
  HDB_ASSIGN(Column read_now, read(part, field));
  const Column* column = new Column(std::move(read_now));
  loaded.store(column, std::memory_order_release);
  return column;
}

Result<Column> DiskTable::read_file(const fs::path& path, QType type) const {
  if (page_cache_ != nullptr && type == QType::kSymbol) {
    HDB_ASSIGN(const Column stored, read_column(path, *page_cache_, *domains_));
    const bool has_codes = stored.type == QType::kSymbol;
    if (has_codes && narrow_width(stored.domain->size(), stored.width) < stored.width) {
      return narrow_column(stored, *store_);
    }
  }
  return read_column(path, *store_, *domains_);
}

Result<Column> DiskTable::read(std::size_t part, std::size_t field) const {
  const fs::path path = file(part, field);
  const Field& expected = schema_.fields[field];
  if (!has_file(path)) return missing_file(path);
  HDB_ASSIGN(const std::uint64_t expected_rows, rows(part));
  HDB_ASSIGN(Column column, read_file(path, expected.type));
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
    return data_error(fmt::format("{}: {} rows, but {} has {}", path.string(), column.rows,
                                  schema_.fields[first_real()].name, expected_rows));
  }
  return column;
}

}  // namespace hdbench
