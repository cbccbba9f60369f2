#include "bench/model/param_words.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/base/file_handle.h"

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

}  // namespace

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
