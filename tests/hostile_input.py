"""Input that is not only wrong but hostile: names that a terminal would obey, files that never end,
a writer beside a query, an output that another run will write, files that may not grow.

    hostile_input.py HDBENCH
"""

import json
import os
import pathlib
import pty
import resource
import shutil
import signal
import struct
import threading

import program

DAY = "2020.01.07"
EVERY = f"select from quote where date={DAY}"
# A title for the terminal's window, a colour, and a letter that turns the following ones round.
HOSTILE = "c\x1b]0;OWNED\a\x1b[31m\u202e"
SHOWN = r"c\u001b]0;OWNED\u0007\u001b[31m\u202e"
FORBIDDEN = "\x1b", "\a", "\u202e"
# Texts of results.json.
TEXTS = ("query_text", "medium_label", "machine_model", "host_name", "kernel", "commit",
         "command", "error", "query_name", "reason")
# Of advice, predictions and device profiles.
FORECAST_TEXTS = ("machine", "database", "name", "table", "column", "source", "about", "places",
                  "extrapolated", "mitigations_flag")
FORECASTS = pathlib.Path(__file__).resolve().parent / "fuzz" / "corpus" / "forecasts"
WARM = ["--cache", "warm", "--layout", "partitioned", "--attr", "parted", "--mode", "4.0", "-s",
        "1", "--medium", "nvme", *program.SMALL_CEILINGS]
ROOT = os.geteuid() == 0


def is_socket(file):
    """Of a descriptor in /proc, which may be closed meanwhile."""
    try:
        return os.readlink(file).startswith("socket:")
    except OSError:
        return False


def made_hostile(value, key=""):
    if isinstance(value, dict):
        return {name: made_hostile(one, name) for name, one in value.items()}
    if isinstance(value, list):
        return [made_hostile(one, key) for one in value]
    is_told = isinstance(value, str) and key in TEXTS + FORECAST_TEXTS
    return value + HOSTILE if is_told else value


class HostileInput(program.DatabaseCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.whole = cls.folder / "whole"
        program.generate(cls.binary, cls.whole, 0.0005)

    def harmless(self, text):
        for raw in FORBIDDEN:
            self.assertNotIn(raw, text)
        return text

    def told(self, *arguments):
        """Both streams; its status is one of wrong input, and no library speaks."""
        done = program.run(self.binary, *arguments)
        self.assertIn(done.status, (2, 3), (arguments, done.messages))
        self.assertEqual(program.faults(done.status, done.messages), [])
        return done.out.decode(errors="replace") + done.messages

    def test_names_are_written_out_everywhere(self):
        for day in self.database.glob("20*"):
            (day / "quote" / "bid").rename(day / "quote" / HOSTILE)
            names = (day / "quote" / ".d").read_bytes()
            (day / "quote" / ".d").write_bytes(
                names.replace(b"\0bid\0", b"\0" + HOSTILE.encode() + b"\0"))
            shutil.copytree(day / "quote", day / ("quote" + HOSTILE))
        query = ["query", self.database]
        json_form = ["--format", "json"]
        for shown, *arguments in (
                (SHOWN, *query, EVERY),
                (SHOWN, *query, EVERY, "--explain"),
                (SHOWN, *query, EVERY, "--format", "csv"),
                (r"\u202e", *query, EVERY, *json_form),
                (SHOWN, *query, "select x from quote"),
                (SHOWN, *query, "select from nope"),
                (SHOWN, "query", self.folder / HOSTILE, EVERY),
                (r"\u001b", *query, "select \x1b from quote"),
                (SHOWN, "report", self.folder / HOSTILE),
                (SHOWN, "run", self.database, "--" + HOSTILE),
                (SHOWN, "verify", self.database),
                (SHOWN, "describe", self.database, *json_form)):
            if arguments[0] == "verify":
                (self.database / DAY / "quote" / HOSTILE).write_bytes(b"\xff\x01")
            done = program.run(self.binary, *arguments)
            text = self.harmless(done.out.decode(errors="replace") + done.messages)
            self.assertIn(shown, text, arguments)

    def test_a_terminal_gets_colours_and_nothing_else(self):
        primary, secondary = pty.openpty()
        done = self.start("query", self.database, EVERY, "--format", "csv", stdout=secondary)
        os.close(secondary)
        text = b""
        try:
            while piece := os.read(primary, 65536):
                text += piece
        except OSError:
            pass  # how a terminal says that nobody writes any more
        self.assertEqual(done.wait(program.TIMEOUT_SECONDS), 0)
        self.harmless(text.decode(errors="replace"))

    def test_no_report_has_the_texts_of_results_raw(self):
        kept, made = self.folder / "results.json", self.folder / "made"
        self.fine("run", self.database, *WARM, "--reps", "1", "--out", kept)
        hostile = made_hostile(json.loads(kept.read_text()))
        self.assertIn(HOSTILE, hostile["context"]["machine_model"])
        kept.write_text(json.dumps(hostile))
        for form in ("terminal", "csv", "markdown", "html"):
            for where in ([], ["-o", made, "--force"]):
                done = self.fine("report", kept, "--format", form, *where)
                self.harmless(done.out.decode() + done.messages)
            self.harmless(made.read_text())
        done = program.run(self.binary, "compare", kept, kept)
        self.harmless(done.out.decode() + done.messages)

    def test_no_report_has_the_texts_of_advice_raw(self):
        given = self.folder / "given.json"
        for name in ("advice", "prediction", "profile"):
            hostile = made_hostile(json.loads((FORECASTS / name).read_text()))
            given.write_text(json.dumps(hostile))
            self.assertIn("OWNED", given.read_text())
            if name == "profile":  # whose reader refuses them
                self.harmless(self.told("report", given))
                continue
            for form in ("terminal", "markdown", "html"):
                done = self.fine("report", given, "--format", form)
                self.assertIn("OWNED", done.out.decode())
                self.harmless(done.out.decode() + done.messages)

    def never_ends(self, path, *arguments):
        """A FIFO that nobody writes, and a link to a device without an end."""
        for make in (lambda: os.mkfifo(path), lambda: path.symlink_to("/dev/zero")):
            path.unlink(missing_ok=True)
            make()
            self.assertIn(path.name, self.told(*arguments))
        path.unlink()

    def test_files_of_a_database_that_never_end(self):
        newest = max(self.database.glob("20*"))
        query = ("query", self.database, f"select from quote where date={newest.name}")
        for path in (self.database / "sym", newest / "quote" / ".d", newest / "quote" / "bid"):
            kept = path.read_bytes()
            self.never_ends(path, *query)
            self.never_ends(path, "verify", self.database)
            os.mkfifo(path)
            done = program.run(self.binary, "describe", self.database)
            self.assertIn(done.status, (0, 3))
            self.assertIn(path.name, done.out.decode() + done.messages)
            path.unlink()
            path.write_bytes(kept)
        self.never_ends(self.database / "par.txt", *query)

    def test_files_that_are_named_and_never_end(self):
        text = self.folder / "given.json"
        for arguments in (("report", text), ("compare", text, text),
                          ("query", self.database, "--file", text), ("query", "--check", text),
                          ("run", "--experiment", text), ("profile", "--check", text),
                          ("query", self.database, EVERY, "--medium", f"cxl:{text}")):
            self.never_ends(text, *arguments)
        self.never_ends(self.folder / "new.manifest.json", "gen", self.folder / "new", "--scale",
                        "0.0001", "--resume")

    def test_a_long_text_is_refused_by_its_length(self):
        text = self.folder / "long.json"
        with open(text, "wb") as file:
            file.truncate(1 << 40)
        for arguments in (("report", text), ("query", "--check", text),
                          ("profile", "--check", text)):
            self.assertIn("1099511627776 bytes, expected at most", self.told(*arguments))
        text.rename(self.database / "par.txt")
        self.query_refused("par.txt: 1099511627776 bytes", EVERY)

    def test_codes_that_change_under_a_query(self):
        """Status 0 or 3 with its line, whatever was read; never a bug, never a signal."""
        over = threading.Event()
        place = 4096 + 8 * 40
        columns = {}
        for column in sorted(self.database.glob("20*/quote/col3")):
            columns[column] = column.read_bytes()[place:place + 8]

        def write():
            while not over.is_set():
                for column, good in columns.items():
                    with open(column, "r+b", buffering=0) as file:
                        for data in (struct.pack("<q", 1 << 40), struct.pack("<q", 77), good):
                            file.seek(place)
                            file.write(data)

        writer = threading.Thread(target=write)
        writer.start()
        try:
            for query in ("select last bid by col3 from quote",
                          "select from quote where col3=`val1",
                          "select max bid by date, col3 from quote",
                          "select count i by col3 from quote where bid>0") * 6:
                done = program.run(self.binary, "query", self.database, query, "--rows-only",
                                   "-s", "2")
                self.assertIn(done.status, (0, 3), done.messages)
                self.assertNotIn("bug in", done.messages)
        finally:
            over.set()
            writer.join()

    def test_a_second_run_with_the_same_output_is_refused(self):
        out = self.folder / "results.json"
        first = self.start("run", self.database, "--medium", "nvme", "--cache", "warm", "--reps",
                           "1000", "--out", out)
        # Its output is reserved by the one socket that it has.
        held = pathlib.Path(f"/proc/{first.pid}/fd")
        program.wait_until(lambda: any(is_socket(file) for file in held.iterdir()))
        self.refused(2, "another hdbench that still runs will write it", "run", self.database,
                     "--out", out)
        self.refused(2, "another hdbench", "io", self.folder, "--quick", "--out",
                     self.folder / "." / out.name)
        first.send_signal(signal.SIGINT)
        first.wait(program.TIMEOUT_SECONDS)

    def test_a_file_that_may_not_grow_is_an_error(self):
        few_bytes = program.files_up_to(16384)
        done = self.ended(3, "gen", self.folder / "more", "--scale", "0.001", preexec_fn=few_bytes)
        self.assertEqual(len(done.lines), 1, done.messages)
        done = self.fine("query", self.database, "select from quote", "-w", "1", "--on-limit",
                         "spill", preexec_fn=few_bytes)
        self.assertIn("cannot reserve", done.messages)
        self.assertEqual(done.out, b"0N\n")
        # What gen has finished stays for --resume.
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["db", "more", "more.manifest.json"])

    def test_a_spill_without_a_directory_names_the_flag(self):
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        user = {"user": program.NOBODY, "group": program.NOBODY, "extra_groups": []} if ROOT else {}
        done = self.ended(2, "query", self.database, "select from quote", "-w", "1", "--on-limit",
                          "spill", env=dict(os.environ, TMPDIR="/nonexistent"), **user)
        self.assertIn("TMPDIR: /nonexistent: ", done.messages)
        self.assertIn("--scratch-dir", done.messages)

    def test_no_library_speaks(self):
        broken = self.folder / "results.json"
        for text in ("{", "[" * 100000, '{"context": {"hdbench_version": 1}, "benchmarks": 3}',
                     '{"context": 5, "benchmarks": []}', "\xff"):
            broken.write_text(text, encoding="latin-1")
            for arguments in (["report", broken], ["compare", broken, broken]):
                self.assertEqual(program.faults(3, self.ended(3, *arguments).messages), [])

    def test_an_allocation_that_cannot_be_had_is_a_limit(self):
        if program.is_sanitized():
            self.skipTest("a sanitizer needs its address space")
        done = program.run(self.binary, "query", self.database, "select from quote", "-w", "0",
                           "--medium", "memory-mode:near=900GiB",
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                                                 (600 << 20, 600 << 20)))
        self.assertIn(done.status, (1, 2, 3), done.messages)
        self.assertEqual(program.faults(done.status, done.messages), [])


if __name__ == "__main__":
    program.main()
