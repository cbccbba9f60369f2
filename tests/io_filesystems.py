"""`hdbench io --compare fs:...` from outside: what it prints, and that nothing is left behind,
however it ends. Needs root, loop devices and two filesystems; what is missing is named.

    io_filesystems.py HDBENCH
"""

import json
import os
import pathlib
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import program
from traces_left import guards

SKIPPED = 77
SHORT = ["--quick", "--tests", "write-sync|hcount"]
PATIENCE_SECONDS = 15


def tool(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def kernel_filesystems():
    return [line.split()[-1] for line in pathlib.Path("/proc/filesystems").read_text().splitlines()]


def missing():
    """Why the tests cannot be run here; empty: they can."""
    if os.geteuid() != 0:
        return "not root"
    if not pathlib.Path("/dev/loop-control").exists():
        return "no loop devices"
    if len(filesystems()) < 2:
        return f"fewer than two filesystems: {filesystems()}"
    probe = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False)
    return "" if probe.returncode == 0 else "mounting is not permitted"


def filesystems():
    return [name for name in ("ext4", "xfs", "btrfs")
            if tool(f"mkfs.{name}") and name in kernel_filesystems()]


def attached_loops():
    found = {}
    for loop in pathlib.Path("/sys/block").glob("loop*"):
        try:
            found[loop.name] = (loop / "loop/backing_file").read_text().strip()
        except OSError:
            pass
    return found


class Filesystems(unittest.TestCase):
    binary = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hdbench-io-filesystems-"))
        self.loops = attached_loops()
        self.guards = guards()
        self.pair = ",".join(filesystems()[:2])

    def tearDown(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def leftovers(self):
        loops = {name: file for name, file in attached_loops().items()
                 if name not in self.loops and "hdbench" in file}
        mounts = [line for line in pathlib.Path("/proc/self/mounts").read_text().splitlines()
                  if str(self.folder) in line]
        files = [str(path) for path in self.folder.rglob("*")]
        return [*loops.items(), *mounts, *files,
                *[f"guard {pid}" for pid in guards() if pid not in self.guards]]

    def check_nothing_is_left(self):
        end = time.monotonic() + PATIENCE_SECONDS
        while self.leftovers() and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(self.leftovers(), [])

    def compare(self, *arguments, where=None):
        return program.run(self.binary, "io", "--compare", f"fs:{self.pair}", where or self.folder,
                           *arguments)

    def killed_in_the_middle(self, number):
        """Starts a comparison, sends the signal once something is measured; gives its status."""
        with subprocess.Popen(
            [self.binary, "io", "--compare", f"fs:{self.pair}", str(self.folder), "--quick"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            end = time.monotonic() + PATIENCE_SECONDS
            while time.monotonic() < end and process.poll() is None:
                # Its mounts are its own, so they are looked for as it sees them.
                mounts = pathlib.Path(f"/proc/{process.pid}/mounts").read_text()
                children = pathlib.Path(
                    f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
                # Beside the guard and the one that mounts: the first that measures.
                if str(self.folder) in mounts and len(children) > 2:
                    break
                time.sleep(0.002)
            self.assertIsNone(process.poll(), "it ended before it was killed")
            process.send_signal(number)
            return process.wait(timeout=PATIENCE_SECONDS)

    def test_two_filesystems_have_a_table_of_ratios(self):
        done = self.compare(*SHORT, "--processes", "1,2")
        self.assertEqual(done.status, 0, done.messages)
        text = done.out.decode()
        first, second = self.pair.split(",")
        for part in (f"{first}/{second}", "write, 1 process", "write, 2 processes",
                     f"how many times as fast {first} is", "geo. mean"):
            self.assertIn(part, text)
        self.assertIn("direct I/O", done.messages)
        self.check_nothing_is_left()

    def test_a_killed_comparison_leaves_nothing(self):
        self.assertEqual(self.killed_in_the_middle(signal.SIGKILL), -signal.SIGKILL)
        self.check_nothing_is_left()

    def test_an_interrupted_comparison_leaves_nothing(self):
        self.assertEqual(self.killed_in_the_middle(signal.SIGINT), 130)
        self.check_nothing_is_left()

    def test_a_filesystem_without_its_tool_is_left_out_with_the_reason(self):
        tools = self.folder / "tools"
        tools.mkdir()
        hidden = subprocess.run(
            ["unshare", "--mount", "sh", "-c",
             f'mount --bind /dev/null "{tool("mkfs." + self.pair.split(",")[1])}" && '
             f'exec "{self.binary}" io --compare "fs:{self.pair}" "{self.folder}" --quick'],
            capture_output=True, text=True, check=False)
        tools.rmdir()
        self.assertEqual(hidden.returncode, 3, hidden.stderr)
        self.assertIn("nothing is left to compare", hidden.stderr)
        self.assertIn("is not installed (package", hidden.stderr)
        self.check_nothing_is_left()

    def test_a_full_and_a_read_only_place_are_errors_of_one_line(self):
        small = self.folder / "small"
        small.mkdir()
        for options, words in (("size=32m", "free"), ("size=3g,ro", "Read-only file system")):
            subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", small], check=True)
            try:
                done = self.compare(*SHORT, where=small)
                self.assertEqual(done.status, 3, done.messages)
                self.assertIn(words, done.messages)
                self.assertEqual(list(small.iterdir()), [])
            finally:
                subprocess.run(["umount", small], check=True)
        self.assertEqual(self.compare(*SHORT, where=self.folder / "none").status, 3)

    def test_bad_lists_are_usage_errors(self):
        for words in ("fs:", "fs:zfs,ext4", "fs:ext4", "fs:ext4,ext4", "ext4,xfs"):
            done = program.run(self.binary, "io", "--compare", words, self.folder)
            self.assertEqual(done.status, 2, (words, done.messages))
            self.assertEqual(len(done.lines), 1, done.messages)

    def test_without_root_it_says_so(self):
        done = subprocess.run(
            [self.binary, "io", "--compare", f"fs:{self.pair}", "/tmp"], user=65534,
            capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("not root", done.stderr)


class Devices(Filesystems):
    """On a device that is a loop device of the test's own."""

    def setUp(self):
        super().setUp()
        self.elsewhere = pathlib.Path(tempfile.mkdtemp(prefix="hdbtest-"))
        self.image = self.elsewhere / "image"
        with open(self.image, "wb") as file:
            file.truncate(512 << 20)
        self.device = subprocess.run(["losetup", "--find", "--show", self.image], check=True,
                                     capture_output=True, text=True).stdout.strip()

    def tearDown(self):
        subprocess.run(["losetup", "--detach", self.device], check=False)
        shutil.rmtree(self.elsewhere, ignore_errors=True)
        super().tearDown()

    def on_device(self, *arguments):
        return self.compare("--device", self.device, *arguments)

    def test_a_device_is_overwritten_only_when_told(self):
        done = self.on_device(*SHORT)
        self.assertEqual(done.status, 2)
        self.assertIn("would be overwritten: add --yes", done.messages)
        subprocess.run([tool("mkfs.ext4"), "-q", self.device], check=True)
        done = self.on_device(*SHORT)
        self.assertEqual(done.status, 2)
        self.assertIn("holds ext4: add --yes", done.messages)
        done = self.on_device(*SHORT, "--yes")
        self.assertEqual(done.status, 0, done.messages)
        self.check_nothing_is_left()

    def test_a_device_in_use_is_never_overwritten(self):
        subprocess.run([tool("mkfs.ext4"), "-q", self.device], check=True)
        place = self.elsewhere / "mount"
        place.mkdir()
        subprocess.run(["mount", self.device, place], check=True)
        try:
            done = self.on_device(*SHORT, "--yes")
            self.assertEqual(done.status, 2)
            self.assertIn("never overwritten", done.messages)
        finally:
            subprocess.run(["umount", place], check=True)

    def check_refused(self, words, device=None):
        """In one line and with status 2, though --yes is given."""
        done = self.compare("--device", device or self.device, *SHORT, "--yes")
        self.assertEqual(done.status, 2, done.messages)
        told = program.without_preflight(done.messages).splitlines()
        self.assertEqual(len(told), 1, told)
        self.assertIn(words, told[0])
        self.assertIn("never overwritten", told[0])

    def attach(self, file):
        device = subprocess.run(["losetup", "--find", "--show", file], check=True,
                                capture_output=True, text=True).stdout.strip()
        self.addCleanup(subprocess.run, ["losetup", "--detach", device], check=False)
        return device

    def mounted(self, device):
        place = pathlib.Path(tempfile.mkdtemp(dir=self.elsewhere))
        subprocess.run(["mount", device, place], check=True)
        self.addCleanup(subprocess.run, ["umount", place], check=False)
        return place

    def test_loop_devices_of_one_file_or_over_another_are_never_overwritten(self):
        link = self.elsewhere / "link"
        link.symlink_to(self.device)
        os.link(self.image, self.elsewhere / "other name")
        second = self.attach(self.elsewhere / "other name")
        name = pathlib.Path(second).name
        self.check_refused(f"{name} has the same file")
        self.check_refused(f"{name} has the same file", str(link))
        self.check_refused("has the same file", second)
        subprocess.run(["losetup", "--detach", second], check=True)
        subprocess.run([tool("mkfs.ext4"), "-q", self.device], check=True)
        above = self.attach(self.device)
        place = self.mounted(above)
        self.check_refused(f"is the file of {pathlib.Path(above).name}", str(link))
        self.check_refused(f"is mounted on {place}", above)
        subprocess.run(["umount", place], check=True)
        place = self.mounted(self.device)
        self.check_refused(f"is mounted on {place}", above)
        self.check_refused(f"is mounted on {place}", str(link))
        self.assertTrue(os.path.ismount(place))

    def test_a_device_mounted_in_another_namespace_is_never_overwritten(self):
        subprocess.run([tool("mkfs.ext4"), "-q", self.device], check=True)
        place = self.elsewhere / "inside"
        place.mkdir()
        with subprocess.Popen(
            ["unshare", "--mount", "sh", "-c",
             f"mount {self.device} '{place}' && echo ready && exec sleep 60"],
            stdout=subprocess.PIPE, text=True) as other:
            self.assertEqual(other.stdout.readline(), "ready\n")
            self.check_refused(f"is mounted on {place}")
            other.kill()

    def test_a_loop_device_over_a_file_of_a_database_is_never_overwritten(self):
        database = self.elsewhere / "db"
        (database / "t").mkdir(parents=True)
        (database / "t/.d").write_bytes(b"\xff\x01\x0b\x00\x00\x00\x00\x00")
        with open(database / "t/a", "wb") as file:
            file.truncate(64 << 20)
        done = self.compare("--device", self.attach(database / "t/a"), *SHORT, "--yes")
        self.assertEqual(done.status, 2, done.messages)
        self.assertIn("database", done.messages)

    def test_the_question_ends_on_a_signal(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            terminal, its = pty.openpty()
            with subprocess.Popen(
                [self.binary, "io", "--compare", f"fs:{self.pair}", str(self.folder), *SHORT,
                 "--device", self.device], stdin=its, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE) as process:
                said = b""
                while b"[y/N]" not in said:
                    piece = process.stderr.read1()
                    self.assertTrue(piece, said)
                    said += piece
                process.send_signal(number)
                process.communicate(timeout=PATIENCE_SECONDS)
            self.assertEqual(process.returncode, 130, number)
            os.close(terminal)
            os.close(its)
        self.check_nothing_is_left()

    def test_a_device_that_fails_in_the_middle_is_an_error_and_leaves_nothing(self):
        with subprocess.Popen(
            # Not --quick, which may be over before the device fails.
            [self.binary, "io", "--compare", f"fs:{self.pair}", str(self.folder), "--size", "16",
             "--processes", "1", "--device", self.device, "--yes"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            end = time.monotonic() + PATIENCE_SECONDS
            while time.monotonic() < end and process.poll() is None:
                if str(self.folder) in pathlib.Path(f"/proc/{process.pid}/mounts").read_text():
                    break
                time.sleep(0.002)
            os.truncate(self.image, 0)
            subprocess.run(["losetup", "--set-capacity", self.device], check=False)
            messages = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 3, messages)
        self.assertRegex(messages, "Input/output error|No space left|status|Read-only|Structure")
        self.check_nothing_is_left()


class FailingDisk(unittest.TestCase):
    """A filesystem whose device gives errors from some moment on: the loop device's file is cut."""
    binary = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hdbench-io-failing-"))
        self.image = self.folder / "image"
        self.mounted = self.folder / "mounted"
        self.mounted.mkdir()
        with open(self.image, "wb") as image:
            image.truncate(1 << 30)
        subprocess.run([tool("mkfs.ext4"), "-q", "-F", "-O", "^has_journal", self.image],
                       check=True)
        subprocess.run(["mount", "-o", "loop", self.image, self.mounted], check=True)

    def tearDown(self):
        subprocess.run(["umount", self.mounted], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def wait_for_reads(self, process):
        """Until the files are on the device, and have been read from for a while."""
        end = time.monotonic() + PATIENCE_SECONDS
        size, since = 0, time.monotonic()
        while time.monotonic() < end and process.poll() is None:
            now = sum(file.stat().st_size for file in self.mounted.glob("hdbench-io-*/columns0/*"))
            if now != size:
                size, since = now, time.monotonic()
            if size > 0 and time.monotonic() > since + 1:
                break
            time.sleep(0.01)
        self.assertIsNone(process.poll(), "it ended before its device failed")

    def failed(self, tests):
        """What it says when its device fails beneath these tests; checks that nothing is left."""
        with subprocess.Popen(
            [self.binary, "io", str(self.mounted), "--tests", tests, "--size", "64",
             "--processes", "1", "--reps", "1000"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            self.wait_for_reads(process)
            os.truncate(self.image, 16 << 20)
            messages = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 3, messages)
        self.assertEqual(list(self.mounted.glob("hdbench-io-*")), [])
        told = program.without_preflight(messages)
        self.assertEqual(len(told.splitlines()), 1, told)
        self.assertIn(str(self.mounted), told)
        return told

    def test_reads_that_fail_are_an_error_of_one_line(self):
        # Part of a device that is cut short is read as zeros: then the sum says so.
        self.assertRegex(self.failed("random-read/block:4KiB/engine:pread/cache:cold"),
                         "cannot read: Input/output error|the bytes' sum is")

    def test_mapped_pages_that_fail_are_an_error_of_one_line(self):
        self.assertRegex(self.failed("random-read/block:4KiB/engine:mmap/cache:cold"),
                         "the device failed|the bytes' sum is")


def throttles():
    """Where the kernel throttles disks; nothing: it cannot here."""
    root = pathlib.Path("/sys/fs/cgroup")
    if (root / "blkio/blkio.throttle.read_bps_device").exists():
        return root / "blkio"
    for unified in (root, root / "unified"):
        controllers = unified / "cgroup.controllers"
        if controllers.exists() and "io" in controllers.read_text().split():
            return unified
    return None


@unittest.skipIf(throttles() is None, "no control group throttles disks here")
class Volumes(unittest.TestCase):
    """A disk held to a class: the group goes with the command."""

    binary = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hdbtest-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.before = set(throttles().glob("hdbench-*"))

    def groups(self):
        return set(throttles().glob("hdbench-*")) - self.before

    def test_a_killed_command_leaves_no_group(self):
        with subprocess.Popen(
            [self.binary, "io", str(self.folder), "--size", "64", "--volume", "st1"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            said = process.stderr.readline()
            if "is held to st1" not in said:
                process.communicate()
                self.skipTest(said)
            self.assertEqual(len(self.groups()), 1)
            process.kill()
            process.communicate(timeout=PATIENCE_SECONDS)
        end = time.monotonic() + PATIENCE_SECONDS
        while self.groups() and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(self.groups(), set())

    def test_reads_past_the_page_cache_are_no_faster_than_the_class(self):
        out = self.folder / "io.json"
        done = program.run(self.binary, "io", self.folder, "--size", "64", "--reps", "1",
                           "--processes", "1", "--volume", "gp3", "--out", out, "--tests",
                           "sequential-read/block:1MiB/engine:direct")
        if done.status == 3:
            self.skipTest(done.messages)
        self.assertEqual(done.status, 0, done.messages)
        cells = json.loads(out.read_text())["benchmarks"]
        self.assertEqual(len(cells), 1)
        # 64 MiB take half a second, so the slice of 100 ms that a throttle gives first tells.
        self.assertLess(cells[0]["median"], 131.1 * 1.3)
        self.assertEqual(self.groups(), set())

    def test_a_place_in_memory_is_no_disk_to_hold(self):
        done = program.run(self.binary, "io", "/dev/shm", "--volume", "gp3")
        self.assertEqual(done.status, 3, done.messages)
        self.assertIn("no block device", done.messages)

    def test_run_holds_a_disk_only_for_nvme(self):
        done = program.run(self.binary, "run", self.folder, "--volume", "gp3")
        self.assertEqual(done.status, 2, done.messages)
        self.assertIn("only with --medium nvme", done.messages)


# What Filesystems itself checks is not run twice.
for name in dir(Filesystems):
    if name.startswith("test_") and name not in vars(Devices):
        setattr(Devices, name, None)


if __name__ == "__main__":
    binary = str(pathlib.Path(sys.argv.pop(1)).resolve())
    Filesystems.binary = FailingDisk.binary = Volumes.binary = binary
    reason = missing()
    if reason:
        print(f"io_filesystems: skipped: {reason}")
        sys.exit(SKIPPED)
    unittest.main()
