#include "bench/query_output/print_table.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/display_width.h"
#include "engine/base/printable_text.h"
#include "engine/column/element_key.h"
#include "engine/column/nested_text.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kMeasuredRows = 4096;

void format_cell(const ResultColumn& column, std::uint64_t row, std::string& cell) {
  cell.clear();
  const std::byte* element = column.buffer.data() + row * column.width;
  const auto nested =
      column.type == QType::kNested ? load_element<NestedCell>(element) : NestedCell{};
  if (nested.kind != 0 && nested.kind != static_cast<std::uint8_t>(QType::kChar)) {
    append_literal(cell, nested, Digits::kSeven);
  } else {
    append_shown(cell, column.type, column.width, element, column.domain.get(), Digits::kSeven);
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

}  // namespace hdbench::bench
