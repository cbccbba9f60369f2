#include "queries/token_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hdbench {
namespace {

struct Note {
  std::string_view text;  // of the token
  std::string_view note;
};

constexpr std::string_view kArithmetic = "arithmetic is not supported";
constexpr std::string_view kJoins = "joins are not supported";
constexpr std::string_view kCommas = "conditions are joined with commas only";
constexpr std::string_view kNested = "nested queries are not supported";
constexpr std::string_view kFunctions = "functions are not supported";
constexpr std::string_view kBrackets = "brackets are not supported";

constexpr std::array kMarkNotes = {
    Note{"+", kArithmetic}, Note{"-", kArithmetic},
    Note{"*", kArithmetic}, Note{"%", kArithmetic},
    Note{"&", kCommas},     Note{"|", kCommas},
    Note{"[", kBrackets},   Note{"]", kBrackets},
    Note{"{", kFunctions},  Note{";", "one query at a time"},
};

constexpr std::array kNameNotes = {
    Note{"and", kCommas},
    Note{"or", kCommas},
    Note{"fby", "fby is not supported"},
    Note{"select", kNested},
    Note{"exec", kNested},
    Note{"update", "tables are only read"},
    Note{"delete", "tables are only read"},
    Note{"insert", "tables are only read"},
    Note{"upsert", "tables are only read"},
    Note{"div", kArithmetic},
    Note{"mod", kArithmetic},
    Note{"xbar", "xbar is not supported"},
    Note{"lj", kJoins},
    Note{"ij", kJoins},
    Note{"uj", kJoins},
    Note{"pj", kJoins},
    Note{"ej", kJoins},
    Note{"aj", kJoins},
    Note{"wj", kJoins},
    Note{"asof", kJoins},
};

// q's functions of one argument: before an operand they are no column.
constexpr std::array<std::string_view, 66> kFunctionWords = {
    "abs",      "acos",    "all",   "any",    "asc",   "asin",   "atan",   "attr",  "avg",
    "avgs",     "ceiling", "cols",  "cos",    "count", "deltas", "desc",   "dev",   "differ",
    "distinct", "enlist",  "exp",   "fills",  "first", "fkeys",  "flip",   "floor", "group",
    "hcount",   "iasc",    "idesc", "inv",    "key",   "keys",   "last",   "log",   "lower",
    "ltrim",    "max",     "maxs",  "med",    "meta",  "min",    "mins",   "neg",   "next",
    "not",      "null",    "prd",   "prds",   "prev",  "rank",   "ratios", "raze",  "reciprocal",
    "reverse",  "rtrim",   "sdev",  "signum", "sin",   "sqrt",   "string", "sum",   "sums",
    "type",     "upper",   "value"};

template <typename Words>
bool contains(const Words& words, std::string_view text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

// Names that q writes between two operands: what stands before them is no function.
bool is_unsupported_infix(std::string_view name) {
  constexpr std::array<std::string_view, 13> kInfix = {
      "and", "or", "fby", "div", "mod", "xbar", "lj", "ij", "uj", "pj", "ej", "asof", "insert"};
  return contains(kInfix, name);
}

bool begins_operand(const Token& token) {
  switch (token.kind) {
    case TokenKind::kNumber:
    case TokenKind::kSymbol:
    case TokenKind::kString: return true;
    case TokenKind::kName: return !is_keyword(token.text) && !is_unsupported_infix(token.text);
    case TokenKind::kMark: return token.text == "(" || token.text == "[";
    case TokenKind::kEnd: return false;
  }
  return false;
}

template <typename Notes>
std::string_view find_note(const Notes& notes, std::string_view text) {
  for (const Note& note : notes) {
    if (note.text == text) return note.note;
  }
  return "";
}

std::string shown(const Token& token) {
  switch (token.kind) {
    case TokenKind::kEnd: return "the end of the query";
    case TokenKind::kString: return "a string";
    case TokenKind::kSymbol: return fmt::format("the symbol `{}", token.text);
    default: return fmt::format("'{}'", token.text);
  }
}

}  // namespace

bool TokenReader::at_function() const {
  return peek().kind == TokenKind::kName && contains(kFunctionWords, peek().text) &&
         begins_operand(peek(1));
}

Error unexpected(const Token& token, std::string_view expected) {
  std::string_view note;
  if (token.kind == TokenKind::kMark) note = find_note(kMarkNotes, token.text);
  if (token.kind == TokenKind::kName) note = find_note(kNameNotes, token.text);
  if (token.kind == TokenKind::kName && contains(kFunctionWords, token.text)) note = kFunctions;
  std::string message = "found " + shown(token);
  if (!note.empty()) message += fmt::format(" ({})", note);
  return text_error(fmt::format("{}, expected {}", message, expected), token.begin);
}

bool is_keyword(std::string_view name) {
  constexpr std::array<std::string_view, 12> kKeywords = {"select", "exec", "update", "delete",
                                                          "by",     "from", "where",  "within",
                                                          "in",     "like", "not",    "wavg"};
  return contains(kKeywords, name);
}

}  // namespace hdbench
