"""One peer, on so many threads: loads the tables, then answers requests, a line of JSON each.

    worker.py ENGINE DATABASE THREADS QUERIES HDBENCH WARM_SECONDS

QUERIES is paper.q, desk.q or a file of aggregates, HDBENCH the program. First says {"engine",
"version", "codes", "loaded", "load_ms", "rows", "forms", "startup_ms", "unread"}; startup_ms are
each query's ms over a table of one row that it finds: what planning and starting take before any
data counts.
Unread are the queries that the engine answers without reading their columns, and from what. Then
{"do": "verify", "query": 7} gives {"rows", "checksum"} of the right result (the eleven's is
numpy's, any other's hdbench's own), and "difference" where the peer's result is another;
{"do": "run", "query": 7} gives {"ms", "cpu_ms", "rows"}: the time of the whole result in memory, in
the engine's own form. What fails gives {"error"}. Each answer also has {"held_bytes",
"mapped_bytes", "available_bytes"}, taken with the result and what it was compared with still in
hand, outside of what is timed. Ends with its input.
"""

import atexit
import gc
import importlib
import json
import os
import shutil
import sys
import time

import memory
import own_result
import processors
import questions
import raw_table
import reference

STARTUP_RUNS = 5
OWN_FOLDER = "hdbench-peer-"  # how the name begins of the TMPDIR that hdbench makes for a worker


def timed(peer, question):
    """The result, and its real and processor time in ms."""
    if hasattr(peer, "prepare"):
        peer.prepare()
    cpu, start = time.process_time(), time.perf_counter()
    result = peer.run(question)
    real = time.perf_counter() - start
    return result, real * 1e3, (time.process_time() - cpu) * 1e3


def startup_ms(peer, question):
    """The median of a few runs, after as many untimed ones."""
    times = [timed(peer, question)[1] for _ in range(2 * STARTUP_RUNS)]
    return sorted(times[STARTUP_RUNS:])[STARTUP_RUNS // 2]


class Worker:
    def __init__(self, engine, database, threads, queries, program, warm_seconds):
        start = time.perf_counter()
        self.threads, self.database, self.program = threads, database, program
        self.warm_seconds = warm_seconds
        asked = self.asked = questions.of_file(queries)
        make_peer = importlib.import_module(f"peer_{engine}").Peer
        self.raw = raw_table.of_questions(database, asked)
        small = make_peer(raw_table.one_row(self.raw), threads, asked)
        startup = {str(i): startup_ms(small, q) for i, q in asked.items()}
        if hasattr(small, "close"):
            small.close()
        del small
        self.peer = make_peer(self.raw, threads, asked)
        gc.collect()
        self.hello = {
            **memory.now(),
            "engine": engine,
            "version": self.peer.version,
            "codes": self.peer.codes,
            "loaded": f"{self.peer.loaded}; timed after {warm_seconds:g} s of untimed runs,"
            " its busiest threads each on a processor of its own",
            "load_ms": (time.perf_counter() - start) * 1e3,
            "rows": self.raw.rows,
            "startup_ms": startup,
            "forms": {str(i): self.peer.form(q) for i, q in asked.items()},
            "unread": self.unread(asked),
        }

    def unread(self, asked):
        found = {str(i): self.peer.unread(q) for i, q in asked.items()
                 if not isinstance(q, questions.Question)}
        return {i: text for i, text in found.items() if text}

    def run(self, question):
        """One timed run, right after others: while it stood idle the engine's allocator gave back
        the pages that results lie in, and its threads came to stand on one processor, where hdbench
        pins its own."""
        start = time.perf_counter()
        while time.perf_counter() - start < self.warm_seconds:
            before = processors.used_ns()
            timed(self.peer, question)
            processors.spread(before, self.threads)
        result, real_ms, cpu_ms = timed(self.peer, question)
        return {"ms": real_ms, "cpu_ms": cpu_ms, "rows": self.peer.rows(result), **memory.now()}

    def verify(self, question):
        result = timed(self.peer, question)[0]
        is_of_eleven = isinstance(question, questions.Question)
        wanted = (reference.Reference(self.raw, question) if is_of_eleven else
                  own_result.OwnResult(self.raw, question, self.program, self.database))
        answer = {"rows": wanted.rows, "checksum": wanted.checksum()}
        try:
            if is_of_eleven:
                in_order = self.peer.keeps_order and not question.by
                check = reference.check_ordered if in_order else reference.check_unordered
                check(wanted, self.peer.batches(result, question))
            else:
                wanted.check(self.peer.columns(result, question))
        except reference.Difference as difference:
            answer["difference"] = str(difference)
        return answer | memory.now()

    def answer(self, request):
        question = self.asked[request["query"]]
        try:
            return {"run": self.run, "verify": self.verify}[request["do"]](question)
        finally:
            gc.collect()  # between requests, never within one
            if hasattr(self.peer, "prepare"):
                self.peer.prepare()


def one_line(error):
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else ''}"


def remove_own_folder():
    """hdbench does, too: this is for when it was killed itself."""
    folder = os.environ.get("TMPDIR", "")
    if os.path.basename(folder).startswith(OWN_FOLDER):
        shutil.rmtree(folder, ignore_errors=True)


def main():
    engine, database, threads, queries, program, warm_seconds = sys.argv[1:]
    atexit.register(remove_own_folder)  # first of all: it runs after what the engine registers
    # What libraries print must not come between the answers.
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)

    def say(answer):
        out.write(json.dumps(answer) + "\n")
        out.flush()

    try:
        worker = Worker(engine, database, int(threads), queries, program, float(warm_seconds))
    except Exception as error:  # whatever the engine raises ends as one line
        say({"error": one_line(error)})
        return 1
    say(worker.hello)
    gc.disable()
    for line in sys.stdin:
        try:
            say(worker.answer(json.loads(line)))
        except Exception as error:
            say({"error": one_line(error)})
    return 0


if __name__ == "__main__":
    sys.exit(main())
