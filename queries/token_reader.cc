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
    Note{"distinct", "distinct is not supported"},
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

Error unexpected(const Token& token, std::string_view expected) {
  std::string_view note;
  if (token.kind == TokenKind::kMark) note = find_note(kMarkNotes, token.text);
  if (token.kind == TokenKind::kName) note = find_note(kNameNotes, token.text);
  std::string message = "found " + shown(token);
  if (!note.empty()) message += fmt::format(" ({})", note);
  return text_error(fmt::format("{}, expected {}", message, expected), token.begin);
}

bool is_unsupported_infix(std::string_view name) {
  constexpr std::array<std::string_view, 13> kInfix = {
      "and", "or", "fby", "div", "mod", "xbar", "lj", "ij", "uj", "pj", "ej", "asof", "insert"};
  return std::find(kInfix.begin(), kInfix.end(), name) != kInfix.end();
}

bool is_keyword(std::string_view name) {
  constexpr std::array<std::string_view, 12> kKeywords = {"select", "exec", "update", "delete",
                                                          "by",     "from", "where",  "within",
                                                          "in",     "like", "not",    "wavg"};
  return std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end();
}

}  // namespace hdbench
