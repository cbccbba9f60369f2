"""A database is only read: every command under a trace of its system calls.

Nothing in a database or beside it is opened for writing, made, removed, renamed, or mapped shared
and writable: neither attempted by a user over another user's database on a read-only mount, nor
done by root over a database that could be written. Beside it root's scratch files are allowed where
no --scratch-dir is given, and these have no name.

    read_only.py HDBENCH
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import program
import taq_files

NOBODY = program.NOBODY
OWNER = 12345
DAYS = 3
# The three that are measured beside the database, small.
QUICK = ["--attr", "none", "--mode", "4.0", "-s", "1", "--reps", "1", *program.SMALL_CEILINGS]
CALLS = ("open,openat,openat2,creat,mmap,write,pwrite64,writev,pwritev,pwritev2,sendfile,"
         "copy_file_range,unlink,unlinkat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,"
         "mkdir,mkdirat,rmdir,mknod,mknodat,truncate,ftruncate,fallocate,chmod,fchmod,fchmodat,"
         "chown,fchown,fchownat,lchown,utime,utimes,futimesat,utimensat,setxattr,lsetxattr,"
         "fsetxattr,removexattr,lremovexattr,fremovexattr,ioctl,msync,io_uring_setup")
OPENING = ("open", "openat", "openat2", "creat")
WRITING_FLAGS = re.compile(r"O_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)|creat\(")
# Requests of ioctl() that change a file; the rest ask.
CHANGING_REQUESTS = re.compile(r"FS_IOC_SETFLAGS|FICLONE|FIDEDUPERANGE|FS_IOC_FSSETXATTR")
PLACE = re.compile(r'"((?:[^"\\]|\\.)*)"|<(/[^>]*)>')


def missing():
    """Why the test cannot be run here; empty: it can."""
    if not shutil.which("strace"):
        return "no strace"
    probe = subprocess.run(["strace", "-f", "-o", "/dev/null", "true"], capture_output=True,
                           check=False)
    return "" if probe.returncode == 0 else "strace may not trace here"


class Trace:
    """What strace -ff wrote: one file a thread, a call a line, descriptors with their paths."""

    def __init__(self, folder):
        self.lines = [line for path in sorted(folder.iterdir())
                      for line in path.read_text(errors="replace").splitlines()]

    @staticmethod
    def places(line):
        """The paths in a line; a relative one is below the directory that is named before it."""
        found, before = [], ""
        for quoted, shown in PLACE.findall(line):
            if quoted and not quoted.startswith("/"):
                quoted = f"{before}/{quoted}"
            before = shown or quoted
            found.append(os.path.normpath(before.removesuffix(" (deleted)")))
        return found

    @staticmethod
    def is_change(line):
        call = line.split("(", 1)[0]
        if call in OPENING:
            return bool(WRITING_FLAGS.search(line))
        if call == "mmap":
            return "PROT_WRITE" in line and "MAP_SHARED" in line
        if call == "ioctl":
            return bool(CHANGING_REQUESTS.search(line))
        return call != "io_uring_setup" and call in CALLS.split(",")

    def changes(self, folder):
        """Calls that change, or tried to change, something in a folder or below."""
        below = f"{folder}/"
        return [line for line in self.lines if self.is_change(line) and
                any(place == str(folder) or place.startswith(below)
                    for place in self.places(line))]

    def opened(self, folder):
        return sum(line.startswith("open") and f"{folder}/" in line for line in self.lines)
TIERS = pathlib.Path(__file__).resolve().parents[1] / "examples" / "tiers.toml"


class ReadOnly(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        root = cls.folder
        root.chmod(0o755)
        cls.shelf, cls.own, cls.traces = root / "shelf", root / "own", root / "traces"
        for folder in (cls.shelf, cls.own, cls.own / "tmp", cls.own / "disk", cls.traces):
            folder.mkdir()
        cls.database = cls.shelf / "db"
        program.generate_days(cls.binary, cls.database, 0.0002, DAYS)
        cls.queries = root / "some.q"
        cls.queries.write_text("select max bid, med ask by col1 from quote\n"
                               "select from quote where col3=`val1\n", encoding="utf-8")
        cls.trades = taq_files.write(root, "trade", "20200107", 100)
        cls.results = root / "results.json"
        program.succeed(cls.binary, "run", cls.database, *QUICK, "--medium", "dram", "--queries",
                        cls.queries, "--out", cls.results)
        if os.geteuid() == 0:
            for path in [cls.shelf, *cls.shelf.rglob("*")]:
                os.chown(path, OWNER, OWNER)

    def setUp(self):
        self.before = program.contents(self.shelf)
        self.out = pathlib.Path(tempfile.mkdtemp(dir=self.own))
        if os.geteuid() == 0:
            for folder in (self.own, *self.own.iterdir()):
                os.chown(folder, NOBODY, NOBODY)

    def tearDown(self):
        self.assertEqual(program.contents(self.shelf), self.before)

    def commands(self):
        """Lines that end with status 0, but for `cold` (below)."""
        db, out, disk = self.database, self.out, self.own / "disk"
        query = ["query", db, "--file", self.queries]
        small = ["--queries", self.queries, "--reps", "1", *program.SMALL_CEILINGS]
        return [
            ["gen", out / "new", "--scale", "0.0001", "-s", "2"],
            ["import", "taq", self.trades, out / "taq"],
            [*query, "--format", "csv"],
            [*query, "--layout", "flat", "--rows-only"],
            [*query, "--medium", "dram", "--layout", "flat", "--codes", "narrow"],
            [*query, "--medium", "app-direct:optane-100-6dimm", "--emulation", "model"],
            [*query, "--on-limit", "spill", "-w", "1", "--memory"],
            [*query, "--prefetch", "on", "--cache", "cold"],
            [*query, "--explain"],
            ["query", db, "--check", self.queries],
            ["run", db, *QUICK, "--queries", self.queries, "--medium", "nvme,dram", "--layout",
             "partitioned,flat", "--cache", "warm", "--out", out / "r.json"],
            ["run", db, *QUICK, "--queries", self.queries, "--medium", "nvme", "--cache", "warm",
             "--users", "2", "--processes", "2", "--seconds", "0.1", "--out", out / "u.json"],
            ["compare", self.results, self.results],
            ["limit", db, "--queries", self.queries, "-s", "1"],
            ["predict", db, *small, "--on", "dram,nvme:nvme-p5510", "--out", out / "p.json"],
            # Without its solver it says how it would be asked.
            ["advise", db, *small, "--tiers", TIERS, "--slowdown", "20%", "--out",
             out / "a.json"] if shutil.which("glpsol") else ["advise", "--help"],
            ["report", self.results, "-o", out / "r.html"],
            ["io", disk, "--quick", "--tests", "io/set/vector:tiny", "--processes", "1", "--out",
             out / "io.json"],
            ["verify", db], ["describe", db], ["describe", db, "--format", "json"],
            ["profile", "--template", "cxl"], ["topo", db], ["topo", db, "--advice"],
        ]

    def refused_commands(self):
        """Those that would write there: refused, and even that without touching anything."""
        db = self.database
        return [["gen", db, "--resume"], ["import", "taq", self.trades, db],
                ["io", db, "--quick"], ["profile", db, "--size", "32"],
                ["report", self.results, "-o", db / "r.html"],
                ["query", db, "--file", self.queries, "--layout", "flat", "--scratch-dir", db],
                ["run", db, *QUICK, "--out", db / "r.json"]]

    def traced(self, words, prefix=()):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.traces))
        folder.chmod(0o777)
        # No bytes that are written: a path in them is no path of the call.
        strace = ["strace", "-ff", "--seccomp-bpf", "-y", "-s", "0", "-o", folder / "t", "-e",
                  f"trace={CALLS}", "-e", "signal=none"]
        # Leaks cannot be looked for in a process that is traced: the search would not end.
        options = [os.environ.get("ASAN_OPTIONS", ""), "detect_leaks=0"]
        environment = dict(os.environ, TMPDIR=str(self.own / "tmp"), HOME=str(self.own),
                           ASAN_OPTIONS=":".join(filter(None, options)))
        done = program.run(self.binary, *words, before=[*prefix, *strace], cwd=self.own,
                           env=environment)
        return done, Trace(folder)

    def check_all(self, prefix, is_scratch_allowed):
        for words in self.commands():
            with self.subTest(words=list(map(str, words))):
                done, trace = self.traced(words, prefix)
                # Which pages are resident is told to a file's owner and to root alone.
                if "run as one" not in done.messages or "cold" not in words:
                    self.assertEqual(done.status, 0, done.messages)
                self.check(trace, is_scratch_allowed)
                if words[0] in ("query", "verify"):
                    self.assertGreater(trace.opened(self.database), 1)
        for words in self.refused_commands():
            with self.subTest(words=list(map(str, words))):
                done, trace = self.traced(words, prefix)
                self.assertIn(done.status, (2, 3), done.messages)
                self.check(trace, False)

    def check(self, trace, is_scratch_allowed):
        self.assertEqual(trace.changes(self.database), [])
        beside = trace.changes(self.shelf)
        if is_scratch_allowed:
            nameless = re.compile(rf"O_TMPFILE|<{re.escape(str(self.shelf))}/#[0-9]+")
            beside = [line for line in beside if not nameless.search(line)]
        self.assertEqual(beside, [])

    def test_every_command_is_here(self):
        known = {line.split("\t")[0] for line in self.fine("flags").out.decode().splitlines()}
        self.assertEqual(known, {"flags", *(words[0] for words in self.commands())})

    def test_the_trace_sees_what_is_written(self):
        done, trace = self.traced(["report", self.results, "-o", self.out / "r.html"])
        self.assertEqual(done.status, 0, done.messages)
        self.assertNotEqual(trace.changes(self.out), [])

    def test_a_user_over_another_user_s_database_on_a_read_only_mount(self):
        if program.why_not_mount() or not shutil.which("setpriv"):
            self.skipTest("a read-only mount and another user need root, unshare and setpriv")
        script = (f"mount --bind {self.shelf} {self.shelf} && "
                  f"mount -o remount,bind,ro {self.shelf} && exec setpriv --reuid={NOBODY} "
                  f'--regid={NOBODY} --clear-groups "$@"')
        self.check_all(["unshare", "--mount", "sh", "-c", script, "sh"], False)

    def test_whoever_runs_this_over_a_database_that_could_be_written(self):
        self.check_all([], True)


if __name__ == "__main__":
    program.main(missing())
