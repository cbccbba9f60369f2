"""Random queries over small tables of trades and quotes with nulls, against DuckDB.

    random_queries.py HDBENCH [SEED [COUNT]]

A seed gives the same queries again. Each is written twice, as q-SQL and as SQL, from one random
tree; results are compared row by row and must be the same bytes under several settings. Expressions
have all their parentheses, so that both languages read them alike; what q and SQL do differently
with nulls is spelt out in the SQL.
"""

import pathlib
import random
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import kdb_files
from compare import Session, day, generate, put_nulls
from kdb_reader import partitions

SCALE = "0.0004"
SEED, COUNT = 41, 100
NULLS = {
    "trade": {"price": np.nan, "size": -(2**31), "ptime": -(2**63)},
    "quote": {"bid": np.nan, "ask": np.nan, "bsize": -(2**31)},
}
NULL_SHARE = 0.08
SPAN = 10**9
AXES = [
    ["--layout", "partitioned", "--attr", "none", "-s", "2"],
    ["--layout", "partitioned", "--attr", "parted", "--mode", "3.6", "-s", "1"],
    ["--layout", "flat", "--attr", "parted", "--medium", "dram", "-s", "2"],
]
COLUMNS = {
    "trade": {"sym": "symbol", "ex": "char", "cond": "symbol", "time": "timespan",
              "ptime": "timespan", "size": "int", "seq": "int", "price": "real", "corr": "short",
              "date": "date"},
    "quote": {"sym": "symbol", "ex": "char", "cond": "symbol", "time": "timespan",
              "bsize": "int", "asize": "int", "seq": "int", "bid": "real", "ask": "real",
              "date": "date"},
}  # fmt: skip
NUMBERS = ("short", "int", "long", "real", "float")
SQL_TYPES = {"short": "INTEGER", "int": "INTEGER", "long": "BIGINT", "real": "FLOAT",
             "float": "DOUBLE", "timespan": "BIGINT", "boolean": "INTEGER"}  # fmt: skip
WIDER = ["int", "long", "real", "float"]
# By the number that is thrown: q, SQL and the type, where it is another than the argument's.
UNARY = {
    7: ("abs {}", "abs({})", None),
    8: ("neg {}", "(-({}))", None),
    9: ("{0}%1f+abs {0}", "({0}::DOUBLE / (abs({0}::DOUBLE) + 1))", "float"),
    10: ("floor {}", "floor({}::DOUBLE)::BIGINT", "long"),
}
BINARY_TRUTHS = {6: ("&", "least({}, {})"), 7: ("|", "greatest({}, {})")}
# Of sorted values, nulls first, the mean of the middle two.
MEDIAN = "list_avg([{0}[(count(*) + 1) // 2], {0}[count(*) // 2 + 1]])"
IN_TURN = "OVER (PARTITION BY date ORDER BY rn{})"
SO_FAR = IN_TURN.format(" ROWS UNBOUNDED PRECEDING")
FEW = IN_TURN.format(" ROWS BETWEEN 4 PRECEDING AND CURRENT ROW")


class Value:
    """An expression in both languages, and its q type."""

    def __init__(self, q, sql, kind):
        self.q, self.sql, self.kind = q, sql, kind


def truth(sql):
    return f"CASE WHEN {sql} THEN 1 ELSE 0 END"


def is_true(value):
    return f"{value.sql} = 1"


def beside(name):
    """Of a join: the right row's value, nulls included; without one t's own."""
    return f"CASE WHEN q.sym IS NULL THEN t.{name} ELSE q.{name} END AS {name}"


def wide(*kinds):
    """The widest, as sums have it."""
    return max(("int" if kind in ("short", "boolean") else kind for kind in kinds),
               key=(*WIDER, *kinds).index)


class Maker:
    """Random values over the columns of one table."""

    def __init__(self, dice, table):
        self.dice, self.columns = dice, COLUMNS[table]

    def column(self, kinds):
        name = self.dice.choice([c for c, kind in self.columns.items() if kind in kinds])
        return Value(name, name, self.columns[name])

    def number(self, depth=2):
        made = self.dice.randrange(14) if depth > 0 else self.dice.randrange(2)
        if made == 0:
            n = self.dice.randint(-3, 20)
            return Value(f"({n})", f"({n})::BIGINT", "long")
        if made in (1, 2, 3):
            return self.column(NUMBERS)
        if made in (4, 5, 6):
            return self.pair(self.number(depth - 1), self.number(depth - 1))
        x = self.number(depth - 1)
        if made in UNARY:
            q, sql, kind = UNARY[made]
            return Value(f"({q.format(x.q)})", sql.format(x.sql), kind or wide(x.kind))
        if made == 11:
            c = self.truth(depth - 1)
            q, sql = f"?[{c.q};{{}};{{}}]", f"CASE WHEN {is_true(c)} THEN {{}} ELSE {{}} END"
        y = self.number(depth - 1)
        if made == 12:
            q, sql = "({}^{})", "coalesce({1}, {0})"
        elif made == 13 and self.dice.random() < 0.5:
            q, sql = "({}|{})", "greatest({}, {})"
        elif made == 13:
            q, sql = "({}&{})", ("CASE WHEN ({0}) IS NULL OR ({1}) IS NULL THEN NULL"
                                 " ELSE least({0}, {1}) END")
        return self.joined(x, y, q, sql)

    def joined(self, x, y, q, sql):
        """Two numbers of the wider type, of which one, or what is made of both, is the result."""
        kind = wide(x.kind, y.kind)
        if x.kind == y.kind == "short":
            kind = "short"
        of = SQL_TYPES[kind]
        made = sql.format(f"({x.sql})::{of}", f"({y.sql})::{of}")
        return Value(q.format(x.q, y.q), f"({made})", kind)

    def pair(self, x, y):
        mark = self.dice.choice("+-*")
        kind = wide(x.kind, y.kind)
        of = SQL_TYPES[kind]
        # Products that overflow wrap in q and are errors in SQL.
        if mark == "*" and kind in ("int", "long"):
            mark = "-"
        if kind == "int":
            return Value(f"({x.q}{mark}{y.q})", f"(({x.sql}) {mark} ({y.sql}))::INTEGER", kind)
        return Value(f"({x.q}{mark}{y.q})", f"(({x.sql})::{of} {mark} ({y.sql})::{of})", kind)

    def truth(self, depth=2):
        made = self.dice.randrange(9) if depth > 0 else self.dice.randrange(4)
        if made in (0, 1):
            x, y = self.number(depth - 1), self.number(depth - 1)
            kind = SQL_TYPES[wide(x.kind, y.kind)]
            return self.compared(x, y, f"({x.sql})::{kind}", f"({y.sql})::{kind}")
        if made == 2:
            x = self.column(("timespan",))
            at = self.dice.randint(9, 16)
            limit = Value(f"0D{at:02}:00", f"{at * 3600 * SPAN}", "timespan")
            return self.compared(x, limit, x.sql, limit.sql)
        if made == 3:
            x = self.column(("char",))
            letters = "".join(self.dice.sample("ABCDNPQTZ", 3))
            among = ", ".join(f"'{letter}'" for letter in letters)
            return Value(f'({x.q} in "{letters}")', truth(f"{x.sql} IN ({among})"), "boolean")
        if made == 4:
            x = self.number(depth - 1)
            return Value(f"(null {x.q})", truth(f"({x.sql}) IS NULL"), "boolean")
        x = self.truth(depth - 1)
        if made == 5:
            return Value(f"(not {x.q})", f"(1 - ({x.sql}))", "boolean")
        y = self.truth(depth - 1)
        if made in BINARY_TRUTHS:
            mark, sql = BINARY_TRUTHS[made]
            return Value(f"({x.q}{mark}{y.q})", sql.format(x.sql, y.sql), "boolean")
        return Value(f"({x.q}={y.q})", truth(f"({x.sql}) = ({y.sql})"), "boolean")

    def compared(self, x, y, a, b):
        """Nulls are the least values, and equal."""
        less = "(({a}) IS NULL AND ({b}) IS NOT NULL OR coalesce(({a}) < ({b}), FALSE))"
        equal = f"(({a}) IS NOT DISTINCT FROM ({b}))"
        mark = self.dice.choice(["=", "<>", "<", "<=", ">", ">="])
        sql = {"=": equal, "<>": f"NOT {equal}", "<": less.format(a=a, b=b),
               ">": less.format(a=b, b=a), "<=": f"NOT {less.format(a=b, b=a)}",
               ">=": f"NOT {less.format(a=a, b=b)}"}[mark]  # fmt: skip
        return Value(f"({x.q}{mark}{y.q})", truth(sql), "boolean")

    def key(self):
        made = self.dice.randrange(8)
        if made < 4:
            return self.column(("symbol", "char", "date"))
        if made == 4:
            return Value("time.hh", f"(time // {3600 * SPAN})::INTEGER", "int")
        if made == 5:
            width = self.dice.choice([5, 30, 60]) * 60 * SPAN
            return Value(f"({width // SPAN // 60}*0D00:01) xbar time", f"(time - time % {width})",
                         "timespan")  # fmt: skip
        x = self.number(1)
        if x.kind in ("real", "float"):
            return self.column(("symbol", "char"))
        return x

    def condition(self):
        if self.dice.random() < 0.3:
            x = self.column(("symbol",))
            letter = self.dice.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
            return Value(f'{x.q} like "{letter}*"', truth(f"starts_with({x.sql}, '{letter}')"),
                         "boolean")  # fmt: skip
        return self.truth()

    def aggregate(self):
        """The value, and whether floats may differ in the last bits."""
        name = self.dice.choice(["count", "sum", "avg", "min", "max", "first", "last", "med", "dev",
                                 "var", "sdev", "svar", "wavg", "wsum", "any", "all",
                                 "distinct"])  # fmt: skip
        if name in ("any", "all"):
            x = self.truth()
            made, none = ("bool_or", 0) if name == "any" else ("bool_and", 1)
            return Value(f"{name} {x.q}", f"coalesce({made}({is_true(x)})::INTEGER, {none})",
                         "boolean"), False  # fmt: skip
        x = self.number()
        if name == "distinct":
            x = self.column(("symbol", "char", "int"))
            nulls = f" + (count(*) > count({x.sql}))::BIGINT"
            return Value(f"count distinct {x.q}", f"(count(DISTINCT {x.sql}){nulls})",
                         "long"), False  # fmt: skip
        d = f"({x.sql})::DOUBLE"
        if name in ("wavg", "wsum"):
            w = self.column(("int",))
            pairs = f"FILTER (({x.sql}) IS NOT NULL AND {w.sql} IS NOT NULL)"
            total = f"coalesce(fsum({w.sql}::DOUBLE * {d}) {pairs}, 0)"
            if name == "wsum":
                return Value(f"{w.q} wsum {x.q}", total, "float"), True
            weights = f"nullif(fsum({w.sql}::DOUBLE) {pairs}, 0)"
            return Value(f"{w.q} wavg {x.q}", f"{total} / {weights}", "float"), True
        q = f"{name} {x.q}"
        if name == "count":
            return Value(q, "count(*)", "long"), False
        if name == "sum":
            if x.kind in ("real", "float"):
                of = SQL_TYPES[x.kind]
                return Value(q, f"coalesce(fsum({d}), 0)::{of}", x.kind), True
            return Value(q, f"coalesce(sum({x.sql}), 0)::BIGINT", "long"), False
        if name in ("first", "last"):
            which = "arg_min_null" if name == "first" else "arg_max_null"
            return Value(q, f"{which}({x.sql}, rn)", x.kind), False
        if name in ("min", "max"):
            return self.extreme(name, q, x), False
        if name == "med":
            order = f"list_sort(list({d}), 'ASC', 'NULLS FIRST')"
            return Value(q, MEDIAN.format(order), "float"), True
        made = {"avg": "favg", "dev": "stddev_pop", "var": "var_pop", "sdev": "stddev_samp",
                "svar": "var_samp"}[name]  # fmt: skip
        return Value(q, f"{made}({d})", "float"), True

    def extreme(self, name, q, x, window=""):
        """Of nothing but nulls the type's infinity."""
        infinite = {"short": 2**15 - 1, "int": 2**31 - 1, "long": 2**63 - 1}.get(x.kind)
        of = SQL_TYPES[x.kind]
        sign = "" if name == "min" else "-"
        none = f"'{sign}inf'::{of}" if infinite is None else f"({sign}{infinite})::BIGINT"
        return Value(q, f"coalesce({name}({x.sql}) {window}, {none})", x.kind)

    def uniform(self):
        """A function of the rows so far; dates apart, the rows in their order."""
        x = self.number(1)
        d = f"({x.sql})::DOUBLE"
        name = self.dice.choice(["prev", "next", "2 xprev", "sums", "maxs", "5 mavg", "5 mcount",
                                 "5 msum", "deltas", "differ"])  # fmt: skip
        q = f"{name} {x.q}"
        if name in ("prev", "next", "2 xprev"):
            which, by = ("lead", 1) if name == "next" else ("lag", 2 if name[0] == "2" else 1)
            return Value(q, f"{which}({x.sql}, {by}) {IN_TURN.format('')}", x.kind), False
        if name in ("sums", "5 msum") and x.kind not in ("real", "float"):
            window = SO_FAR if name == "sums" else FEW
            return Value(q, f"coalesce(sum({x.sql}) {window}, 0)::BIGINT", "long"), False
        if name in ("sums", "5 msum", "5 mavg"):  # sums of floats are added in another order
            return Value(f"5 mavg {x.q}", f"avg({d}) {FEW}", "float"), True
        if name == "maxs":
            return self.extreme("max", q, x, SO_FAR), False
        if name == "5 mcount":
            return Value(q, f"count({x.sql}) {FEW}::INTEGER", "int"), False
        before = f"lag({x.sql}) {IN_TURN.format('')}"
        is_first = f"row_number() {IN_TURN.format('')} = 1"
        if name == "differ":
            differs = truth(f"{is_first} OR ({x.sql}) IS DISTINCT FROM {before}")
            return Value(q, differs, "boolean"), False
        own = f"({x.sql})::{SQL_TYPES[wide(x.kind)]}"
        return Value(q, f"CASE WHEN {is_first} THEN {own} ELSE {own} -"
                     f" ({before})::{SQL_TYPES[wide(x.kind)]} END", wide(x.kind)), False


class Query:
    """One random query: its text, its SQL, the kinds of its columns, those that may differ."""

    def __init__(self, dice, dates):
        self.dice, self.dates = dice, dates
        self.kinds, self.approximate = {}, []
        self.table = dice.choice(["trade", "quote"])
        self.maker = Maker(dice, self.table)
        forms = [self.rows, self.rows, self.groups, self.groups, self.groups, self.windows,
                 self.distinct, self.top, self.fby, self.nested, self.listed, self.joined,
                 self.as_of]  # fmt: skip
        self.text, self.sql = dice.choice(forms)()

    def where(self, more=0):
        """Conditions after the date, in both languages."""
        first = self.dice.choice(self.dates)
        last = self.dice.choice([first, first, self.dates[-1]])
        q = [f"date within {first} {last}"]
        sql = [f"date BETWEEN {day(first)} AND {day(last)}"]
        for _ in range(self.dice.randint(0, 2) + more):
            made = self.maker.condition()
            q.append(made.q)
            sql.append(is_true(made))
        return ",".join(q), " AND ".join(sql)

    def shown(self, makers):
        """Named values: r0:..., r1:..."""
        q, sql = [], []
        for number, make in enumerate(makers):
            made = make()
            value, is_approximate = made if isinstance(made, tuple) else (made, False)
            name = f"r{number}"
            q.append(f"{name}:{value.q}")
            sql.append(f"{value.sql} AS {name}")
            self.kinds[name] = value.kind
            if is_approximate:
                self.approximate.append(name)
        return ",".join(q), ", ".join(sql)

    def some(self, make, most=3):
        return self.shown([make] * self.dice.randint(1, most))

    def any_value(self):
        return self.dice.choice([self.maker.number, self.maker.truth])()

    def rows(self, make=None):
        q, sql = self.some(make or self.any_value)
        where, condition = self.where()
        return (f"select {q} from {self.table} where {where}",
                f"SELECT {sql} FROM {self.table} WHERE {condition} ORDER BY rn")

    def windows(self):
        return self.rows(self.maker.uniform)

    def keys(self):
        names, q, sql = [], [], []
        for number in range(self.dice.randint(1, 2)):
            key, name = self.maker.key(), f"k{number}"
            names.append(name)
            q.append(f"{name}:{key.q}")
            sql.append(f"{key.sql} AS {name}")
            self.kinds[name] = key.kind
        return names, ",".join(q), ", ".join(sql)

    def groups(self):
        q, sql = self.some(self.maker.aggregate)
        where, condition = self.where()
        if self.dice.random() < 0.2:
            return (f"select {q} from {self.table} where {where}",
                    f"SELECT {sql} FROM {self.table} WHERE {condition}")
        names, by, keys = self.keys()
        order = ", ".join(f"{name} NULLS FIRST" for name in names)
        return (f"select {q} by {by} from {self.table} where {where}",
                f"SELECT {keys}, {sql} FROM {self.table} WHERE {condition}"
                f" GROUP BY {', '.join(names)} ORDER BY {order}")

    def distinct(self):
        names, q, sql = self.keys()
        where, condition = self.where()
        return (f"select distinct {q} from {self.table} where {where}",
                f"SELECT {sql} FROM {self.table} WHERE {condition} GROUP BY {', '.join(names)}"
                " ORDER BY min(rn)")

    def top(self):
        q, sql = self.some(self.maker.number)
        where, condition = self.where()
        count, mark = self.dice.randint(0, 40), self.dice.choice("<>")
        order = "DESC NULLS LAST" if mark == ">" else "NULLS FIRST"
        return (f"select[{count};{mark}r0] {q} from {self.table} where {where}",
                f"SELECT {sql} FROM {self.table} WHERE {condition} ORDER BY r0 {order}, rn"
                f" LIMIT {count}")

    def fby(self):
        q, sql = self.some(self.any_value, 2)
        where, condition = self.where()
        column = self.maker.column(("int",))
        by = self.dice.choice(["sym", "ex", "([]sym;ex)"])
        keys = by.strip("([])").replace(";", ", ")
        after = self.maker.truth(1)
        return (f"select {q} from {self.table} where {where},{column.q}=(max;{column.q}) fby {by},"
                f"{after.q}",
                f"SELECT {sql} FROM (SELECT *, max({column.sql}) OVER (PARTITION BY date, {keys})"
                f" AS most FROM {self.table} WHERE {condition}) WHERE {column.sql} = most"
                f" AND {is_true(after)} ORDER BY rn")

    def nested(self):
        names, by, keys = self.keys()
        where, condition = self.where()
        order = ", ".join(f"{name} NULLS FIRST" for name in names)
        self.kinds["n"] = "long"
        least = self.dice.randint(0, 5)
        return (f"select from (select n:count i by {by} from {self.table} where {where}) where"
                f" n>{least}",
                f"SELECT * FROM (SELECT {keys}, count(*) AS n FROM {self.table} WHERE {condition}"
                f" GROUP BY {', '.join(names)}) WHERE n > {least} ORDER BY {order}")

    def listed(self):
        q, sql = self.some(self.any_value, 2)
        where, condition = self.where()
        inner, inner_condition = self.where(1)
        dates = " AND ".join(inner_condition.split(" AND ")[:2])
        return (f"select {q} from {self.table} where {where},sym in exec sym from trade where"
                f" {inner.split(',')[0]},size>500",
                f"SELECT {sql} FROM {self.table} WHERE {condition} AND sym IN (SELECT sym FROM"
                f" trade WHERE {dates} AND size > 500) ORDER BY rn")

    def joined(self):
        q, sql = self.some(self.any_value, 2)
        where, condition = self.where()
        self.kinds["n"] = "long"
        join, kept = self.dice.choice([("lj", "LEFT JOIN"), ("ij", "JOIN")])
        own = "price" if self.table == "trade" else "ask"
        least = self.dice.choice([1, 100, 1000])
        return (f"(select sym,bid:{own},{q} from {self.table} where {where}) {join} select"
                f" n:count i,bid:last bid by sym from quote where bsize>{least}",
                f"SELECT t.sym AS sym, {beside('bid')}, {', '.join(self.names())}, n FROM (SELECT"
                f" sym, rn, {own} AS bid, {sql} FROM {self.table} WHERE {condition}) t {kept}"
                " (SELECT sym, count(*) AS n, arg_max_null(bid, rn) AS bid FROM quote WHERE"
                f" bsize > {least} GROUP BY sym) q ON t.sym = q.sym ORDER BY t.rn")

    def as_of(self):
        one = self.dice.choice(self.dates)
        self.kinds.update(size="int", bid="real", mid="float")
        join, time = self.dice.choice([("aj", "t.time AS time"), ("aj0", beside("time"))])
        return (
            f"select sym,time,seq,size,bid,mid:0.5*bid+ask from {join}[`sym`time;select"
            f" sym,time,seq,size from trade where date={one};select sym,time,seq,bid,ask from quote"
            f" where date={one}]",
            f"SELECT t.sym AS sym, {time}, {beside('seq')}, size, bid, 0.5 * (bid + ask)::DOUBLE AS"
            f" mid FROM (SELECT * FROM trade WHERE date = {day(one)}) t ASOF LEFT JOIN (SELECT sym,"
            f" time, seq, bid, ask FROM quote WHERE date = {day(one)} QUALIFY row_number() OVER"
            " (PARTITION BY sym, time ORDER BY rn DESC) = 1) q ON t.sym = q.sym AND"
            " t.time >= q.time ORDER BY t.rn")

    def names(self):
        return [name for name in self.kinds if name[0] == "r"]


def compress_every_other_day(database):
    """So that each query reads columns that are compressed, and such that are not."""
    for date in partitions(database)[::2]:
        for path in (database / date).glob("*/[!.]*"):
            path.write_bytes(kdb_files.zipped(path.read_bytes()))


def main():
    binary = pathlib.Path(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    count = int(sys.argv[3]) if len(sys.argv) > 3 else COUNT
    with tempfile.TemporaryDirectory(prefix="hdbench-random-") as folder:
        database = pathlib.Path(folder, "db")
        generate(binary, database, "taq", SCALE)
        put_nulls(database, NULLS, NULL_SHARE, SEED)
        session = Session(binary, database, folder, trade=None, quote=None)
        compress_every_other_day(database)
        own = dict(session.oracle.kinds)
        dates = partitions(database)
        dice = random.Random(seed)
        for number in range(count):
            query = Query(dice, dates)
            session.oracle.kinds = {**own, **query.kinds}
            for axes in AXES:
                session.check(f"seed {seed} query {number}: {query.text}\n       {query.sql}",
                              [query.text], axes, query.sql, query.approximate)
        return session.finish()


if __name__ == "__main__":
    sys.exit(main())
