#include "queries/token_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hdbench::queries {
namespace {

struct Note {
  std::string_view text;  // of the token
  std::string_view note;
};

constexpr std::string_view kOnlyRead = "tables are only read";
constexpr std::string_view kSigns = "a column's sign changes with neg";

constexpr std::array kMarkNotes = {
    Note{"[", "indexing is not supported"},
    Note{"{", "lambdas are not supported"},
    Note{";", "one query at a time"},
    Note{"-", kSigns},
};

constexpr std::array kNameNotes = {
    Note{"delete", kOnlyRead},
    Note{"insert", kOnlyRead},
    Note{"upsert", kOnlyRead},
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
  if (token.kind == TokenKind::kNumber && token.text.front() == '-') {
    note = "a minus with a blank behind it subtracts";
  }
  std::string message = "found " + shown(token);
  if (!note.empty()) message += fmt::format(" ({})", note);
  return text_error(fmt::format("{}, expected {}", message, expected), token.begin);
}

bool is_query_word(std::string_view name) {
  return name == "select" || name == "exec" || name == "update";
}

bool is_keyword(std::string_view name) {
  constexpr std::array<std::string_view, 12> kKeywords = {"select", "exec", "update", "delete",
                                                          "by",     "from", "where",  "within",
                                                          "in",     "like", "not",    "wavg"};
  return std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end();
}

}  // namespace hdbench::queries
