#include "queries/functional_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "queries/expression/functions.h"
#include "queries/literal/literal_parser.h"
#include "queries/query_parser.h"
#include "queries/table_parser.h"

namespace hdbench::queries {
namespace {

// A value of a form: a literal, a function, a list, or a dictionary (two lists).
struct Tree {
  enum class Kind : std::uint8_t { kLiteral, kFunction, kList, kDictionary } kind = Kind::kList;
  Token token = {};      // where it begins; kFunction: its name
  Literal literal = {};  // kLiteral
  std::vector<Tree> items = {};

  bool is_list() const { return kind == Kind::kList; }
  // At least one.
  bool is_symbols() const {
    return kind == Kind::kLiteral && literal.type == QType::kSymbol && !literal.atoms.empty();
  }
  bool is_true_or_false(int value) const {
    return kind == Kind::kLiteral && literal.type == QType::kBoolean && !literal.is_list &&
           literal.atoms.size() == 1 &&
           std::get<std::int64_t>(literal.atoms.front().value) == value;
  }
};

// What q shows of a function that its words have another name for.
struct ShownFunction {
  std::string_view shown;
  std::string_view name;
};
constexpr auto kShownFunctions = std::to_array<ShownFunction>({{"#", "count"},
                                                               {"*", "first"},
                                                               {"~", "not"},
                                                               {"-", "neg"},
                                                               {"%", "reciprocal"},
                                                               {"?", "distinct"},
                                                               {"<", "iasc"},
                                                               {">", "idesc"}});

class TreeParser {
 public:
  explicit TreeParser(TokenReader& reader) : reader_(reader) {}

  Result<Tree> value(int depth) {
    if (depth > kSyntaxDepthMax) return text_error("nested too deeply", reader_.peek().begin);
    HDB_ASSIGN(Tree left, primary(depth));
    if (!reader_.at_mark("!")) return left;
    Tree dictionary{Tree::Kind::kDictionary, reader_.take()};
    HDB_ASSIGN(Tree right, value(depth + 1));
    dictionary.items.push_back(std::move(left));
    dictionary.items.push_back(std::move(right));
    return dictionary;
  }

 private:
  Result<Tree> primary(int depth) {
    const Token token = reader_.peek();
    if (depth > kSyntaxDepthMax) return text_error("nested too deeply", token.begin);
    if (token.kind == TokenKind::kEnd) return unexpected(token, "a value");
    if (reader_.accept_mark("(")) return list(token, depth);
    if (reader_.at_name("enlist") && !reader_.at_mark(";", 1)) {
      reader_.take();
      return enlisted(token, depth);
    }
    if (token.kind == TokenKind::kName) {
      return Tree{Tree::Kind::kFunction, reader_.take()};
    }
    if (token.kind != TokenKind::kMark) return literal(token);
    if (token.text == ",") {
      reader_.take();
      return enlisted(token, depth);
    }
    constexpr std::string_view kClosing = ")];";
    if (kClosing.find(token.text) != kClosing.npos) return unexpected(token, "a value");
    Tree function{Tree::Kind::kFunction, reader_.take()};
    if (reader_.accept_mark(":")) {
      for (const ShownFunction& one : kShownFunctions) {
        if (one.shown == token.text) function.token.text = one.name;
      }
    }
    return function;
  }

  // 0#` is an empty list.
  Result<Tree> literal(const Token& token) {
    Tree made{Tree::Kind::kLiteral, token};
    HDB_ASSIGN(made.literal, parse_literal(reader_));
    if (!reader_.accept_mark("#")) return made;
    HDB_ASSIGN(const Literal of, parse_literal(reader_));
    const bool is_one = made.literal.atoms.size() == 1;
    const auto* count =
        is_one ? std::get_if<std::int64_t>(&made.literal.atoms.front().value) : nullptr;
    if (count == nullptr || *count != 0)
      return text_error("found #, expected 0#` for an empty list", of.begin);
    return Tree{Tree::Kind::kList, token};
  }

  // Behind enlist: the item itself, or in brackets or parentheses.
  Result<Tree> enlisted(const Token& token, int depth) {
    Tree made{Tree::Kind::kList, token};
    const bool has_brackets = reader_.accept_mark("[");
    HDB_ASSIGN(Tree item, has_brackets ? value(depth + 1) : primary(depth + 1));
    if (has_brackets && !reader_.accept_mark("]")) return unexpected(reader_.peek(), "']'");
    made.items.push_back(std::move(item));
    return made;
  }

  // (a;b), () and (a), which is a.
  Result<Tree> list(const Token& open, int depth) {
    Tree made{Tree::Kind::kList, open};
    if (reader_.accept_mark(")")) return made;
    do {
      HDB_ASSIGN(Tree item, value(depth + 1));
      made.items.push_back(std::move(item));
    } while (reader_.accept_mark(";"));
    if (!reader_.accept_mark(")")) return unexpected(reader_.peek(), "';' or ')'");
    if (made.items.size() > 1) return made;
    Tree only = std::move(made.items.front());
    return only;
  }

  TokenReader& reader_;
};

Error no_tree(const Tree& tree, std::string_view expected) {
  return text_error(fmt::format("the form has another value here, expected {}", expected),
                    tree.token.begin);
}

Syntax literal_syntax(Literal literal) {
  Syntax made{SyntaxKind::kLiteral, {}, literal.begin, {}, {}, literal.begin, literal.end};
  made.literal = std::move(literal);
  return made;
}

Syntax column_syntax(const Tree& tree) {
  const Atom& atom = tree.literal.atoms.front();
  return {
      SyntaxKind::kName, std::get<std::string>(atom.value), atom.position, {}, {}, tree.token.begin,
      tree.token.end};
}

// Symbols are columns, enlisted ones symbols.
Result<Syntax> to_expression(const Tree& tree) {
  if (tree.kind == Tree::Kind::kLiteral) {
    if (!tree.is_symbols()) return literal_syntax(tree.literal);
    if (tree.literal.is_list) return no_tree(tree, "one column, or enlist and symbols");
    return column_syntax(tree);
  }
  if (tree.kind == Tree::Kind::kFunction) {
    return Syntax{SyntaxKind::kName, tree.token.text, tree.token.begin, {}, {},
                  tree.token.begin,  tree.token.end};
  }
  if (tree.kind == Tree::Kind::kDictionary || tree.items.empty())
    return no_tree(tree, "an expression");
  const Tree& head = tree.items.front();
  if (tree.items.size() == 1 && head.is_symbols()) return literal_syntax(head.literal);
  std::vector<Syntax> items;
  const bool is_call = head.kind == Tree::Kind::kFunction && head.token.text != "enlist";
  const bool makes_list = head.kind == Tree::Kind::kFunction && !is_call;
  for (std::size_t i = is_call || makes_list ? 1 : 0; i < tree.items.size(); ++i) {
    HDB_ASSIGN(Syntax item, to_expression(tree.items[i]));
    items.push_back(std::move(item));
  }
  if (items.empty()) return no_tree(head, "a function with arguments");
  if (is_call) {
    if (find_function(head.token.text, items.size()) == nullptr)
      return text_error(
          fmt::format("'{}' is no function of {} arguments here", head.token.text, items.size()),
          head.token.begin);
    Syntax call = call_of(head.token.text, std::move(items));
    call.position = call.begin = head.token.begin;
    return call;
  }
  const std::size_t end = items.back().end;
  const bool are_literals = std::all_of(items.begin(), items.end(), [](const Syntax& item) {
    return item.kind == SyntaxKind::kLiteral;
  });
  if (!are_literals)
    return Syntax{SyntaxKind::kList, {}, tree.token.begin, {}, std::move(items),
                  tree.token.begin,  end};
  std::vector<Literal> literals;
  for (Syntax& item : items) literals.push_back(std::move(item.literal));
  HDB_ASSIGN(Literal list, make_list(std::move(literals), tree.token.begin, end));
  return literal_syntax(std::move(list));
}

std::vector<Name> names_in(const Tree& tree) {
  std::vector<Name> names;
  if (tree.is_symbols()) {
    for (const Atom& atom : tree.literal.atoms)
      names.push_back({std::get<std::string>(atom.value), atom.position});
  }
  for (const Tree& item : tree.items) {
    if (item.is_symbols() && tree.is_list()) names.push_back(names_in(item).front());
  }
  return names;
}

class FormBinder {
 public:
  FormBinder(Query& query, bool is_select) : query_(query), is_select_(is_select) {}

  Status conditions(const Tree& tree) {
    if (!tree.is_list()) return no_tree(tree, "() or a list of conditions");
    for (const Tree& item : tree.items) {
      const bool is_enlisted = item.is_list() && item.items.size() == 1 && item.items[0].is_list();
      HDB_ASSIGN(Syntax condition, to_expression(is_enlisted ? item.items[0] : item));
      query_.where.push_back(std::move(condition));
    }
    return ok_status();
  }

  Status keys(const Tree& tree) {
    if (tree.kind == Tree::Kind::kDictionary) return items(tree, query_.by);
    if (tree.is_true_or_false(0)) return ok_status();
    if (tree.is_true_or_false(1) && is_select_) {
      query_.distinct = tree.token.begin;
      return ok_status();
    }
    if (!is_select_ || (!tree.is_list() && !tree.is_symbols()))
      return no_tree(tree, "0b or a dictionary of keys");
    query_.is_exec = true;
    for (const Tree& item : tree.items) {
      if (!item.is_symbols()) return no_tree(item, "a column");
    }
    for (const Name& name : names_in(tree)) query_.by.push_back({std::nullopt, column_of(name)});
    return ok_status();
  }

  Status columns(const Tree& tree) {
    if (tree.kind == Tree::Kind::kDictionary) {
      query_.is_update = !is_select_;
      return items(tree, query_.columns);
    }
    if (!is_select_) return deletion(tree);
    if (tree.is_list() && tree.items.empty()) return ok_status();
    HDB_ASSIGN(Syntax expression, to_expression(tree));
    query_.columns.push_back({std::nullopt, std::move(expression)});
    return ok_status();
  }

  Status limit(const Tree& tree) {
    if (tree.kind != Tree::Kind::kLiteral) return no_tree(tree, "a number of rows");
    query_.limit.position = tree.token.begin;
    const bool is_all = tree.literal.atoms.size() == 1 && is_infinite(tree.literal.atoms.front());
    if (!is_all) query_.limit.rows = tree.literal.atoms;
    return ok_status();
  }

  Status order(const Tree& tree) {
    const bool is_order = tree.is_list() && tree.items.size() == 2 &&
                          tree.items[0].kind == Tree::Kind::kFunction && tree.items[1].is_symbols();
    if (!is_order) return no_tree(tree, "an order such as (>:;`price)");
    query_.limit.columns = {names_in(tree.items[1]).front()};
    query_.limit.descending =
        tree.items[0].token.text == "idesc" || tree.items[0].token.text == ">";
    return ok_status();
  }

 private:
  static bool is_infinite(const Atom& atom) {
    const auto* number = std::get_if<std::int64_t>(&atom.value);
    return number != nullptr && *number == kInfinity;
  }

  static Syntax column_of(const Name& name) {
    return {SyntaxKind::kName,
            name.text,
            name.position,
            {},
            {},
            name.position,
            name.position + name.text.size() + 1};
  }

  // `a`b!(...), (enlist`a)!enlist ...
  static Status items(const Tree& dictionary, std::vector<ParsedItem>& items) {
    const std::vector<Name> names = names_in(dictionary.items[0]);
    const Tree& values = dictionary.items[1];
    const std::vector<Name> columns = values.is_symbols() ? names_in(values) : std::vector<Name>();
    const std::size_t count = values.is_symbols() ? columns.size() : values.items.size();
    if (names.empty() || names.size() != count)
      return text_error(fmt::format("'length: {} names for {} values", names.size(), count),
                        dictionary.token.begin);
    for (std::size_t i = 0; i < count; ++i) {
      ParsedItem item{names[i], {}};
      if (values.is_symbols()) {
        item.expression = column_of(columns[i]);
      } else {
        HDB_ASSIGN(item.expression, to_expression(values.items[i]));
      }
      items.push_back(std::move(item));
    }
    return ok_status();
  }

  // Columns, or without any the rows that the conditions choose.
  Status deletion(const Tree& tree) {
    query_.deleted = names_in(tree);
    const bool is_empty = (tree.is_list() && tree.items.empty()) ||
                          (tree.kind == Tree::Kind::kLiteral && tree.literal.atoms.empty());
    if (query_.deleted.empty() && !is_empty) return no_tree(tree, "names of columns to delete");
    return ok_status();
  }

  Query& query_;
  bool is_select_;
};

}  // namespace

bool begins_functional_form(const TokenReader& reader) {
  return (reader.at_mark("?") || reader.at_mark("!")) && reader.at_mark("[", 1);
}

Result<Query> parse_functional_form(TokenReader& reader, int depth) {
  const bool is_select = reader.take().text == "?";
  reader.take();
  Query query;
  if (reader.peek().kind == TokenKind::kSymbol && reader.at_mark(";", 1)) {
    const Token name = reader.take();
    query.table.name = {name.text, name.begin};
  } else {
    HDB_ASSIGN(query.table, parse_table(reader, depth + 1, TableCommas::kJoin));
  }
  FormBinder binder(query, is_select);
  constexpr std::array kParts = {&FormBinder::conditions, &FormBinder::keys, &FormBinder::columns,
                                 &FormBinder::limit, &FormBinder::order};
  std::size_t parts = 0;
  for (; parts < kParts.size() && reader.accept_mark(";"); ++parts) {
    HDB_ASSIGN(const Tree tree, TreeParser(reader).value(depth + 1));
    HDB_TRY((binder.*kParts[parts])(tree));
  }
  if (!reader.accept_mark("]")) return unexpected(reader.peek(), "']'");
  if (parts < 3)
    return text_error("'rank: the form is ?[table;conditions;by;columns]",
                      reader.previous_end() - 1);
  if (!is_select && query.columns.empty()) HDB_TRY(keep_others(query, reader.previous_end() - 1));
  return query;
}

}  // namespace hdbench::queries
