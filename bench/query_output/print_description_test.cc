#include "bench/query_output/print_description.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

ColumnDescription column_named(const std::string& name) {
  ColumnDescription column;
  column.name = name;
  column.type = "float";
  column.files = {{"none", 1}};
  column.stored_bytes = 4096;
  column.plain_bytes = 4096;
  return column;
}

TableDescription table_named(const std::string& name, std::size_t columns) {
  TableDescription table;
  table.name = name;
  table.kind = TableKind::kPartitioned;
  table.partitions = 62;
  table.rows = 191113021;
  for (std::size_t i = 0; i < columns; ++i) {
    table.columns.push_back(column_named("col" + std::to_string(i)));
    table.stored_bytes += 4096;
    table.plain_bytes += 4096;
  }
  return table;
}

DatabaseDescription database_of(std::size_t tables, std::size_t columns) {
  DatabaseDescription database;
  database.root = "/data/hdb";
  database.partition_field = "date";
  database.partitions = 62;
  database.first = "2019.11.01";
  database.last = "2020.01.31";
  for (std::size_t i = 0; i < tables; ++i) {
    database.tables.push_back(table_named("quote" + std::to_string(i), columns));
  }
  return database;
}

TEST_CASE("one small table fills a few lines, with its columns") {
  DatabaseDescription database = database_of(1, 2);
  ColumnDescription& sym = database.tables[0].columns[1];
  sym.type = "symbol";
  sym.attribute = Attribute::kParted;
  sym.files = {{"none", 60}, {"zlib 6", 2}};
  CHECK(description_text(database, false) ==
        "/data/hdb: 62 partitions by date, 2019.11.01 to 2020.01.31; 1 table\n"
        "\n"
        "table   kind         partitions         rows  columns  stored   plain\n"
        "quote0  partitioned          62  191,113,021        2  8.2 kB  8.2 kB\n"
        "\n"
        "table   column  type    attr  compression  stored   plain\n"
        "quote0  col0    float         none         4.1 kB  4.1 kB\n"
        "        col1    symbol  p     mixed        4.1 kB  4.1 kB\n");
}

TEST_CASE("many tables, columns and lines are cut to one screen, with their counts") {
  DatabaseDescription database = database_of(40, 60);
  for (TableDescription& table : database.tables) {
    table.name += std::string(40, 'x');
    table.notes = {table.name + " is odd"};
    table.columns[3].unreadable = table.name + std::string(90, 'y');
  }
  const std::string text = description_text(database, false);
  CHECK(std::count(text.begin(), text.end(), '\n') <= 32);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("yyy") == std::string::npos) CHECK(line.size() <= 80);
  }
  CHECK(text.find("and 36 more tables; --table NAME shows one\n") != std::string::npos);
  CHECK(text.find("and 59 more\n") != std::string::npos);
  CHECK(text.find("  and 39 more\n") != std::string::npos);
  const std::string whole = description_text(database, true);
  CHECK(whole.find("more") == std::string::npos);
}

TEST_CASE("what cannot be read has no type, and says why below") {
  DatabaseDescription database = database_of(1, 1);
  ColumnDescription& column = database.tables[0].columns[0];
  column.type.clear();
  column.files.clear();
  column.unreadable = "/data/hdb/note: type 98, which no supported column has";
  const std::string text = description_text(database, false);
  CHECK(text.find("quote0  col0    ?") != std::string::npos);
  CHECK(text.find("\ncannot be read\n  /data/hdb/note: type 98") != std::string::npos);
  const auto json = description_json(database);
  CHECK(json["tables"][0]["columns"][0]["type"].is_null());
  CHECK(json["tables"][0]["columns"][0]["unreadable"] == column.unreadable);
}

TEST_CASE("keys, links and the only file of a saved table are shown") {
  DatabaseDescription database = database_of(2, 2);
  TableDescription& saved = database.tables[0];
  saved.kind = TableKind::kSaved;
  for (ColumnDescription& column : saved.columns) column.files.clear();
  saved.columns[0].is_key = true;
  saved.columns[1].is_key = true;
  saved.columns[1].attribute = Attribute::kSorted;
  saved.columns[1].link = "ref";
  TableDescription& unread = database.tables[1];
  unread.columns.clear();
  unread.rows = 0;
  const std::string text = description_text(database, false);
  CHECK(text.find("quote1  partitioned          62            ?        ?") != std::string::npos);
  CHECK(text.find("quote0  col0    float         key\n") != std::string::npos);
  CHECK(text.find("        col1    float -> ref  key s\n") != std::string::npos);
  const auto json = description_json(database);
  const auto& column = json["tables"][0]["columns"][1];
  CHECK((column["key"] == true && column["link"] == "ref"));
  CHECK(column["stored_bytes"].is_null());
}

}  // namespace
}  // namespace hdbench::bench
