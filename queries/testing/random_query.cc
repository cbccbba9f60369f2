#include "queries/testing/random_query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace hdbench::queries {
namespace {

constexpr std::size_t kNestingMax = 2;  // of expressions

class QueryMaker {
 public:
  QueryMaker(Dice& dice, const TextTable& left, const TextTable& right)
      : dice_(dice), left_(left), right_(right) {}

  // The text and the columns of its result.
  TextTable query(int depth) {
    base_ = base(depth);
    switch (below(20)) {
      case 0: return rows();
      case 1: return groups();
      case 2: return windows();
      case 3: return distinct();
      case 4: return taken();
      case 5: return with_fby();
      case 6: return with_inner_list();
      case 7: return joined();
      case 8: return as_of();
      case 9: return sorted();
      case 10: return lists();
      case 11: return updated();
      case 12: return executed();
      case 13: return staged();
      case 14: return appended();
      case 15: return windows_joined();
      case 16: return list_steps();
      case 17: return mixed();
      case 18: return looked_up();
      default: return groups_of_windows();
    }
  }

 private:
  std::size_t below(std::size_t count) { return dice_() % count; }
  bool rarely(std::size_t one_of) { return below(one_of) == 0; }
  const std::string& one_of(const std::vector<std::string>& words) {
    return words[below(words.size())];
  }

  // What the query reads: a table, or another query.
  TextTable base(int depth) {
    if (depth > 0 && rarely(2)) {
      QueryMaker inner(dice_, left_, right_);
      TextTable made = inner.query(depth - 1);
      const auto is_list = [](const TextColumn& column) { return column.kind == TextKind::kList; };
      if (std::none_of(made.columns.begin(), made.columns.end(), is_list) && has_numbers(made))
        return {fmt::format("({})", made.text), std::move(made.columns)};
    }
    return rarely(3) ? right_ : left_;
  }

  static bool has_numbers(const TextTable& table) {
    return std::any_of(table.columns.begin(), table.columns.end(),
                       [](const TextColumn& column) { return column.kind == TextKind::kNumber; });
  }

  template <typename Wanted>
  std::vector<std::string> names_where(const Wanted& wanted) const {
    std::vector<std::string> names;
    for (const TextColumn& column : base_.columns) {
      if (wanted(column)) names.push_back(column.name);
    }
    return names;
  }
  std::vector<std::string> names_of(TextKind kind) const {
    return names_where([&](const TextColumn& column) { return column.kind == kind; });
  }
  std::vector<std::string> names() const {
    return names_where([](const TextColumn&) { return true; });
  }
  std::string any_column() { return one_of(names()); }
  bool has(const std::string& name) const {
    const auto all = names();
    return std::find(all.begin(), all.end(), name) != all.end();
  }

  // How far sums of a number are exact.
  enum class Sums { kAny, kExact, kExactSquares };

  std::string number_column(Sums sums) {
    const auto fitting = names_where([&](const TextColumn& column) {
      return column.kind == TextKind::kNumber && (sums != Sums::kExact || column.sums_exactly) &&
             (sums != Sums::kExactSquares || column.squares_exactly);
    });
    return fitting.empty() ? "3" : one_of(fitting);
  }

  std::string number(std::size_t nesting = kNestingMax) {
    if (nesting == 0 || rarely(3)) return number_column(Sums::kAny);
    const std::string x = number(nesting - 1);
    switch (below(12)) {
      case 0: return one_of({"3", "-2", "0", "2.5", "1i", "i"});
      case 1: return fmt::format("(neg {})", x);
      case 2: return fmt::format("({} {})", one_of({"abs", "signum", "floor", "sqrt"}), x);
      case 3: return fmt::format("({}%{})", x, number(nesting - 1));
      case 4: return fmt::format("?[{};{};{}]", truth(nesting - 1), x, x);
      case 5: return fmt::format("({} xbar {})", 2 + below(4), number_column(Sums::kAny));
      case 6: return fmt::format("({} mod {})", x, 2 + below(4));
      default: {
        const std::string mark = one_of({"+", "-", "*", "&", "|", "^"});
        return fmt::format("({}{}{})", x, mark, number(nesting - 1));
      }
    }
  }

  // A number of which what is added is exact.
  std::string summand(Sums sums) {
    std::string x = number_column(sums);
    if (sums == Sums::kExactSquares || rarely(2)) return x;
    return fmt::format("({}{}{})", x, one_of({"+", "-", "*", "&", "|"}), number_column(sums));
  }

  std::string truth(std::size_t nesting = kNestingMax) {
    const auto symbols = names_of(TextKind::kSymbol);
    const auto times = names_of(TextKind::kTime);
    const auto chars = names_of(TextKind::kChar);
    const std::size_t made = below(nesting == 0 ? 7 : 10);
    if (made == 0 && !symbols.empty())
      return fmt::format("({}{}`{})", one_of(symbols), one_of({"=", "<>"}), one_of({"a", "b", ""}));
    if (made == 1 && !symbols.empty())
      return fmt::format("({} {})", one_of(symbols), one_of({"in `a`none`c", "like \"*b*\""}));
    if (made == 2 && !times.empty())
      return fmt::format("({}{}00:00:0{})", one_of(times), one_of({"<", ">=", "="}), below(6));
    if (made == 3 && !chars.empty()) return fmt::format("({} in \"A \")", one_of(chars));
    if (made == 4) return fmt::format("(null {})", number_column(Sums::kAny));
    if (made == 5) return fmt::format("({} within -1 6)", number_column(Sums::kAny));
    if (made == 7) return fmt::format("(not {})", truth(nesting - 1));
    if (made == 8)
      return fmt::format("({}{}{})", truth(nesting - 1), one_of({"&", "|", "="}),
                         truth(nesting - 1));
    const std::size_t within = std::max<std::size_t>(nesting, 1) - 1;
    return fmt::format("({}{}{})", number(within), one_of({"=", "<>", "<", "<=", ">", ">="}),
                       number(within));
  }

  std::string uniform() {
    switch (below(8)) {
      case 0:
        return fmt::format("{} {}",
                           one_of({"prev", "next", "fills", "differ", "2 xprev", "-1 xprev",
                                   "0 xprev", "9 xprev"}),
                           any_column());
      case 1: {
        auto times = names_of(TextKind::kTime);
        if (times.empty()) times = names_of(TextKind::kNumber);
        return fmt::format("{} {}", one_of({"deltas", "maxs", "mins", "2 mmax", "sums"}),
                           one_of(times));
      }
      case 2:
        return fmt::format("{} {} {}", below(5), one_of({"msum", "mavg"}), summand(Sums::kExact));
      case 3: return fmt::format("{} mdev {}", 1 + below(4), number_column(Sums::kExactSquares));
      case 4:
        return fmt::format("{} {} {}", below(5), one_of({"mmax", "mmin", "mcount"}), number(1));
      default: {
        static const std::vector<std::string> kWords = {
            "sums", "prds", "maxs", "mins", "prev", "next", "deltas", "ratios", "fills", "differ"};
        return fmt::format("{} {}", one_of(kWords), number(1));
      }
    }
  }

  std::string aggregate() {
    switch (below(8)) {
      case 0: return "count i";
      case 1: return fmt::format("count distinct {}", any_column());
      case 2: return fmt::format("{} {}", one_of({"sum", "avg"}), summand(Sums::kExact));
      case 3:
        return fmt::format("{} {}", one_of({"dev", "var", "sdev", "svar"}),
                           number_column(Sums::kExactSquares));
      case 4:
        return fmt::format("{} {} {}", number_column(Sums::kExactSquares), one_of({"wavg", "wsum"}),
                           number_column(Sums::kExactSquares));
      case 5: return fmt::format("{} {}", one_of({"any", "all"}), truth(1));
      case 6:
        return fmt::format("(max {})-min {}", number_column(Sums::kAny), number_column(Sums::kAny));
      default:
        return fmt::format("{} {}", one_of({"min", "max", "first", "last", "med"}), number());
    }
  }

  std::string condition() {
    if (has("date") && rarely(4)) {
      return fmt::format("date{}2020.01.0{}", one_of({"=", ">", "<=", "<>"}), 1 + below(3));
    }
    if (rarely(6)) return fmt::format("2{}{}", one_of({"<", ">="}), uniform_of_number());
    if (rarely(8)) {
      const std::string x = number_column(Sums::kAny);
      return fmt::format("{}{}{} {}", x, one_of({"=", "<", ">="}),
                         one_of({"max", "min", "first", "last"}), x);
    }
    return truth();
  }
  std::string uniform_of_number() {
    return fmt::format("({} {})", one_of({"deltas", "sums", "maxs", "3 mcount", "prev"}),
                       number(1));
  }

  // " where ...", or nothing.
  std::string where(std::size_t least = 0) {
    std::vector<std::string> conditions;
    for (std::size_t c = below(3) + least; c > 0; --c) conditions.push_back(condition());
    return conditions.empty() ? "" : fmt::format(" where {}", fmt::join(conditions, ","));
  }

  // Some columns "r0:...": of the maker's values, or of the base's own.
  template <typename Make>
  std::vector<std::string> items(const Make& make, std::vector<TextColumn>& columns) {
    std::vector<std::string> made;
    for (std::size_t count = 1 + below(3); count > 0; --count) {
      const std::string name = fmt::format("r{}", columns.size());
      columns.push_back({name, TextKind::kNumber});
      made.push_back(fmt::format("{}:{}", name, make()));
    }
    return made;
  }

  // A column as it is, with what is known of it.
  std::string own_column(std::vector<TextColumn>& columns) {
    TextColumn column = base_.columns[below(base_.columns.size())];
    const auto is_it = [&](const TextColumn& other) { return other.name == column.name; };
    if (std::any_of(columns.begin(), columns.end(), is_it)) {
      const std::string name = fmt::format("r{}", columns.size());
      const std::string text = fmt::format("{}:{}", name, column.name);
      column.name = name;
      columns.push_back(column);
      return text;
    }
    columns.push_back(column);
    return column.name;
  }

  std::vector<std::string> some_rows(std::vector<TextColumn>& columns) {
    std::vector<std::string> made = items([&] { return number(); }, columns);
    if (rarely(2)) made.push_back(own_column(columns));
    if (rarely(3)) {
      const std::string name = fmt::format("r{}", columns.size());
      columns.push_back({name, TextKind::kBoolean});
      made.push_back(fmt::format("{}:{}", name, truth()));
    }
    return made;
  }

  std::vector<std::string> keys(std::vector<TextColumn>& columns) {
    std::vector<std::string> made;
    for (std::size_t count = 1 + below(2); count > 0; --count) {
      const std::string name = fmt::format("k{}", made.size());
      TextColumn column = base_.columns[below(base_.columns.size())];
      std::string text = column.name;
      if (column.kind == TextKind::kNumber && rarely(2)) {
        text = fmt::format("3 xbar {}", text);
        column.sums_exactly = column.squares_exactly = false;
      }
      column.name = name;
      columns.push_back(column);
      made.push_back(fmt::format("{}:{}", name, text));
    }
    return made;
  }

  TextTable select(const std::string& verb, const std::vector<std::string>& items,
                   const std::vector<std::string>& by, const std::string& where,
                   std::vector<TextColumn> columns) const {
    const std::string keys = by.empty() ? "" : fmt::format(" by {}", fmt::join(by, ","));
    return {fmt::format("{} {}{} from {}{}", verb, fmt::join(items, ","), keys, base_.text, where),
            std::move(columns)};
  }

  TextTable rows() {
    if (rarely(5)) return select("select", {}, {}, where(), base_.columns);
    std::vector<TextColumn> columns;
    const auto shown = some_rows(columns);
    return select("select", shown, {}, where(), columns);
  }

  TextTable groups() {
    std::vector<TextColumn> columns;
    const bool has_keys = !rarely(4);
    const auto by = has_keys ? keys(columns) : std::vector<std::string>();
    if (has_keys && rarely(5)) {
      const std::string text = select("select", {}, by, where(), {}).text;
      return {text, columns};
    }
    const auto shown = items([&] { return aggregate(); }, columns);
    return select("select", shown, by, where(), columns);
  }

  TextTable windows() {
    std::vector<TextColumn> columns;
    const auto shown = items([&] { return uniform(); }, columns);
    for (TextColumn& column : columns) column.kind = TextKind::kList;  // of any type
    return select("select", shown, {}, where(), columns);
  }

  TextTable groups_of_windows() {
    std::vector<TextColumn> columns;
    const auto by = keys(columns);
    const auto shown = items(
        [&] {
          return fmt::format("{} {}", one_of({"last", "max", "first", "count"}),
                             uniform_of_number());
        },
        columns);
    return select("select", shown, by, where(), columns);
  }

  TextTable distinct() {
    std::vector<TextColumn> columns;
    std::vector<std::string> shown;
    for (std::size_t count = 1 + below(2); count > 0; --count) shown.push_back(own_column(columns));
    const std::string verb = rarely(3) ? "select[3] distinct" : "select distinct";
    return select(verb, shown, {}, where(), columns);
  }

  TextTable taken() {
    std::vector<TextColumn> columns;
    const auto shown = some_rows(columns);
    std::string limit = one_of({"0", "2", "5", "100", "-3", "1 4", "9 9"});
    const std::string by = rarely(2) ? "r0" : any_column();
    const std::string order = one_of({"<", ">"}) + by;
    if (rarely(4)) return select(fmt::format("select[{}]", order), shown, {}, where(), columns);
    if (!rarely(3)) limit += ";" + order;
    return select(fmt::format("select[{}]", limit), shown, {}, where(), columns);
  }

  TextTable with_fby() {
    const std::string x = number_column(Sums::kExactSquares);
    std::string by = any_column();
    if (rarely(2)) by = fmt::format("([]{};{})", by, any_column());
    static const std::vector<std::string> kWords = {"max",   "min",   "avg",  "sum",
                                                    "count", "first", "last", "dev"};
    std::string conditions =
        fmt::format("{}{}({};{}) fby {}", x, one_of({"=", "<", ">="}), one_of(kWords), x, by);
    if (rarely(2)) conditions = fmt::format("{},{}", condition(), conditions);
    if (rarely(4))
      conditions = fmt::format("{},2>(rank;{}{}) fby {}", conditions, one_of({"", "neg "}), x, by);
    if (rarely(2))
      conditions = fmt::format("{},0<({};{}) fby {}", conditions, one_of(kWords), x, any_column());
    if (rarely(2)) conditions = fmt::format("{},{}", conditions, condition());
    std::vector<TextColumn> columns;
    if (rarely(2)) {
      const auto by_keys = keys(columns);
      const auto shown = items([&] { return aggregate(); }, columns);
      return select("select", shown, by_keys, " where " + conditions, columns);
    }
    const auto shown = some_rows(columns);
    return select("select", shown, {}, " where " + conditions, columns);
  }

  TextTable with_inner_list() {
    base_ = left_;
    std::vector<TextColumn> columns;
    const auto shown = some_rows(columns);
    const std::string inner =
        rarely(2) ? fmt::format("sym in exec sym from {} where size>{}", right_.text, below(6))
                  : fmt::format("size>=exec {} size from {}", one_of({"min", "med", "first"}),
                                right_.text);
    return select("select", shown, {}, fmt::format(" where {},{}", condition(), inner), columns);
  }

  TextTable joined() {
    base_ = left_;
    std::vector<TextColumn> columns = {
        {"sym", TextKind::kSymbol}, {"date", TextKind::kDate}, {"size"}};
    std::vector<std::string> shown = some_rows(columns);
    shown.insert(shown.begin(), {"sym", "date", "size"});
    const std::string own = select("select", shown, {}, where(), {}).text;
    base_ = right_;
    const std::string by = one_of({"sym", "date,sym", "date"});
    std::string keyed = fmt::format("select q0:{},q1:{},last size by {} from {}{}", aggregate(),
                                    aggregate(), by, base_.text, where());
    if (rarely(3)) {
      keyed = fmt::format("`sym xkey select sym,size,q0:{},q1:{} from {}{}", number(1), number(1),
                          base_.text, where());
    }
    columns.push_back({"q0", TextKind::kNumber});
    columns.push_back({"q1", TextKind::kNumber});
    return {fmt::format("({}) {} {}", own, one_of({"lj", "ij"}), keyed), columns};
  }

  TextTable as_of() {
    base_ = right_;
    const std::string other =
        fmt::format("select date,sym,time,q0:{},size from {}{}", number(1), right_.text, where());
    base_ = left_;
    const std::string own =
        fmt::format("select date,sym,time,size,r0:{} from {}{}", number(1), left_.text, where());
    const std::string on =
        one_of({"`sym`time", "`date`sym`time", "`time", "`date`time", "`sym`size", "`time`date"});
    return {
        fmt::format("{}[{};{};{}]", one_of({"aj", "aj0"}), on, rarely(3) ? left_.text : own, other),
        {{"sym", TextKind::kSymbol}, {"time", TextKind::kTime}, {"size"}, {"q0"}}};
  }

  TextTable sorted() {
    const TextTable of = rows();
    std::string on;
    for (std::size_t count = 1 + below(2); count > 0; --count)
      on += "`" + of.columns[below(of.columns.size())].name;
    return {fmt::format("{} {} {}", on, one_of({"xasc", "xdesc"}), of.text), of.columns};
  }

  TextTable lists() {
    std::vector<TextColumn> columns;
    const auto by = keys(columns);
    std::vector<std::string> shown = {fmt::format("v:{}", rarely(2) ? uniform() : any_column())};
    if (rarely(2)) shown.push_back(fmt::format("w:{}", number(1)));
    if (rarely(2)) shown.push_back(fmt::format("u:{}", aggregate()));
    columns.push_back({"v", TextKind::kList});
    const std::string verb = rarely(2) ? "ungroup select" : "select";
    return select(verb, shown, by, where(), columns);
  }

  TextTable updated() {
    std::vector<TextColumn> columns = base_.columns;
    std::vector<TextColumn> keyed;
    const auto by = rarely(3) ? std::vector<std::string>() : keys(keyed);
    std::vector<std::string> shown = {fmt::format("u0:{}", aggregate())};
    if (rarely(2)) shown.push_back(fmt::format("u1:{}", number()));
    if (rarely(2)) shown = {fmt::format("u0:{}", uniform_of_number())};
    const auto replaced = names_of(TextKind::kNumber);
    if (rarely(3)) {
      const std::string name = one_of(replaced);
      shown.push_back(fmt::format("{}:{}", name, number(1)));
      for (TextColumn& column : columns) {
        if (column.name == name) column.sums_exactly = column.squares_exactly = false;
      }
    }
    if (!has("u0")) columns.push_back({"u0", TextKind::kNumber});
    return select("update", shown, by, "", columns);
  }

  TextTable executed() {
    std::vector<TextColumn> columns;
    const auto shown = some_rows(columns);
    return select("exec", shown, {}, where(), columns);
  }

  // 3#t, count t, desc t, ...
  TextTable staged() {
    TextTable of = rarely(2) ? groups() : rows();
    const std::string stage = one_of({"3#",           "-2#",
                                      "9#",           "0#",
                                      "2 sublist ",   "-2 sublist ",
                                      "1 2 sublist ", "1_",
                                      "-1_",          "reverse ",
                                      "distinct ",    "asc ",
                                      "desc ",        "0!",
                                      "1!",           "fills ",
                                      "count ",       "first ",
                                      "last ",        "cols ",
                                      "keys ",        "delete r0 from "});
    return {stage + of.text, {}};
  }

  TextTable appended() {
    const TextTable one = rows();
    const TextTable first = {one.text, one.columns};
    base_ = rarely(2) ? right_ : left_;
    const TextTable two = rarely(3) ? first : rows();
    if (rarely(3)) {
      return {fmt::format("ej[`sym;select sym,size,r0:time from {};select sym,q0:size from {}{}]",
                          left_.text, right_.text, where()),
              {}};
    }
    if (rarely(3)) {
      const std::string keyed =
          fmt::format("select sum size,q0:max size by sym from {}", left_.text);
      return {fmt::format("({}) {} select size:sum size,q1:min size by sym from {}", keyed,
                          one_of({"uj", "pj"}), right_.text),
              {}};
    }
    return {fmt::format("({}) {} {}", first.text, rarely(3) ? "," : "uj", two.text), {}};
  }

  TextTable windows_joined() {
    base_ = left_;
    const std::string conditions = where();
    std::string aggregates;
    for (std::size_t count = 1 + below(2); count > 0; --count)
      aggregates += fmt::format(
          ";({};`size)", one_of({"max", "min", "sum", "count", "first", "last", "avg", "med"}));
    return {fmt::format("{}[-{} {}+\\:exec time from {}{};`sym`time;select sym,time,lot from {}{};"
                        "({}{})]",
                        one_of({"wj", "wj1"}), "00:00:00.500", "00:00:01.000", left_.text,
                        conditions, left_.text, conditions, right_.text, aggregates),
            {}};
  }

  TextTable list_steps() {
    std::vector<TextColumn> columns;
    const auto by = rarely(4) ? std::vector<std::string>() : keys(columns);
    const auto steps = [&] {
      return one_of(
          {"2#desc ", "asc ", "reverse ", "distinct ", "2 sublist asc ", "1_", "-1_", "-3#", "5#"});
    };
    std::vector<std::string> shown;
    if (rarely(2)) {
      shown = {fmt::format("v:{}{}", steps(), any_column())};
      if (!by.empty()) shown.push_back(fmt::format("w:{} where {}", any_column(), truth(1)));
    }
    if (shown.empty() || (rarely(2) && !by.empty()))
      shown.push_back(fmt::format("u:{} {} where {}",
                                  one_of({"sum", "max", "first", "last", "count", "min"}),
                                  number_column(Sums::kExact), truth(1)));
    if (rarely(3) && !by.empty())
      shown.push_back(fmt::format("s:{} {}{}", one_of({"sum", "max", "first", "count"}), steps(),
                                  number_column(Sums::kExact)));
    const bool ungroups = shown.size() == 1 && !by.empty() && rarely(2);
    return select(ungroups ? "ungroup select" : "select", shown, by, where(), columns);
  }

  // Aggregates beside columns and within each other.
  TextTable mixed() {
    std::vector<TextColumn> columns;
    const auto by = rarely(2) ? keys(columns) : std::vector<std::string>();
    std::vector<std::string> shown = {fmt::format("r0:{}-{} {}", number_column(Sums::kAny),
                                                  one_of({"max", "min", "first"}),
                                                  number_column(Sums::kAny))};
    if (rarely(2))
      shown = {
          fmt::format("r0:max {}-min {}", number_column(Sums::kAny), number_column(Sums::kAny))};
    if (rarely(2)) shown.push_back(fmt::format("r1:{}", aggregate()));
    if (rarely(2)) shown.push_back(fmt::format("r2:rank {}", any_column()));
    return select(by.empty() && rarely(3) ? "update" : "select", shown, by, "", {});
  }

  // Symbols as values, dictionaries, lambdas.
  TextTable looked_up() {
    base_ = left_;
    const std::vector<std::string> values = {"?[flag;`a;`x]",
                                             "?[flag;sym;`x]",
                                             "(`a`b`c!1 2 3) sym",
                                             "(`b`!`one`two) sym",
                                             "1 3 5 bin size",
                                             "(`s#0 2 4!`low`mid`top) size",
                                             "10 20 30[lot]",
                                             "upper sym",
                                             "`x^sym",
                                             R"q(("AB"!`x`y) mark)q",
                                             "{x+2*y}[size;lot]",
                                             "?[sym<`b;sym;upper sym]",
                                             "string lot",
                                             "(0 1 2!2.5 0n 7) lot",
                                             "date.week"};
    std::vector<std::string> shown;
    for (std::size_t count = 1 + below(3); count > 0; --count)
      shown.push_back(fmt::format("r{}:{}", count, one_of(values)));
    if (rarely(2)) {
      const std::string by = fmt::format("k:{}", values[below(12)]);
      return select("select", {fmt::format("r0:{}", aggregate())}, {by}, where(), {});
    }
    return select("select", shown, {}, where(), {});
  }

  Dice& dice_;
  const TextTable& left_;
  const TextTable& right_;
  TextTable base_;
};

}  // namespace

std::string random_query(Dice& dice, const TextTable& left, const TextTable& right, int depth) {
  return QueryMaker(dice, left, right).query(depth).text;
}

}  // namespace hdbench::queries
