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
import tempfile
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
        self.folder = pathlib.Path(folder)
        self.database = self.folder / "db"
        done = program.run(binary, "gen", self.database, *TINY, "--parted", "col3")
        assert done.status == 0, done.messages
        day = sorted(path.name for path in self.database.iterdir() if path.is_dir())[0]
        self.partition = self.database / day
        self.splayed = self.folder / "flat"
        shutil.copytree(self.partition / "quote", self.splayed / "quote")
        shutil.copy(self.database / "sym", self.splayed / "sym")
        self.segmented = self.folder / "segmented"
        self.segment = self.folder / "segment"
        self.segmented.mkdir()
        shutil.copytree(self.partition, self.segment / day)
        (self.segmented / "par.txt").write_text(f"{self.segment}\n")
        shutil.copy(self.database / "sym", self.segmented / "sym")
        self.foreign = self.folder / "foreign"
        self.foreign.mkdir()
        (self.foreign / "diary.json").write_text("dear diary\n")
        (self.folder / "into").symlink_to(self.database)
        (self.folder / "to_sym.json").symlink_to(self.database / "sym")
        self.guarded = [self.database, self.splayed, self.segmented, self.segment, self.foreign]

    def state(self):
        return [program.contents(path) for path in self.guarded]

    def inside(self):
        """Paths in databases: a root, a partition, a table, a segment, columns, links."""
        return {
            "root": self.database,
            "new file in root": self.database / "new.json",
            "deep": self.database / "deep" / "new.json",
            "sym": self.database / "sym",
            "partition": self.partition,
            "new partition": self.database / "2030.01.01",
            "table": self.partition / "quote",
            "column": self.partition / "quote" / "bid",
            "new column": self.partition / "quote" / "new.json",
            "segment": self.segment / "new.json",
            "segmented root": self.segmented / "new.json",
            "par.txt": self.segmented / "par.txt",
            "splayed": self.splayed / "quote" / "new.json",
            "splayed root": self.splayed / "new.json",
            "link to root": self.folder / "into" / "new.json",
            "link to sym": self.folder / "to_sym.json",
        }


def commands(places, results):
    """By command and flag: the line, given the path to be written."""
    database = places.folder / "other"
    io_one = ["--quick", "--tests", "io/set/vector:tiny", "--processes", "1"]

    def over(*words):
        return lambda path: [*words, path]

    def run_with(flag):
        return lambda path: ["run", database, *QUICK, flag, path]

    def query_with(flag):
        return lambda path: ["query", database, "select count i from quote", "--layout", "flat",
                             "--rows-only", flag, path]

    iot = places.folder / "iot"
    trades = taq_files.write(places.folder, "trade", "20200107", 100)
    return {
        ("gen", "DB"): lambda path: ["gen", path, *TINY],
        ("import", "DB"): over("import", "taq", trades),
        ("run", "--out"): run_with("--out"),
        ("run", "--benchmark_out"): lambda path: ["run", database, *QUICK,
                                                  f"--benchmark_out={path}"],
        ("run", "--scratch-dir"): run_with("--scratch-dir"),
        ("run", "--pmem-dir"): run_with("--pmem-dir"),
        ("run", "--data-dir"): lambda path: ["run", "--experiment", "quick", "--scale", "0.0002",
                                             "--benchmark_list_tests", "--data-dir", path],
        ("query", "--scratch-dir"): query_with("--scratch-dir"),
        ("query", "--pmem-dir"): lambda path: [*query_with("--pmem-dir")(path), "--medium",
                                               "app-direct"],
        ("limit", "--scratch-dir"): over("limit", database, "--scratch-dir"),
        ("limit", "--pmem-dir"): over("limit", database, "--pmem-dir"),
        ("report", "-o"): over("report", results, "--format", "csv", "-o"),
        ("io", "PATH"): over("io", *io_one),
        ("io", "--out"): over("io", iot, *io_one, "--out"),
        ("io", "--device"): over("io", iot, "--compare", "fs:xfs,ext4", "--yes", "--device"),
        ("profile", "where"): over("profile", "--size", "32", "--reps", "1"),
        ("profile", "-o"): over("profile", "nowhere-that-is-there", "-o"),
        ("topo", "--pmem-dir"): over("topo", "--pmem-dir"),
    }


# Flags whose file is written by a command that is quick enough to be run to its end here.
ENDING = [("run", "--out"), ("run", "--benchmark_out"), ("report", "-o"), ("io", "--out")]


class WriteGuard(unittest.TestCase):
    binary = None

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="hdbench-guard-")
        cls.addClassCleanup(cls.place.cleanup)
        cls.places = Places(cls.binary, cls.place.name)
        folder = cls.places.folder
        other = folder / "other"
        (folder / "iot").mkdir()
        done = program.run(cls.binary, "gen", other, *TINY)
        assert done.status == 0, done.messages
        cls.results = folder / "results.json"
        done = program.run(cls.binary, "run", other, *QUICK, "--out", cls.results)
        assert done.status == 0, done.messages
        cls.commands = commands(cls.places, cls.results)

    def setUp(self):
        self.before = self.places.state()

    def tearDown(self):
        self.assertEqual(self.places.state(), self.before, "a guarded file was changed")

    def writing_flags(self):
        done = program.run(self.binary, "flags")
        self.assertEqual(done.status, 0, done.messages)
        rows = [line.split("\t") for line in done.out.decode().splitlines()]
        return [(row[0], row[1].split(",")[0], row[3]) for row in rows
                if row[3] and not row[3].startswith("reads-")]

    def refused(self, arguments, statuses=(2, 3)):
        done = program.run(self.binary, *arguments)
        told = f"{list(map(str, arguments))}: status {done.status}: {done.messages}"
        self.assertIn(done.status, statuses, told)
        self.assertEqual(len(done.lines), 1, told)
        return done

    def test_every_flag_that_writes_has_a_command_here(self):
        known = set(self.commands)
        found = {(command, flag) for command, flag, _ in self.writing_flags()}
        self.assertEqual(found, known)

    def test_no_flag_writes_into_a_database(self):
        for command, flag, use in self.writing_flags():
            for name, path in self.places.inside().items():
                if use == "measures-directory" and not path.is_dir():
                    continue  # no directory: refused as such
                with self.subTest(command=command, flag=flag, place=name):
                    if command == "gen" and name == "root":
                        done = self.refused(["gen", path, *TINY, "--resume", "--seed", "7"])
                        continue
                    done = self.refused(self.commands[command, flag](path), (2,))
                    if command == "import" and name == "root":
                        self.assertIn("exists: take another path", done.messages)
                        continue
                    self.assertRegex(done.messages, "lies in the database|is part of a database")
                    if use == "writes-file" and command != "profile":
                        self.refused([*self.commands[command, flag](path), "--force"], (2,))

    def test_a_foreign_file_is_replaced_by_force_alone(self):
        foreign = self.places.foreign / "diary.json"
        copy = self.places.folder / "copy.json"
        for key in ENDING:
            with self.subTest(flag=key):
                done = self.refused(self.commands[key](foreign), (2,))
                self.assertIn("--force", done.messages)
                shutil.copy(foreign, copy)
                done = program.run(self.binary, *self.commands[key](copy), "--force")
                self.assertEqual(done.status, 0, done.messages)
                self.assertNotEqual(copy.read_bytes(), foreign.read_bytes())
                # Its own file from now on.
                done = program.run(self.binary, *self.commands[key](copy))
                self.assertEqual(done.status, 0, done.messages)

    def test_links_devices_and_pipes(self):
        folder = self.places.folder
        link = folder / "latest.json"
        link.symlink_to("latest-1.json")
        pipe = folder / "pipe"
        os.mkfifo(pipe)
        for key in ENDING:
            with self.subTest(flag=key):
                done = program.run(self.binary, *self.commands[key](link), "--force")
                self.assertEqual(done.status, 0, done.messages)
                self.assertTrue(link.is_symlink())
                got = []
                reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
                reader.start()
                done = program.run(self.binary, *self.commands[key](pipe))
                reader.join(30)
                self.assertEqual(done.status, 0, done.messages)
                self.assertGreater(len(got[0]), 100)
                self.assertTrue(stat.S_ISFIFO(pipe.stat().st_mode))
                done = program.run(self.binary, *self.commands[key]("/dev/null"))
                self.assertEqual(done.status, 0, done.messages)
                self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        link.unlink()
        pipe.unlink()

    def test_standard_output_by_name(self):
        line = ["report", self.results, "--format", "csv"]
        plain = program.run(self.binary, *line)
        by_name = program.run(self.binary, *line, "-o", "/dev/stdout")
        self.assertEqual((by_name.status, by_name.out), (0, plain.out))
        path = self.places.folder / "stdout.csv"
        with path.open("wb") as file:
            file.write(b"before\n")
            file.flush()
            done = subprocess.run([self.binary, *map(str, line), "-o", "/dev/stdout"], stdout=file,
                                  stderr=subprocess.PIPE, check=False, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(path.read_bytes(), b"before\n" + plain.out)
        self.assertTrue(os.path.islink("/dev/stdout"))

    @unittest.skipUnless(ROOT, "nodes of devices are made by root")
    def test_nodes_of_devices(self):
        block = self.places.folder / "block"
        full = self.places.folder / "full"
        os.mknod(block, stat.S_IFBLK | 0o600, os.makedev(7, 250))
        os.mknod(full, stat.S_IFCHR | 0o666, os.makedev(1, 7))
        for key in ENDING:
            with self.subTest(flag=key):
                self.refused([*self.commands[key](block), "--force"], (2,))
                self.assertTrue(stat.S_ISBLK(block.stat().st_mode))
                try:
                    with full.open("wb", buffering=0) as file:
                        file.write(b"")
                except OSError:
                    continue  # a filesystem without devices
                done = program.run(self.binary, *self.commands[key](full))
                self.assertEqual(done.status, 3, done.messages)
                self.assertIn("No space left on device", done.messages)
                self.assertTrue(stat.S_ISCHR(full.stat().st_mode))
        block.unlink()
        full.unlink()

    @unittest.skipUnless(ROOT, "another user's rights are taken by root")
    def test_a_folder_without_permission(self):
        folder = self.places.folder / "locked"
        folder.mkdir(mode=0o500)
        self.places.folder.chmod(0o755)

        def be_nobody():
            os.setgid(65534)
            os.setuid(65534)

        done = subprocess.run([self.binary, "report", self.results, "-o", folder / "r.html"],
                              preexec_fn=be_nobody, capture_output=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertEqual(list(folder.iterdir()), [])
        folder.rmdir()

    def test_a_file_that_may_not_grow_leaves_the_old_one_and_nothing_beside_it(self):
        folder = self.places.folder / "small"
        folder.mkdir()
        out = folder / "r.html"
        done = program.run(self.binary, "report", self.results, "-o", out)
        self.assertEqual(done.status, 0, done.messages)
        before = out.read_bytes()

        def no_room():
            resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

        done = subprocess.run([self.binary, "report", self.results, "-o", out],
                              preexec_fn=no_room, capture_output=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertEqual(out.read_bytes(), before)
        self.assertEqual(list(folder.iterdir()), [out])
        shutil.rmtree(folder)

    @unittest.skipUnless(ROOT, "a small filesystem is mounted by root")
    def test_a_run_on_a_full_disk_keeps_its_finished_rounds(self):
        mount = self.places.folder / "full_run"
        mount.mkdir()
        small = ["mount", "-t", "tmpfs", "-o", "size=96k", "none", mount]
        if subprocess.run(small, check=False, capture_output=True).returncode != 0:
            mount.rmdir()
            self.skipTest("no filesystem can be mounted")
        out, journal = mount / "r.json", mount / "r.json.partial"
        words = ["run", self.places.folder / "other", *QUICK, "--reps-most", "30", "--precision",
                 "0.0001", "--out", out]
        try:
            done = program.run(self.binary, *words)
            self.assertEqual(done.status, 3, done.messages)
            told = [line for line in done.lines if "no more rounds are kept" in line]
            self.assertEqual(len(told), 1, done.messages)
            self.assertIn("No space left on device", told[0])
            self.assertIn(f"{journal} has finished rounds", done.lines[-1])
            self.assertEqual(list(mount.iterdir()), [journal])
            last = json.loads(journal.read_text().split("\n")[-2])["benchmarks"][0]
            subprocess.run(["mount", "-o", "remount,size=4m", mount], check=True)
            done = program.run(self.binary, *words, "--resume")
            self.assertEqual(done.status, 0, done.messages)
            self.assertIn("resume: dram flat is there", done.messages)
            cell = json.loads(out.read_text())["benchmarks"][0]
            self.assertEqual(cell["times_ms"], last["times_ms"])
            self.assertEqual(list(mount.iterdir()), [out])
        finally:
            subprocess.run(["umount", mount], check=True)
            mount.rmdir()

    def test_directories_of_the_environment_do_not_lie_in_a_database(self):
        spilled = ["query", self.places.folder / "other", "select from quote", "-w", "1",
                   "--on-limit", "spill", "--rows-only"]
        generated = ["run", "--experiment", "quick", *TINY, "--benchmark_list_tests"]
        for name, words, flag in (("TMPDIR", spilled, b"TMPDIR"),
                                  ("XDG_CACHE_HOME", generated, b"--data-dir")):
            environment = dict(os.environ, **{name: str(self.places.database)})
            done = subprocess.run([self.binary, *words], env=environment, capture_output=True,
                                  check=False, timeout=60)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(flag, done.stderr)

    def test_resume_removes_nothing_that_no_manifest_claims(self):
        folder = self.places.folder
        partial = folder / "foo.partial"
        partial.mkdir()
        (partial / "x").write_text("precious\n")
        for manifest in ("{}", None, self.manifest_of_other()):
            if manifest is None:
                (folder / "foo.manifest.json").unlink()
            else:
                (folder / "foo.manifest.json").write_text(manifest)
            for extra in ([], ["--seed", "9"]):
                self.refused(["gen", folder / "foo", *TINY, "--resume", *extra])
                self.assertEqual((partial / "x").read_text(), "precious\n")
        shutil.rmtree(partial)
        # A database of somebody else's under the name of one that was made once.
        taken = folder / "foo"
        taken.mkdir()
        (taken / "sym").write_bytes(b"\xff\x01\x0b\x00\x00\x00\x00\x00")
        self.refused(["gen", taken, *TINY, "--resume"])
        self.assertEqual((taken / "sym").stat().st_size, 8)
        shutil.rmtree(taken)
        (folder / "foo.manifest.json").unlink()

    def manifest_of_other(self):
        return (self.places.folder / "other.manifest.json").read_text()

    @unittest.skipUnless(ROOT, "the page cache is dropped by root")
    def test_the_page_cache_of_the_machine_is_dropped_only_when_asked(self):
        database = self.places.folder / "other"
        holder = subprocess.Popen([sys.executable, "-c", (
            "import mmap,glob,sys,time\n"
            "fs=[open(f,'rb') for f in glob.glob(sys.argv[1]+'/*/quote/bid')]\n"
            "ms=[mmap.mmap(f.fileno(),0,prot=mmap.PROT_READ) for f in fs]\n"
            "[m[:] for m in ms]; print('held',flush=True)\n"
            "while True:\n [m[:] for m in ms]; time.sleep(0.001)\n"), database],
            stdout=subprocess.PIPE)
        try:
            self.assertEqual(holder.stdout.readline(), b"held\n")
            done = program.run(self.binary, "query", database, "select max bid from quote",
                               "--cache", "cold")
            self.assertEqual(done.status, 3, done.messages)
            self.assertIn(f"(process {holder.pid}) has them mapped", done.messages)
            self.assertIn("--drop-caches", done.messages)
        finally:
            holder.kill()
            holder.wait()
            holder.stdout.close()


if __name__ == "__main__":
    WriteGuard.binary = sys.argv.pop(1)
    unittest.main(verbosity=2)
