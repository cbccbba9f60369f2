#include "datagen/import/taq_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <new>
#include <span>

#include "datagen/import/taq_format.h"
#include "datagen/partition_files.h"
#include "datagen/spec.h"
#include "datagen/staging_directory.h"
#include "engine/base/file_handle.h"
#include "engine/base/new_file.h"
#include "engine/column/format_value.h"
#include "engine/storage/column_writer.h"

namespace hdbench::datagen {
namespace {

using Path = std::filesystem::path;

struct TaqInput {
  Path path;
  TaqTable table = TaqTable::kTrade;
  std::int32_t date = 0;
  std::uint64_t bytes = 0;
};

std::string day_text(std::int32_t date) { return partition_name(QType::kDate, date); }

// Nothing else is known before a file is read than its name and, where that has no date, its END
// line.
Result<std::int32_t> date_of(const Path& path, const ImportOptions& options) {
  if (options.date) return *options.date;
  HDB_ASSIGN(const std::optional<std::int32_t> named, date_in_name(path));
  if (named) return *named;
  HDB_ASSIGN(const std::optional<TaqEnd> end, find_taq_end(path, options.stop));
  if (end && end->date) return *end->date;
  return usage_error(
      fmt::format("{}: no date in its name or in an END line: say it by --date", path.string()));
}

Status check_end_date(const TaqFileReport& report, const TaqInput& input,
                      const ImportOptions& options) {
  if (options.date || !report.end || !report.end->date || *report.end->date == input.date) {
    return ok_status();
  }
  return usage_error(fmt::format("{}: of {} by its name, of {} by its END line: say one by --date",
                                 input.path.string(), day_text(input.date),
                                 day_text(*report.end->date)));
}

Status check_each_once(const std::vector<Path>& files) {
  if (files.empty()) return usage_error("no file to import");
  std::vector<FileIdentity> seen;
  for (const Path& path : files) {
    const auto identity = identity_of(path);
    if (!identity) continue;  // to open it says why
    if (std::find(seen.begin(), seen.end(), *identity) != seen.end()) {
      return usage_error(fmt::format("{}: given twice", path.string()));
    }
    seen.push_back(*identity);
  }
  return ok_status();
}

Result<std::vector<TaqInput>> look_at_all(const std::vector<Path>& files,
                                          const ImportOptions& options) {
  HDB_TRY(check_each_once(files));
  std::vector<TaqInput> inputs;
  for (const Path& path : files) {
    TaqInput& input = inputs.emplace_back();
    input.path = path;
    HDB_ASSIGN(const TaqHeader header, look_at_taq_file(path));
    input.table = header.table;
    HDB_ASSIGN(const OpenFile file, open_file(path));
    input.bytes = file.bytes;
  }
  for (TaqInput& input : inputs) {
    HDB_ASSIGN(input.date, date_of(input.path, options));
  }
  return inputs;
}

// One piece of a column: the rows at the places from `first` on. To: as a file has them.
template <class From, class To>
void gather(const RowStore& store, std::size_t column, std::span<const std::uint32_t> rows,
            std::span<std::byte> out) {
  auto* const to = reinterpret_cast<To*>(out.data());
  for (std::size_t i = 0; i < rows.size(); ++i) to[i] = store.get<From>(column, rows[i]);
}

void gather_column(const RowStore& store, std::size_t column, QType type,
                   std::span<const std::uint32_t> rows, std::span<std::byte> out) {
  if (type == QType::kSymbol) {
    return gather<std::int32_t, std::int64_t>(store, column, rows, out);
  }
  switch (type_width(type)) {
    case 1: return gather<std::uint8_t, std::uint8_t>(store, column, rows, out);
    case 2: return gather<std::uint16_t, std::uint16_t>(store, column, rows, out);
    case 4: return gather<std::uint32_t, std::uint32_t>(store, column, rows, out);
    default: return gather<std::uint64_t, std::uint64_t>(store, column, rows, out);
  }
}

class TaqImport {
 public:
  TaqImport(StagingDirectory& site, const ImportOptions& options)
      : site_(site), options_(options), buffer_(kPieceBytes) {}

  Result<ImportReport> run(const std::vector<TaqInput>& inputs);

 private:
  using TableInputs = std::array<std::vector<TaqInput>, kTaqTables>;

  Status make_partition(std::int32_t date, const TableInputs& inputs);
  Status make_table(const Path& partition, TaqTable table, const std::vector<TaqInput>& inputs);
  Status read_files(TaqTable table, const std::vector<TaqInput>& inputs, RowStore& store);

  StagingDirectory& site_;
  const ImportOptions& options_;
  std::vector<std::byte> buffer_;
  SymbolTable symbols_;
  ImportReport report_;
  ImportProgress progress_;
};

Result<ImportReport> TaqImport::run(const std::vector<TaqInput>& inputs) {
  std::map<std::int32_t, TableInputs> days;
  for (const TaqInput& input : inputs) {
    days[input.date][static_cast<std::size_t>(input.table)].push_back(input);
    progress_.bytes += input.bytes;
  }
  for (const auto& [date, tables] : days) HDB_TRY(make_partition(date, tables));
  report_.partitions = days.size();
  HDB_TRY(write_symbol_list(site_.paths().partial / kDomainName, symbols_.texts()));
  HDB_TRY(site_.publish_whole());
  return std::move(report_);
}

Status TaqImport::make_partition(std::int32_t date, const TableInputs& inputs) {
  const Path partition = site_.paths().partial / day_text(date);
  HDB_TRY(make_directory(partition));
  for (std::size_t table = 0; table < kTaqTables; ++table) {
    const std::string what =
        fmt::format("{} of {}", taq_table(static_cast<TaqTable>(table)).name, day_text(date));
    progress_.what = what;
    HDB_TRY(make_table(partition, static_cast<TaqTable>(table), inputs[table]));
  }
  return flush_to_device(partition);
}

Status TaqImport::make_table(const Path& partition, TaqTable table,
                             const std::vector<TaqInput>& inputs) {
  const TablePlan& plan = taq_table(table, options_.price_type);
  std::vector<QType> types;
  for (const ColumnPlan& column : plan.columns) types.push_back(column.type);
  RowStore store(types);
  HDB_TRY(read_files(table, inputs, store));
  const DayOrder order = order_rows(store, codes_in_text_order(symbols_.texts()));
  const Path path = partition / plan.name;
  HDB_TRY(make_directory(path));
  const std::span<const std::uint32_t> places = order.rows;
  for (std::size_t column = 0; column < plan.columns.size(); ++column) {
    const QType type = plan.columns[column].type;
    const auto fill = [&](std::uint64_t first, std::size_t count, std::span<std::byte> out) {
      gather_column(store, column, type, places.subspan(first, count), out);
    };
    const ColumnJob job{plan.columns[column], store.rows(),
                        column == kSymbolColumn ? &order.index : nullptr, fill,
                        [this] { return is_stopped(options_.stop); }};
    HDB_TRY(write_column(path, job, buffer_));
    report_.written_bytes += store.rows() * type_width(type);
  }
  report_.rows[static_cast<std::size_t>(table)] += store.rows();
  return finish_table(plan, path);
}

Status TaqImport::read_files(TaqTable table, const std::vector<TaqInput>& inputs, RowStore& store) {
  for (const TaqInput& input : inputs) {
    const std::uint64_t before = progress_.bytes_done;
    const auto progress = [&](std::uint64_t bytes) {
      progress_.bytes_done = before + std::min(bytes, input.bytes);
      if (options_.progress) options_.progress(progress_);
    };
    try {
      HDB_ASSIGN(TaqFileReport report,
                 read_taq_file(input.path, table, store, symbols_, options_, progress));
      HDB_TRY(check_end_date(report, input, options_));
      report_.files.push_back(std::move(report));
    } catch (const std::bad_alloc&) {
      return Error{ErrorKind::kLimit,
                   fmt::format("{}: no memory for more than {} rows of {}", input.path.string(),
                               store.rows(), progress_.what)};
    }
    progress_.bytes_done = before + input.bytes;
  }
  return ok_status();
}

}  // namespace

std::uint64_t ImportReport::text_bytes() const {
  std::uint64_t bytes = 0;
  for (const TaqFileReport& file : files) bytes += file.text_bytes;
  return bytes;
}

Result<ImportReport> import_taq(const Path& db, const std::vector<Path>& files,
                                const ImportOptions& options) {
  HDB_ASSIGN(const DatabasePaths paths, database_paths(db));
  HDB_ASSIGN(StagingDirectory site, StagingDirectory::create(paths, "take another path for DB"));
  HDB_ASSIGN(const std::vector<TaqInput> inputs, look_at_all(files, options));
  return TaqImport(site, options).run(inputs);
}

Result<std::int32_t> parse_import_date(std::string_view text) {
  constexpr std::size_t kLength = 10;
  constexpr std::size_t kFirstPoint = 4;
  constexpr std::size_t kSecondPoint = 7;
  std::optional<std::int32_t> date;
  if (text.size() == kLength && text[kFirstPoint] == '.' && text[kSecondPoint] == '.') {
    std::string digits(text);
    digits.erase(kSecondPoint, 1);
    digits.erase(kFirstPoint, 1);
    date = taq_date(digits);
  }
  if (date) return *date;
  return usage_error(
      fmt::format("'{}' is no date of 1990 to 2099, expected such as 2019.10.07", text));
}

}  // namespace hdbench::datagen
