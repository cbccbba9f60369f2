"""`hdbench io --compare fs:...` from outside: what it prints, and that nothing is left behind,
however it ends. Needs root, loop devices and two filesystems; what is missing is named.

    io_filesystems.py HDBENCH
"""

import os
import pathlib
import pty
import signal
import subprocess
import tempfile
import time
import unittest

import program
import traces_left

SHORT = ["--quick", "--tests", "write-sync|hcount"]
PAIR = ",".join(traces_left.filesystems()[:2])
COMPARE = ["io", "--compare", f"fs:{PAIR}"]


def mkfs(place, *options):
    subprocess.run([traces_left.tool("mkfs.ext4"), "-q", *options, place], check=True)


def sparse(path, mebibytes):
    with open(path, "wb") as file:
        file.truncate(mebibytes << 20)
    return path


class Compared(program.Case):
    """In a folder of the test's own, where nothing may be left."""

    def setUp(self):
        self.place = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        self.elsewhere = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        self.guards = traces_left.guards()
        self.addCleanup(self.check_nothing_is_left)

    def check_nothing_is_left(self):
        def left():
            return [*traces_left.of_folder(self.place), *self.place.rglob("*"),
                    *set(traces_left.guards()).difference(self.guards)]
        self.assertTrue(program.wait_until(lambda: not left()), left())

    def is_mounted(self, process):
        """Its mounts are its own, so they are looked for as it sees them."""
        return str(self.place) in pathlib.Path(f"/proc/{process.pid}/mounts").read_text()


class Filesystems(Compared):
    def test_two_filesystems_have_a_table_of_ratios(self):
        done = self.fine(*COMPARE, self.place, *SHORT, "--processes", "1,2")
        text = done.out.decode()
        first, second = PAIR.split(",")
        for part in (f"{first}/{second}", "write, 1 process", "write, 2 processes",
                     f"how many times as fast {first} is", "geo. mean"):
            self.assertIn(part, text)
        self.assertIn("direct I/O", done.messages)

    def test_a_killed_or_interrupted_comparison_leaves_nothing(self):
        for number, status in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)):
            process = self.start(*COMPARE, self.place, "--quick")
            children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
            # Beside the guard and the one that mounts: the first that measures.
            program.wait_until(lambda: process.poll() is not None or self.is_mounted(process)
                               and len(children.read_text().split()) > 2)
            self.assertIsNone(process.poll(), "it ended before it was killed")
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=program.PATIENCE_SECONDS), status)
            self.check_nothing_is_left()

    def test_a_filesystem_without_its_tool_is_left_out_with_the_reason(self):
        tool = traces_left.tool("mkfs." + PAIR.split(",")[1])
        hidden = self.ended(3, *COMPARE, self.place, "--quick",
                            before=["unshare", "--mount", "sh", "-c",
                                    f'mount --bind /dev/null {tool} && exec "$@"', "sh"])
        self.assertIn("nothing is left to compare", hidden.messages)
        self.assertIn("is not installed (package", hidden.messages)

    def test_a_full_and_a_read_only_place_are_errors_of_one_line(self):
        for options, words in (("size=32m", "free"), ("size=3g,ro", "Read-only file system")):
            with program.mounted(self.elsewhere / "small", "-t", "tmpfs", "-o", options,
                                 "none") as small:
                self.assertIn(words, self.ended(3, *COMPARE, small, *SHORT).messages)
                self.assertEqual(list(small.iterdir()), [])
        self.ended(3, *COMPARE, self.place / "none", *SHORT)

    def test_what_cannot_be_compared(self):
        for words in ("fs:", "fs:zfs,ext4", "fs:ext4", "fs:ext4,ext4", "ext4,xfs"):
            self.refused(2, "", "io", "--compare", words, self.place)
        self.assertIn("not root", self.ended(3, *COMPARE, "/tmp", user=program.NOBODY).messages)


class Devices(Compared):
    """On a device that is a loop device of the test's own."""

    def setUp(self):
        super().setUp()
        self.image = sparse(self.elsewhere / "image", 512)
        self.device = self.attach(self.image)

    def attach(self, file):
        device = subprocess.run(["losetup", "--find", "--show", file], check=True,
                                capture_output=True, text=True).stdout.strip()
        self.addCleanup(subprocess.run, ["losetup", "--detach", device], check=False,
                        capture_output=True)
        return device

    def mounted(self, device):
        return program.mounted(self.elsewhere / "mount", device)

    def check_refused(self, words, device, more="never overwritten"):
        """In one line and with status 2, though --yes is given."""
        done = self.refused(2, words, *COMPARE, self.place, "--device", device, *SHORT, "--yes")
        self.assertIn(more, done.messages)

    def test_a_device_is_overwritten_only_when_told(self):
        line = [*COMPARE, self.place, "--device", self.device, *SHORT]
        self.assertIn("would be overwritten: add --yes", self.ended(2, *line).messages)
        mkfs(self.device)
        self.assertIn("holds ext4: add --yes", self.ended(2, *line).messages)
        self.fine(*line, "--yes")

    def test_loop_devices_of_one_file_or_over_another_are_never_overwritten(self):
        link = self.elsewhere / "link"
        link.symlink_to(self.device)
        os.link(self.image, self.elsewhere / "other name")
        second = self.attach(self.elsewhere / "other name")
        name = pathlib.Path(second).name
        for device in (self.device, link):
            self.check_refused(f"{name} has the same file", device)
        self.check_refused("has the same file", second)
        subprocess.run(["losetup", "--detach", second], check=True)
        mkfs(self.device)
        above = self.attach(self.device)
        with self.mounted(above) as place:
            self.check_refused(f"is the file of {pathlib.Path(above).name}", link)
            self.check_refused(f"is mounted on {place}", above)
        with self.mounted(self.device) as place:
            for device in (self.device, above, link):
                self.check_refused(f"is mounted on {place}", device)
            self.assertTrue(os.path.ismount(place))

    def test_a_device_mounted_in_another_namespace_is_never_overwritten(self):
        mkfs(self.device)
        place = self.elsewhere / "inside"
        place.mkdir()
        with subprocess.Popen(
            ["unshare", "--mount", "sh", "-c",
             f"mount {self.device} '{place}' && echo ready && exec sleep 60"],
            stdout=subprocess.PIPE, text=True) as other:
            self.assertEqual(other.stdout.readline(), "ready\n")
            self.check_refused(f"is mounted on {place}", self.device)
            other.kill()

    def test_a_loop_device_over_a_file_of_a_database_is_never_overwritten(self):
        table = self.elsewhere / "db" / "t"
        table.mkdir(parents=True)
        (table / ".d").write_bytes(b"\xff\x01\x0b\x00\x00\x00\x00\x00")
        self.check_refused("database", self.attach(sparse(table / "a", 64)), "")

    def test_the_question_ends_on_a_signal(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            terminal, its = pty.openpty()
            process = self.start(*COMPARE, self.place, *SHORT, "--device", self.device,
                                 stdin=its, text=False)
            said = b""
            while b"[y/N]" not in said:
                piece = process.stderr.read1()
                self.assertTrue(piece, said)
                said += piece
            process.send_signal(number)
            process.communicate(timeout=program.PATIENCE_SECONDS)
            self.assertEqual(process.returncode, 130, number)
            os.close(terminal)
            os.close(its)

    def test_a_device_that_fails_in_the_middle_is_an_error_and_leaves_nothing(self):
        # Not --quick, which may be over before the device fails.
        process = self.start(*COMPARE, self.place, "--size", "16", "--processes", "1", "--device",
                             self.device, "--yes")
        program.wait_until(lambda: process.poll() is not None or self.is_mounted(process))
        os.truncate(self.image, 0)
        subprocess.run(["losetup", "--set-capacity", self.device], check=False)
        messages = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 3, messages)
        self.assertRegex(messages, "Input/output error|No space left|status|Read-only|Structure")


class FailingDisk(program.Case):
    """A filesystem whose device gives errors from some moment on: the loop device's file is cut."""

    def wait_for_reads(self, process, mounted):
        """Until the files are on the device, and have been read from for a while."""
        seen = {"size": 0, "since": time.monotonic()}

        def is_reading():
            size = sum(file.stat().st_size for file in mounted.glob("hdbench-io-*/columns0/*"))
            if size != seen["size"]:
                seen.update(size=size, since=time.monotonic())
            return process.poll() is not None or \
                size > 0 and time.monotonic() > seen["since"] + 1
        program.wait_until(is_reading)
        self.assertIsNone(process.poll(), "it ended before its device failed")

    def test_reads_and_mapped_pages_that_fail_are_an_error_of_one_line_and_leave_nothing(self):
        # Part of a device that is cut short is read as zeros: then the sum says so.
        for engine, words in (("pread", "cannot read: Input/output error|the bytes' sum is"),
                              ("mmap", "the device failed|the bytes' sum is")):
            image = sparse(self.folder / engine, 1024)
            mkfs(image, "-F", "-O", "^has_journal")
            with self.subTest(engine), program.mounted(self.folder / "mounted", "-o", "loop",
                                                       image) as mounted:
                tests = f"random-read/block:4KiB/engine:{engine}/cache:cold"
                process = self.start("io", mounted, "--tests", tests, "--size", "64",
                                     "--processes", "1", "--reps", "1000")
                self.wait_for_reads(process, mounted)
                os.truncate(image, 16 << 20)
                messages = process.communicate(timeout=60)[1]
                self.assertEqual(process.returncode, 3, messages)
                self.assertEqual(list(mounted.glob("hdbench-io-*")), [])
                told = program.without_preflight(messages)
                self.assertEqual(len(told.splitlines()), 1, told)
                self.assertIn(str(mounted), told)
                self.assertRegex(told, words)


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
class Volumes(program.Case):
    """A disk held to a class: the group goes with the command."""

    def setUp(self):
        self.before = set(throttles().glob("hdbench-*"))

    def groups(self):
        return set(throttles().glob("hdbench-*")) - self.before

    def test_a_killed_command_leaves_no_group(self):
        process = self.start("io", self.folder, "--size", "64", "--volume", "st1")
        said = process.stderr.readline()
        if "is held to st1" not in said:
            process.communicate()
            self.skipTest(said)
        self.assertEqual(len(self.groups()), 1)
        process.kill()
        process.communicate(timeout=program.PATIENCE_SECONDS)
        self.assertTrue(program.wait_until(lambda: not self.groups()), self.groups())

    def test_reads_past_the_page_cache_are_no_faster_than_the_class(self):
        out = self.folder / "io.json"
        done = program.run(self.binary, "io", self.folder, "--size", "64", "--reps", "1",
                           "--processes", "1", "--volume", "gp3", "--out", out, "--tests",
                           "sequential-read/block:1MiB/engine:direct")
        if done.status == 3:
            self.skipTest(done.messages)
        self.assertEqual(done.status, 0, done.messages)
        cells = program.cells(out)
        self.assertEqual(len(cells), 1)
        # 64 MiB take half a second, so the slice of 100 ms that a throttle gives first tells.
        self.assertLess(cells[0]["median"], 131.1 * 1.3)
        self.assertEqual(self.groups(), set())

    def test_what_is_no_disk_to_hold(self):
        for status, words, place in ((3, "no block device", ["io", "/dev/shm"]),
                                     (2, "only with --medium nvme", ["run", self.folder])):
            done = self.ended(status, *place, "--volume", "gp3")
            self.assertIn(words, done.messages)


if __name__ == "__main__":
    program.main(traces_left.why_not_compare() or program.why_not_mount())
