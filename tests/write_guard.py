"""Nothing is written where it must not be: every flag that writes, against every kind of place.

The flags come from `hdbench flags`, so that a new one cannot be forgotten: a flag that writes and
has no command here fails the test. Each is refused with one line and status 2 or 3, or writes
where the line says; databases, foreign files and devices are as they were, byte for byte.

    write_guard.py HDBENCH
"""

import json
import os
import pathlib
import resource
import shutil
import stat
import subprocess
import sys
import threading
import unittest

import program
import taq_files

TINY = ["--scale", "0.0002"]
QUICK = ["--medium", "dram", "--layout", "flat", "--attr", "none", "--mode", "4.0", "-s", "1",
         "--reps", "1", "--benchmark_filter=Q01/", *program.SMALL_CEILINGS]
ROOT = os.geteuid() == 0


class Places:
    """A folder with databases of every form, and beside them what else a path may lead to."""

    def __init__(self, binary, folder):
        self.folder = folder
        database, segment = folder / "db", folder / "segment"
        segmented, flat = folder / "segmented", folder / "flat"
        self.foreign = folder / "foreign"
        program.succeed(binary, "gen", database, *TINY, "--parted", "col3")
        day = min(path.name for path in database.iterdir() if path.is_dir())
        partition = database / day
        for place in (segmented, flat, self.foreign):
            place.mkdir()
        shutil.copytree(partition / "quote", flat / "quote")
        shutil.copytree(partition, segment / day)
        (segmented / "par.txt").write_text(f"{segment}\n")
        for place in (segmented, flat):
            shutil.copy(database / "sym", place)
        (self.foreign / "diary.json").write_text("dear diary\n")
        (folder / "into").symlink_to(database)
        (folder / "to_sym.json").symlink_to(database / "sym")
        self.database = database
        self.guarded = [database, flat, segmented, segment, self.foreign]
        # Paths in databases: a root, a partition, a table, a segment, columns, links.
        self.inside = [
            database, database / "new.json", database / "deep" / "new.json", database / "sym",
            partition, database / "2030.01.01", partition / "quote", partition / "quote" / "bid",
            partition / "quote" / "new.json", segment / "new.json", segmented / "new.json",
            segmented / "par.txt", flat / "quote" / "new.json", flat / "new.json",
            folder / "into" / "new.json", folder / "to_sym.json"]

    def state(self):
        return [program.contents(path) for path in self.guarded]


TIERS = pathlib.Path(__file__).resolve().parents[1] / "examples" / "tiers.toml"


def commands(places, results):
    """By command and flag: the line, which the path to be written ends."""
    database = places.folder / "other"
    io_one = ["--quick", "--tests", "io/set/vector:tiny", "--processes", "1"]
    run = ["run", database, *QUICK]
    query = ["query", database, "select count i from quote", "--layout", "flat", "--rows-only"]
    iot = places.folder / "iot"
    trades = taq_files.write(places.folder, "trade", "20200107", 100)
    return {
        ("gen", "DB"): ["gen", *TINY],
        ("import", "DB"): ["import", "taq", trades],
        ("run", "--out"): [*run, "--out"],
        ("run", "--benchmark_out"): [*run, "--benchmark_out"],
        ("run", "--scratch-dir"): [*run, "--scratch-dir"],
        ("run", "--pmem-dir"): [*run, "--pmem-dir"],
        ("run", "--data-dir"): ["run", "--experiment", "quick", "--scale", "0.0002",
                                "--benchmark_list_tests", "--data-dir"],
        ("query", "--scratch-dir"): [*query, "--scratch-dir"],
        ("query", "--pmem-dir"): [*query, "--medium", "app-direct", "--pmem-dir"],
        ("limit", "--scratch-dir"): ["limit", database, "--scratch-dir"],
        ("limit", "--pmem-dir"): ["limit", database, "--pmem-dir"],
        ("predict", "--out"): ["predict", database, "--reps", "1", "--out"],
        ("advise", "--out"): ["advise", database, "--tiers", TIERS, "--slowdown", "9%", "--out"],
        ("report", "-o"): ["report", results, "--format", "csv", "-o"],
        ("io", "PATH"): ["io", *io_one],
        ("io", "--out"): ["io", iot, *io_one, "--out"],
        ("io", "--device"): ["io", iot, "--compare", "fs:xfs,ext4", "--yes", "--device"],
        ("profile", "where"): ["profile", "--size", "32", "--reps", "1"],
        ("profile", "-o"): ["profile", "nowhere-that-is-there", "-o"],
        ("profile", "--page"): ["profile", "nowhere-that-is-there", "--page"],
        ("topo", "--pmem-dir"): ["topo", "--pmem-dir"],
    }


# Flags whose file is written by a command that is quick enough to be run to its end here.
ENDING = [("run", "--out"), ("run", "--benchmark_out"), ("report", "-o"), ("io", "--out")]


class WriteGuard(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.places = Places(cls.binary, cls.folder)
        cls.other = cls.folder / "other"
        (cls.folder / "iot").mkdir()
        cls.results = cls.folder / "results.json"
        program.succeed(cls.binary, "gen", cls.other, *TINY)
        program.succeed(cls.binary, "run", cls.other, *QUICK, "--out", cls.results)
        cls.commands = commands(cls.places, cls.results)

    def setUp(self):
        self.before = self.places.state()

    def tearDown(self):
        self.assertEqual(self.places.state(), self.before, "a guarded file was changed")

    def writing_flags(self):
        rows = [line.split("\t") for line in self.fine("flags").out.decode().splitlines()]
        return [(row[0], row[1].split(",")[0], row[3]) for row in rows
                if row[3] and not row[3].startswith("reads-")]

    def stopped(self, status, *arguments, **options):
        """Ended with this status and one line."""
        done = self.ended(status, *arguments, **options)
        self.assertEqual(len(done.lines), 1, f"{arguments}: {done.messages}")
        return done

    def test_no_flag_writes_into_a_database_and_each_has_a_command_here(self):
        found = {(command, flag) for command, flag, _ in self.writing_flags()}
        self.assertEqual(found, set(self.commands))
        for command, flag, use in self.writing_flags():
            line = self.commands[command, flag]
            for path in self.places.inside:
                if use == "measures-directory" and not path.is_dir():
                    continue  # no directory: refused as such
                with self.subTest(command=command, flag=flag, path=str(path)):
                    if path == self.places.database and command == "gen":
                        self.stopped(2, *line, path, "--resume", "--seed", "7")
                        continue
                    done = self.stopped(2, *line, path)
                    if path == self.places.database and command == "import":
                        self.assertIn("exists: take another path", done.messages)
                        continue
                    self.assertRegex(done.messages, "lies in the database|is part of a database")
                    if use == "writes-file" and command != "profile":
                        self.stopped(2, *line, path, "--force")

    def test_a_foreign_file_is_replaced_by_force_alone(self):
        foreign = self.places.foreign / "diary.json"
        copy = self.folder / "copy.json"
        for line in map(self.commands.get, ENDING):
            with self.subTest(line=line):
                self.assertIn("--force", self.stopped(2, *line, foreign).messages)
                shutil.copy(foreign, copy)
                self.fine(*line, copy, "--force")
                self.assertNotEqual(copy.read_bytes(), foreign.read_bytes())
                # Its own file from now on.
                self.fine(*line, copy)

    def test_links_devices_and_pipes(self):
        link = self.folder / "latest.json"
        link.symlink_to("latest-1.json")
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for line in map(self.commands.get, ENDING):
            with self.subTest(line=line):
                self.fine(*line, link, "--force")
                self.assertTrue(link.is_symlink())
                got = []
                reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
                reader.start()
                done = program.run(self.binary, *line, pipe)
                reader.join(30)
                self.assertEqual(done.status, 0, done.messages)
                self.assertGreater(len(got[0]), 100)
                self.assertTrue(stat.S_ISFIFO(pipe.stat().st_mode))
                self.fine(*line, "/dev/null")
                self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    def test_standard_output_by_name(self):
        line = ["report", self.results, "--format", "csv"]
        plain = program.run(self.binary, *line).out
        self.assertEqual(self.fine(*line, "-o", "/dev/stdout").out, plain)
        path = self.folder / "stdout.csv"
        with path.open("wb") as file:
            file.write(b"before\n")
            file.flush()
            self.fine(*line, "-o", "/dev/stdout", stdout=file)
        self.assertEqual(path.read_bytes(), b"before\n" + plain)
        self.assertTrue(os.path.islink("/dev/stdout"))

    @unittest.skipUnless(ROOT, "nodes of devices are made by root")
    def test_nodes_of_devices(self):
        block, full = self.folder / "block", self.folder / "full"
        os.mknod(block, stat.S_IFBLK | 0o600, os.makedev(7, 250))
        os.mknod(full, stat.S_IFCHR | 0o666, os.makedev(1, 7))
        for line in map(self.commands.get, ENDING):
            with self.subTest(line=line):
                self.stopped(2, *line, block, "--force")
                self.assertTrue(stat.S_ISBLK(block.stat().st_mode))
                try:
                    full.open("wb", buffering=0).close()
                except OSError:
                    continue  # a filesystem without devices
                done = self.ended(3, *line, full)
                self.assertIn("No space left on device", done.messages)
                self.assertTrue(stat.S_ISCHR(full.stat().st_mode))

    @unittest.skipUnless(ROOT, "another user's rights are taken by root")
    def test_a_folder_without_permission(self):
        locked = self.folder / "locked"
        locked.mkdir(mode=0o500)
        self.folder.chmod(0o755)
        self.stopped(2, "report", self.results, "-o", locked / "r.html", user=program.NOBODY,
                     group=program.NOBODY, extra_groups=[])
        self.assertEqual(list(locked.iterdir()), [])

    def test_a_file_that_may_not_grow_leaves_the_old_one_and_nothing_beside_it(self):
        out = self.folder / "small" / "r.html"
        out.parent.mkdir()
        line = ["report", self.results, "-o", out]
        self.fine(*line)
        before = out.read_bytes()
        self.stopped(3, *line, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                                     (8192, 8192)))
        self.assertEqual(out.read_bytes(), before)
        self.assertEqual(list(out.parent.iterdir()), [out])

    @unittest.skipIf(program.why_not_mount(), "a small filesystem is mounted by root")
    def test_a_run_on_a_full_disk_keeps_its_finished_rounds(self):
        with program.mounted(self.folder / "full_run", "-t", "tmpfs", "-o", "size=96k",
                             "none") as mount:
            out, journal = mount / "r.json", mount / "r.json.partial"
            words = ["run", self.other, *QUICK, "--reps-most", "30", "--precision", "0.0001",
                     "--out", out]
            done = self.ended(3, *words)
            told = [line for line in done.lines if "no more rounds are kept" in line]
            self.assertEqual(len(told), 1, done.messages)
            self.assertIn("No space left on device", told[0])
            self.assertIn(f"{journal} has finished rounds", done.lines[-1])
            self.assertEqual(list(mount.iterdir()), [journal])
            last = json.loads(journal.read_text().split("\n")[-2])["benchmarks"][0]
            subprocess.run(["mount", "-o", "remount,size=4m", mount], check=True)
            done = self.fine(*words, "--resume")
            self.assertIn("resume: dram flat is there", done.messages)
            self.assertEqual(program.cells(out)[0]["times_ms"], last["times_ms"])
            self.assertEqual(list(mount.iterdir()), [out])

    def test_directories_of_the_environment_do_not_lie_in_a_database(self):
        spilled = ["query", self.other, "select from quote", "-w", "1", "--on-limit", "spill",
                   "--rows-only"]
        generated = ["run", "--experiment", "quick", *TINY, "--benchmark_list_tests"]
        for name, words, flag in (("TMPDIR", spilled, "TMPDIR"),
                                  ("XDG_CACHE_HOME", generated, "--data-dir")):
            environment = dict(os.environ, **{name: str(self.places.database)})
            self.assertIn(flag, self.ended(2, *words, env=environment).messages)

    def test_resume_removes_nothing_that_no_manifest_claims(self):
        foo, manifest = self.folder / "foo", self.folder / "foo.manifest.json"
        partial = self.folder / "foo.partial"
        partial.mkdir()
        (partial / "x").write_text("precious\n")
        for status, text in ((3, "{}"), (2, None),
                             (2, (self.folder / "other.manifest.json").read_text())):
            manifest.unlink(missing_ok=True)
            if text is not None:
                manifest.write_text(text)
            for extra in ([], ["--seed", "9"]):
                self.stopped(status, "gen", foo, *TINY, "--resume", *extra)
                self.assertEqual((partial / "x").read_text(), "precious\n")
        shutil.rmtree(partial)
        # A database of somebody else's under the name of one that was made once.
        foo.mkdir()
        (foo / "sym").write_bytes(b"\xff\x01\x0b\x00\x00\x00\x00\x00")
        self.stopped(2, "gen", foo, *TINY, "--resume")
        self.assertEqual((foo / "sym").stat().st_size, 8)

    @unittest.skipUnless(ROOT, "the page cache is dropped by root")
    def test_the_page_cache_of_the_machine_is_dropped_only_when_asked(self):
        script = ("import mmap,glob,sys,time\n"
                  "fs=[open(f,'rb') for f in glob.glob(sys.argv[1]+'/*/quote/bid')]\n"
                  "ms=[mmap.mmap(f.fileno(),0,prot=mmap.PROT_READ) for f in fs]\n"
                  "[m[:] for m in ms]; print('held',flush=True)\n"
                  "while True:\n [m[:] for m in ms]; time.sleep(0.001)\n")
        holder = subprocess.Popen([sys.executable, "-c", script, self.other],
                                  stdout=subprocess.PIPE)
        self.addCleanup(holder.__exit__, None, None, None)
        self.addCleanup(holder.kill)
        self.assertEqual(holder.stdout.readline(), b"held\n")
        done = self.ended(3, "query", self.other, "select max bid from quote", "--cache", "cold")
        self.assertIn(f"(process {holder.pid}) has them mapped", done.messages)
        self.assertIn("--drop-caches", done.messages)


if __name__ == "__main__":
    program.main()
