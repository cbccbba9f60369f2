#include "queries/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "queries/ascii.h"

namespace hdbench::queries {
namespace {

constexpr std::string_view kMarks = "=<>,:;()[]{}*+-%&|~!?@#_^$./\\'";

// What follows spaces and comments: a comment is a / behind a space or at the beginning, to the end
// of its line.
std::string_view skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const bool begins_comment = text[at] == '/' && (at == 0 || is_space(text[at - 1]));
    if (!begins_comment && !is_space(text[at])) break;
    at = begins_comment ? std::min(text.find('\n', at), text.size()) : at + 1;
  }
  return text.substr(at);
}

// What editors and web pages put in the place of a blank, at the front of the text: its name; empty
// where there is none. In a name nobody would see it.
std::string_view unicode_blank(std::string_view text) {
  struct Blank {
    std::string_view bytes;
    std::string_view name;
  };
  constexpr std::array kBlanks = {
      Blank{"\xC2\xA0", "U+00A0 (no-break space)"},
      Blank{"\xE2\x80\x89", "U+2009 (thin space)"},
      Blank{"\xE2\x80\x8B", "U+200B (zero width space)"},
      Blank{"\xE2\x80\xAF", "U+202F (narrow no-break space)"},
      Blank{"\xE3\x80\x80", "U+3000 (ideographic space)"},
      Blank{"\xEF\xBB\xBF", "U+FEFF (byte order mark)"},
  };
  for (const Blank& blank : kBlanks) {
    if (text.starts_with(blank.bytes)) return blank.name;
  }
  return {};
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> run() {
    if (text_.substr(0, kByteOrderMark.size()) == kByteOrderMark) at_ = kByteOrderMark.size();
    while (true) {
      at_ = text_.size() - skip_blanks(text_, at_).size();
      begin_ = at_;
      if (at_ == text_.size()) break;
      if (auto error = next()) return *error;
    }
    add(TokenKind::kEnd, "");
    return std::move(tokens_);
  }

 private:
  char look(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void add(TokenKind kind, std::string text) {
    tokens_.push_back({kind, begin_, at_, std::move(text)});
  }

  std::string taken() const { return std::string(text_.substr(begin_, at_ - begin_)); }

  std::optional<Error> next() {
    const char first = look(0);
    if (starts_number()) {
      number();
    } else if (is_name_letter(0) || (first == '.' && is_name_letter(1))) {
      name();
    } else if (first == '`') {
      symbol();
    } else if (first == '"') {
      return string();
    } else if (kMarks.find(first) != kMarks.npos) {
      mark();
    } else {
      const std::string_view blank = unicode_blank(text_.substr(at_));
      const auto byte = static_cast<unsigned char>(first);
      const std::string shown = !blank.empty()
                                    ? fmt::format("a character that looks like a blank, {}", blank)
                                    : fmt::format("byte 0x{:02x}", byte);
      return text_error(fmt::format("found {}, which q-SQL has no use for", shown), at_);
    }
    return std::nullopt;
  }

  bool is_name_letter(std::size_t ahead) const {
    const char c = look(ahead);
    return is_letter(c) || (is_beyond_ascii(c) && unicode_blank(text_.substr(at_ + ahead)).empty());
  }

  // Whether the previous token is an operand that ends right here: then `-` is an operator.
  bool touches_operand() const {
    if (tokens_.empty() || tokens_.back().end != at_) return false;
    const Token& last = tokens_.back();
    return last.kind != TokenKind::kMark || last.text == ")" || last.text == "]";
  }

  bool starts_number() const {
    const std::size_t sign = look(0) == '-' ? 1 : 0;
    if (sign == 1 && touches_operand()) return false;
    return is_digit(look(sign)) || (look(sign) == '.' && is_digit(look(sign + 1)));
  }

  void number() {
    if (look(0) == '-') ++at_;
    const bool is_hex = look(0) == '0' && look(1) == 'x';
    while (is_letter(look(0)) || is_digit(look(0)) || look(0) == '.' || look(0) == ':') {
      const bool is_exponent = look(0) == 'e' && at_ > begin_ && !is_hex &&
                               (look(1) == '-' || look(1) == '+') && is_digit(look(2));
      at_ += is_exponent ? 2 : 1;
    }
    add(TokenKind::kNumber, taken());
  }

  void name() {
    while (is_name_letter(0) || is_digit(look(0)) || look(0) == '.' || look(0) == '_') ++at_;
    add(TokenKind::kName, taken());
  }

  void symbol() {
    ++at_;
    bool has_colon = false;
    while (true) {
      const char c = look(0);
      const bool is_first = at_ == begin_ + 1;
      has_colon = has_colon || c == ':';
      const bool belongs = is_name_letter(0) || is_digit(c) || c == '.' || c == ':' ||
                           (c == '_' && !is_first) || (c == '/' && has_colon);
      if (!belongs) break;
      ++at_;
    }
    add(TokenKind::kSymbol, std::string(text_.substr(begin_ + 1, at_ - begin_ - 1)));
  }

  std::optional<Error> string() {
    std::string value;
    ++at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] != '\\') {
        value += text_[at_++];
        continue;
      }
      const auto escaped = escape();
      if (!escaped) {
        return text_error(
            R"(unknown escape in a string; known are \" \\ \n \r \t and \nnn (octal))", at_);
      }
      value += *escaped;
    }
    if (at_ == text_.size()) return text_error("the string is not closed by a \"", begin_);
    ++at_;
    add(TokenKind::kString, std::move(value));
    return std::nullopt;
  }

  // The character that the escape at the current place represents, taken; or nothing.
  std::optional<char> escape() {
    constexpr std::string_view kLetters = "\"\\nrt";
    constexpr std::string_view kMeanings = "\"\\\n\r\t";
    const std::size_t which = kLetters.find(look(1));
    if (which != kLetters.npos) {
      at_ += 2;
      return kMeanings[which];
    }
    int code = 0;
    for (std::size_t i = 1; i <= 3; ++i) {
      if (look(i) < '0' || look(i) > '7') return std::nullopt;
      code = code * 8 + (look(i) - '0');
    }
    if (code > 255) return std::nullopt;
    at_ += 4;
    return static_cast<char>(code);
  }

  void mark() {
    const char first = look(0);
    const char second = look(1);
    const bool is_pair =
        (first == '<' && (second == '>' || second == '=')) || (first == '>' && second == '=');
    at_ += is_pair ? 2 : 1;
    add(TokenKind::kMark, taken());
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;  // of the token being read
  std::vector<Token> tokens_;
};

struct Note {
  TokenKind kind;
  std::string_view text;  // of the token
  std::string_view note;
};

constexpr std::array kNotes = {
    Note{TokenKind::kMark, "[", "indexing is not supported"},
    Note{TokenKind::kMark, "{", "lambdas are not supported"},
    Note{TokenKind::kMark, ";", "one query at a time"},
    Note{TokenKind::kMark, "-", "a column's sign changes with neg"},
    Note{TokenKind::kName, "insert", "tables are only read"},
    Note{TokenKind::kName, "upsert", "tables are only read"},
};

std::string shown(const Token& token) {
  switch (token.kind) {
    case TokenKind::kEnd: return "the end of the query";
    case TokenKind::kString: return "a string";
    case TokenKind::kSymbol: return fmt::format("the symbol `{}", token.text);
    default: return fmt::format("'{}'", token.text);
  }
}

}  // namespace

Result<std::vector<Token>> lex(std::string_view text) { return Lexer(text).run(); }

Error unexpected(const Token& token, std::string_view expected) {
  std::string_view note;
  for (const Note& one : kNotes) {
    if (one.kind == token.kind && one.text == token.text) note = one.note;
  }
  if (token.kind == TokenKind::kNumber && token.text.front() == '-') {
    note = "a minus with a blank behind it subtracts";
  }
  std::string message = "found " + shown(token);
  if (!note.empty()) message += fmt::format(" ({})", note);
  return text_error(fmt::format("{}, expected {}", message, expected), token.begin);
}

bool is_query_word(std::string_view name) {
  return name == "select" || name == "exec" || name == "update" || name == "delete";
}

bool is_keyword(std::string_view name) {
  constexpr std::array<std::string_view, 12> kKeywords = {"select", "exec", "update", "delete",
                                                          "by",     "from", "where",  "within",
                                                          "in",     "like", "not",    "wavg"};
  return std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end();
}

}  // namespace hdbench::queries
