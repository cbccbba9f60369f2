"""What the peers are asked. The eleven queries of queries/paper.q: which dates, which values of
col3, and by which columns the last row of each group is wanted (none: every row). Those of
queries/desk.q are in desk_questions.py. Any other file's queries are aggregates."""

import dataclasses
import pathlib
import re

import aggregates
import desk_questions

TABLE = "quote"
CONDITION = "col3"
DAY, FIRST, JANUARY, LAST = "2020-01-07", "2019-11-01", "2020-01-03", "2020-01-31"
ONE, TWO, THREE = ("val1",), ("val2", "val1"), ("val2", "val1", "val3")


@dataclasses.dataclass(frozen=True)
class Question:
    first: str | None  # a day, both ends included; None: any
    last: str | None
    values: tuple
    by: tuple = ()


ELEVEN = {
    1: Question(DAY, DAY, ONE, ("date", "col1")),
    2: Question(JANUARY, LAST, ONE, ("date", "col1")),
    3: Question(FIRST, LAST, ONE, ("date", "col1")),
    4: Question(DAY, DAY, THREE),
    5: Question(DAY, DAY, THREE, ("date", "col1", "col2")),
    6: Question(JANUARY, LAST, THREE, ("date", "col1", "col2")),
    7: Question(FIRST, LAST, THREE, ("date", "col1", "col2")),
    8: Question(None, None, TWO, ("col1",)),
    9: Question(FIRST, LAST, TWO, ("date", "col1")),
    10: Question(JANUARY, LAST, THREE),
    11: Question(FIRST, LAST, THREE),
}


def of_file(path):
    """{number: question}; `/ 7` or `/ 7: ...` numbers the next query."""
    path = pathlib.Path(path)
    if path.name == "paper.q":
        return ELEVEN
    of_desk = path.name == desk_questions.FILE
    asked, number = {}, None
    for line in path.read_text(encoding="utf-8").splitlines():
        found = re.match(r"/ (\d+)(:|$)", line)
        if found:
            number = int(found[1])
        elif line.strip() and not line.startswith("/"):
            number, text = number or len(asked) + 1, line.strip()
            asked[number] = (desk_questions.question(number, text) if of_desk
                             else aggregates.parse(text))
            number = None
    return asked


def is_desk(asked):
    return any(isinstance(question, desk_questions.Question) for question in asked.values())


def kinds_of(raw, question):
    """Names and q types of the columns of a result that is compared with hdbench's, keys first."""
    if isinstance(question, desk_questions.Question):
        return list(question.kinds)
    return aggregates.kinds_of(raw, question)


def columns_of(raw, question):
    """The result's columns in order: the keys, then the others in table order, date first."""
    return [*question.by, *(name for name in ["date", *raw.fields] if name not in question.by)]
