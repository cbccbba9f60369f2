#include "bench/model/query_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>

#include "bench/model/query_check.h"
#include "engine/base/byte_stream.h"
#include "engine/base/file_handle.h"
#include "engine/base/text.h"
#include "queries/query_file.h"

namespace hdbench::bench {
namespace {

Error param_error(const std::string& word, const std::string& reason) {
  return usage_error(fmt::format("--param: {}: {}", word, reason));
}

Result<Literal> value_of(const std::string& word, const std::string& value) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(value, ignored)) {
    Result<Literal> literal = parse_param(value);
    if (literal.ok()) return literal;
    return param_error(word,
                       fmt::format("no such file, and as a value: {}", literal.error().message));
  }
  const Result<std::string> text = read_text(value, kParamBytesMax);
  if (!text.ok()) return param_error(word, text.error().message);
  Result<Literal> list = parse_param_lines(*text);
  if (!list.ok()) return param_error(word, list.error().message);
  return list;
}

// The place, and where q has what hdbench lacks, what would do.
Error with_advice(Error error, std::string_view text) {
  const std::string instead =
      error.caret && error.message.find("not supported yet") != std::string::npos
          ? instead_of(text, *error.caret, error.message)
          : "";
  error = show_place(std::move(error), text);
  if (!instead.empty()) error.place += "\n  instead: " + instead;
  return error;
}

}  // namespace

Error show_place(Error error, std::string_view text) {
  if (!error.caret) return error;
  std::string blanks;
  for (const char c : printable(text.substr(0, std::min(*error.caret, text.size())))) {
    const bool continues_a_character = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (!continues_a_character) blanks += c == '\t' ? '\t' : ' ';
  }
  error.place = fmt::format("{}\n{}^", printable(text), blanks);
  error.caret.reset();
  return error;
}

Error error_in(const ListedQuery& listed, Error error) {
  if (!listed.origin.empty()) error.message = listed.origin + ": " + error.message;
  return with_advice(std::move(error), listed.query.text);
}

Result<std::vector<ListedQuery>> one_query(std::string_view text, QueryParams params) {
  const QueryFile whole = read_query_text(text, "the text");
  const bool is_one = whole.errors.empty() && whole.entries.size() == 1;
  const std::string one = is_one ? whole.entries.front().text : std::string(text);
  Result<Query> query = parse_query(one);
  if (!query.ok()) return with_advice(query.error(), one);
  std::vector<ListedQuery> queries;
  queries.push_back({1, std::move(*query), std::nullopt, {}, {}, std::move(params)});
  return queries;
}

Result<std::vector<ListedQuery>> queries_of_file(const std::filesystem::path& file,
                                                 std::optional<int> id, const QueryParams& params,
                                                 std::vector<std::string>* left_out) {
  HDB_ASSIGN(const std::vector<QueryEntry> entries, read_query_file(file));
  std::vector<ListedQuery> queries;
  std::optional<Error> first;
  for (const QueryEntry& entry : entries) {
    if (id && entry.id != *id) continue;
    std::string origin = fmt::format("{}: query {}", file.string(), entry.id);
    Result<Query> query = parse_query(entry.text);
    if (!query.ok()) {
      Error error = query.error();
      error.message = fmt::format("{}: {}", origin, error.message);
      if (left_out == nullptr) return with_advice(std::move(error), entry.text);
      left_out->push_back(error.message);
      if (!first) first = with_advice(std::move(error), entry.text);
      continue;
    }
    queries.push_back({entry.id, std::move(*query), entry.expected_rows_scale1, entry.name,
                       std::move(origin), params});
  }
  if (!queries.empty()) return queries;
  if (first) return std::move(*first);
  std::string known;
  for (const QueryEntry& entry : entries) {
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.id);
  }
  return usage_error(
      fmt::format("{}: no query {}: it has {}", file.string(), id.value_or(0), known));
}

std::string hash_of(const std::vector<ListedQuery>& queries) {
  ByteSink all;
  const auto put_value = [&](const auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
      all.put_text(value);
    } else {
      all.put(value);
    }
  };
  for (const ListedQuery& listed : queries) {
    all.put(listed.id);
    all.put_text(listed.query.text);
    for (const auto& [name, literal] : listed.params) {
      all.put_text(name);
      for (const auto& atom : literal.atoms) {
        all.put(atom.type);
        std::visit(put_value, atom.value);
      }
    }
  }
  return fmt::format("{:016x}", XXH3_64bits(all.bytes().data(), all.bytes().size()));
}

std::vector<std::string> tables_of(const std::vector<ListedQuery>& queries) {
  std::vector<std::string> names;
  for (const ListedQuery& listed : queries) {
    for (const Name& table : listed.query.tables) {
      if (std::find(names.begin(), names.end(), table.text) == names.end())
        names.push_back(table.text);
    }
  }
  return names;
}

Status require_tables(const Query& query, const Database& database) {
  const std::vector<std::string> known = database.table_names();
  for (const Name& table : query.tables) {
    if (std::find(known.begin(), known.end(), table.text) != known.end()) continue;
    const auto directories = database.table_directories(table.text);
    if (!directories.ok() && directories.error().kind == ErrorKind::kData) {
      return directories.error();
    }
    return text_error(fmt::format("{}: no table '{}': it has {}", database.root().string(),
                                  table.text, fmt::join(known, ", ")),
                      table.position);
  }
  return ok_status();
}

Status require_tables(const std::vector<ListedQuery>& queries, const Database& database) {
  for (const ListedQuery& listed : queries) {
    const Status status = require_tables(listed.query, database);
    if (!status.ok()) return error_in(listed, status.error());
  }
  return ok_status();
}

Result<QueryParams> read_query_params(const std::vector<std::string>& words) {
  QueryParams params;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == word.size())
      return param_error(word, "expected NAME=FILE or NAME=VALUE");
    HDB_ASSIGN(Literal value, value_of(word, word.substr(equals + 1)));
    if (!params.emplace(word.substr(0, equals), std::move(value)).second)
      return param_error(word, "this name has a value already");
  }
  return params;
}

}  // namespace hdbench::bench
