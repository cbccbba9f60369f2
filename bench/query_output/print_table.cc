#include "bench/query_output/print_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/display_width.h"
#include "engine/base/printable_text.h"
#include "engine/column/format_value.h"

namespace hdbench {
namespace {

constexpr std::uint64_t kMeasuredRows = 4096;

// q's console writes 2020.01.07 where its csv writes 2020-01-07.
bool starts_with_date(QType type) {
  return type == QType::kDate || type == QType::kMonth || type == QType::kTimestamp ||
         type == QType::kDatetime;
}

// q's console shows seven digits of a float; nothing for one that is null or infinite.
std::optional<double> finite_float(const ResultColumn& column, const std::byte* element) {
  double value = std::numeric_limits<double>::infinity();
  if (column.type == QType::kFloat) std::memcpy(&value, element, sizeof(value));
  if (column.type == QType::kReal) {
    float narrow = 0;
    std::memcpy(&narrow, element, sizeof(narrow));
    value = narrow;
  }
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

void format_cell(const ResultColumn& column, std::uint64_t row, std::string& cell) {
  cell.clear();
  const std::byte* element = column.buffer.data() + row * column.width;
  if (const auto value = finite_float(column, element)) {
    fmt::format_to(std::back_inserter(cell), "{:.7g}", *value);
    return;
  }
  append_value(cell, column.type, column.width, element, column.domain.get());
  if (starts_with_date(column.type)) {
    // A sign stays: of an infinity, or of a year before 0. A time has none.
    if (!cell.empty()) std::replace(cell.begin() + 1, cell.end(), '-', '.');
  }
  for (char& c : cell) {
    if (static_cast<unsigned char>(c) < ' ') c = '.';
  }
}

std::vector<std::size_t> column_widths(const ResultTable& table, std::uint64_t rows) {
  std::vector<std::size_t> widths;
  std::string cell;
  for (const ResultColumn& column : table.columns) {
    std::size_t width = display_width(printable_line(column.name));
    for (std::uint64_t row = 0; row < rows; ++row) {
      format_cell(column, row, cell);
      width = std::max(width, display_width(cell));
    }
    widths.push_back(width);
  }
  return widths;
}

// One line at a time: cells padded to their widths, the bar after the last key, no blanks at the
// end.
class Line {
 public:
  Line(const ResultTable& table, std::vector<std::size_t> widths, std::string& out)
      : key_count_(table.key_count), widths_(std::move(widths)), out_(out) {}

  void begin() {
    index_ = 0;
    owed_blanks_ = 0;
  }

  void add(const std::string& cell) {
    if (index_ != 0) separate();
    if (!cell.empty()) {
      out_.append(owed_blanks_, ' ');
      out_ += cell;
      owed_blanks_ = 0;
    }
    const std::size_t width = display_width(cell);
    owed_blanks_ += widths_[index_] > width ? widths_[index_] - width : 0;
    ++index_;
  }

  void end() { out_ += '\n'; }

  void rule() {
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      if (i != 0) out_ += i == key_count_ ? "| " : "-";
      out_.append(widths_[i], '-');
    }
    out_ += '\n';
  }

 private:
  void separate() {
    if (index_ == key_count_) {
      out_.append(owed_blanks_, ' ');
      out_ += '|';
      owed_blanks_ = 0;
    }
    ++owed_blanks_;
  }

  std::size_t key_count_;
  std::vector<std::size_t> widths_;
  std::string& out_;
  std::size_t index_ = 0;
  std::size_t owed_blanks_ = 0;
};

}  // namespace

void print_table(const ResultTable& table, std::uint64_t rows_max, TextSink& sink) {
  const std::uint64_t rows = std::min(table.rows, rows_max);
  Line line(table, column_widths(table, std::min(rows, kMeasuredRows)), sink.text());
  line.begin();
  for (const ResultColumn& column : table.columns) line.add(printable_line(column.name));
  line.end();
  line.rule();
  std::string cell;
  for (std::uint64_t row = 0; row < rows; ++row) {
    if (!sink.pass_on()) return;
    line.begin();
    for (const ResultColumn& column : table.columns) {
      format_cell(column, row, cell);
      line.add(cell);
    }
    line.end();
  }
  if (rows < table.rows) sink.text() += "..\n";
}

}  // namespace hdbench
