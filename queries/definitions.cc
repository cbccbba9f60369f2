#include "queries/definitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace hdbench::queries {
namespace {

using Tokens = std::vector<Token>;
using View = std::span<const Token>;

// Lambdas within lambdas multiply: no text of a desk comes near.
constexpr std::size_t kExpandedTokensMax = 100'000;

bool is_mark(const Token& token, std::string_view mark) {
  return token.kind == TokenKind::kMark && token.text == mark;
}
bool is_name(const Token& token, std::string_view name) {
  return token.kind == TokenKind::kName && token.text == name;
}
bool opens(const Token& token) {
  return is_mark(token, "(") || is_mark(token, "[") || is_mark(token, "{");
}
bool closes(const Token& token) {
  return is_mark(token, ")") || is_mark(token, "]") || is_mark(token, "}");
}

// Behind what closes the bracket that opens at `at`; the size where nothing does.
std::size_t behind_bracket(View tokens, std::size_t at) {
  std::size_t depth = 0;
  for (; at < tokens.size(); ++at) {
    if (opens(tokens[at])) ++depth;
    if (closes(tokens[at]) && --depth == 0) return at + 1;
  }
  return tokens.size();
}

// The parts between these marks that stand in no brackets.
std::vector<View> split(View tokens, std::string_view mark) {
  std::vector<View> parts;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < tokens.size();) {
    if (opens(tokens[at])) {
      at = behind_bracket(tokens, at);
      continue;
    }
    if (is_mark(tokens[at], mark)) {
      parts.push_back(tokens.subspan(begin, at - begin));
      begin = at + 1;
    }
    ++at;
  }
  parts.push_back(tokens.subspan(begin));
  return parts;
}

// Where an argument without brackets ends: all that an operator's right side would be.
std::size_t behind_argument(View tokens, std::size_t at) {
  bool has_query = false;
  while (at < tokens.size() && !closes(tokens[at]) && !is_mark(tokens[at], ";")) {
    const bool ends_phrase = is_mark(tokens[at], ",") || is_name(tokens[at], "from") ||
                             is_name(tokens[at], "where") || is_name(tokens[at], "by");
    if (ends_phrase && !has_query) break;
    has_query |= tokens[at].kind == TokenKind::kName && is_query_word(tokens[at].text);
    at = opens(tokens[at]) ? behind_bracket(tokens, at) : at + 1;
  }
  return at;
}

bool is_definition(View statement) {
  return statement.size() > 2 && statement[0].kind == TokenKind::kName &&
         is_mark(statement[1], ":") && !is_keyword(statement[0].text);
}

struct Definition {
  bool is_lambda = false;
  std::vector<std::string> parameters = {};
  Tokens body;
};

class Expander {
 public:
  Result<Tokens> run(View tokens) {
    std::vector<View> statements = split(tokens.first(tokens.size() - 1), ";");
    while (statements.size() > 1 && statements.back().empty()) statements.pop_back();
    for (std::size_t s = 0; s + 1 < statements.size(); ++s) {
      const View statement = statements[s];
      if (!is_definition(statement))
        return unexpected(statements[s + 1].data()[-1], "the end of the query");
      HDB_ASSIGN(Definition made, define(statement[0], statement.subspan(2)));
      definitions_.insert_or_assign(statement[0].text, std::move(made));
    }
    HDB_ASSIGN(Tokens expanded, expand(statements.back(), 0));
    expanded.push_back(tokens.back());
    return expanded;
  }

 private:
  static Error not_closed(const Token& open) {
    return text_error(fmt::format("'{}' is not closed", open.text), open.begin);
  }

  Result<Definition> define(const Token& name, View tokens) {
    const auto itself = std::find_if(tokens.begin(), tokens.end(),
                                     [&](const Token& token) { return is_name(token, name.text); });
    const bool is_lambda =
        is_mark(tokens.front(), "{") && behind_bracket(tokens, 0) == tokens.size();
    if (is_lambda && itself != tokens.end()) {
      return text_error(fmt::format("recursion is not supported: {} calls itself", name.text),
                        itself->begin);
    }
    if (is_lambda) return lambda(tokens, 0);
    Definition made;
    HDB_ASSIGN(made.body, expand(tokens, 0));
    return made;
  }

  // {[a;b] expression}; without a list of parameters they are x, y and z.
  Result<Definition> lambda(View tokens, int depth) {
    if (!is_mark(tokens.back(), "}")) return not_closed(tokens.front());
    Definition made{true, {}, {}};
    View body = tokens.subspan(1, tokens.size() - 2);
    const bool has_list = !body.empty() && is_mark(body.front(), "[");
    if (has_list) {
      const std::size_t end = behind_bracket(body, 0);
      if (!is_mark(body[end - 1], "]")) return not_closed(body.front());
      for (const View name : split(body.subspan(1, end - 2), ";")) {
        if (name.size() != 1 || name[0].kind != TokenKind::kName)
          return text_error("a lambda's parameters are names: {[a;b] ...}", body.front().begin);
        made.parameters.push_back(name[0].text);
      }
      body = body.subspan(end);
    }
    for (const Token& token : body) {
      if (is_mark(token, ":") && is_assigned(body, token))
        return text_error("assignments in lambdas are not supported: a lambda is one expression",
                          token.begin);
    }
    const std::vector<View> expressions = split(body, ";");
    if (body.empty() || expressions.size() > 1) {
      return text_error("a lambda of several expressions is not supported: write one",
                        body.empty() ? tokens.front().begin : expressions[1].data()[-1].begin);
    }
    HDB_ASSIGN(made.body, expand(body, depth + 1));
    if (has_list) return made;
    constexpr std::array<std::string_view, 3> kImplicit = {"x", "y", "z"};
    std::size_t used = 1;
    for (std::size_t p = 0; p < kImplicit.size(); ++p) {
      const auto reads = [&](const Token& token) { return reads_parameter(token, kImplicit[p]); };
      if (std::any_of(made.body.begin(), made.body.end(), reads)) used = p + 1;
    }
    made.parameters.assign(kImplicit.begin(),
                           kImplicit.begin() + static_cast<std::ptrdiff_t>(used));
    return made;
  }

  // Names of columns, `select a:x from ...`, assign nothing.
  static bool is_assigned(View body, const Token& colon) {
    return std::none_of(body.data(), &colon, [](const Token& token) {
      return token.kind == TokenKind::kName && is_query_word(token.text);
    });
  }

  // x, or a part of it: x.minute.
  static bool reads_parameter(const Token& token, std::string_view name) {
    return token.kind == TokenKind::kName &&
           (token.text == name ||
            (token.text.starts_with(name) && token.text.size() > name.size() &&
             token.text[name.size()] == '.'));
  }

  Result<Tokens> expand(View tokens, int depth) {
    if (depth > kDepthMax) return text_error("nested too deeply", tokens.front().begin);
    Tokens made;
    for (std::size_t at = 0; at < tokens.size();) {
      HDB_TRY(not_too_long(made, tokens[at]));
      const Token& token = tokens[at];
      const bool is_alias = at + 1 < tokens.size() && is_mark(tokens[at + 1], ":");
      if (is_mark(token, "{")) {
        const std::size_t end = behind_bracket(tokens, at);
        HDB_ASSIGN(const Definition one, lambda(tokens.subspan(at, end - at), depth));
        HDB_ASSIGN(at, call(one, tokens, at, end, depth, made));
        continue;
      }
      const Definition* known = is_alias ? nullptr : find(token);
      if (known != nullptr && known->is_lambda) {
        HDB_ASSIGN(at, call(*known, tokens, at, at + 1, depth, made));
        continue;
      }
      if (known != nullptr) {
        put(known->body, token, at + 1 < tokens.size() ? &tokens[at + 1] : nullptr, made);
      } else if (const Definition* whole = is_alias ? nullptr : find_whole(token)) {
        put_column_of(*whole, token, made);
      } else {
        made.push_back(token);
      }
      ++at;
    }
    if (!tokens.empty()) HDB_TRY(not_too_long(made, tokens.back()));
    return made;
  }

  static Status not_too_long(View made, const Token& place) {
    if (made.size() <= kExpandedTokensMax) return ok_status();
    return text_error("what the lambdas stand for is too long", place.begin);
  }

  const Definition* find(const Token& token) const {
    const auto found =
        token.kind == TokenKind::kName ? definitions_.find(token.text) : definitions_.end();
    return found == definitions_.end() ? nullptr : &found->second;
  }

  // Of t.time the definition of t.
  const Definition* find_whole(const Token& token) const {
    const std::size_t dot = token.text.find('.');
    if (token.kind != TokenKind::kName || dot == 0 || dot == std::string::npos) return nullptr;
    const auto found = definitions_.find(token.text.substr(0, dot));
    return found == definitions_.end() || found->second.is_lambda ? nullptr : &found->second;
  }

  static Token at_place(TokenKind kind, std::string text, std::size_t begin, std::size_t end) {
    return {kind, begin, end, std::move(text)};
  }

  // A number stays one where no other stands beside it: n#t, select[n].
  static void put(View body, const Token& token, const Token* next, Tokens& made) {
    const auto is_literal = [](const Token& one) {
      return one.kind == TokenKind::kNumber || one.kind == TokenKind::kSymbol ||
             one.kind == TokenKind::kString;
    };
    const bool stands_alone =
        (made.empty() || !is_literal(made.back())) && (next == nullptr || !is_literal(*next));
    if (body.size() != 1 || body.front().kind != TokenKind::kNumber || !stands_alone)
      return put_in_parentheses(body, token.begin, token.end, made);
    made.push_back(body.front());
    made.back().begin = token.begin;
    made.back().end = token.end;
  }

  static void put_in_parentheses(View body, std::size_t begin, std::size_t end, Tokens& made) {
    made.push_back(at_place(TokenKind::kMark, "(", begin, end));
    made.insert(made.end(), body.begin(), body.end());
    made.push_back(at_place(TokenKind::kMark, ")", begin, end));
  }

  // t.time of a table t that was defined: exec time from t.
  static void put_column_of(const Definition& table, const Token& token, Tokens& made) {
    Tokens query;
    const auto word = [&](const std::string& text) {
      query.push_back(at_place(TokenKind::kName, text, token.begin, token.end));
    };
    word("exec");
    word(token.text.substr(token.text.find('.') + 1));
    word("from");
    put_in_parentheses(table.body, token.begin, token.end, query);
    put_in_parentheses(query, token.begin, token.end, made);
  }

  // The call of the lambda that ends before `end`; returns what is behind it.
  Result<std::size_t> call(const Definition& lambda, View tokens, std::size_t at, std::size_t end,
                           int depth, Tokens& made) {
    const bool is_mapped =
        end < tokens.size() && (is_name(tokens[end], "each") || is_name(tokens[end], "peach"));
    if (is_mapped) {
      HDB_TRY(put_mapped(lambda, tokens[at], made));
      return end;
    }
    std::vector<Tokens> arguments;
    std::size_t behind = end;
    if (end < tokens.size() && is_mark(tokens[end], "[")) {
      behind = behind_bracket(tokens, end);
      if (!is_mark(tokens[behind - 1], "]")) return not_closed(tokens[end]);
      for (const View part : split(tokens.subspan(end + 1, behind - end - 2), ";")) {
        HDB_ASSIGN(Tokens argument, expand(part, depth + 1));
        arguments.push_back(std::move(argument));
      }
    } else {
      behind = behind_argument(tokens, end);
      HDB_ASSIGN(Tokens argument, expand(tokens.subspan(end, behind - end), depth + 1));
      arguments.push_back(std::move(argument));
    }
    for (const Tokens& argument : arguments) {
      if (argument.empty()) return text_error("the lambda's argument is missing", tokens[at].begin);
    }
    if (arguments.size() != lambda.parameters.size()) {
      return text_error(fmt::format("'rank: the lambda takes {} arguments, found {}",
                                    lambda.parameters.size(), arguments.size()),
                        tokens[at].begin);
    }
    HDB_ASSIGN(const Tokens body, replaced(lambda, arguments, tokens[at]));
    put_in_parentheses(body, tokens[at].begin, tokens[behind - 1].end, made);
    return behind;
  }

  // The body with the arguments in the places of the parameters.
  static Result<Tokens> replaced(const Definition& lambda, const std::vector<Tokens>& arguments,
                                 const Token& place) {
    Tokens made;
    for (const Token& token : lambda.body) {
      const bool is_last = &token == &lambda.body.back();
      HDB_TRY(not_too_long(made, place));
      std::size_t p = 0;
      while (p < arguments.size() && !reads_parameter(token, lambda.parameters[p])) ++p;
      if (p == arguments.size()) {
        made.push_back(token);
        continue;
      }
      const Tokens& argument = arguments[p];
      const std::string part = token.text.substr(lambda.parameters[p].size());
      if (argument.size() == 1 && argument.front().kind == TokenKind::kName) {
        made.push_back(argument.front());
        made.back().text += part;
        continue;
      }
      const std::size_t begin = argument.front().begin;
      const std::size_t end = argument.back().end;
      if (!part.empty()) {
        made.push_back(at_place(TokenKind::kSymbol, part.substr(1), begin, end));
        made.push_back(at_place(TokenKind::kMark, "$", begin, end));
      }
      put(argument, at_place(TokenKind::kName, token.text, begin, end),
          is_last ? nullptr : &token + 1, made);
    }
    return made;
  }

  // {...} with x for its parameter, for each.
  static Status put_mapped(const Definition& lambda, const Token& where, Tokens& made) {
    if (lambda.parameters.size() != 1)
      return text_error("'rank: each takes a lambda of one parameter", where.begin);
    made.push_back(at_place(TokenKind::kMark, "{", where.begin, where.end));
    for (const Token& token : lambda.body) {
      made.push_back(token);
      if (reads_parameter(token, lambda.parameters[0]))
        made.back().text.replace(0, lambda.parameters[0].size(), "x");
    }
    made.push_back(at_place(TokenKind::kMark, "}", where.begin, where.end));
    return ok_status();
  }

  static constexpr int kDepthMax = 100;

  std::map<std::string, Definition, std::less<>> definitions_;
};

}  // namespace

std::vector<std::string> defined_names(std::string_view text) {
  const auto tokens = lex(text);
  if (!tokens.ok()) return {};
  std::vector<std::string> names;
  for (const View statement : split(View(*tokens).first(tokens->size() - 1), ";")) {
    if (statement.empty()) continue;
    if (!is_definition(statement)) return {};
    names.push_back(statement[0].text);
  }
  return names;
}

bool names_any(std::string_view text, const std::vector<std::string>& names) {
  const auto tokens = lex(text);
  if (!tokens.ok()) return false;
  return std::any_of(tokens->begin(), tokens->end(), [&](const Token& token) {
    const std::string whole = token.text.substr(0, token.text.find('.'));
    return token.kind == TokenKind::kName &&
           std::any_of(names.begin(), names.end(), [&](const std::string& name) {
             return name == token.text || name == whole;
           });
  });
}

Result<std::vector<Token>> expand_definitions(std::vector<Token> tokens) {
  const auto needs = [](const Token& token) { return is_mark(token, "{") || is_mark(token, ";"); };
  if (std::none_of(tokens.begin(), tokens.end(), needs)) return tokens;
  return Expander().run(tokens);
}

}  // namespace hdbench::queries
