// Parses the queries of a command, from text or a file, with errors that show the place.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/base/layers.h"
#include "engine/base/result.h"
#include "engine/storage/database.h"
#include "queries/literal/literal_parser.h"
#include "queries/query.h"

namespace hdbench::bench {

struct ListedQuery {
  int id = 0;
  Query query;
  std::optional<std::uint64_t> expected_rows_scale1;
  std::string name = {};    // what it asks, by its file's comment; empty: not said
  std::string origin = {};  // "FILE: query N"; empty where the text was given by itself
  QueryParams params = {};  // values of names in it that are no columns
};

// A query's text error with its place: the text, and a caret below it. Other errors stay as they
// are.
Error show_place(Error error, std::string_view text);

// An error of a query, with where the query is written.
Error error_in(const ListedQuery& listed, Error error);

// The one query of a text, which is read as a file's.
Result<std::vector<ListedQuery>> one_query(std::string_view text, QueryParams params = {});

// All queries of the file, or the one of this id. One that cannot be parsed is left out, if there
// are others, with a line that says why; without `left_out` it is the error. Errors: kUsage, also
// for an id that the file lacks.
Result<std::vector<ListedQuery>> queries_of_file(const std::filesystem::path& file,
                                                 std::optional<int> id,
                                                 const QueryParams& params = {},
                                                 std::vector<std::string>* left_out = nullptr);

// XXH3 of their numbers, texts and the values of their names.
std::string hash_of(const std::vector<ListedQuery>& queries);

// The tables that the queries name, each once.
std::vector<std::string> tables_of(const std::vector<ListedQuery>& queries);

// Errors: kUsage with the caret, for a query of a table that the database does not have; kData for
// one whose directory is a link that leads nowhere.
Status require_tables(const Query& query, const Database& database);
// The first one's, with the place.
Status require_tables(const std::vector<ListedQuery>& queries, const Database& database);

// The values of --param.
// Of words NAME=FILE or NAME=VALUE: the lines of a regular file of that name, else the value that q
// writes so. Errors: kUsage naming the flag and the word: no name, one given twice, a file of more
// than kParamBytesMax or with no value, what is neither.
Result<QueryParams> read_query_params(const std::vector<std::string>& words);

constexpr std::size_t kParamBytesMax = std::size_t{16} << 20;

}  // namespace hdbench::bench
