"""Device profiles that are broken, through the command line: one line that names file, field, what
was found and what was expected, and status 2; the database is not even asked.

    broken_profiles.py HDBENCH
"""

import copy
import functools
import json
import pathlib
import sys
import tempfile
import unittest

import program

QUERY = "select from quote where date=2020.01.07, col3 in `val1"
SOURCE = "[P] made up"
MEMORY = {
    "name": "mine", "about": "made up", "kind": "memory",
    "granularity": {"bytes": 256, "source": SOURCE},
    "latency": {"read_random": {"ns": 305, "source": SOURCE}},
    "bandwidth": {"read": {"sequential": {"gb_s": 3, "source": SOURCE}}},
}
CREDITS = {"unit": "bytes", "capacity": 17e6, "refill_per_s": 170e6, "burst_per_s": 1.3e9,
           "refill": "steps", "source": SOURCE}


def disk():
    profile = copy.deepcopy(MEMORY)
    profile.update(kind="block", granularity={"bytes": 4096, "source": SOURCE},
                   credits=dict(CREDITS))
    return profile


class BrokenProfiles(unittest.TestCase):
    binary = None
    database = None

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="hdbench-profiles-")
        self.addCleanup(place.cleanup)
        self.file = pathlib.Path(place.name, "mine.json")

    def write(self, profile):
        self.file.write_text(profile if isinstance(profile, str) else json.dumps(profile),
                             encoding="utf-8")

    def ask(self, medium, *more):
        return program.run(self.binary, "query", self.database, QUERY, "--medium", medium,
                           "--emulation", "model", "--format", "csv", *more)

    def answer(self, medium):
        """Of a medium that can be emulated; its times are of no interest."""
        return self.ask(medium, *program.SMALL_CEILINGS)

    def refused(self, medium, *told):
        done = self.ask(medium)
        self.assertEqual(done.status, 2, f"{medium}: {done.messages}")
        self.assertEqual(len(done.lines), 1, done.messages)
        self.assertEqual(done.out, b"")
        for words in told:
            self.assertIn(words, done.lines[0])

    def test_good_profiles_answer(self):
        self.write(MEMORY)
        expected = program.run(self.binary, "query", self.database, QUERY, "--medium", "dram",
                               "--format", "csv").out
        for profile, medium in ((MEMORY, "app-direct"), (disk(), "nvme")):
            self.write(profile)
            done = self.answer(f"{medium}:{self.file}")
            self.assertEqual(done.status, 0, done.messages)
            self.assertIn("is measured over 1MiB (--ceiling-size)", done.messages)
            self.assertEqual(done.out, expected)

    def test_no_json(self):
        for text in ("", "{", "nonsense"):
            self.write(text)
            self.refused(f"app-direct:{self.file}", f"{self.file}: line 1 (byte ",
                         "): not JSON, expected a device profile")
        self.write('{\n "name": "mine",\n nonsense}')
        self.refused(f"app-direct:{self.file}", f"{self.file}: line 3 (byte ")

    def test_no_file(self):
        self.refused(f"app-direct:{self.file}", f"{self.file}: cannot open: No such file")
        self.refused("app-direct:optane-9000", "no device profile 'optane-9000': there are cxl-")

    def test_no_regular_file(self):
        self.refused("cxl:/dev/zero", "/dev/zero: not a regular file")
        self.refused(f"nvme:{self.file.parent}/", "not a regular file")
        with open(self.file, "wb") as stream:
            stream.truncate(2 << 20)
        self.refused(f"app-direct:{self.file}", "2097152 bytes, expected at most 1048576")

    def test_another_name_than_the_file_answers(self):
        self.write({**MEMORY, "name": "yours"})
        self.assertEqual(self.answer(f"app-direct:{self.file}").status, 0)

    def check(self, *more):
        return program.run(self.binary, "profile", "--check", self.file, *more)

    def test_check_tells_all_errors_at_once(self):
        broken = copy.deepcopy(MEMORY)
        broken.update(speed=1, kind="tape", about=7)
        broken["latency"]["read_random"].update(ns=-1)
        broken["bandwidth"]["read"]["sequential"].pop("source")
        self.write(broken)
        done = self.check()
        self.assertEqual(done.status, 2, done.messages)
        told = done.out.decode()
        for words in ("speed: unknown field", "kind: tape, expected memory or block",
                      "about: 7, expected a text", "latency.read_random.ns: -1, expected",
                      "bandwidth.read.sequential.source: missing"):
            self.assertIn(f"{self.file}: {words}", told)
        self.assertEqual(len(told.splitlines()), 5, told)
        self.assertIn("5 errors", done.messages)

    def test_check_takes_a_profile_that_can_be_used(self):
        self.write(MEMORY)
        done = self.check()
        self.assertEqual(done.status, 0, done.messages)
        self.assertIn("a profile that can be used", done.out.decode())

    def test_every_template_is_checked_and_runs(self):
        for kind, medium in (("cxl", "cxl"), ("app-direct", "app-direct"), ("nvme", "nvme"),
                             ("ebs", "nvme"), ("memory-mode", "memory-mode"), ("dram", None)):
            done = program.run(self.binary, "profile", "--template", kind)
            self.assertEqual(done.status, 0, done.messages)
            self.write(done.out.decode())
            checked = self.check()
            self.assertEqual(checked.status, 0, checked.messages)
            self.assertIn("sources are still the template's", checked.out.decode())
            if medium:
                near = "+near=16MiB" if kind == "memory-mode" else ""
                self.assertEqual(self.answer(f"{medium}:{self.file}{near}").status, 0, kind)
        self.assertIn("did you mean 'cxl'?",
                      program.run(self.binary, "profile", "--template", "clx").messages)

    def test_a_profile_and_a_medium_that_are_misspelt(self):
        self.refused("cxl:cxl-asic-dd5", "did you mean 'cxl-asic-ddr5'?")
        self.refused("darm", "did you mean 'dram'?")

    def test_pages_are_shared_and_a_near_cache_takes_its_share(self):
        done = self.answer("cxl:cxl-asic-ddr5+interleave=3:1")
        self.assertEqual(done.status, 0, done.messages)
        self.assertIn("is not shown", done.messages)
        self.assertEqual(self.answer("memory-mode:near=25%").status, 0)
        done = self.answer("memory-mode:near=2GiB")
        self.assertEqual(done.status, 0, done.messages)
        self.assertIn("fit into the near cache", done.messages)

    def test_what_is_wrong_is_named_by_its_field(self):
        """The reader's own tests have the other fields: these pass through the command."""
        read = ("bandwidth", "read", "sequential")
        for profile, medium, path, value, words in (
                (MEMORY, "app-direct", ("latency", "read_random", "ns"), -305,
                 "-305, expected a number above 0"),
                (MEMORY, "app-direct", ("latency", "read_random", "ns"), 1e15,
                 "1000000000000000, expected a second (1e9) at most"),
                (MEMORY, "app-direct", (*read, "gb_s"), 1e-9,
                 "1e-09, expected 10 kB/s (1e-5 GB/s) or more"),
                (MEMORY, "app-direct", (*read, "one_thread_gb_s"), 1e-9,
                 "1e-09, expected 10 kB/s"),
                (MEMORY, "app-direct", ("latency",), 305, "number, expected an object"),
                (MEMORY, "app-direct", ("about",), "a\x1b[31m\nb",
                 "control characters in it, expected a text of one line"),
                (MEMORY, "app-direct", ("speed",), 1, "unknown field, expected one of name, "),
                (MEMORY, "app-direct", ("medium",), "nvme",
                 "nvme, expected another than nvme, as the kind is memory"),
                (MEMORY, "app-direct", ("kind",), None, "missing, expected a text"),
                (disk(), "nvme", ("medium",), "cxl", "cxl, expected nvme, as the kind is block"),
                (disk(), "nvme", ("credits", "capacity"), -1, "-1, expected a number above 0"),
                (disk(), "nvme", ("credits", "refill_per_s"), None,
                 "missing, expected a number above 0")):
            changed = copy.deepcopy(profile)
            place = functools.reduce(dict.__getitem__, path[:-1], changed)
            place[path[-1]] = value
            if value is None:
                del place[path[-1]]
            self.write(changed)
            self.refused(f"{medium}:{self.file}", f"{self.file}: {'.'.join(path)}: {words}")
        self.write(json.dumps(MEMORY).replace("305", "1e999"))
        self.refused(f"app-direct:{self.file}", f"{self.file}: ", "1e999")

    def test_near_memory_is_no_medium(self):
        self.refused("cxl:ddr4-2933-6ch", "ddr4-2933-6ch is DRAM, the near memory of other")

    def test_a_memory_without_a_latency_is_told(self):
        self.write({key: MEMORY[key] for key in MEMORY if key != "latency"})
        done = self.answer(f"app-direct:{self.file}")
        self.assertEqual(done.status, 0, done.messages)
        self.assertIn("they are charged as reads; no latency of reads at random", done.messages)

    def test_a_profile_of_the_other_kind(self):
        self.write(MEMORY)
        self.refused(f"nvme:{self.file}", "mine is a memory device, and nvme is a disk")
        self.refused("nvme:optane-100-6dimm",
                     "optane-100-6dimm is a memory device, and nvme is a disk")
        self.write(disk())
        self.refused(f"app-direct:{self.file}", "mine is a block device, and app-direct is memory")
        self.refused("cxl:nvme-p5510", "nvme-p5510 is a block device, and cxl is memory")

    def test_near_caches(self):
        self.refused("memory-mode:near=1", "a near cache of 1 bytes, expected 1 MiB to 16 TiB")
        self.refused("memory-mode:near=100000GiB",
                     "a near cache of 107374182400000 bytes, expected 1 MiB to 16 TiB")
        self.refused("memory-mode:optane-100-6dimm", "optane-100-6dimm is a device of app-direct")
        self.refused("memory-mode:optane-memory-mode", "how large is the near cache?")
        self.write({"name": "mine", "about": "made up", "kind": "memory",
                    "near_cache": {"near": "ddr4-2933-6ch", "far": "optane-memory-mode",
                                   "line_bytes": 64, "source": SOURCE}})
        self.refused(f"memory-mode:{self.file}", "near_cache.far: optane-memory-mode, expected a"
                     " device without a near cache")

    def test_emulation_that_is_none(self):
        done = program.run(self.binary, "query", self.database, QUERY, "--medium",
                           "app-direct:optane-100-6dimm", "--emulation", "sleep")
        self.assertEqual(done.status, 2, done.messages)
        self.assertEqual(done.out, b"")


def main():
    BrokenProfiles.binary = pathlib.Path(sys.argv.pop(1)).resolve()
    with tempfile.TemporaryDirectory(prefix="hdbench-profiles-") as folder:
        BrokenProfiles.database = pathlib.Path(folder, "db")
        program.generate(BrokenProfiles.binary, BrokenProfiles.database, "0.0002")
        unittest.main()


if __name__ == "__main__":
    main()
