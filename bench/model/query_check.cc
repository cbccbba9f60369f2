#include "bench/model/query_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <optional>
#include <utility>

#include "bench/base/lines.h"
#include "bench/model/query_list.h"
#include "engine/base/store.h"
#include "engine/base/text.h"
#include "engine/exec/explain.h"
#include "queries/query.h"
#include "queries/query_file.h"

namespace hdbench::bench {
namespace {

struct Advice {
  std::string_view what;  // words at the caret, a blank around each; or a part of the message
  std::string_view instead;
};

constexpr std::array kOfWords = {
    Advice{" insert upsert set ",
           "hdbench only reads: update, delete and , give a table and write none"},
    Advice{" asof ", "aj[`sym`time;t;u]"},
    Advice{" avgs ", "(sums x)%1+til count x"},
    Advice{" ema ", "a moving average: 20 mavg x"},
    Advice{" iasc idesc ", "rank x, or `column xasc around the query"},
    Advice{" xrank ", "a list bin rank x"},
    Advice{" trim ltrim rtrim ss ssr vs sv ", "like, or the result stored as a column"},
    Advice{" except inter union cross ", "in, or not in; ej[`column;t;u]"},
    Advice{" xexp ", "exp y*log x"},
    Advice{" xlog ", "(log y)%log x"},
    Advice{" prd ", "last prds x"},
    Advice{" flip group ", "select ... by ..., .pvt.pivot select ... by a,b, or ungroup"},
    Advice{" each peach ", "raze {select ... from t where column=x} each exec ..."},
    Advice{" ; ", "a line for each query"},
    Advice{" { } ", "a lambda with its argument: {x%first x} price, or f[x;y]"},
};

constexpr std::array kOfMessages = {
    Advice{"where in update", "update ... from select from t where ..."},
    Advice{"ungroup takes", "select ... by ... of columns without aggregates, behind ungroup"},
    Advice{"needs a keyed table", "a select by on the right side"},
    Advice{"a condition is a boolean", "a comparison: price>0"},
    Advice{"(a symbol is written `abc)", "the value as a symbol: `abc"},
    Advice{"needs its column on the left", "the column first: time within 09:30 16:00"},
    Advice{"in takes a list", "in instead of ="},
    Advice{"within takes two values", "low and high end with a blank between"},
    Advice{"'type: column", "a literal of the column's type"},
    Advice{"'dup", "a name before a colon: name: avg price"},
    Advice{"() has no type", "`long$() or `symbol$()"},
    Advice{"two numbers for one query", "one number before each query"},
    Advice{"second query with the number", "another number, or none: queries are counted"},
};

constexpr std::string_view kOfData =
    "a query without it: hdbench verify DB and describe DB tell what cannot be read";

// Where nothing else is known.
constexpr std::array kLast = {
    Advice{"expected from", "select ... from TABLE where ..."},
    Advice{"expected select or exec", "a query that begins with select or exec"},
};

bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
}

// The word or mark at the place, and a name's part after a dot: "date.month".
std::string_view word_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  std::size_t end = at;
  while (end < text.size() && (is_word(text[end]) || text[end] == '.')) ++end;
  return text.substr(at, std::max<std::size_t>(1, end - at));
}

// A name that the table lacks, against those that it has.
std::string nearest_column(std::string_view text, const Error& error, const Table& table) {
  if (!error.caret || error.message.find("has no column") == std::string::npos) return {};
  const std::string_view word = word_at(text, *error.caret);
  std::vector<std::string> names;
  for (const Field& field : table.schema().fields) names.push_back(field.name);
  return nearest_word(word, names);
}

std::string nearest_table(std::string_view word, const Database& database) {
  return nearest_word(word, database.table_names());
}

class Checker {
 public:
  Checker(const std::filesystem::path& file, const Database* database)
      : file_(file), database_(database) {
    if (database != nullptr) runnable_ = std::make_unique<RunnableCheck>(*database);
  }

  void check(const QueryEntry& entry) {
    const auto query = parse_query(entry.text);
    if (!query.ok()) return add(entry, query.error(), {});
    if (!runnable_) return;
    const Status status = runnable_->check(*query);
    if (status.ok()) return;
    const Error& error = status.error();
    if (error.kind == ErrorKind::kData) return add(entry, error, std::string(kOfData));
    if (const Table* table = runnable_->table(*query)) {
      return add(entry, error, nearest_column(entry.text, error, *table));
    }
    const Name& named = query->tables.front();
    add(entry,
        text_error(fmt::format("no table '{}': the database has {}", named.text,
                               fmt::join(database_->table_names(), ", ")),
                   named.position),
        nearest_table(named.text, *database_));
  }

  std::vector<std::string> take() { return std::move(errors_); }

 private:
  void add(const QueryEntry& entry, Error error, const std::string& nearest) {
    const std::string instead =
        !nearest.empty()
            ? nearest
            : instead_of(entry.text, error.caret.value_or(entry.text.size()), error.message);
    error.message =
        fmt::format("{}:{}: query {}: {}", file_.string(), entry.line, entry.id, error.message);
    error = show_place(std::move(error), entry.text);
    const std::string place = error.place.empty() ? entry.text : error.place;
    errors_.push_back(
        printable_line(error.message) + "\n" + place + "\n  instead: " +
        (instead.empty() ? "what docs/q-semantics.md lists under \"What runs\"" : instead));
  }

  const std::filesystem::path& file_;
  const Database* database_;
  std::unique_ptr<RunnableCheck> runnable_;
  std::vector<std::string> errors_;
};

}  // namespace

std::string instead_of(std::string_view text, std::size_t caret, std::string_view message) {
  const auto of_message = [&](const auto& advices) -> std::string {
    for (const Advice& advice : advices) {
      if (message.find(advice.what) != message.npos) return std::string(advice.instead);
    }
    return {};
  };
  if (const std::string found = of_message(kOfMessages); !found.empty()) return found;
  // The word at the caret, or what follows: of `5 xbar time` the number is what was not expected.
  for (std::size_t at = caret, words = 0; at < text.size() && words < 3; ++words) {
    const std::string_view word = word_at(text, at);
    const std::string padded = fmt::format(" {} ", word);
    for (const Advice& advice : kOfWords) {
      const bool is_there = advice.what.find(padded) != advice.what.npos;
      // A mark further on belongs to what is accepted.
      if (is_there && (words == 0 || is_word(word.front()))) return std::string(advice.instead);
    }
    const bool is_name = std::isalpha(static_cast<unsigned char>(word.front())) != 0;
    if (words == 0 && is_name && word.find('.') != word.npos) {
      return "a column's part: date month week year mm dd hh uu ss minute second time";
    }
    at = std::min(text.find_first_not_of(' ', at + word.size()), text.size());
  }
  return of_message(kLast);
}

Result<QueryCheck> check_queries(const std::filesystem::path& file, const Database* database) {
  HDB_ASSIGN(const QueryFile whole, read_whole_query_file(file));
  QueryCheck check;
  check.queries = whole.entries.size();
  for (const Error& error : whole.errors) {
    const std::string instead = instead_of({}, 0, error.message);
    check.errors.push_back(error.message + (instead.empty() ? "" : "\n  instead: " + instead));
  }
  Checker checker(file, database);
  for (const QueryEntry& entry : whole.entries) checker.check(entry);
  for (std::string& error : checker.take()) check.errors.push_back(std::move(error));
  return check;
}

Status RunnableCheck::check(const Query& query, const QueryParams& params, Unreadable unreadable) {
  HDB_TRY(require_tables(query, database_));
  const FindTable find = [this](const std::string& name) -> Result<const Table*> {
    std::shared_ptr<Table>& table = tables_[name];
    if (table == nullptr) {
      HDB_ASSIGN(table, database_.table(name, make_page_cache_store(), Codes::kStored,
                                        Compressed::kAsStored));
    }
    return table.get();
  };
  HDB_ASSIGN(const BoundQuery bound,
             bind(query, {find, database_.table_names(), params, unreadable}));
  if (unreadable == Unreadable::kNamed) return ok_status();
  const Explanation explanation = explain(*bound.table, *bound.plan, {});
  return explanation.error ? Status(*explanation.error) : ok_status();
}

const Table* RunnableCheck::table(const Query& query) const {
  if (query.tables.empty()) return nullptr;
  const auto found = tables_.find(query.tables.front().text);
  return found == tables_.end() ? nullptr : found->second.get();
}

Result<std::vector<ListedQuery>> runnable_queries(std::vector<ListedQuery> queries,
                                                  const Database& database,
                                                  std::vector<std::string>& left_out,
                                                  Unreadable unreadable) {
  RunnableCheck runnable(database);
  std::vector<ListedQuery> kept;
  std::optional<Error> first;
  for (ListedQuery& listed : queries) {
    const Status status = runnable.check(listed.query, listed.params, unreadable);
    if (status.ok()) {
      kept.push_back(std::move(listed));
      continue;
    }
    Error error = error_in(listed, status.error());
    add_once(left_out, error.message);
    if (!first) first = std::move(error);
  }
  if (kept.empty() && first) return std::move(*first);
  return kept;
}

}  // namespace hdbench::bench
