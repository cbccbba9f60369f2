#include "engine/inspect/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/base/map_budget.h"
#include "engine/base/store.h"
#include "engine/column/column.h"
#include "engine/column/column_error.h"
#include "engine/column/memory_table.h"
#include "engine/storage/anymap.h"
#include "engine/storage/column_file.h"
#include "engine/storage/disk_table.h"
#include "engine/storage/linked_table.h"
#include "engine/storage/parted_index.h"
#include "engine/storage/saved_table.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

// Gathers one kind of finding within a column: the first in words, the others as a count.
class Repeats {
 public:
  void add(const std::string& finding) {
    if (count_++ == 0) first_ = finding;
  }
  void report(std::vector<std::string>& findings) const {
    if (count_ == 0) return;
    findings.push_back(count_ == 1 ? first_ : fmt::format("{} (and {} more)", first_, count_ - 1));
  }

 private:
  std::string first_;
  std::uint64_t count_ = 0;
};

// A domain that cannot be read, and how many files of columns that takes.
struct BrokenDomain {
  std::string message;  // the first file's
  std::uint64_t files = 0;

  void add(const std::string& why) {
    if (files++ == 0) message = why;
  }
  std::string line() const {
    return fmt::format("{} ({} column file{} cannot be read without it)", message, files,
                       files == 1 ? "" : "s");
  }
};

std::string at_row(const Column& column, std::uint64_t row, std::string_view what) {
  return row_error(column, row, what).message;
}

// Whether the column has nulls.
bool verify_codes(const Column& column, std::vector<std::string>& findings) {
  Repeats outside;
  const std::int64_t null = column.width == 4 ? kNullInt : kNullLong;
  bool has_nulls = false;
  for (std::uint64_t row = 0; row < column.rows; ++row) {
    const std::int64_t code = order_key_at(column, row);
    if (static_cast<std::uint64_t>(code) < column.code_bound()) continue;
    has_nulls |= code == null;
    if (code != null) outside.add(code_outside_domain(column, row, code).message);
  }
  outside.report(findings);
  return has_nulls;
}

void check_cells(const Column& column, VerifyReport& report) {
  Repeats broken, unsupported, opaque;
  CellChecker cells(column);
  for (std::uint64_t row = 0; row < column.rows; ++row) {
    const auto cell = nested_cell(column, row);
    if (!cell.ok()) {
      (cell.error().unsupported ? unsupported : broken).add(cell.error().message);
      continue;
    }
    if (const Status inside = cells.check(row); !inside.ok()) broken.add(inside.error().message);
    if (cell->kind == kShownCell && cell->shown_type != 0) {
      opaque.add(at_row(column, row,
                        fmt::format("a cell of type {} is not looked into: {}", cell->shown_type,
                                    as_text({cell->data, cell->count}))));
    }
  }
  broken.report(report.findings);
  unsupported.report(report.unreadable);
  opaque.report(report.notes);
}

// Symbols may have been sorted by text or by code: either order will do.
void check_sorted(const Column& column, std::vector<std::string>& findings) {
  const auto falls = [&column](std::uint64_t row) {
    return order_key_at(column, row) < order_key_at(column, row - 1);
  };
  const auto text = [&column](std::uint64_t row) {
    const auto code = static_cast<std::uint64_t>(order_key_at(column, row));
    return code < column.domain->size() ? column.domain->text(code) : std::string_view();
  };
  std::uint64_t row = 1;
  while (row < column.rows && !falls(row)) ++row;
  if (row >= column.rows) return;
  if (column.type == QType::kSymbol) {
    std::uint64_t by_text = 1;
    while (by_text < column.rows && text(by_text - 1) <= text(by_text)) ++by_text;
    if (by_text >= column.rows) return;
  }
  findings.push_back(at_row(column, row, "less than the row before, but the column is s#"));
}

void check_unique(const Column& column, std::vector<std::string>& findings) {
  std::unordered_set<std::int64_t> seen;
  for (std::uint64_t row = 0; row < column.rows; ++row) {
    if (seen.insert(order_key_at(column, row)).second) continue;
    findings.push_back(at_row(column, row, "a value that was there before, but the column is u#"));
    return;
  }
}

// The first row whose value appeared before, but not in the row before.
std::uint64_t first_unparted_row(const Column& column) {
  std::unordered_set<std::int64_t> seen;
  for (std::uint64_t row = 0; row < column.rows; ++row) {
    const std::int64_t key = order_key_at(column, row);
    const bool goes_on = row > 0 && key == order_key_at(column, row - 1);
    if (!goes_on && !seen.insert(key).second) return row;
  }
  return column.rows;
}

void check_index(const Column& column, std::vector<std::string>& findings) {
  const auto made = make_parted_index(column);
  if (!made.has_value()) {
    findings.push_back(at_row(column, first_unparted_row(column),
                              "a value of an earlier part, but the column is p#"));
  }
  const auto stored = parted_index(column);
  if (!stored.ok()) {
    findings.push_back(stored.error().message);
    return;
  }
  if (!made.has_value() || *stored == nullptr) return;
  const PartedIndex& index = **stored;
  if (index.keys.size() != made->keys.size()) {
    findings.push_back(fmt::format(
        "{}: byte {} (p# index): {} distinct values, but the column has "
        "{}",
        column.source, column.data_offset + column.bytes(), index.keys.size(), made->keys.size()));
    return;
  }
  for (std::size_t k = 0; k < index.keys.size(); ++k) {
    if (index.keys[k] == made->keys[k] && index.offsets[k] == made->offsets[k]) continue;
    findings.push_back(
        fmt::format("{}: byte {} (p# index): value {} is index {} from row {}, but "
                    "the column has index {} from row {}",
                    column.source, column.data_offset + column.bytes(), k, index.keys[k],
                    index.offsets[k], made->keys[k], made->offsets[k]));
    return;
  }
}

// s#, p# and u# against the values.
void check_attribute(const Column& column, std::vector<std::string>& findings) {
  if (column.attribute == Attribute::kSorted) check_sorted(column, findings);
  if (column.attribute == Attribute::kUnique) check_unique(column, findings);
  if (column.attribute == Attribute::kParted) check_index(column, findings);
}

void check_values(const Column& column, Store& store, VerifyReport& report) {
  std::vector<std::string>& findings = report.findings;
  if (column.type == QType::kNested) return check_cells(column, report);
  if (column.type == QType::kGuid) return;
  if (column.type != QType::kSymbol || !verify_codes(column, findings)) {
    return check_attribute(column, findings);
  }
  // As queries see it; what lies outside the domain has been found already.
  OutsideCodes found;
  const auto mended = mended_column(column, store, &found);
  if (mended.ok()) {
    check_attribute(*mended, findings);
  } else {
    findings.push_back(mended.error().message);
  }
}

// What the newest partition that has a column says of it.
struct Declared {
  std::string file;
  QType type;
  std::shared_ptr<const Domain> domain;
  std::string link;

  std::string over() const { return domain != nullptr ? domain->name() : link; }
};

class Verifier {
 public:
  explicit Verifier(const Database& database)
      : database_(database), store_(make_page_cache_store()) {}

  VerifyReport run() {
    report_.notes = database_.notes();
    report_.notes.insert(report_.notes.end(), database_.skipped().begin(),
                         database_.skipped().end());
    std::ranges::move(directory_notes(database_), std::back_inserter(report_.notes));
    report_.findings = database_.unreadable();
    for (const std::string& name : database_.table_names()) {
      const Status checked = check_table(name);
      if (!checked.ok()) add(checked.error());
      for (const auto& [what, repeats] : unsupported_) repeats.report(report_.unreadable);
      for (const auto& [what, repeats] : odd_) repeats.report(report_.notes);
      unsupported_.clear();
      odd_.clear();
    }
    for (const auto& [name, broken] : broken_domains_) report_.findings.push_back(broken.line());
    for (const auto& [name, domain] : domains_) check_domain(*domain);
    return std::move(report_);
  }

 private:
  using Directories = std::vector<TableDirectory>;

  void add(const Error& error) {
    (error.unsupported ? report_.unreadable : report_.findings).push_back(error.message);
  }

  // Newest directory first, which is the one that declares the columns.
  Status check_table(const std::string& name) {
    ++report_.tables;
    if (!database_.saved_file(name).empty()) return check_saved(name);
    HDB_ASSIGN(const Directories listed, database_.table_directories(name));
    Directories directories = listed;
    HDB_ASSIGN(const std::vector<std::string> columns, read_newest_columns(directories));
    HDB_ASSIGN(const std::shared_ptr<Table> table, database_.table(name, store_));
    for (const std::string& note : table->notes()) report_.notes.push_back(note);
    note_maps(name, directories.size() * table->schema().own_fields());
    std::unordered_map<std::string, Declared> declared;
    for (std::size_t part = directories.size(); part-- > 0;) {
      const TableDirectory& directory = directories[part];
      if (directory.path.empty() || !listed[part].unreadable.empty()) continue;
      ++report_.partitions;
      if (!directory.unreadable.empty()) {
        report_.findings.push_back(directory.unreadable);
        continue;
      }
      check_names(directory.path / ".d", columns);
      check_part(table->schema(), directory.path, declared);
    }
    return ok_status();
  }

  // A saved table is read whole.
  Status check_saved(const std::string& name) {
    const fs::path file = database_.saved_file(name);
    HDB_ASSIGN(const SavedTable saved, read_saved_table(file, name, *store_, Codes::kStored));
    const Table& table = *saved.table;
    ++report_.partitions;
    HDB_ASSIGN(const std::uint64_t rows, table.rows(0));
    report_.rows += rows;
    if (saved.bytes_behind != 0) {
      report_.notes.push_back(fmt::format("{}: {} bytes behind the object, which are not read",
                                          file.string(), saved.bytes_behind));
    }
    for (std::size_t field = 0; field < table.schema().fields.size(); ++field) {
      const auto found = table.column(0, field);
      if (!found.ok()) {
        add(found.error());
        continue;
      }
      const Column& column = **found;
      ++report_.columns;
      report_.bytes += column.bytes();
      check_values(column, *store_, report_);
    }
    return ok_status();
  }

  void note_maps(const std::string& name, std::uint64_t columns) {
    const auto limit = database_.options().map_count_max;
    if (!limit || columns <= column_maps_of(*limit)) return;
    report_.notes.push_back(
        fmt::format("{}: {} columns are more than can be mapped for one query; {}", name, columns,
                    map_limit_advice(*limit, columns)));
  }

  // Queries take the names and their order from the newest `.d`; a file that is absent is found
  // with the columns.
  void check_names(const fs::path& file, const std::vector<std::string>& columns) {
    const auto names = read_column_names(file);
    if (!names.ok()) {
      report_.findings.push_back(names.error().message);
      return;
    }
    if (*names == columns) return;
    const bool is_other_order =
        std::is_permutation(names->begin(), names->end(), columns.begin(), columns.end());
    const std::string said = fmt::format(
        "names {}, but the newest partition's names {}{}", fmt::join(*names, " "),
        fmt::join(columns, " "),
        is_other_order ? ": only the order differs, which changes nothing" : ": the newest counts");
    odd_[said].add(fmt::format("{}: {}", file.string(), said));
  }

  void check_part(const Schema& schema, const fs::path& directory,
                  std::unordered_map<std::string, Declared>& declared) {
    std::vector<std::uint64_t> rows;
    std::vector<std::string> rows_of;  // the columns, as `rows` has them
    for (std::size_t field = schema.partitioned ? 1 : 0; field < schema.own_fields(); ++field) {
      const std::string& name = schema.fields[field].name;
      std::error_code ignored;
      if (fs::status(directory / name, ignored).type() == fs::file_type::not_found) {
        add(absent_column(directory, name));
        continue;
      }
      const auto column = read_column(directory / name, *store_, *database_.domains());
      if (!column.ok()) {
        if (column.error().unsupported) {
          unsupported_[name].add(column.error().message);
        } else if (!is_of_broken_domain(directory / name)) {
          add(column.error());
        }
        continue;
      }
      ++report_.columns;
      report_.bytes += column->bytes();
      rows.push_back(column->rows);
      rows_of.push_back(name);
      check_declared(name, *column, declared);
      check_values(*column, *store_, report_);
      check_link(*column);
    }
    check_rows(directory, rows, rows_of);
  }

  // Whether the column cannot be read for its domain alone, which is one finding for all of its
  // columns.
  bool is_of_broken_domain(const fs::path& file) {
    const auto summary = read_column_summary(file);
    Domains& domains = *database_.domains();
    if (!summary.ok() || summary->header.type != QType::kSymbol) return false;
    if (domains.is_table(summary->header.domain)) return false;
    const auto domain = domains.get(summary->header.domain, file.string());
    if (!domain.ok()) broken_domains_[summary->header.domain].add(domain.error().message);
    return !domain.ok();
  }

  void check_rows(const fs::path& directory, std::span<const std::uint64_t> rows,
                  std::span<const std::string> columns) {
    if (rows.empty()) return;
    const std::uint64_t most = most_frequent(rows);
    report_.rows += most;
    const auto one = static_cast<std::size_t>(std::ranges::find(rows, most) - rows.begin());
    for (std::size_t at = 0; at < rows.size(); ++at) {
      if (rows[at] == most) continue;
      report_.findings.push_back(fmt::format("{}: {} rows, but {} has {}",
                                             (directory / columns[at]).string(), rows[at],
                                             columns[one], most));
    }
  }

  // Rows of the table that a link points to; nothing where it cannot be read, which is a finding of
  // its own.
  std::optional<std::uint64_t> rows_of_target(const std::string& name) {
    const auto [entry, is_new] = target_rows_.try_emplace(name);
    if (!is_new) return entry->second;
    const auto table = database_.table(name, store_);
    if (!table.ok()) return std::nullopt;
    if (const auto rows = (*table)->rows(0); rows.ok()) entry->second = *rows;
    return entry->second;
  }

  void check_link(const Column& column) {
    const auto target_rows = column.link.empty() ? std::nullopt : rows_of_target(column.link);
    if (!target_rows.has_value()) return;
    Repeats outside;
    for (std::uint64_t row = 0; row < column.rows; ++row) {
      const std::int64_t pointer = order_key_at(column, row);
      if (pointer == kNullLong || static_cast<std::uint64_t>(pointer) < *target_rows) continue;
      outside.add(row_outside_table(column, row, pointer, column.link, *target_rows).message);
    }
    outside.report(report_.findings);
  }

  void check_declared(const std::string& name, const Column& column,
                      std::unordered_map<std::string, Declared>& declared) {
    if (is_untyped(column)) return;
    if (column.type == QType::kSymbol) domains_.emplace(column.domain->name(), column.domain);
    const auto [entry, is_new] = declared.try_emplace(
        name, Declared{column.source, column.type, column.domain, column.link});
    const Declared& newest = entry->second;
    if (is_new) return;
    if (newest.type != column.type) {
      report_.findings.push_back(fmt::format("{}: type {}, but {} has {}", column.source,
                                             type_name(column.type), newest.file,
                                             type_name(newest.type)));
    } else if (newest.link != column.link ||
               (column.type == QType::kSymbol && newest.domain != column.domain)) {
      const Declared found{column.source, column.type, column.domain, column.link};
      const auto named = [](const std::string& domain) { return domain.empty() ? "none" : domain; };
      report_.findings.push_back(fmt::format("{}: domain {}, but {} has {}", column.source,
                                             named(found.over()), newest.file,
                                             named(newest.over())));
    }
  }

  void check_domain(const Domain& domain) {
    Repeats twice;
    std::unordered_map<std::string_view, std::size_t> seen;
    seen.reserve(domain.stored_size());
    for (std::size_t code = 0; code < domain.stored_size(); ++code) {
      const auto [entry, is_new] = seen.try_emplace(domain.text(code), code);
      if (is_new) continue;
      twice.add(fmt::format("{}: symbol {} is \"{}\", as symbol {} is",
                            (database_.root() / domain.name()).string(), code, domain.text(code),
                            entry->second));
    }
    twice.report(report_.findings);
  }

  const Database& database_;
  std::shared_ptr<Store> store_;
  std::map<std::string, std::shared_ptr<const Domain>> domains_;  // those that columns use
  std::map<std::string, BrokenDomain> broken_domains_;
  std::map<std::string, std::optional<std::uint64_t>> target_rows_;  // of links
  // Of the table that is looked at: by what was said, and by column.
  std::map<std::string, Repeats> odd_, unsupported_;
  VerifyReport report_;
};

}  // namespace

VerifyReport verify(const Database& database) { return Verifier(database).run(); }

}  // namespace hdbench
