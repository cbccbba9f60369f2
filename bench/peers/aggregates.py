"""Aggregate queries for the peers: read from their q text, written in each engine's own words.

The text is a line of queries/aggregates.q; FUNCTIONS is the only place that says how an engine
writes an aggregate. Results are columns a0, a1, ...: the keys, then the outputs.
"""

import dataclasses
import datetime
import re

TOKEN = re.compile(r"\s*(\d{4}\.\d\d\.\d\d|-?\d+(?:\.\d+)?|[A-Za-z]\w*|<>|<=|>=|[<>=,:])")
WORDS = ("count", "sum", "avg", "min", "max", "first", "last", "dev", "med")
POLARS_RELATIONS = {"=": "==", "<>": "!="}
RELATIONS = ("<", ">", "=", "<=", ">=", "<>")
FLOATS = ("avg", "dev", "med", "wavg")

# {0}: the column, {1}: the weights, {row}: the row's number. Sums are of the column's own type.
COMMON = {
    "count": "count(*)", "avg": "avg({0})", "min": "min({0})", "max": "max({0})",
    "wavg": "sum({1} * {0}) / sum({1})",
}  # fmt: skip
FUNCTIONS = {
    "duckdb": COMMON | {
        "sum": "sum({0})", "sum long": "sum({0})::BIGINT", "dev": "stddev_pop({0})",
        "med": "median({0})", "first": "arg_min({0}, {row})", "last": "arg_max({0}, {row})",
    },
    "chdb": COMMON | {
        "sum": "sum({0})", "dev": "stddevPop({0})", "med": "quantileExactInclusive(0.5)({0})",
        "first": "argMin({0}, {row})", "last": "argMax({0}, {row})",
    },
    "datafusion": COMMON | {
        "sum": "sum({0})", "dev": "stddev_pop({0})", "med": "median({0})",
        "first": "first_value({0} ORDER BY {row})", "last": "last_value({0} ORDER BY {row})",
    },
    "polars": {
        "count": "len()", "sum": 'col("{0}").sum()', "avg": 'col("{0}").mean()',
        "min": 'col("{0}").min()', "max": 'col("{0}").max()', "dev": 'col("{0}").std(ddof=0)',
        "med": 'col("{0}").median()', "first": 'col("{0}").first()', "last": 'col("{0}").last()',
        "wavg": '(col("{1}") * col("{0}")).sum() / col("{1}").sum()',
    },
}  # fmt: skip


class Unknown(ValueError):
    """A query that is not of these kinds."""


@dataclasses.dataclass(frozen=True)
class Output:
    name: str
    function: str
    column: str | None  # None: count i
    weights: str | None = None


@dataclasses.dataclass(frozen=True)
class Condition:
    column: str
    relation: str
    value: str  # as written: a number, or a date with dots


@dataclasses.dataclass(frozen=True)
class Aggregation:
    text: str
    table: str
    outputs: tuple
    by: tuple
    where: tuple


class Reader:
    """Recursive descent over the text's tokens, the last of which is empty."""

    def __init__(self, text):
        self.text, self.tokens, at = text, [], 0
        while at < len(text.rstrip()):
            found = TOKEN.match(text, at)
            if not found:
                raise Unknown(f"not of the peers' aggregates at '{text[at:]}': {text}")
            self.tokens.append(found[1])
            at = found.end()
        self.tokens.append("")

    def accept(self, *words):
        return self.tokens.pop(0) if self.tokens[0] in words else None

    def expect(self, *words):
        if self.tokens[0] not in words:
            raise Unknown(f"found '{self.tokens[0]}', expected {' or '.join(words)}: {self.text}")
        return self.tokens.pop(0)

    def name(self):
        if not self.tokens[0].isidentifier():
            raise Unknown(f"found '{self.tokens[0]}', expected a column: {self.text}")
        return self.tokens.pop(0)

    def listed(self, one):
        items = [one()]
        while self.accept(","):
            items.append(one())
        return tuple(items)

    def output(self):
        alias = None
        if self.tokens[1] == ":":
            alias = self.name()
            self.expect(":")
        function = self.accept(*WORDS)
        if function == "count":
            self.expect("i")
            return Output(alias or "x", function, None)
        column = self.name()
        if function is None:
            self.expect("wavg")
            weights, column = column, self.name()
            return Output(alias or column, "wavg", column, weights)
        return Output(alias or column, function, column)

    def condition(self):
        column, relation = self.name(), self.expect(*RELATIONS)
        value = self.tokens.pop(0)
        if not re.match(r"[-\d]", value):
            raise Unknown(f"found '{value}', expected a number or a date: {self.text}")
        return Condition(column, relation, value)

    def query(self):
        self.expect("select")
        outputs = self.listed(self.output)
        by = self.listed(self.name) if self.accept("by") else ()
        self.expect("from")
        table = self.name()
        where = self.listed(self.condition) if self.accept("where") else ()
        self.expect("")
        return Aggregation(self.text, table, outputs, by, where)


def parse(text):
    return Reader(text).query()


def kinds_of(raw, question):
    """Names and q types of the result's columns, keys first."""
    kinds = {"date": "date", **raw.kinds}
    shown = [(key, kinds[key]) for key in question.by]
    for output in question.outputs:
        kind = "long" if output.column is None else kinds[output.column]
        if output.function == "sum" and kind not in ("long", "float"):
            raise Unknown(f"sum of a {kind}: {question.text}")
        shown.append((output.name, "float" if output.function in FLOATS else kind))
    return shown


def value_of(condition, date_literal):
    """A number, or the engine's literal of a date."""
    is_date = condition.value.count(".") == 2
    return date_literal(condition.value.replace(".", "-")) if is_date else condition.value


def call(engine, raw, output, row=""):
    """The aggregate in the engine's words."""
    functions = FUNCTIONS[engine]
    own = f"{output.function} {raw.kinds.get(output.column)}"
    text = functions.get(own, functions[output.function])
    return text.format(output.column, output.weights, row=row)


def sql(engine, raw, question, date_literal, table, row):
    """The query in the engine's SQL."""
    shown = [*question.by, *(call(engine, raw, output, row) for output in question.outputs)]
    text = "SELECT " + ", ".join(f"{one} AS a{i}" for i, one in enumerate(shown))
    text += f" FROM {table}"
    tests = [f"{one.column} {one.relation} {value_of(one, date_literal)}" for one in question.where]
    if tests:
        text += " WHERE " + " AND ".join(tests)
    if question.by:
        text += " GROUP BY " + ", ".join(question.by)
    return text


def polars_texts(raw, question):
    """What follows `df.lazy()` in Polars."""
    tests = [f'(col("{one.column}") {POLARS_RELATIONS.get(one.relation, one.relation)} '
             + value_of(one, 'date("{}")'.format) + ")" for one in question.where]
    text = f".filter({' & '.join(tests)})" if tests else ""
    calls = [f'({call("polars", raw, output)}).alias("a{i}")'
             for i, output in enumerate(question.outputs, len(question.by))]
    if question.by:
        text += f".group_by({list(question.by)}).agg({', '.join(calls)})"
    else:
        text += f".select({', '.join(calls)})"
    return text + '.collect(engine="streaming")'


def polars_words(polars, frame):
    """With which polars_texts() are evaluated."""
    return {"col": polars.col, "len": polars.len, "date": datetime.date.fromisoformat,
            "df": frame, "__builtins__": {}}
