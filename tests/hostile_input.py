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
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import program

DAY = "2020.01.07"
# A title for the terminal's window, a colour, and a letter that turns the following ones round.
HOSTILE = "c\x1b]0;OWNED\a\x1b[31m\u202e"
SHOWN = r"c\u001b]0;OWNED\u0007\u001b[31m\u202e"
FORBIDDEN = [b"\x1b", b"\a", "\u202e".encode()]
SECONDS = program.TIMEOUT_SECONDS / 4


def finish(binary, *arguments, **options):
    """Status and all that was printed; a run that does not end fails the test."""
    done = subprocess.run([str(binary), *map(str, arguments)], stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=SECONDS, check=False, **options)
    return done.returncode, done.stdout, done.stderr


def is_socket(file):
    """Of a descriptor in /proc, which may be closed meanwhile."""
    try:
        return os.readlink(file).startswith("socket:")
    except OSError:
        return False


class Scene(unittest.TestCase):
    binary = None
    whole = None

    def setUp(self):
        self.place = tempfile.TemporaryDirectory(prefix="hdbench-hostile-")
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)
        self.database = self.folder / "db"
        shutil.copytree(self.whole, self.database)

    def one_line(self, status, named, *arguments, **options):
        code, out, said = finish(self.binary, *arguments, **options)
        lines = program.without_preflight(said.decode(errors="replace")).splitlines()
        self.assertEqual((code, len(lines)), (status, 1), (arguments, code, lines))
        self.assertIn(named, lines[0])
        return out


class Names(Scene):
    def setUp(self):
        super().setUp()
        for day in self.database.glob("20*"):
            os.rename(day / "quote" / "bid", day / "quote" / HOSTILE)
            names = (day / "quote" / ".d").read_bytes()
            (day / "quote" / ".d").write_bytes(names.replace(b"\0bid\0", b"\0" + HOSTILE.encode() +
                                                             b"\0"))
            os.rename(day / "quote", day / ("quote" + HOSTILE))
            shutil.copytree(day / ("quote" + HOSTILE), day / "quote")

    def shown(self, *arguments):
        _, out, said = finish(self.binary, *arguments)
        for raw in FORBIDDEN:
            self.assertNotIn(raw, out + said, arguments)
        return (out + said).decode(errors="replace")

    def test_names_are_written_out_everywhere(self):
        every = f"select from quote where date={DAY}"
        self.assertIn(SHOWN, self.shown("query", self.database, every))
        self.assertIn(SHOWN, self.shown("query", self.database, every, "--explain"))
        self.assertIn(SHOWN, self.shown("query", self.database, every, "--format", "csv"))
        self.assertIn(r"\u202e", self.shown("query", self.database, every, "--format", "json"))
        self.assertIn(SHOWN, self.shown("query", self.database, "select x from quote"))
        self.assertIn(SHOWN, self.shown("query", self.database, "select from nope"))
        self.assertIn(SHOWN, self.shown("query", self.folder / HOSTILE, every))
        self.assertIn(r"\u001b", self.shown("query", self.database, "select \x1b from quote"))
        self.assertIn(SHOWN, self.shown("report", self.folder / HOSTILE))
        self.assertIn(SHOWN, self.shown("run", self.database, "--" + HOSTILE))
        (self.database / DAY / "quote" / HOSTILE).write_bytes(b"\xff\x01")
        self.assertIn(SHOWN, self.shown("verify", self.database))
        self.assertIn(SHOWN, self.shown("describe", self.database, "--format", "json"))

    def test_a_terminal_gets_colours_and_nothing_else(self):
        primary, secondary = pty.openpty()
        every = f"select from quote where date={DAY}"
        done = subprocess.Popen([str(self.binary), "query", str(self.database), every, "--format",
                                 "csv"], stdin=subprocess.DEVNULL, stdout=secondary,
                                stderr=subprocess.DEVNULL)
        os.close(secondary)
        text = b""
        while True:
            try:
                piece = os.read(primary, 65536)
            except OSError:
                break
            if not piece:
                break
            text += piece
        self.assertEqual(done.wait(SECONDS), 0)
        for raw in FORBIDDEN:
            self.assertNotIn(raw, text)


class Results(Scene):
    """Texts of results.json, in each form of a report."""

    TEXTS = ("query_text", "medium_label", "machine_model", "host_name", "kernel", "commit",
             "command", "error", "query_name", "reason")

    def made_hostile(self, value, key=""):
        if isinstance(value, dict):
            return {name: self.made_hostile(one, name) for name, one in value.items()}
        if isinstance(value, list):
            return [self.made_hostile(one, key) for one in value]
        return value + HOSTILE if isinstance(value, str) and key in self.TEXTS else value

    def test_no_report_has_them_raw(self):
        kept = self.folder / "results.json"
        code, _, said = finish(self.binary, "run", self.database, "--medium", "nvme", "--cache",
                               "warm", "--reps", "1", "--layout", "partitioned", "--attr",
                               "parted", "--mode", "4.0", "-s", "1", "--out", kept,
                               *program.SMALL_CEILINGS)
        self.assertEqual(code, 0, said)
        hostile = self.made_hostile(json.loads(kept.read_text()))
        self.assertIn(HOSTILE, hostile["context"]["machine_model"])
        kept.write_text(json.dumps(hostile))
        for arguments in (["--format", "terminal"], ["--format", "csv"],
                          ["--format", "markdown"], ["--format", "html"]):
            made = self.folder / "made"
            for where in ([], ["-o", made, "--force"]):
                code, out, said = finish(self.binary, "report", kept, *arguments, *where)
                self.assertEqual(code, 0, (arguments, said))
                text = out + said + (made.read_bytes() if where else b"")
                for raw in FORBIDDEN:
                    self.assertNotIn(raw, text, arguments)
        code, out, said = finish(self.binary, "compare", kept, kept)
        for raw in FORBIDDEN:
            self.assertNotIn(raw, out + said)


class NeverEnds(Scene):
    """Each place in turn is a FIFO that nobody writes, and a link to a device without an end."""

    def each(self, path, *arguments, statuses=(2, 3)):
        for make in (lambda: os.mkfifo(path), lambda: path.symlink_to("/dev/zero")):
            path.unlink(missing_ok=True)
            make()
            code, out, said = finish(self.binary, *arguments)
            self.assertIn(code, statuses, (path, arguments, said))
            self.assertIn(path.name.encode(), out + said)
            self.assertNotIn(b"bug in", said)
        path.unlink()

    def test_files_of_a_database(self):
        newest = max(self.database.glob("20*"))
        query = ("query", self.database, f"select from quote where date={newest.name}")
        for path in (self.database / "sym", newest / "quote" / ".d", newest / "quote" / "bid"):
            kept = path.read_bytes()
            self.each(path, *query)
            self.each(path, "verify", self.database)
            self.each(path, "describe", self.database, statuses=(0, 3))
            path.write_bytes(kept)
        self.each(self.database / "par.txt", *query)

    def test_files_that_are_named(self):
        text = self.folder / "given.json"
        self.each(text, "report", text)
        self.each(text, "compare", text, text)
        self.each(text, "query", self.database, "--file", text)
        self.each(text, "query", "--check", text)
        self.each(text, "run", "--experiment", text)
        self.each(text, "query", self.database, "select from quote", "--medium", f"cxl:{text}")
        self.each(text, "profile", "--check", text)
        manifest = self.folder / "new.manifest.json"
        self.each(manifest, "gen", self.folder / "new", "--scale", "0.0001", "--resume")

    def test_a_long_text_is_refused_by_its_length(self):
        text = self.folder / "long.json"
        with open(text, "wb") as file:
            file.truncate(1 << 40)
        for arguments in (("report", text), ("query", "--check", text),
                          ("profile", "--check", text)):
            code, _, said = finish(self.binary, *arguments)
            self.assertIn(code, (2, 3))
            self.assertIn(b"1099511627776 bytes, expected at most", said)
        text.rename(self.database / "par.txt")
        self.one_line(3, "par.txt: 1099511627776 bytes", "query", self.database,
                      "select from quote")

class Writers(Scene):
    def test_codes_that_change_under_a_query(self):
        """Status 0 or 3 with its line, whatever was read; never a bug, never a signal."""
        columns = [day / "quote" / "col3" for day in sorted(self.database.glob("20*"))]
        over = threading.Event()

        def write():
            with_place = []
            for column in columns:
                with open(column, "rb") as file:
                    head = 4096 + 8 * 40
                    file.seek(head)
                    with_place.append((column, head, file.read(8)))
            while not over.is_set():
                for column, place, good in with_place:
                    with open(column, "r+b", buffering=0) as file:
                        for data in (struct.pack("<q", 1 << 40), struct.pack("<q", 77), good):
                            file.seek(place)
                            file.write(data)

        writer = threading.Thread(target=write)
        writer.start()
        seen = set()
        try:
            for query in ("select last bid by col3 from quote",
                          "select from quote where col3=`val1",
                          "select max bid by date, col3 from quote",
                          "select count i by col3 from quote where bid>0") * 6:
                code, _, said = finish(self.binary, "query", self.database, query, "--rows-only",
                                       "-s", "2")
                seen.add(code)
                self.assertIn(code, (0, 3), said)
                self.assertNotIn(b"bug in", said)
        finally:
            over.set()
            writer.join()
        self.assertTrue(seen)


class Outputs(Scene):
    def test_a_second_run_with_the_same_output_is_refused(self):
        out = self.folder / "results.json"
        first = subprocess.Popen([str(self.binary), "run", str(self.database), "--medium", "nvme",
                                  "--cache", "warm", "--reps", "1000", "--out", str(out)],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        try:
            # Its output is reserved by the one socket that it has.
            held = pathlib.Path(f"/proc/{first.pid}/fd")
            end = time.time() + SECONDS
            while time.time() < end and not any(is_socket(file) for file in held.iterdir()):
                time.sleep(0.02)
            self.one_line(2, "another hdbench that still runs will write it", "run",
                          self.database, "--out", out)
            self.one_line(2, "another hdbench", "io", self.folder, "--quick", "--out",
                          self.folder / "." / out.name)
        finally:
            first.send_signal(signal.SIGINT)
            first.wait(SECONDS)

    def test_a_file_that_may_not_grow_is_an_error(self):
        def few_bytes():
            resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))

        small = self.folder / "more"
        code, _, said = finish(self.binary, "gen", small, "--scale", "0.001",
                               preexec_fn=few_bytes)
        self.assertEqual(code, 3, said)
        self.assertEqual(len(said.splitlines()), 1, said)
        code, out, said = finish(self.binary, "query", self.database, "select from quote", "-w",
                                 "1", "--on-limit", "spill", preexec_fn=few_bytes)
        self.assertIn(b"cannot reserve", said)
        self.assertEqual((code, out), (0, b"0N\n"))
        # What gen has finished stays for --resume.
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["db", "more", "more.manifest.json"])

    def test_a_spill_without_a_directory_names_the_flag(self):
        environment = dict(os.environ, TMPDIR="/nonexistent")
        os.chmod(self.folder, 0o555)
        try:
            if os.geteuid() == 0:
                command = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
                if shutil.which("setpriv") is None:
                    self.skipTest("no setpriv")
            else:
                command = []
            done = subprocess.run([*command, str(self.binary), "query", str(self.database),
                                   "select from quote", "-w", "1", "--on-limit", "spill"],
                                  capture_output=True, timeout=SECONDS, check=False,
                                  env=environment)
        finally:
            os.chmod(self.folder, 0o755)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(b"TMPDIR: /nonexistent: ", done.stderr)
        self.assertIn(b"--scratch-dir", done.stderr)


class Libraries(Scene):
    def test_no_library_speaks(self):
        broken = self.folder / "results.json"
        deep = "[" * 100000
        for text in ("{", deep, json.dumps({"context": {"hdbench_version": 1}, "benchmarks": 3}),
                     json.dumps({"context": 5, "benchmarks": []}), "\xff"):
            broken.write_text(text, encoding="latin-1")
            for command in ("report", "compare"):
                arguments = [broken] * (1 if command == "report" else 2)
                code, _, said = finish(self.binary, command, *arguments)
                self.assertEqual(code, 3, said)
                for words in (b"json.exception", b"bad_alloc", b"std::", b"bug in"):
                    self.assertNotIn(words, said)

    def test_an_allocation_that_cannot_be_had_is_a_limit(self):
        def little_memory():
            resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))

        if program.is_sanitized():
            self.skipTest("a sanitizer needs its address space")
        code, _, said = finish(self.binary, "query", self.database, "select from quote", "-w", "0",
                               "--medium", "memory-mode:near=900GiB", preexec_fn=little_memory)
        self.assertIn(code, (1, 2, 3), said)
        for words in (b"bad_alloc", b"std::", b"terminate"):
            self.assertNotIn(words, said)


def main():
    Scene.binary = sys.argv.pop(1)
    with tempfile.TemporaryDirectory(prefix="hdbench-hostile-whole-") as place:
        os.chmod(place, 0o755)
        Scene.whole = pathlib.Path(place, "db")
        program.generate(Scene.binary, Scene.whole, 0.0005)
        unittest.main()


if __name__ == "__main__":
    main()
