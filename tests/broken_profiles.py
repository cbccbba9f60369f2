"""Device profiles that are broken, through the command line: one line that names file, field, what
was found and what was expected, and status 2; the database is not even asked.

    broken_profiles.py HDBENCH
"""

import copy
import functools
import json

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


DISK = {**MEMORY, "kind": "block", "granularity": {"bytes": 4096, "source": SOURCE},
        "credits": CREDITS}
# Words of a medium, and what is told of them.
REFUSED = (
    ("app-direct:/absent.json", "/absent.json: cannot open: No such file"),
    ("app-direct:optane-9000", "no device profile 'optane-9000': there are cxl-"),
    ("cxl:/dev/zero", "/dev/zero: not a regular file"),
    ("nvme:/tmp/", "not a regular file"),
    ("cxl:cxl-asic-dd5", "did you mean 'cxl-asic-ddr5'?"),
    ("darm", "did you mean 'dram'?"),
    ("cxl:ddr4-2933-6ch", "ddr4-2933-6ch is DRAM, the near memory of other"),
    ("nvme:optane-100-6dimm", "optane-100-6dimm is a memory device, and nvme is a disk"),
    ("cxl:nvme-p5510", "nvme-p5510 is a block device, and cxl is memory"),
    ("memory-mode:near=1", "a near cache of 1 bytes, expected 1 MiB to 16 TiB"),
    ("memory-mode:near=100000GiB",
     "a near cache of 107374182400000 bytes, expected 1 MiB to 16 TiB"),
    ("memory-mode:optane-100-6dimm", "optane-100-6dimm is a device of app-direct"),
    ("memory-mode:optane-memory-mode", "how large is the near cache?"),
)
# What a file has in it, the medium that it is given for, and what is told of it.
REFUSED_FILES = (
    *((text, "app-direct", ": line 1 (byte ", "): not JSON, expected a device profile")
      for text in ("", "{", "nonsense")),
    ('{\n "name": "mine",\n nonsense}', "app-direct", ": line 3 (byte "),
    (" " * (2 << 20), "app-direct", ": 2097152 bytes, expected at most 1048576"),
    (json.dumps(MEMORY).replace("305", "1e999"), "app-direct", ": ", "1e999"),
    (MEMORY, "nvme", "mine is a memory device, and nvme is a disk"),
    (DISK, "app-direct", "mine is a block device, and app-direct is memory"),
    ({"name": "mine", "about": "made up", "kind": "memory",
      "near_cache": {"near": "ddr4-2933-6ch", "far": "optane-memory-mode", "line_bytes": 64,
                     "source": SOURCE}},
     "memory-mode", "near_cache.far: optane-memory-mode, expected a device without a near cache"),
)
READ = ("bandwidth", "read", "sequential")
# A field that is changed, or (None) not there. The reader's own tests have the other fields.
WRONG_FIELDS = (
    (MEMORY, "app-direct", ("latency", "read_random", "ns"), -305,
     "-305, expected a number above 0"),
    (MEMORY, "app-direct", ("latency", "read_random", "ns"), 1e15,
     "1000000000000000, expected a second (1e9) at most"),
    (MEMORY, "app-direct", (*READ, "gb_s"), 1e-9,
     "1e-09, expected 10 kB/s (1e-5 GB/s) or more"),
    (MEMORY, "app-direct", (*READ, "one_thread_gb_s"), 1e-9, "1e-09, expected 10 kB/s"),
    (MEMORY, "app-direct", ("latency",), 305, "number, expected an object"),
    (MEMORY, "app-direct", ("about",), "a\x1b[31m\nb",
     "control characters in it, expected a text of one line"),
    (MEMORY, "app-direct", ("speed",), 1, "unknown field, expected one of name, "),
    (MEMORY, "app-direct", ("medium",), "nvme",
     "nvme, expected another than nvme, as the kind is memory"),
    (MEMORY, "app-direct", ("kind",), None, "missing, expected a text"),
    (DISK, "nvme", ("medium",), "cxl", "cxl, expected nvme, as the kind is block"),
    (DISK, "nvme", ("credits", "capacity"), -1, "-1, expected a number above 0"),
    (DISK, "nvme", ("credits", "refill_per_s"), None, "missing, expected a number above 0"),
)


class BrokenProfiles(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.database = cls.folder / "db"
        cls.file = cls.folder / "mine.json"
        program.generate(cls.binary, cls.database, "0.0002")

    def write(self, profile):
        self.file.write_text(profile if isinstance(profile, str) else json.dumps(profile))

    def answer(self, medium, *told):
        """Of a medium that can be emulated; its times are of no interest."""
        done = self.fine("query", self.database, QUERY, "--medium", medium, "--emulation", "model",
                         "--format", "csv", *program.SMALL_CEILINGS)
        for words in told:
            self.assertIn(words, done.messages)
        return done.out

    def refused_medium(self, medium, *told):
        done = self.refused(2, told[0], "query", self.database, QUERY, "--medium", medium,
                            "--emulation", "model", "--format", "csv")
        for words in told:
            self.assertIn(words, done.lines[0])

    def test_good_profiles_answer(self):
        expected = self.fine("query", self.database, QUERY, "--medium", "dram", "--format",
                             "csv").out
        for profile, medium, *told in (
                (MEMORY, "app-direct"), (DISK, "nvme"), ({**MEMORY, "name": "yours"}, "app-direct"),
                ({key: MEMORY[key] for key in MEMORY if key != "latency"}, "app-direct",
                 "they are charged as reads; no latency of reads at random")):
            self.write(profile)
            told.append("is measured over 1MiB (--ceiling-size)")
            self.assertEqual(self.answer(f"{medium}:{self.file}", *told), expected)

    def test_pages_are_shared_and_a_near_cache_takes_its_share(self):
        self.answer("cxl:cxl-asic-ddr5+interleave=3:1", "is not shown")
        self.answer("memory-mode:near=25%")
        self.answer("memory-mode:near=2GiB", "fit into the near cache")

    def test_media_that_are_refused(self):
        for medium, told in REFUSED:
            with self.subTest(medium):
                self.refused_medium(medium, told)
        self.ended(2, "query", self.database, QUERY, "--medium", "app-direct:optane-100-6dimm",
                   "--emulation", "sleep", "--format", "csv")

    def test_files_that_are_refused(self):
        for content, medium, *told in REFUSED_FILES:
            with self.subTest(told):
                self.write(content)
                if told[0].startswith(": "):
                    told[0] = f"{self.file}{told[0]}"
                self.refused_medium(f"{medium}:{self.file}", *told)

    def test_what_is_wrong_is_named_by_its_field(self):
        for profile, medium, path, value, words in WRONG_FIELDS:
            changed = copy.deepcopy(profile)
            place = functools.reduce(dict.__getitem__, path[:-1], changed)
            place[path[-1]] = value
            if value is None:
                del place[path[-1]]
            with self.subTest(path=path, value=value):
                self.write(changed)
                self.refused_medium(f"{medium}:{self.file}",
                                    f"{self.file}: {'.'.join(path)}: {words}")

    def test_check_tells_all_errors_at_once(self):
        broken = copy.deepcopy(MEMORY)
        broken.update(speed=1, kind="tape", about=7)
        broken["latency"]["read_random"].update(ns=-1)
        broken["bandwidth"]["read"]["sequential"].pop("source")
        self.write(broken)
        done = self.ended(2, "profile", "--check", self.file)
        told = done.out.decode()
        for words in ("speed: unknown field", "kind: tape, expected memory or block",
                      "about: 7, expected a text", "latency.read_random.ns: -1, expected",
                      "bandwidth.read.sequential.source: missing"):
            self.assertIn(f"{self.file}: {words}", told)
        self.assertEqual(len(told.splitlines()), 5, told)
        self.assertIn("5 errors", done.messages)
        self.write(MEMORY)
        done = self.fine("profile", "--check", self.file)
        self.assertIn("a profile that can be used", done.out.decode())

    def test_every_template_is_checked_and_runs(self):
        for kind, medium in (("cxl", "cxl"), ("app-direct", "app-direct"), ("nvme", "nvme"),
                             ("ebs", "nvme"), ("memory-mode", "memory-mode"), ("dram", None)):
            self.write(self.fine("profile", "--template", kind).out.decode())
            checked = self.fine("profile", "--check", self.file)
            self.assertIn("sources are still the template's", checked.out.decode())
            if medium:
                near = "+near=16MiB" if kind == "memory-mode" else ""
                self.answer(f"{medium}:{self.file}{near}")
        self.assertIn("did you mean 'cxl'?",
                      program.run(self.binary, "profile", "--template", "clx").messages)


if __name__ == "__main__":
    program.main()
