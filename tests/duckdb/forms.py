"""The forms of q that are more than one query's phrases, against DuckDB.

Aggregates beside columns and in conditions, lists of a group, functions of tables, joins in
windows, functional forms, lambdas, dictionaries, pivots: each over small generated tables of trades
and quotes, with one SQL text by hand, row by row, and the same bytes under every setting.
"""

import pathlib
import sys
import tempfile

from compare import Session, day, generate
from eleven import cells

SCALE = "0.004"
TODAY = f"date = {day('2020.01.07')}"
MINUTE = "(time // 60000000000)::INTEGER"
SECOND = 10**9
TRADES = f"(SELECT * FROM trade WHERE {TODAY})"
QUOTES = f"(SELECT * FROM quote WHERE {TODAY})"
T, Q = "trade where date=2020.01.07", "quote where date=2020.01.07"
ALL = "* EXCLUDE (rn)"
NAMES = "CASE ex WHEN 'N' THEN 'NYSE' WHEN 'P' THEN 'ARCA' WHEN 'Q' THEN 'NASDAQ' ELSE '' END"
DICTIONARY = 'names:"NPQ"!`NYSE`ARCA`NASDAQ; '
BOUNDS = "0D00:00 0D09:30 0D10:00 0D16:00"
PERIOD = ("CASE WHEN time >= 57600000000000 THEN 'after' WHEN time >= 36000000000000 THEN 'day'"
          " WHEN time >= 34200000000000 THEN 'open' ELSE 'before' END")
PLACE = ("CASE WHEN time >= 57600000000000 THEN 3 WHEN time >= 36000000000000 THEN 2"
         " WHEN time >= 34200000000000 THEN 1 ELSE 0 END")
IN_SYM = "OVER (PARTITION BY sym ORDER BY rn)"
RUNS = (f"(SELECT *, sum(changed) {IN_SYM} AS run FROM (SELECT *, CASE WHEN price IS DISTINCT FROM"
        f" lag(price) {IN_SYM} OR row_number() {IN_SYM} = 1 THEN 1 ELSE 0 END AS changed"
        f" FROM {TRADES}))")
# The quotes of each trade's second before and after it; where none is at its begin, the one before.
WINDOW = ("time >= t.time - 1000000000 AND time <= t.time + 1000000000")


OF_SYM = "FROM quotes q WHERE q.sym = t.sym AND"


def windows(prevailing, made):
    before = (" OR rn = (SELECT arg_max(rn, (time, rn)) FROM quotes q WHERE q.sym = t.sym AND"
              " time < t.time - 1000000000 AND NOT EXISTS (SELECT 1 FROM quotes e WHERE"
              " e.sym = t.sym AND e.time = t.time - 1000000000))" if prevailing else "")
    return (f"WITH quotes AS {QUOTES}, t AS (SELECT * FROM {TRADES} WHERE sym IN"
            f" (SELECT sym FROM {TRADES} GROUP BY sym ORDER BY count(*) DESC, sym LIMIT 3))"
            f" SELECT sym, time, {made.format(f'{OF_SYM} ({WINDOW}{before})')} FROM t"
            " ORDER BY t.rn")


BUSY = f"sym in (exec sym from 3#`n xdesc select n:count i by sym from {T})"
WINDOWS = ("t:select sym,time from trade where date=2020.01.07, " + BUSY +
           "; {}[-0D00:00:01 0D00:00:01+\\:t.time;`sym`time;t;(select sym,time,bid,ask,asize from "
           + Q + ";{})]")


def top(count, keys, order, shown=ALL):
    return (f"SELECT {shown} FROM (SELECT *, row_number() OVER (PARTITION BY {keys} ORDER BY"
            f" {order}, rn) AS place FROM {TRADES}) WHERE place <= {count}")


# q, SQL, columns that are compared within the tolerance.
FORMS = [
    (f"ungroup select time,share:100*size%sum size by sym from {T}",
     f"SELECT sym, time, 100 * (size::DOUBLE / sum(size) OVER (PARTITION BY sym)) AS share"
     f" FROM {TRADES} ORDER BY sym, rn"),
    ("select max price-min price by date,sym from trade",
     "SELECT date, sym, (max(price) - min(price))::FLOAT AS price FROM trade GROUP BY ALL"
     " ORDER BY 1, 2"),
    (f"ungroup select rank price by sym from {T}",
     f"SELECT sym, row_number() OVER (PARTITION BY sym ORDER BY price NULLS FIRST, rn) - 1 AS price"
     f" FROM {TRADES} ORDER BY sym, rn"),
    (f"select sym, level:?[price>100;`hi;`lo] from {T}",
     "SELECT sym, CASE WHEN price > 100 THEN 'hi' ELSE 'lo' END AS level"
     f" FROM {TRADES} ORDER BY rn"),
    (f"select from {T}, sym=first sym",
     f"SELECT {ALL} FROM {TRADES} WHERE sym = (SELECT arg_min(sym, rn) FROM {TRADES}) ORDER BY rn"),
    (f"select from {T}, size=max size",
     f"SELECT {ALL} FROM {TRADES} WHERE size = (SELECT max(size) FROM {TRADES}) ORDER BY rn"),
    ("select from trade where size=max size",
     "SELECT * EXCLUDE (rn, most) FROM (SELECT *, max(size) OVER (PARTITION BY date) AS most"
     " FROM trade) WHERE size = most ORDER BY rn"),
    (f"select sym,time,price from {T}, price>avg price",
     f"SELECT sym, time, price FROM {TRADES} WHERE price > (SELECT fsum(price::DOUBLE) /"
     f" count(price) FROM {TRADES}) ORDER BY rn"),
    ("select n:count i, sum size by date.week from trade",
     "SELECT date - (date + 5) % 7 AS week, count(*) AS n, sum(size)::BIGINT AS size FROM trade"
     " GROUP BY 1 ORDER BY 1"),
    (f"select from {T}, 2>(rank;neg size) fby sym",
     f"SELECT * EXCLUDE (rn, place) FROM (SELECT *, row_number() OVER (PARTITION BY sym ORDER BY"
     f" size DESC NULLS FIRST, rn) AS place FROM {TRADES}) WHERE place <= 2 ORDER BY rn"),
    (f"ungroup select 2 sublist desc price by sym from {T}",
     top(2, "sym", "price DESC NULLS LAST", "sym, price") + " ORDER BY sym, place"),
    (f"select sum price where ex=\"N\", n:count i where size>100, first size where ex=\"Q\" by sym"
     f" from {T}",
     f"SELECT sym, coalesce(fsum(price::DOUBLE) FILTER (ex = 'N'), 0)::FLOAT AS ex,"
     f" count(*) FILTER (size > 100) AS n, arg_min(size, rn) FILTER (ex = 'Q') AS ex1"
     f" FROM {TRADES} GROUP BY sym ORDER BY sym"),
    (f"select top:sum 3 sublist desc size by sym from {T}",
     f"SELECT sym, sum(size)::BIGINT AS top FROM ({top(3, 'sym', 'size DESC NULLS LAST')}) GROUP BY"
     " sym ORDER BY sym"),
    (f"count select from {T}, size>500", f"SELECT count(*) AS x FROM {TRADES} WHERE size > 500"),
    (f"10#`size xdesc select sym,time,size from {T}",
     f"SELECT sym, time, size FROM {TRADES} ORDER BY size DESC NULLS LAST, rn LIMIT 10"),
    (f"-5#select sym,time from {T}",
     f"SELECT sym, time FROM (SELECT * FROM {TRADES} ORDER BY rn DESC LIMIT 5) ORDER BY rn"),
    (f"5 sublist desc select n:count i by sym from {T}",
     f"SELECT sym, count(*) AS n FROM {TRADES} GROUP BY sym ORDER BY n DESC, sym LIMIT 5"),
    (f"reverse select sym,time from {T}", f"SELECT sym, time FROM {TRADES} ORDER BY rn DESC"),
    (f"delete ex,cond,stop,corr,seq,source,trf,ptime from select from {T}",
     f"SELECT date, sym, time, size, price FROM {TRADES} ORDER BY rn"),
    (f"delete from (select from {T}) where size<1000",
     f"SELECT {ALL} FROM {TRADES} WHERE NOT coalesce(size < 1000, true) ORDER BY rn"),
    (f"first select sym,time from {T}", f"SELECT sym, time FROM {TRADES} ORDER BY rn LIMIT 1"),
    (f"asc exec distinct sym from {T}", f"SELECT DISTINCT sym FROM {TRADES} ORDER BY sym"),
    (f"max exec size from {T}", f"SELECT max(size) AS size FROM {TRADES}"),
    (f"select from {T}, size>avg exec size from {T}",
     f"SELECT {ALL} FROM {TRADES} WHERE size > (SELECT sum(size)::DOUBLE / count(size) FROM"
     f" {TRADES}) ORDER BY rn"),
    (f"`s`n xcol 0!select count i by sym from {T}",
     f"SELECT sym AS s, count(*) AS n FROM {TRADES} GROUP BY sym ORDER BY sym"),
    ("?[`trade;enlist(=;`date;2020.01.07);0b;()]", f"SELECT {ALL} FROM {TRADES} ORDER BY rn"),
    ("?[`trade;((=;`date;2020.01.07);(>;`size;100));(enlist`sym)!enlist`sym;"
     "`n`vwap!((count;`i);(wavg;`size;`price))]",
     f"SELECT sym, count(*) AS n, fsum(size::DOUBLE * price) / fsum(size::DOUBLE) AS vwap"
     f" FROM {TRADES} WHERE size > 100 GROUP BY sym ORDER BY sym", "vwap"),
    ("f:{select n:count i by sym from trade where date=x}; f 2020.01.07",
     f"SELECT sym, count(*) AS n FROM {TRADES} GROUP BY sym ORDER BY sym"),
    (f"ungroup select time,{{x%first x}} price by sym from {T}",
     f"SELECT sym, time, price::DOUBLE / first_value(price) {IN_SYM} AS price FROM {TRADES}"
     " ORDER BY sym, rn"),
    (DICTIONARY + f"select spread:max ask-bid, n:count i by names ex from {Q}",
     f"SELECT {NAMES} AS ex, max(ask - bid)::FLOAT AS spread, count(*) AS n FROM {QUOTES}"
     " GROUP BY 1 ORDER BY 1"),
    (f"p:`before`open`day`after!{BOUNDS}; update key[p] part from select n:count i by ex,"
     f" part:value[p] bin time from {T}",
     "SELECT ex, CASE p WHEN 0 THEN 'before' WHEN 1 THEN 'open' WHEN 2 THEN 'day' ELSE 'after'"
     f" END AS part, n FROM (SELECT ex, {PLACE} AS p, count(*) AS n FROM {TRADES} GROUP BY ALL)"
     " ORDER BY ex, p"),
    (f"p:`s#{BOUNDS}!`before`open`day`after; select n:count i by sym, part:p time from {T}",
     f"SELECT sym, {PERIOD} AS part, count(*) AS n FROM {TRADES} GROUP BY ALL ORDER BY 1, 2"),
    (f"select first price, n:count i, sum size by sym, run:(sums differ@;price) fby sym from {T}",
     f"SELECT sym, run, arg_min_null(price, rn) AS price, count(*) AS n, sum(size)::BIGINT AS size"
     f" FROM {RUNS} GROUP BY sym, run ORDER BY 1, 2"),
    (f"ungroup select from (select down:size where (<) prior size by sym from {T}) where"
     " 0<count each down",
     f"SELECT sym, size AS down FROM (SELECT *, lag(size) {IN_SYM} AS before FROM {TRADES})"
     " WHERE size < before ORDER BY sym, rn"),
    (f"raze {{select from {T}, sym=x, size=(min;size) fby ex}} peach exec asc distinct sym"
     f" from {T}",
     f"SELECT * EXCLUDE (rn, least) FROM (SELECT *, min(size) OVER (PARTITION BY sym, ex) AS least"
     f" FROM {TRADES}) WHERE size IS NOT DISTINCT FROM least ORDER BY sym, rn"),
    (f".pvt.pivot select n:count i by 30 xbar time.minute, ex from {T}",
     f"PIVOT (SELECT (({MINUTE}) // 30 * 30)::INTEGER AS minute, ex FROM {TRADES}) ON ex USING"
     " nullif(count(*), 0) GROUP BY minute ORDER BY minute"),
    (f"(update side:`most from select sym,time,size from {T}, size=(max;size) fby sym), update"
     f" side:`least from select sym,time,size from {T}, size=(min;size) fby sym",
     f"SELECT sym, time, size, side FROM (SELECT *, CASE o WHEN 0 THEN 'most' ELSE 'least' END AS"
     f" side FROM (SELECT *, max(size) OVER w AS high, min(size) OVER w AS low FROM {TRADES} WINDOW"
     " w AS (PARTITION BY sym)), (VALUES (0), (1)) o(o) WHERE size = CASE o WHEN 0 THEN high ELSE"
     " low END) ORDER BY o, rn"),
    (f"(select sum size by sym from {T}) pj select sum size by sym from trade where"
     " date=2020.01.03",
     f"SELECT sym, (a.size + coalesce(b.size, 0))::BIGINT AS size FROM (SELECT sym, sum(size) AS"
     f" size FROM {TRADES} GROUP BY sym) a LEFT JOIN (SELECT sym, sum(size) AS size FROM trade"
     " WHERE"
     f" date = {day('2020.01.03')} GROUP BY sym) b USING (sym) ORDER BY sym"),
    (f"ej[`sym;select sym,time from {T}, size>5000;select sym,price from {T}, size>20000]",
     f"SELECT sym, a.time, b.price FROM (SELECT * FROM {TRADES} WHERE size > 5000) a JOIN (SELECT *"
     f" FROM {TRADES} WHERE size > 20000) b USING (sym) ORDER BY a.rn, b.rn"),
    (f"(select sym,size from {T}) uj select sym,bid from {Q}, bid>300",
     f"SELECT sym, size, bid FROM (SELECT 0 AS o, rn, sym, size, NULL::FLOAT AS bid FROM {TRADES}"
     f" UNION ALL SELECT 1, rn, sym, NULL, bid FROM {QUOTES} WHERE bid > 300) ORDER BY o, rn"),
    (WINDOWS.format("wj", "(max;`ask);(min;`bid)"),
     windows(True, "(SELECT max(ask) {0})::FLOAT AS ask, (SELECT min(bid) {0})::FLOAT AS bid")),
    (WINDOWS.format("wj1", "(sum;`asize);(count;`bid)"),
     windows(False, "coalesce((SELECT sum(asize) {0}), 0)::BIGINT AS asize,"
                    " (SELECT count(*) {0}) AS bid")),
    (f"select n:count i by upper sym from {T}",
     f"SELECT upper(sym) AS sym, count(*) AS n FROM {TRADES} GROUP BY 1 ORDER BY 1"),
]
KINDS = {"week": "date", "minute": "minute", "ex1": "int", "level": "symbol", "side": "symbol",
         "part": "symbol", "x": "long", "n": "long", "run": "int", "down": "int"}


def main():
    binary = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        database = pathlib.Path(folder, "db")
        generate(binary, database, "taq", SCALE)
        session = Session(binary, database, folder, trade=None, quote=None)
        session.oracle.kinds.update(KINDS)
        for axes in list(cells())[::4]:
            for text, sql, *approximate in FORMS:
                session.check(text, [text], axes, sql, approximate)
        return session.finish()


if __name__ == "__main__":
    sys.exit(main())
