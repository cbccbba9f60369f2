#include "bench/query_output/print_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/base/text.h"
#include "engine/column/column.h"
#include "engine/column/format_value.h"

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
  // `columns_max`: where a line is cut; 0: nowhere.
  Line(const ResultTable& table, std::vector<std::size_t> widths, std::size_t columns_max,
       std::string& out)
      : key_count_(table.key_count),
        widths_(std::move(widths)),
        columns_max_(columns_max),
        out_(out) {}

  void begin() {
    begin_ = out_.size();
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

  void end() {
    if (columns_max_ != 0) cut();
    out_ += '\n';
  }

  void rule() {
    begin();
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      if (i != 0) out_ += i == key_count_ ? "| " : "-";
      out_.append(widths_[i], '-');
    }
    end();
  }

 private:
  // As q cuts: what does not fit ends with two dots.
  void cut() {
    const std::string_view line = std::string_view(out_).substr(begin_);
    if (display_width(line) <= columns_max_) return;
    std::size_t bytes = 0;
    for (std::size_t width = 0; bytes < line.size();) {
      const std::size_t length = std::max<std::size_t>(1, utf8_bytes(line.substr(bytes)));
      width += display_width(line.substr(bytes, length));
      if (width + 2 > columns_max_) break;
      bytes += length;
    }
    out_.resize(begin_ + bytes);
    out_ += "..";
  }

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
  std::size_t columns_max_;
  std::string& out_;
  std::size_t begin_ = 0;  // of the line
  std::size_t index_ = 0;
  std::size_t owed_blanks_ = 0;
};

// Types whose text can hold anything.
bool is_free_text(QType type) {
  return type == QType::kSymbol || type == QType::kChar || type == QType::kNested;
}

// Quotes out[begin..] where csv needs it.
void quote_tail(std::string& out, std::size_t begin) {
  if (out.find_first_of(",\"\n\r", begin) == std::string::npos) return;
  const std::string cell = out.substr(begin);
  out.resize(begin);
  out += '"';
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

// "0w", "-0W": no number to JSON.
bool is_infinity(std::string_view text) { return text.ends_with('w') || text.ends_with('W'); }

bool is_number_type(QType type) {
  switch (type) {
    case QType::kShort:
    case QType::kInt:
    case QType::kLong:
    case QType::kReal:
    case QType::kFloat: return true;
    default: return false;
  }
}

bool is_text_type(QType type) {
  return type == QType::kSymbol || type == QType::kChar || type == QType::kNested;
}

// A list is an array, but a string and what is only shown are strings.
bool is_array(const NestedCell& cell) {
  return cell.kind != static_cast<std::uint8_t>(QType::kChar) && cell.kind != kShownCell;
}

void append_cell(std::string& out, QType type, std::string_view text) {
  if (type == QType::kBoolean) {
    out += text == "1" ? "true" : "false";
  } else if (text.empty() && !is_text_type(type)) {
    out += "null";
  } else if (is_number_type(type) && !is_infinity(text)) {
    out += text;
  } else {
    append_json_string(out, text);
  }
}

void append_array(std::string& out, const NestedCell& cell) {
  const QType type = cell.kind == kSymbolsType ? QType::kSymbol : static_cast<QType>(cell.kind);
  std::string text;
  bool is_first = true;
  if (!cell.is_atom) out += '[';
  each_item(cell, [&](std::span<const std::byte> item) {
    if (!is_first) out += ',';
    is_first = false;
    text.clear();
    append_item(text, cell.kind, item);
    append_cell(out, type, text);
    return true;
  });
  if (!cell.is_atom) out += ']';
}

template <typename Texts>
void append_string_array(std::string& out, const Texts& columns, auto text_of) {
  out += '[';
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i != 0) out += ',';
    append_json_string(out, text_of(columns[i]));
  }
  out += ']';
}

}  // namespace

void print_table(const ResultTable& table, std::uint64_t rows_max, std::size_t columns_max,
                 TextSink& sink) {
  const std::uint64_t rows = std::min(table.rows, rows_max);
  Line line(table, column_widths(table, std::min(rows, kMeasuredRows)), columns_max, sink.text());
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

void print_csv(const ResultTable& table, TextSink& sink) {
  std::string& out = sink.text();
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i != 0) out += ',';
    const std::size_t begin = out.size();
    out += printable_line(table.columns[i].name);
    quote_tail(out, begin);
  }
  out += '\n';
  for (std::uint64_t row = 0; row < table.rows; ++row) {
    if (!sink.pass_on()) return;
    bool first = true;
    for (const ResultColumn& column : table.columns) {
      if (!first) out += ',';
      first = false;
      const std::size_t begin = out.size();
      append_value(out, column.type, column.width, column.buffer.data() + row * column.width,
                   column.domain.get());
      if (is_free_text(column.type)) quote_tail(out, begin);
      // A line without anything on it is none for many readers.
      if (table.columns.size() == 1 && out.size() == begin) out += "\"\"";
    }
    out += '\n';
  }
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const char c = text.front();
    std::size_t length = utf8_bytes(text);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (length == 0 || is_control(text.substr(0, length))) {
      length = std::max<std::size_t>(1, length);
      out += printable_line(text.substr(0, length));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  out += '"';
}

void print_json(const ResultTable& table, std::string_view members, TextSink& sink) {
  std::string& out = sink.text();
  out += '{';
  out += members;
  out += "\"columns\": ";
  append_string_array(out, table.columns, [](const ResultColumn& c) { return c.name; });
  out += ", \"types\": ";
  append_string_array(out, table.columns, [](const ResultColumn& c) { return type_name(c.type); });
  out += fmt::format(", \"keys\": {}, \"rows\": {}, \"data\": [", table.key_count, table.rows);
  std::string cell;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const ResultColumn& column = table.columns[i];
    out += i == 0 ? "[" : ",[";
    for (std::uint64_t row = 0; row < table.rows; ++row) {
      if (!sink.pass_on()) return;
      if (row != 0) out += ',';
      const std::byte* const element = column.buffer.data() + row * column.width;
      const bool is_nested = column.type == QType::kNested;
      if (is_nested && is_array(load_element<NestedCell>(element))) {
        append_array(out, load_element<NestedCell>(element));
        continue;
      }
      cell.clear();
      append_value(cell, column.type, column.width, element, column.domain.get());
      append_cell(out, column.type, cell);
    }
    out += ']';
  }
  out += "]}\n";
}

}  // namespace hdbench::bench
