#include "bench/query_output/print_csv.h"

#include <algorithm>
#include <string_view>

#include "engine/base/printable_text.h"
#include "engine/column/format_value.h"

namespace hdbench::bench {
namespace {

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

}  // namespace

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

}  // namespace hdbench::bench
