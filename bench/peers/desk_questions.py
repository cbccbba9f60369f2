"""What the peers are asked of queries/desk.q: each query's text, and the columns of its result.

The engines' own forms are in desk_ENGINE.py: FORMS by number.
"""

import dataclasses

FILE = "desk.q"
TABLES = ("trade", "quote")
DAY, FIRST, LAST = "2020-01-07", "2020-01-03", "2020-01-31"
Q_DAY = DAY.replace("-", ".")
ONE = "BYYF"
SECOND_NS = 10**9
MINUTE_NS = 60 * SECOND_NS
HOUR_NS = 60 * MINUTE_NS
OPEN_NS, CLOSE_NS = 9 * HOUR_NS + 30 * MINUTE_NS, 16 * HOUR_NS


@dataclasses.dataclass(frozen=True)
class Question:
    number: int
    text: str
    kinds: tuple  # of the result's columns: (name, q type), keys first
    keyed: int  # so many are keys
    in_order: bool  # the query itself orders its rows
    of_one: tuple = ()  # columns whose values are shares of one, and are compared as these


# Names and q types of the results' columns, keys before the bar.
BARS = "open:real high:real low:real close:real"
SHAPES = {
    1: "sym:symbol | vwap:float",
    2: "sym:symbol | vwap:float",
    3: f"minute:minute | {BARS} size:long",
    4: f"sym:symbol time:timespan | {BARS} volume:long",
    5: f"date:date sym:symbol | {BARS} volume:long trades:long",
    6: "sym:symbol | volume:long",
    7: "| sym:symbol time:timespan ex:char value:real",
    8: "| sym:symbol time:timespan size:int price:real",
    9: "ex:char | volume:long trades:long",
    10: "trf:char hh:int | volume:long",
    11: "date:date | turnover:float",
    12: "hh:int | oddlots:float",
    13: "cond:symbol | trades:long volume:long",
    14: "| sym:symbol ex:char",
    15: "ex:char | symbols:long",
    16: "sym:symbol | spread:float",
    17: "sym:symbol time:timespan | spread:float widest:real",
    18: "ex:char | locked:long crossed:long quotes:long",
    19: "sym:symbol | n:long",
    20: "minute:minute | imbalance:float",
    21: "| time:timespan micro:float",
    22: "second:second | bid:real ask:real",
    23: "| sym:symbol ratio:float",
    24: "| sym:symbol time:timespan price:real size:int bid:real ask:real",
    25: "sym:symbol | effective:float",
    26: "sym:symbol time:timespan | flow:long",
    27: "| sym:symbol time:timespan price:real size:int ex:char bid:real ask:real",
    28: "sym:symbol | age:float",
    29: "| time:timespan price:real mean:float deviation:float",
    30: "| time:timespan volume:long vwap:float",
    31: "| sym:symbol time:timespan price:real tick:int high:real",
    32: "sym:symbol | volatility:float",
    33: "sym:symbol | life:float",
    34: "sym:symbol | changes:long quotes:long",
    35: "| sym:symbol time:timespan size:int price:real",
    36: "| sym:symbol ex:char time:timespan bid:real bsize:int",
    37: "hh:int | size:float size1:float size2:int",
    38: "sym:symbol | c:float n:long",
    39: "ex:char | delay:float ahead:long",
    40: "| sym:symbol time:timespan ex:char seq:int",
}
IN_ORDER = (6, 7, 19, 40)
OF_ONE = {38: ("c",)}  # a correlation


def question(number, text):
    keys, others = SHAPES[number].split("|")
    shown = tuple(tuple(one.split(":")) for one in (keys + others).split())
    return Question(number, text, shown, len(keys.split()), number in IN_ORDER,
                    OF_ONE.get(number, ()))
