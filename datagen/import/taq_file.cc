#include "datagen/import/taq_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>

#include "datagen/import/taq_format.h"
#include "datagen/import/text_lines.h"
#include "engine/base/text.h"

namespace hdbench::datagen {
namespace {

constexpr std::uint64_t kLinesBetweenLooks = 1 << 14;
constexpr std::size_t kBadLinesShown = 5;
constexpr std::uint64_t kOrderBytesARow = sizeof(std::uint32_t);

// As they stand behind "12 with ".
constexpr std::array<std::string_view, kLineFlaws> kFlawTexts = {
    "another number of fields than the header",
    "too many characters",
    "a place behind the END line",
    "no symbol",
    "a symbol that is too long or not of printable ASCII",
    "a time that is none of a day",
    "a price that is no number from 0 up"};

Error stopped_error(const std::filesystem::path& path) {
  return data_error(fmt::format("{}: stopped while it was read", path.string()));
}

// The header's line, without the mark that some programs put before UTF-8.
Result<TaqHeader> next_header(TextLines& lines, const std::filesystem::path& path) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  TextLine line;
  HDB_ASSIGN(const bool is_there, lines.next(line));
  if (!is_there) {
    return data_error(
        fmt::format("{}: empty, expected a header of trades or quotes", path.string()));
  }
  if (line.is_too_long) {
    return data_error(
        fmt::format("{}: header: longer than {} bytes", path.string(), kLineBytesMax));
  }
  if (line.text.starts_with(kByteOrderMark)) line.text.remove_prefix(kByteOrderMark.size());
  return read_taq_header(line.text, path);
}

bool is_price(QType type) { return type == QType::kReal || type == QType::kFloat; }

// Why a line is left out whose field does not fit this column; nothing: the row can do without.
std::optional<LineFlaw> line_flaw_of(std::size_t column, QType type) {
  if (column == kSymbolColumn) return LineFlaw::kText;
  if (column == kTimeColumn) return LineFlaw::kTime;
  return is_price(type) ? std::optional(LineFlaw::kPrice) : std::nullopt;
}

// A field in a message: short, and nothing a terminal would act on.
std::string shown(std::string_view field) {
  constexpr std::size_t kShownMax = 40;
  if (field.size() <= kShownMax) return fmt::format("'{}'", printable_line(field));
  return fmt::format("'{}...', {} characters", printable_line(field.substr(0, kShownMax)),
                     field.size());
}

class TaqFileReader {
 public:
  TaqFileReader(TextLines& lines, const TaqHeader& header, RowStore& store, SymbolTable& symbols,
                const TaqReadOptions& options, const ReadProgress& progress)
      : lines_(lines),
        header_(header),
        store_(store),
        symbols_(symbols),
        options_(options),
        progress_(progress),
        columns_(taq_table(header.table, options.price_type).columns) {
    for (std::size_t column = 0; column < kTaqColumns; ++column)
      report_.columns[column].name = header.names[column];
  }

  Result<TaqFileReport> read(const std::filesystem::path& path);

 private:
  void take(const TextLine& line);
  bool put_field(std::size_t column);
  template <class Value>
  bool put(std::size_t column, const std::optional<Value>& value) {
    if (value) store_.put(column, *value);
    return value.has_value();
  }
  bool put_real(std::size_t column, std::string_view field);
  void put_symbols();
  std::int32_t code_of(std::size_t column, std::string_view text);
  void count_changed(std::uint64_t line);
  Status make_room();
  Status look();
  void leave_out(const TextLine& line, LineFlaw flaw, const std::string& what);
  Status check_share() const;

  TextLines& lines_;
  const TaqHeader& header_;
  RowStore& store_;
  SymbolTable& symbols_;
  const TaqReadOptions& options_;
  const ReadProgress& progress_;
  const std::vector<ColumnPlan>& columns_;
  TaqFileReport report_;
  std::array<std::string_view, kTaqFieldsMax> fields_ = {};
  // The last symbol of each column: mostly the next row's, too.
  struct LastSymbol {
    std::string text;
    std::int32_t code = -1;
  };
  std::array<LastSymbol, kTaqColumns> last_ = {};
  // Of the line that is read: what is counted when its row is there.
  struct Counted {
    std::size_t column = 0;
    std::string_view field;
    CountedValues TaqColumnReport::* values = nullptr;
  };
  std::vector<Counted> counted_;
};

Result<TaqFileReport> TaqFileReader::read(const std::filesystem::path& path) {
  report_.path = path;
  TextLine line;
  for (;;) {
    HDB_ASSIGN(const bool is_there, lines_.next(line));
    if (!is_there) break;
    if (line.number % kLinesBetweenLooks == 0) HDB_TRY(look());
    if (report_.end && line.text.empty() && !line.is_too_long) continue;
    if (!report_.end && is_taq_end(line.text)) {
      report_.end = read_taq_end(line.text);
      continue;
    }
    if (store_.is_full()) HDB_TRY(make_room());
    ++report_.lines;
    take(line);
  }
  report_.text_bytes = lines_.text_bytes();
  HDB_TRY(look());
  HDB_TRY(check_share());
  return std::move(report_);
}

void TaqFileReader::take(const TextLine& line) {
  if (line.is_too_long) {
    return leave_out(line, LineFlaw::kTooLong, fmt::format("longer than {} bytes", kLineBytesMax));
  }
  if (report_.end) return leave_out(line, LineFlaw::kAfterEnd, "behind the END line");
  const std::size_t count = for_each_taq_field(
      line.text, header_.fields,
      [&](std::size_t number, std::string_view field) { fields_[number] = field; });
  if (count != header_.fields) {
    return leave_out(
        line, LineFlaw::kFieldCount,
        fmt::format("{}{} fields, the header has {}", count > header_.fields ? "more than " : "",
                    std::min(count, header_.fields), header_.fields));
  }
  counted_.clear();
  for (std::size_t column = 0; column < kTaqColumns; ++column) {
    if (put_field(column)) continue;
    std::string_view& field = fields_[header_.field_of[column]];
    if (const auto flaw = line_flaw_of(column, columns_[column].type)) {
      return leave_out(line, *flaw, fmt::format("{}: {}", header_.names[column], shown(field)));
    }
    counted_.push_back({column, field, &TaqColumnReport::nulls});
    field = {};
    put_field(column);
  }
  if (taq_text(fields_[header_.field_of[kSymbolColumn]])->empty())
    return leave_out(line, LineFlaw::kNoSymbol, "no symbol");
  // Symbols last: a line that is left out adds none.
  put_symbols();
  store_.commit();
  ++report_.rows;
  count_changed(line.number);
}

void TaqFileReader::put_symbols() {
  for (std::size_t column = 0; column < kTaqColumns; ++column) {
    if (columns_[column].type != QType::kSymbol) continue;
    store_.put(column, code_of(column, *taq_text(fields_[header_.field_of[column]])));
  }
}

void TaqFileReader::count_changed(std::uint64_t line) {
  for (const Counted& one : counted_) {
    CountedValues& values = report_.columns[one.column].*one.values;
    if (++values.count == 1) values.first = fmt::format("{} in line {}", shown(one.field), line);
  }
}

bool TaqFileReader::put_field(std::size_t column) {
  const std::string_view field = fields_[header_.field_of[column]];
  switch (columns_[column].type) {
    case QType::kSymbol: return taq_text(field).has_value();
    case QType::kTimespan: return put(column, taq_time(field));
    case QType::kChar: return put(column, taq_letter(field));
    case QType::kReal: return put_real(column, field);
    case QType::kFloat: return put(column, taq_price<double>(field));
    case QType::kShort: return put(column, taq_whole<std::int16_t>(field));
    case QType::kLong: return put(column, taq_whole<std::int64_t>(field));
    default: return put(column, taq_whole<std::int32_t>(field));
  }
}

bool TaqFileReader::put_real(std::size_t column, std::string_view field) {
  const auto real = taq_price<float>(field);
  if (real && loses_digits(field, *real))
    counted_.push_back({column, field, &TaqColumnReport::rounded});
  return put(column, real);
}

std::int32_t TaqFileReader::code_of(std::size_t column, std::string_view text) {
  LastSymbol& last = last_[column];
  if (last.code < 0 || last.text != text) {
    last.code = symbols_.code_of(text);
    last.text = text;
  }
  return last.code;
}

Status TaqFileReader::make_room() {
  const std::uint64_t order_bytes = store_.rows() * kOrderBytesARow;
  const std::uint64_t most = options_.memory_bytes_max;
  if (most != 0 && store_.bytes_after_add() + order_bytes > most) {
    return Error{
        ErrorKind::kLimit,
        fmt::format("{}: no memory for more than {} rows of {} bytes of one day's {}: "
                    "{} MiB are left",
                    report_.path.string(), store_.rows(), store_.row_bytes() + kOrderBytesARow,
                    taq_table(header_.table).name, most >> 20)};
  }
  if (store_.bytes_after_add() / store_.row_bytes() > std::numeric_limits<std::uint32_t>::max()) {
    return data_error(
        fmt::format("{}: more than {} rows of one day", report_.path.string(), store_.rows()));
  }
  store_.add_chunk();
  return ok_status();
}

Status TaqFileReader::look() {
  if (is_stopped(options_.stop)) return stopped_error(report_.path);
  if (progress_) progress_(lines_.stored_bytes_read());
  return ok_status();
}

void TaqFileReader::leave_out(const TextLine& line, LineFlaw flaw, const std::string& what) {
  ++report_.bad[static_cast<std::size_t>(flaw)];
  if (report_.first_bad.size() >= kBadLinesShown) return;
  report_.first_bad.push_back(fmt::format("{}:{}: {}", report_.path.string(), line.number, what));
}

Status TaqFileReader::check_share() const {
  if (report_.bad_lines() * 2 <= report_.lines) return ok_status();
  return data_error(fmt::format("{}; {} of {} lines are bad, which is more than half",
                                report_.first_bad.front(), report_.bad_lines(), report_.lines));
}

}  // namespace

std::vector<std::string> warnings_of(const TaqFileReport& report) {
  std::vector<std::string> lines = report.first_bad;
  const std::string path = report.path.string();
  if (report.bad_lines() > lines.size()) {
    lines.push_back(fmt::format("{}: ... and {} more", path, report.bad_lines() - lines.size()));
  }
  std::string reasons;
  for (std::size_t flaw = 0; flaw < kLineFlaws; ++flaw) {
    if (report.bad[flaw] == 0) continue;
    reasons += fmt::format("{} {} with {}", reasons.empty() ? ":" : ",", report.bad[flaw],
                           kFlawTexts[flaw]);
  }
  if (!reasons.empty()) {
    lines.push_back(fmt::format("{}: {} of {} lines left out{}", path, report.bad_lines(),
                                report.lines, reasons));
  }
  for (const TaqColumnReport& column : report.columns) {
    if (column.nulls.count != 0) {
      lines.push_back(fmt::format("{}: {} of {} values of {} do not fit: null; the first is {}",
                                  path, column.nulls.count, report.rows, column.name,
                                  column.nulls.first));
    }
    if (column.rounded.count != 0) {
      lines.push_back(
          fmt::format("{}: {} of {} values of {} lose digits as reals (--price-type "
                      "float keeps them); the first is {}",
                      path, column.rounded.count, report.rows, column.name, column.rounded.first));
    }
  }
  if (!report.end) {
    lines.push_back(fmt::format("{}: no END line: the file may be cut", path));
  } else if (!report.end->records) {
    lines.push_back(fmt::format("{}: its END line has no count", path));
  } else if (*report.end->records != report.lines) {
    lines.push_back(fmt::format("{}: END counts {} lines, {} are there", path, *report.end->records,
                                report.lines));
  }
  return lines;
}

Result<TaqHeader> look_at_taq_file(const std::filesystem::path& path) {
  HDB_ASSIGN(TextLines lines, TextLines::open(path));
  return next_header(lines, path);
}

Result<std::optional<TaqEnd>> find_taq_end(const std::filesystem::path& path,
                                           const std::atomic<bool>* stop) {
  HDB_ASSIGN(TextLines lines, TextLines::open(path));
  TextLine line;
  for (;;) {
    HDB_ASSIGN(const bool is_there, lines.next(line));
    if (!is_there) return std::optional<TaqEnd>();
    if (is_taq_end(line.text)) return std::optional<TaqEnd>(read_taq_end(line.text));
    if (line.number % kLinesBetweenLooks == 0 && is_stopped(stop)) return stopped_error(path);
  }
}

Result<TaqFileReport> read_taq_file(const std::filesystem::path& path, TaqTable table,
                                    RowStore& store, SymbolTable& symbols,
                                    const TaqReadOptions& options, const ReadProgress& progress) {
  HDB_ASSIGN(TextLines lines, TextLines::open(path));
  HDB_ASSIGN(const TaqHeader header, next_header(lines, path));
  if (header.table != table) {
    return data_error(fmt::format("{}: changed while it was read", path.string()));
  }
  return TaqFileReader(lines, header, store, symbols, options, progress).read(path);
}

}  // namespace hdbench::datagen
