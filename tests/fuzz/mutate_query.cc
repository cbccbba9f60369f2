#include <algorithm>
#include <array>
#include <random>
#include <string_view>
#include <vector>

#include "tests/fuzz/mutators.h"

namespace hdbench::fuzz {
namespace {

// The columns of target_query.cc, each with what its type is compared with.
struct ColumnWords {
  std::string_view name;
  std::string_view literals;  // of its type, a space between; none for symbols and texts
};

constexpr ColumnWords kColumns[] = {
    {"date", "2019.12.27 2019.12.29 0Nd 0Wd -0Wd 2000.01.01 9999.12.31 0001.01.01 2019.12.27D01"},
    {"time", "09:30:00.000 0Nt 0Wt 23:59:59.999 00:00 -00:00:01.000 99:59:59.999 0D00:00:01"},
    {"col1", ""},
    {"col2", ""},
    {"col3", ""},
    {"bid", "0 1.5 -1.5 0n 0w -0w 99.25 1e308 1e-320 0x10 5h 9223372036854775807 0.1e"},
    {"bsize", "0 1 -1 0N 0W -0W 9223372036854775806 2.5 7i 100h 1b"},
    {"bx", "0b 1b 0 1 2 0x01 0N 0.5"},
    {"xx", "0x00 0x7f 0xff 255 -1 0N 1.5"},
    {"hx", "0h 0Nh 0Wh -0Wh 32767 -32768 1.5 100000"},
    {"ix", "0i 0Ni 0Wi -0Wi 2147483647 -2147483648 2.5 7"},
    {"ex", "0e 1.5e 0Ne 0we -0we 1.5 0.1 3.4e38"},
    {"px", "2000.01.01D00:00:00.000000001 0Np 0Wp -0Wp 2262.04.11 2000.01m 1707.09.22D01:02:03"},
    {"mx", "2000.01m 0Nm 0Wm -0Wm 9999.12m 2000.01.01 2019.12.27D01:02:03"},
    {"dx", "2000.01.01 0Nd 0Wd -0Wd 2000.01m 2000.01.01T12:00:00.000"},
    {"zx", "2000.01.01T00:00:00.000 0Nz 0Wz -0Wz 2000.01.01 2019.12m"},
    {"nx", "0D00:00:00.000000001 0Nn 0Wn -0Wn 1D 106751D 00:00:01 -1D01:02:03.004"},
    {"ux", "00:00 0Nu 0Wu -0Wu 23:59 99:59 00:00:01 0D00:01"},
    {"vx", "00:00:00 0Nv 0Wv -0Wv 23:59:59 00:01 0D00:00:01"},
    {"gx", ""},
    {"cx", ""},
    {"text", ""},
};
constexpr std::array<std::string_view, 6> kSymbols = {"`val1",  "`val2", "`",
                                                      "`other", "`none", "`$\"a b\""};
constexpr std::array<std::string_view, 7> kTexts = {"\"abc\"", "\"a*\"",    "\"*\"", "\"?[a-c]*\"",
                                                    "\"\"",    "\"[^a]*\"", "\"a\""};
constexpr std::string_view kGuid = "\"G\"$\"8c6b8b64-6815-6084-0a3e-178401251b68\"";
constexpr std::array<std::string_view, 6> kOperators = {"=", "<>", "<", "<=", ">", ">="};
constexpr std::array<std::string_view, 15> kAggregates = {
    "count", "sum", "avg", "min",  "max",  "first", "last",          "dev",
    "med",   "var", "any", "sdev", "svar", "all",   "count distinct"};
constexpr std::array<std::string_view, 5> kPairAggregates = {"wavg", "wsum", "cov", "scov", "cor"};
constexpr std::array<std::string_view, 12> kPairs = {"+", "-", "*", "%", " div ", " mod ",
                                                     "&", "|", "^", "=", "<",     " xbar "};
constexpr std::array<std::string_view, 12> kFunctions = {"neg",   "abs",  "signum", "sqrt",
                                                         "exp",   "log",  "not",    "ceiling",
                                                         "floor", "null", "`long$", "`float$"};
constexpr std::array<std::string_view, 10> kParts = {"date", "month", "year",   "mm",     "dd",
                                                     "hh",   "ss",    "minute", "second", "time"};

constexpr std::array<std::string_view, 20> kUniform = {
    "sums",   "prds",     "maxs",     "mins",   "deltas",    "ratios", "differ",
    "prev",   "next",     "fills",    "3 msum", "3 mavg",    "2 mmax", "0 mmin",
    "5 mdev", "3 mcount", "-2 xprev", "rank",   "(<) prior", "string"};
constexpr std::array<std::string_view, 8> kShapes = {
    " distinct", "[3]", "[-2]", "[1 2]", "[>bid]", "[2;<col1]", "[;>bx]", "[0] distinct"};
constexpr std::array<std::string_view, 20> kAround = {"`time xasc ",  "`col1`bid xdesc ",
                                                      "`col1 xkey ",  "ungroup ",
                                                      "`gx xasc ",    "10#",
                                                      "-3#",          "2_",
                                                      "1 3 sublist ", "0!",
                                                      "1!",           "first ",
                                                      "last ",        "count ",
                                                      "reverse ",     "asc ",
                                                      "desc ",        "fills ",
                                                      "cols ",        ".pvt.pivot "};
constexpr std::array<std::string_view, 9> kListSteps = {
    "2#", "-3#", "1_", "2 sublist ", "asc ", "desc ", "reverse ", "distinct ", "9#"};
constexpr std::array<std::string_view, 6> kLookups = {"0 1 2 bin ",     "10 20 30 ",
                                                      "(1 2!`x`y) ",    "(`val1`val2!1 2) ",
                                                      "(`s#0 5!`a`b) ", "{x-first x} "};

// One query's phrases, as text: what a mutation exchanges.
struct Phrases {
  std::string around;
  std::string verb = "select";
  std::vector<std::string> items;
  std::vector<std::string> by;
  std::string table = "quote";
  std::vector<std::string> where;
};

class Grammar {
 public:
  explicit Grammar(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t bound) { return random_() % bound; }
  bool one_in(std::size_t count) { return below(count) == 0; }

  template <typename Words>
  const auto& any(const Words& words) {
    return words[below(std::size(words))];
  }

  Phrases query(int depth = 0) {
    Phrases made;
    if (one_in(5)) made.verb = one_in(3) ? "update" : "exec";
    if (one_in(6)) made.verb += any(kShapes);
    if (one_in(8)) made.around = any(kAround);
    if (one_in(40)) made.table = "tables[]";
    if (depth < 2 && one_in(4)) made.table = table(depth + 1);
    const bool aggregates = one_in(2);
    for (std::size_t left = below(4); left > 0; --left) made.items.push_back(item(aggregates));
    if (aggregates || made.items.empty()) {
      for (std::size_t left = below(3); left > 0; --left) made.by.push_back(by_item());
    }
    for (std::size_t left = below(4); left > 0; --left) made.where.push_back(condition());
    return made;
  }

  // Exchanges, adds or takes away a part of one phrase.
  void change(Phrases& phrases) {
    switch (below(4)) {
      case 0: return change_list(phrases.items, [&] { return item(one_in(2)); });
      case 1: return change_list(phrases.by, [&] { return by_item(); });
      default: return change_list(phrases.where, [&] { return condition(); });
    }
  }

 private:
  // A query within, or a join of two.
  std::string table(int depth);

  template <typename Make>
  void change_list(std::vector<std::string>& list, const Make& make) {
    const std::size_t at = list.empty() ? 0 : below(list.size());
    switch (list.empty() ? 0 : below(4)) {
      case 0: list.push_back(make()); break;
      case 1: list[at] = make(); break;
      case 2: list.push_back(list[at]); break;
      default: list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

  std::string name() { return std::string(any(kColumns).name); }

  std::string item(bool aggregates) {
    std::string text = one_in(4) ? "n" + std::to_string(below(3)) + ":" : "";
    if (!aggregates) return text + value();
    if (one_in(8)) return text + "count i";
    if (one_in(8)) return text + aggregate() + std::string(any(kPairs)) + aggregate();
    return text + aggregate();
  }

  std::string aggregate() {
    if (one_in(6)) {
      return "(" + value() + ") " + std::string(any(kPairAggregates)) + " " + value();
    }
    return "(" + std::string(any(kAggregates)) + " " + value() + ")";
  }

  // A column, now and then an expression.
  std::string value() { return one_in(3) ? expression(0) : name(); }

  std::string expression(int depth) {
    const bool is_leaf = depth > 3 || one_in(3);
    if (one_in(24)) return std::string(any(kListSteps)) + name();
    if (one_in(24)) return std::string(any(kLookups)) + name();
    if (one_in(24)) return name() + " where (" + comparison() + ")";
    if (one_in(24)) return name() + "-" + aggregate();
    if (is_leaf && one_in(3)) return literal(any(kColumns));
    if (is_leaf && one_in(4)) return name() + "." + std::string(any(kParts));
    if (is_leaf) return one_in(12) ? "i" : name();
    const auto part = [&] { return "(" + expression(depth + 1) + ")"; };
    switch (below(7)) {
      case 0: return std::string(any(kFunctions)) + " " + part();
      case 6: return std::string(any(kUniform)) + " " + part();
      case 1: return "?[" + expression(depth + 1) + ";" + part() + ";" + part() + "]";
      case 2: return part() + " within (" + part() + ";" + part() + ")";
      default: return part() + std::string(any(kPairs)) + part();
    }
  }

  std::string by_item() { return (one_in(5) ? "k:" : "") + value(); }

  // One literal for the column, or for another one.
  std::string literal(const ColumnWords& column) {
    const ColumnWords& of = one_in(12) ? kColumns[below(std::size(kColumns))] : column;
    if (of.name.starts_with("col")) return std::string(any(kSymbols));
    if (of.name == "gx") return std::string(kGuid);
    if (of.literals.empty()) return std::string(any(kTexts));
    std::string_view words = of.literals;
    const auto spaces = static_cast<std::size_t>(std::ranges::count(words, ' '));
    for (std::size_t skip = below(spaces + 1); skip > 0; --skip) {
      words.remove_prefix(words.find(' ') + 1);
    }
    return std::string(words.substr(0, words.find(' ')));
  }

  std::string list(const ColumnWords& column, std::size_t count) {
    if (one_in(10)) return "`long$()";
    if (one_in(6)) return "enlist " + literal(column);
    std::string text = "(";
    for (std::size_t at = 0; at < count; ++at) text += (at == 0 ? "" : ";") + literal(column);
    return text + ")";
  }

  std::string comparison() {
    const ColumnWords& column = kColumns[below(std::size(kColumns))];
    const std::string left(column.name);
    switch (below(6)) {
      case 0: return left + " within " + list(column, 2);
      case 1: return left + " in " + list(column, 1 + below(4));
      case 2: return left + " like " + std::string(any(kTexts));
      case 3: return literal(column) + std::string(any(kOperators)) + left;
      default: return left + std::string(any(kOperators)) + literal(column);
    }
  }

  std::string condition() {
    if (one_in(10)) {
      const std::string keys = one_in(3) ? "([]col1;" + value() + ")" : name();
      return name() + "=(" + std::string(any(kAggregates)) + ";" + value() + ") fby " + keys;
    }
    if (one_in(10)) {
      const std::string of = one_in(4) ? "max " + name() : name();
      return name() + (one_in(3) ? "=" : " in ") + "(exec " + of + " from quote where " +
             comparison() + ")";
    }
    std::string text = one_in(4) ? expression(0) : comparison();
    for (std::size_t depth = below(8) < 6 ? 0 : below(3) + 1; depth > 0; --depth) {
      text.insert(0, one_in(2) ? "not (" : "(");
      text += ')';
    }
    return text;
  }

  std::mt19937_64 random_;
};

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? " " : ",") + part;
  return text;
}

std::string text_of(const Phrases& phrases) {
  std::string text = phrases.around + phrases.verb + joined(phrases.items);
  if (!phrases.by.empty()) text += " by" + joined(phrases.by);
  text += " from " + phrases.table;
  if (!phrases.where.empty()) text += " where" + joined(phrases.where);
  return text;
}

std::string Grammar::table(int depth) {
  std::string left = "(" + text_of(query(depth)) + ")";
  const std::string right = text_of(query(depth));
  constexpr std::string_view kWindows = "[-00:00:01.000 00:00:01.000+\\:exec time from quote;";
  switch (below(10)) {
    case 5: return left + " uj " + right;
    case 6: return left + " pj " + right;
    case 7: return "ej[`col1;" + left + ";" + right + "]";
    case 8: return left + "," + right;
    case 9:
      return (one_in(2) ? "wj" : "wj1") + std::string(kWindows) + "`col1`time;quote;(" + left +
             ";(" + std::string(any(kAggregates)) + ";`" + name() + "))]";
    case 0: return left + " lj " + right;
    case 1: return left + " ij `col1 xkey " + right;
    case 2: return "aj[`col1`time;" + left + ";" + right + "]";
    case 3: return "aj0[`time;quote;" + right + "]";
    default: return left;
  }
}

// At commas outside of strings and parentheses.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool is_quoted = false;
  for (const char c : text) {
    if (c == '"') is_quoted = !is_quoted;
    if (!is_quoted) depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0 && !is_quoted) {
      parts.emplace_back();
    } else if (c != ' ' || !parts.back().empty()) {
      parts.back() += c;
    }
  }
  return parts;
}

// The words that begin phrases are looked for as text: a string that holds one is cut wrongly, and
// what comes of it is an input like any other.
Phrases phrases_of(std::string_view text) {
  Phrases found;
  const auto cut = [&text](std::string_view word) -> std::string_view {
    const std::size_t at = text.rfind(word);
    if (at == text.npos) return {};
    const std::string_view rest = text.substr(at + word.size());
    text = text.substr(0, at);
    return rest;
  };
  if (const auto where = cut(" where "); !where.empty()) found.where = split(where);
  if (const auto table = cut(" from "); !table.empty()) found.table = table;
  if (const auto by = cut(" by "); !by.empty()) found.by = split(by);
  const std::size_t space = std::min(text.find(' '), text.size());
  if (text.substr(0, space) == "exec") found.verb = "exec";
  if (space + 1 < text.size()) found.items = split(text.substr(space + 1));
  return found;
}

}  // namespace

void mutate_query(std::string& text, std::size_t room, unsigned seed, const MutateBytes& mutate) {
  Grammar grammar(seed);
  if (grammar.one_in(10)) return mutate(text, room);
  const bool is_query = text.starts_with("select") || text.starts_with("exec");
  Phrases phrases = !is_query || grammar.one_in(8) ? grammar.query() : phrases_of(text);
  for (std::size_t changes = 1 + grammar.below(3); changes > 0; --changes) grammar.change(phrases);
  std::string made = text_of(phrases);
  if (made.size() > room) made = "select from quote";
  if (made.size() <= room) text = std::move(made);
}

}  // namespace hdbench::fuzz
