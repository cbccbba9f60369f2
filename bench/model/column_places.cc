#include "bench/model/column_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "bench/base/lines.h"
#include "pmem/base/medium_spec.h"
#include "queries/ascii.h"

namespace hdbench::bench {
namespace {

Error wrong(std::string_view value, const std::string& why) {
  return usage_error(fmt::format("--place {}: {}", value, why));
}

Result<ColumnPlace> parse_place(const std::string& value, std::set<std::string>& named) {
  if (value.find(';') != value.npos)
    return wrong(value, "a list of placements is for `hdbench run`: one is expected here");
  // A medium's options have `=` too, columns have none.
  const std::size_t equals = value.find('=');
  if (equals == std::string::npos) {
    return wrong(value, "expected COLUMN[,COLUMN...]=MEDIUM");
  }
  ColumnPlace place;
  place.medium = value.substr(equals + 1);
  const std::string list = value.substr(0, equals);
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    std::string column = list.substr(begin, end - begin);
    const auto choice = parse_column_choice(column);
    if (!choice.ok()) return wrong(value, choice.error().message);
    if (!named.insert(column).second) {
      return wrong(value, fmt::format("{} is placed twice", column));
    }
    place.columns.push_back(std::move(column));
    begin = end + 1;
  }
  const auto word = parse_medium_spec(place.medium);
  if (!word.ok()) return wrong(value, word.error().message);
  return place;
}

bool is_real_field(const Table& table, std::string_view column) {
  const auto field = table.schema().find(column);
  return field && !(table.schema().partitioned && *field == 0);
}

std::vector<std::string> real_fields(const std::vector<const Table*>& tables) {
  std::vector<std::string> known;
  for (const Table* table : tables) {
    for (const Field& field : table->schema().fields) {
      const bool listed = std::find(known.begin(), known.end(), field.name) != known.end();
      if (!listed && is_real_field(*table, field.name)) known.push_back(field.name);
    }
  }
  return known;
}

Status check_column(const std::string& text, const std::vector<const Table*>& all) {
  HDB_ASSIGN(const ColumnChoice choice, parse_column_choice(text));
  std::vector<std::string> names;
  for (const Table* table : all) names.push_back(table->name());
  std::vector<const Table*> tables = all;
  if (!choice.table.empty()) {
    std::erase_if(tables, [&](const Table* table) { return table->name() != choice.table; });
    if (tables.empty())
      return usage_error(fmt::format("--place {}: no table {}; there are {}", text, choice.table,
                                     fmt::join(names, ", ")));
    names = {choice.table};
  }
  const bool is_partitioned = std::any_of(
      tables.begin(), tables.end(), [](const Table* table) { return table->schema().partitioned; });
  if (choice.newest > 0 && !is_partitioned)
    return usage_error(fmt::format("--place {}: there are no partitions", text));
  if (choice.column == kAllColumns) return ok_status();
  bool partitions_by_it = false;
  for (const Table* table : tables) {
    if (is_real_field(*table, choice.column)) return ok_status();
    partitions_by_it |= table->schema().find(choice.column).has_value();
  }
  if (partitions_by_it) {
    return usage_error(fmt::format(
        "--place: {} is what the partitions are named by: it lies in no file", choice.column));
  }
  return usage_error(fmt::format("--place: no column {} in {}; there are {}", choice.column,
                                 fmt::join(names, ", "), fmt::join(real_fields(tables), ", ")));
}

// `all` of so many partitions of these tables: each column but those that are placed so themselves.
std::vector<std::string> columns_of_all(const ColumnChoice& all,
                                        const std::vector<const Table*>& tables,
                                        const std::vector<ColumnPlace>& places) {
  std::vector<const Table*> meant = tables;
  if (!all.table.empty())
    std::erase_if(meant, [&](const Table* table) { return table->name() != all.table; });
  std::vector<std::string> columns;
  for (const std::string& field : real_fields(meant))
    columns.push_back(to_text(ColumnChoice{all.table, field, all.newest}));
  for (const ColumnPlace& place : places) {
    for (const std::string& column : place.columns) std::erase(columns, column);
  }
  return columns;
}

}  // namespace

Result<std::vector<ColumnPlace>> parse_places(const std::vector<std::string>& values) {
  std::vector<ColumnPlace> places;
  std::set<std::string> named;
  for (const std::string& value : values) {
    HDB_ASSIGN(ColumnPlace place, parse_place(value, named));
    places.push_back(std::move(place));
  }
  return places;
}

Result<std::vector<std::vector<std::string>>> place_lists(const std::vector<std::string>& values) {
  std::vector<std::string> placements;
  for (const std::string& value : values) {
    const bool is_list = value.find_first_of(";&") != value.npos || queries::trim(value) == "none";
    if (is_list && values.size() > 1)
      return wrong(value, "a list must be alone: give --place once");
    if (is_list) placements = split_trimmed(value, ';');
  }
  if (placements.empty()) return std::vector<std::vector<std::string>>{values};
  std::vector<std::vector<std::string>> lists;
  for (const std::string& placement : placements) {
    auto list = placement == "none" ? std::vector<std::string>{} : split_trimmed(placement, '&');
    if (std::find(lists.begin(), lists.end(), list) != lists.end())
      return wrong(values.front(), fmt::format("'{}' is there twice", placement));
    lists.push_back(std::move(list));
  }
  return lists;
}

std::vector<ColumnPlace> with_named_columns(std::vector<ColumnPlace> places,
                                            const std::vector<const Table*>& tables) {
  const std::vector<std::string> known = real_fields(tables);
  if (std::find(known.begin(), known.end(), kAllColumns) != known.end()) return places;
  const std::vector<ColumnPlace> written = places;
  for (ColumnPlace& place : places) {
    std::vector<std::string> columns;
    for (const std::string& text : place.columns) {
      const auto choice = parse_column_choice(text);
      if (!choice.ok() || choice->column != kAllColumns) {
        columns.push_back(text);
        continue;
      }
      for (std::string& column : columns_of_all(*choice, tables, written))
        columns.push_back(std::move(column));
    }
    place.columns = std::move(columns);
  }
  return places;
}

std::vector<ColumnPlace> places_of_text(const std::string& text) {
  std::vector<std::string> values;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find("; ", begin), text.size());
    values.push_back(text.substr(begin, end - begin));
    begin = end + 2;
  }
  const auto places = parse_places(values);
  return places.ok() ? *places : std::vector<ColumnPlace>{};
}

Status check_places(const std::vector<ColumnPlace>& places,
                    const std::vector<const Table*>& tables) {
  for (const ColumnPlace& place : places) {
    for (const std::string& column : place.columns) HDB_TRY(check_column(column, tables));
  }
  return ok_status();
}

}  // namespace hdbench::bench
