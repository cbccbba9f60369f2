"""Every row of a query's result against DuckDB's answer over the same arrays.

hdbench prints CSV as q does; DuckDB holds what kdb_reader read, in kdb+'s own units: timestamps and
timespans as nanoseconds, dates as days, all since 2000.01.01; nulls as SQL nulls; symbols and chars
as text. Besides the table's columns there is `rn`, the row's number in partition order.
"""

import csv
import hashlib
import itertools
import pathlib
import subprocess

import duckdb
import kdb_reader
import numpy as np

INTEGER_NULL = {
    "short": -(2**15),
    **dict.fromkeys(("int", "month", "date", "minute", "second", "time"), -(2**31)),
    **dict.fromkeys(("long", "timestamp", "timespan"), -(2**63)),
}
HEADER_BYTES = 16  # of a plain vector's file
INFINITY = {"short": 2**15 - 1, "int": 2**31 - 1}
TEXT = ("symbol", "char")
TOLERANCE = 1e-12


class Oracle:
    """DuckDB over tables of a database, and the q type of every column."""

    def __init__(self):
        self.connection = duckdb.connect()
        self.connection.execute("SET threads = 2")
        self.kinds = {}

    def load(self, root, name, dates=None):
        self.add(name, kdb_reader.read_table(root, name, dates))

    def add(self, name, columns):
        """A table from {column: (kind, array)}."""
        arrays, shown = {}, []
        for field, (kind, values) in columns.items():
            self.kinds[field] = kind
            if kind == "char":
                values = np.array([chr(i) for i in range(256)], dtype=object)[values]
            arrays[field] = values
            shown.append(f"{null_free(quoted(field), kind)} AS {quoted(field)}")
        arrays["rn"] = np.arange(len(next(iter(arrays.values()))))
        self.connection.register("arrays", arrays)
        self.connection.execute(f"CREATE TABLE {name} AS SELECT {', '.join(shown)}, rn FROM arrays")
        self.connection.unregister("arrays")

    def kind_of(self, name, duckdb_type):
        """The q type in which a result column is read: its own, unless an aggregate changed it."""
        named = {"DOUBLE": "float", "FLOAT": "real", "VARCHAR": "symbol"}
        return named.get(duckdb_type) or self.kinds.get(name, "long")

    def answer(self, sql):
        """[(name, kind, masked array)], in SQL's order."""
        done = self.connection.execute(sql)
        kinds = [(c[0], self.kind_of(c[0], str(c[1]))) for c in done.description]
        arrays = done.fetchnumpy()
        return [(name, kind, np.ma.asarray(arrays[name])) for name, kind in kinds]

    def parse(self, path, wanted):
        """The columns of a CSV file in kdb+'s units, as the kinds of `wanted` say."""
        with open(path, newline="", encoding="utf-8") as lines:
            names = next(csv.reader(lines), [])
        if names != [name for name, _, _ in wanted]:
            raise Difference(f"columns {names}, expected {[name for name, _, _ in wanted]}")
        texts = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(names)))
        shown = ", ".join(f"{parsed(f'c{i}', w[1])} AS c{i}" for i, w in enumerate(wanted))
        sql = (f"SELECT {shown} FROM read_csv('{path}', header = true, delim = ',', quote = '\"',"
               f" escape = '\"', auto_detect = false, columns = {{{texts}}})")
        try:
            arrays = self.connection.execute(sql).fetchnumpy()
        except duckdb.Error as error:
            raise Difference(f"unreadable CSV: {error}") from error
        return [np.ma.asarray(arrays[f"c{i}"]) for i in range(len(names))]


class Difference(Exception):
    """A result that is not what DuckDB says."""


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def null_free(field, kind):
    """SQL for a column whose nulls are q's, with SQL's nulls in their place."""
    if kind in TEXT:
        return field
    if kind in ("float", "real", "datetime"):
        return f"CASE WHEN isnan({field}) THEN NULL ELSE {field} END"
    if kind in ("boolean", "byte"):
        return f"CAST({field} AS BIGINT)"
    return f"nullif(CAST({field} AS BIGINT), {INTEGER_NULL[kind]})"


def parsed(text, kind):
    """SQL that turns a CSV field into the value it represents. An empty field is a null (or '')."""
    if kind in TEXT:
        return f"rtrim(coalesce({text}, ''))"
    if kind in ("float", "real"):
        number = "DOUBLE" if kind == "float" else "FLOAT"
        return number_or(text, number, "0w", f"'inf'::{number}", f"'-inf'::{number}")
    if kind == "date":
        return f"CAST({text} AS DATE) - DATE '2000-01-01'"
    if kind == "timestamp":
        stamp = f"CAST(replace({text}, 'D', ' ') AS TIMESTAMP_NS)"
        return f"epoch_ns({stamp}) - 946684800000000000"
    if kind == "timespan":
        day, clock = f"split_part({text}, 'D', 1)", f"split_part({text}, 'D', 2)"
        return f"CAST({day} AS BIGINT) * 86400000000000 + {clock_units(clock, 1000000000)}"
    if kind == "time":
        return clock_units(text, 1000)
    if kind in ("minute", "second"):
        parts = [f"CAST(split_part({text}, ':', {i}) AS BIGINT)" for i in (1, 2, 3)]
        minutes = f"{parts[0]} * 60 + {parts[1]}"
        return minutes if kind == "minute" else f"({minutes}) * 60 + {parts[2]}"
    if kind in ("boolean", "short", "int", "long"):
        most = INFINITY.get(kind, 2**63 - 1)
        return number_or(text, "BIGINT", "0W", most, -most)
    raise Difference(f"no column of type {kind} is compared here")


def number_or(text, number, word, most, least):
    """A number, or one of the infinities, which have a word."""
    return (f"CASE {text} WHEN '{word}' THEN {most} WHEN '-{word}' THEN {least}"
            f" ELSE CAST({text} AS {number}) END")


def clock_units(clock, units_per_second):
    """hh:mm:ss.fff as an integer of such units; the fraction has as many digits as they have."""
    whole, fraction = f"split_part({clock}, '.', 1)", f"split_part({clock}, '.', 2)"
    part = "CAST(split_part({0}, ':', {1}) AS BIGINT)"
    hours, minutes, seconds = (part.format(whole, i) for i in (1, 2, 3))
    total = f"(({hours} * 60 + {minutes}) * 60 + {seconds}) * {units_per_second}"
    return f"({total} + CAST({fraction} AS BIGINT))"


def differing_rows(found, wanted, kind, approximate):
    """Indices where two masked arrays of one length differ."""
    both_null = np.ma.getmaskarray(found) & np.ma.getmaskarray(wanted)
    one_null = np.ma.getmaskarray(found) ^ np.ma.getmaskarray(wanted)
    if kind in TEXT:
        left = np.array([str(x) for x in found.filled("")], dtype=object)
        right = np.array([str(x).rstrip() for x in wanted.filled("")], dtype=object)
        return np.flatnonzero(left != right)
    left, right = found.filled(0), wanted.filled(0)
    same = left == right
    if approximate:
        room = TOLERANCE * np.maximum(np.abs(left), np.abs(right))
        with np.errstate(invalid="ignore"):
            same |= np.abs(left - right) <= room
    return np.flatnonzero((~same & ~both_null) | one_null)


def compare(oracle, csv_path, sql, approximate=()):
    """Raises Difference, naming the first place, unless the file holds exactly what SQL gives."""
    wanted = oracle.answer(sql)
    found = oracle.parse(csv_path, wanted)
    rows = len(wanted[0][2])
    if len(found[0]) != rows:
        raise Difference(f"{len(found[0])} rows, expected {rows}")
    for (name, kind, right), left in zip(wanted, found):
        bad = differing_rows(left, right, kind, name in approximate)
        if len(bad):
            i = bad[0]
            raise Difference(f"column {name}: {len(bad)} of {rows} rows differ; row {i}:"
                             f" {left[i]!r}, expected {right[i]!r}")
    return rows


def run_query(binary, database, arguments, out_path):
    """Exit status and messages; the result is left in out_path."""
    command = [str(binary), "query", str(database), *arguments, "--format", "csv"]
    with open(out_path, "wb") as out:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out,
                              stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stderr.decode(errors="replace").strip()


def generate(binary, database, profile, scale, *more):
    """A small database of `hdbench gen`."""
    made = [str(binary), "gen", str(database), "--profile", profile, "--scale", scale, *more]
    subprocess.run([*made, "--threads", "2"], check=True, stdout=subprocess.DEVNULL)


def put_nulls(database, nulls, share, seed, and_where=None):
    """Writes nulls, {table: {column: null}}, into the column files, in places that a seed gives;
    and_where(folder, column): more places."""
    chance = np.random.default_rng(seed)
    for date, table in itertools.product(kdb_reader.partitions(database), nulls):
        for field, null in nulls[table].items():
            path = database / date / table / field
            dtype = kdb_reader.read_column(path).values.dtype
            values = np.memmap(path, dtype, "r+", offset=HEADER_BYTES)
            values[chance.random(len(values)) < share] = null
            if and_where:
                values[and_where(path.parent, field)] = null
            values.flush()


class Session:
    """Runs queries under several settings, compares each once in full and the others byte by byte.

    Results are the same bytes under every setting, so the bytes that DuckDB has confirmed confirm
    the rest; bytes that differ are compared in full again, which says where.
    """

    def __init__(self, binary, database, folder, **tables):
        """tables: the dates of each, or None: all."""
        self.binary = binary
        self.database = database
        self.oracle = Oracle()
        for name, dates in tables.items():
            self.oracle.load(database, name, dates)
        self.out_path = pathlib.Path(folder, "result.csv")
        self.confirmed = {}
        self.runs = 0
        self.failures = 0

    def fail(self, title, reason):
        self.failures += 1
        print(f"FAILED {title}\n       {reason}", flush=True)

    def check(self, title, arguments, axes, sql, approximate=()):
        """Gives the rows of the answer, or None where something differs (which has been said)."""
        self.runs += 1
        command = [*arguments, *axes]
        status, messages = run_query(self.binary, self.database, command, self.out_path)
        title = f"{title}  [{' '.join(axes)}]"
        if status != 0:
            self.fail(title, f"exit status {status}: {messages}")
            return None
        digest = hashlib.sha256(self.out_path.read_bytes()).hexdigest()
        known, rows = self.confirmed.get(sql, (None, None))
        if known == digest:
            return rows
        try:
            rows = compare(self.oracle, self.out_path, sql, approximate)
        except Difference as difference:
            self.fail(title, str(difference))
            return None
        if known is not None:
            self.fail(title, "right by value, but not the same bytes as under other settings")
        self.confirmed[sql] = (digest, rows)
        return rows

    def finish(self):
        total = sum(rows for _, rows in self.confirmed.values())
        print(f"{self.runs} runs of {len(self.confirmed)} queries, {total} rows compared with"
              f" DuckDB {duckdb.__version__}, {self.failures} failures")
        return 1 if self.failures else 0


def rows_where(table, condition, columns=None):
    """select ... where: the rows in table order."""
    return f"SELECT {columns or '* EXCLUDE (rn)'} FROM {table} WHERE {condition} ORDER BY rn"


def last_rows(table, condition, keys):
    """select by: of each group the row with the highest number, keys first, sorted by them."""
    last = f"SELECT max(rn) FROM {table} WHERE {condition} GROUP BY {keys}"
    others = f"* EXCLUDE ({keys}, rn)"
    return f"SELECT {keys}, {others} FROM {table} WHERE rn IN ({last}) ORDER BY {keys}"


def day(text):
    return kdb_reader.partition_days(text)
