#include "bench/query_output/print_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "bench/base/json_value.h"
#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "engine/base/text.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kLineBytes = 80;
constexpr std::size_t kNameBytes = 16;
// On one screen: tables, lines for the columns of all of them, and lines of each list below.
constexpr std::size_t kTablesShown = 4;
constexpr std::size_t kColumnLines = 8;
constexpr std::size_t kLinesShown = 1;

std::string name_text(const std::string& name) {
  return cut_to(printable_line(name), kNameBytes, "~");
}

std::string_view mark_of(Attribute attribute) {
  switch (attribute) {
    case Attribute::kSorted: return "s";
    case Attribute::kUnique: return "u";
    case Attribute::kParted: return "p";
    case Attribute::kGrouped: return "g";
    case Attribute::kNone: break;
  }
  return "";
}

std::string type_text(const ColumnDescription& column) {
  if (column.type.empty()) return "?";
  return column.link.empty() ? column.type : column.type + " -> " + name_text(column.link);
}

// A key's mark before the attribute's.
std::string attribute_text(const ColumnDescription& column) {
  const std::string_view mark = mark_of(column.attribute);
  if (!column.is_key) return std::string(mark);
  return mark.empty() ? "key" : fmt::format("key {}", mark);
}

std::string compression_text(const ColumnDescription& column) {
  if (column.files.empty()) return "";
  return column.files.size() == 1 ? column.files.begin()->first : "mixed";
}

std::string head_text(const DatabaseDescription& database) {
  std::string text = printable_line(database.root) + ": ";
  if (!database.partition_field.empty()) {
    text += fmt::format("{} by {}, {} to {}; ", counted(database.partitions, "partition"),
                        database.partition_field, database.first, database.last);
  }
  return folded(text + counted(database.tables.size(), "table"), kLineBytes, "  ");
}

std::string tables_text(const std::vector<TableDescription>& tables, std::size_t shown) {
  TextRows rows{{"table", "kind", "partitions", "rows", "columns", "stored", "plain"}};
  for (const TableDescription& table : tables) {
    if (rows.size() > shown) break;
    const bool is_unread = table.columns.empty();  // as its list below says
    rows.push_back({name_text(table.name), word(table.kind),
                    table.kind == TableKind::kPartitioned ? with_commas(table.partitions) : "",
                    is_unread ? "?" : with_commas(table.rows),
                    is_unread ? "?" : with_commas(table.columns.size()),
                    bytes_text(table.stored_bytes), bytes_text(table.plain_bytes)});
  }
  std::string text = aligned(rows, 2);
  if (tables.size() > shown) {
    text += fmt::format("and {}; --table NAME shows one\n",
                        counted(tables.size() - shown, "more table"));
  }
  return text;
}

std::string columns_text(const std::vector<TableDescription>& tables, std::size_t tables_shown,
                         std::size_t columns_shown) {
  TextRows rows{{"table", "column", "type", "attr", "compression", "stored", "plain"}};
  for (std::size_t i = 0; i < std::min(tables.size(), tables_shown); ++i) {
    const TableDescription& table = tables[i];
    const bool all_fit = table.columns.size() <= columns_shown;
    const bool has_files = table.kind != TableKind::kSaved;
    const std::size_t shown = all_fit ? table.columns.size() : columns_shown - 1;
    for (std::size_t k = 0; k < shown; ++k) {
      const ColumnDescription& column = table.columns[k];
      rows.push_back({k == 0 ? name_text(table.name) : "", name_text(column.name),
                      type_text(column), attribute_text(column), compression_text(column),
                      has_files ? bytes_text(column.stored_bytes) : "",
                      has_files ? bytes_text(column.plain_bytes) : ""});
    }
    if (!all_fit) {
      rows.push_back({"", fmt::format("and {} more", table.columns.size() - shown)});
    }
  }
  return aligned(rows, 5);
}

// A heading and the lines below it; nothing without lines.
std::string list_text(std::string_view heading, const std::vector<std::string>& lines,
                      std::size_t shown) {
  if (lines.empty()) return {};
  std::string text = fmt::format("\n{}\n", heading);
  for (std::size_t i = 0; i < std::min(lines.size(), shown); ++i) {
    text += "  " + folded(printable_line(lines[i]), kLineBytes - 2, "    ");
  }
  if (lines.size() > shown) text += fmt::format("  and {} more\n", lines.size() - shown);
  return text;
}

// Of the database, its tables and their columns.
std::vector<std::string> all_unreadable(const DatabaseDescription& database) {
  std::vector<std::string> lines = database.unreadable;
  for (const TableDescription& table : database.tables) {
    for (const ColumnDescription& column : table.columns) {
      if (!column.unreadable.empty()) add_once(lines, column.unreadable);
    }
    for (const std::string& line : table.unreadable) add_once(lines, line);
  }
  return lines;
}

std::vector<std::string> all_notes(const DatabaseDescription& database) {
  std::vector<std::string> lines = database.notes;
  for (const TableDescription& table : database.tables) {
    for (const std::string& line : table.notes) add_once(lines, line);
  }
  return lines;
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json column_json(const ColumnDescription& column, bool has_files) {
  Json json = Json::object();
  json["name"] = column.name;
  json["type"] = text_or_null(column.type);
  json["attribute"] = text_or_null(std::string(mark_of(column.attribute)));
  json["domain"] = text_or_null(column.domain);
  json["link"] = text_or_null(column.link);
  json["key"] = column.is_key;
  json["compression"] = Json::object();
  for (const auto& [how, files] : column.files) json["compression"][how] = files;
  json["stored_bytes"] = has_files ? Json(column.stored_bytes) : Json();
  json["plain_bytes"] = has_files ? Json(column.plain_bytes) : Json();
  json["unreadable"] = text_or_null(column.unreadable);
  return json;
}

Json table_json(const TableDescription& table) {
  Json json = Json::object();
  json["name"] = table.name;
  json["kind"] = word(table.kind);
  json["partitions"] = table.kind == TableKind::kPartitioned ? Json(table.partitions) : Json();
  json["rows"] = table.rows;
  json["stored_bytes"] = table.stored_bytes;
  json["plain_bytes"] = table.plain_bytes;
  json["columns"] = Json::array();
  for (const ColumnDescription& column : table.columns) {
    json["columns"].push_back(column_json(column, table.kind != TableKind::kSaved));
  }
  json["notes"] = table.notes;
  json["unreadable"] = table.unreadable;
  return json;
}

}  // namespace

std::string description_text(const DatabaseDescription& database, bool whole) {
  const std::size_t tables = whole ? database.tables.size() : kTablesShown;
  const std::size_t shown = std::clamp<std::size_t>(database.tables.size(), 1, kTablesShown);
  const std::size_t lines = whole ? std::string::npos : kLinesShown;
  return head_text(database) + "\n" + tables_text(database.tables, tables) + "\n" +
         columns_text(database.tables, tables, whole ? std::string::npos : kColumnLines / shown) +
         list_text("cannot be read", all_unreadable(database), lines) +
         list_text("notes", all_notes(database), lines);
}

Json description_json(const DatabaseDescription& database) {
  Json json = Json::object();
  json["format"] = "hdbench-describe-1";
  json["database"] = database.root;
  json["partition_field"] = text_or_null(database.partition_field);
  json["partitions"] = database.partitions;
  json["first"] = text_or_null(database.first);
  json["last"] = text_or_null(database.last);
  json["tables"] = Json::array();
  for (const TableDescription& table : database.tables) {
    json["tables"].push_back(table_json(table));
  }
  json["notes"] = database.notes;
  json["unreadable"] = database.unreadable;
  return json;
}

Json verify_json(const std::string& root, const VerifyReport& report) {
  Json json = Json::object();
  json["format"] = "hdbench-verify-1";
  json["database"] = root;
  Json& checked = json["checked"];
  checked["tables"] = report.tables;
  checked["partitions"] = report.partitions;
  checked["columns"] = report.columns;
  checked["rows"] = report.rows;
  checked["bytes"] = report.bytes;
  Json& counts = json["counts"];
  counts["errors"] = report.findings.size();
  counts["notes"] = report.notes.size();
  counts["unreadable"] = report.unreadable.size();
  json["errors"] = report.findings;
  json["notes"] = report.notes;
  json["unreadable"] = report.unreadable;
  return json;
}

}  // namespace hdbench::bench
