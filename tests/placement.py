"""Where columns lie, from outside: --place, what it refuses, and what results.json says of it.

    placement.py HDBENCH
"""

import json

import program

SCALE = "0.0005"
QUERY = "select last bid, sum asize by col3 from quote"
AXES = ["--attr", "parted", "--mode", "4.0", "-s", "2", "--reps", "1", *program.SMALL_CEILINGS]
EMULATED = ["--emulation", "model"]
DEFAULTS = {"app-direct": "app-direct:optane-100-6dimm",
            "memory-mode": "memory-mode:optane-memory-mode+near=2GiB",
            "cxl": "cxl:cxl-asic-ddr5"}
# The status of one query that is placed so, and what the message names.
NO_PLACES = [
    (2, "expected COLUMN[,COLUMN...]=MEDIUM", "bid"),
    (2, "a column without a name", "bid,=dram"),
    (2, "bid is placed twice", "bid,bid=dram"),
    (2, "bid is placed twice", "bid=dram", "--place", "bid=dram"),
    (2, "unknown medium 'nosuch'; known are nvme, dram", "bid=nosuch"),
    (2, "no column nosuch in quote; there are time, col1", "nosuch=dram"),
    (2, "date is what the partitions are named by", "date=dram"),
    (2, "leave out --place", "bid=dram", "--pmem-keep"),
    (2, "has a cold state", "bid=dram", "--medium", "dram", "--cache", "cold"),
    (2, "one is expected here", "none; bid=cxl:cxl-asic-ddr5"),
    (3, "--place bid: numa:977: no such node", "bid=numa:977"),
]


def profile_of(word):
    return word.split(":")[1].split("+")[0]


class Placement(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.database = cls.folder / "db"
        program.generate(cls.binary, cls.database, SCALE)
        cls.queries = cls.folder / "one.q"
        cls.queries.write_text(QUERY + "\n", encoding="utf-8")
        cls.from_list = [cls.database, "--queries", cls.queries]
        topo = program.run(cls.binary, "topo", "--json")
        cls.media = {one["name"]: one for one in json.loads(topo.out)["media"]}
        # The media that this machine lacks, each with the word that stands in for it.
        cls.absent = {name: word for name, word in DEFAULTS.items()
                      if cls.media[name]["state"] == "absent"}

    def is_real(self, medium):
        return self.media.get(medium, {}).get("state") == "real"

    def cells(self, *arguments):
        out = self.folder / "results.json"
        done = self.fine("run", *self.from_list, *AXES, *arguments, "--out", out)
        self.table = self.fine("report", out, "--format", "markdown").out.decode()
        self.told = done.messages
        return program.cells(out)

    def test_what_cannot_be_placed_is_refused_in_one_line(self):
        for status, named, *place in NO_PLACES:
            self.refused(status, named, "query", self.database, QUERY, "--place", *place)
        for command in ("run", "limit"):
            self.refused(2, "no column nosuch", command, *self.from_list, "--place", "nosuch=dram")
        self.refused(3, "numa:977: no such node", "limit", self.database, "--place",
                     "bid=numa:977")
        self.refused(2, "a list must be alone", "run", self.database, "--place", "none; bid=cxl",
                     "--place", "ask=cxl")
        self.refused(3, "numa:977: no such node", "profile", "numa:977")
        if "cxl" in self.absent:
            self.refused(3, "cxl is absent here: ", "profile", "cxl")

    def test_the_smallest_limit_is_the_same_wherever_the_columns_lie(self):
        found = []
        for place in [], ["--place", "bid=dram"]:
            done = self.fine("limit", *self.from_list, "--medium", "nvme", "--format", "json",
                             *place)
            found.append(json.loads(done.out)["limits"][0]["smallest_limit_mib"])
        self.assertEqual(found[0], found[1])

    def test_placed_columns_give_the_same_result_in_both_layouts(self):
        whole = self.cells("--medium", "dram", "--layout", "partitioned")[0]
        self.assertIsNone(whole["place"])
        self.assertNotIn("parts", whole["placement_proof"])
        placed = self.cells("--medium", "nvme", "--layout", "partitioned,flat", "--cache", "warm",
                            "--place", "bid,ask=cxl:cxl-fpga", "--place", "col3=dram", *EMULATED)
        self.assertEqual({cell["layout"] for cell in placed}, {"partitioned", "flat"})
        for cell in placed:
            self.assertEqual(cell["checksum"], whole["checksum"], cell["name"])
            self.assertEqual(cell["place"], "bid,ask=cxl:cxl-fpga; col3=dram")
            self.assertIs(cell["emulated"], True)
            self.assertEqual(cell["medium"], "nvme")
            self.assertIn("placed one by one", cell["ceiling_reason"])
            parts = {part["part"]: part for part in cell["placement_proof"]["parts"]}
            self.assertEqual(list(parts), ["all other columns on nvme",
                                           "bid, ask on cxl:cxl-fpga", "col3 on dram"])
            for name, part in parts.items():
                self.assertGreater(part["bytes_total"], 0, name)
                self.assertEqual(part["bytes_where_promised"], part["bytes_total"], name)
            # The device is charged for its column, and the host for the others.
            device, host = cell["emulation"][0]["devices"]
            self.assertEqual(device["touched_read_bytes"], cell["bytes_read_by_column"]["bid"])
            self.assertEqual(host["device"], "host")
        self.assertIn("bid, ask on cxl:cxl-fpga: emulated (cxl-fpga, model)", self.table)
        self.assertIn("where its bytes lay: ", self.table)

    def test_every_medium_says_where_its_bytes_lay(self):
        media = ["nvme", "dram"] + ["numa:0"] * self.is_real("numa:0")
        for cell in self.cells("--medium", ",".join(media), "--layout", "partitioned",
                               "--cache", "warm", "--result-medium", media[-1]):
            for proof in (cell["placement_proof"], cell["result_placement_proof"]):
                self.assertEqual(proof["bytes_where_promised"], proof["bytes_total"], cell["name"])
            self.assertGreater(cell["placement_proof"]["bytes_total"], 0, cell["name"])

    def test_a_bare_word_of_what_is_absent_names_its_default_profile_everywhere(self):
        if not self.absent:
            self.skipTest("this machine has every medium")
        cells = self.cells("--medium", ",".join(self.absent), "--layout", "flat", *EMULATED)
        self.assertEqual([cell["medium_word"] for cell in cells], list(self.absent.values()))
        for cell in cells:
            self.assertIn(f"/medium:{cell['medium_word']}/", cell["name"])
            self.assertIs(cell["emulated"], True)
            self.assertIn(profile_of(cell["medium_word"]), cell["medium_label"])
        for name, word in self.absent.items():
            self.assertEqual(self.told.count(f"note: {name}: "), 1, self.told)
            self.assertIn(profile_of(word), self.table)
            done = self.fine("query", self.database, QUERY, "--medium", name, *EMULATED,
                             *program.SMALL_CEILINGS)
            self.assertTrue(done.messages.startswith(f"note: {name}: no "), done.messages)
            self.assertIn(f" {word}: emulated (", done.messages)
            hint = "memory-mode:near=SIZE" if name == "memory-mode" else word
            self.assertIn(f"emulate it as {hint}", self.media[name]["reason"])
        if "cxl" in self.absent:
            for cell in self.cells("--medium", "dram", "--layout", "flat", "--place", "bid=cxl",
                                   "--result-medium", "cxl", *EMULATED):
                self.assertEqual(cell["place"], "bid=cxl:cxl-asic-ddr5")
                self.assertIn("/results:cxl:cxl-asic-ddr5", cell["name"])

    def test_several_placements_of_columns_are_one_run(self):
        places = "none; bid,ask=cxl:cxl-asic-ddr5; all=cxl:cxl-asic-ddr5 & bid=dram"
        cells = self.cells("--medium", "dram", "--layout", "flat", "--place", places, *EMULATED)
        self.assertEqual(sorted({str(cell["place"]) for cell in cells}),
                         ["None", "all=cxl:cxl-asic-ddr5; bid=dram", "bid,ask=cxl:cxl-asic-ddr5"])
        self.assertEqual(len({cell["name"] for cell in cells}), len(cells))
        self.assertEqual(len({cell["checksum"] for cell in cells if cell["query"] == 1}), 1)
        self.assertEqual({cell["emulated"] for cell in cells if not cell["place"]}, {False})

    def test_tmpfs_is_this_machines_memory_and_never_persistent(self):
        if not self.is_real("tmpfs"):
            self.skipTest(self.media["tmpfs"]["reason"])
        for cell in self.cells("--medium", "tmpfs", "--layout", "partitioned,flat"):
            self.assertEqual(cell["medium"], "tmpfs")
            self.assertEqual(cell["medium_label"],
                             "real (tmpfs on /dev/shm: this machine's memory)")
            self.assertIs(cell["emulated"], False)
            self.assertIs(cell["placement_proof"]["is_pmem"], False)
        self.assertIn("- tmpfs: real", self.table)
        ask = ["query", self.database, QUERY, "--pmem-dir", "/dev/shm", "--medium"]
        self.refused(3, "files there are --medium tmpfs", *ask, "app-direct")
        self.assertIn("tmpfs: real (tmpfs on /dev/shm: this machine's memory)",
                      self.fine(*ask, "tmpfs").messages)

    def test_a_node_is_measured_and_emulated_from_its_profile(self):
        if not self.is_real("numa:0"):
            self.skipTest("memory cannot be bound to a node here")
        profile = self.folder / "node.json"
        self.fine("profile", "numa:0", "--reps", "1", "-o", profile)
        told = json.loads(profile.read_text(encoding="utf-8"))
        self.assertEqual(told["kind"], "memory")
        self.assertIn("every page on node 0", told["about"])
        self.assertGreater(told["latency"]["read_random"]["ns"], 0)
        for cell in self.cells("--medium", f"cxl:{profile}", "--layout", "partitioned", *EMULATED):
            self.assertIs(cell["emulated"], True)
            self.assertEqual(cell["profile"], "node")


if __name__ == "__main__":
    program.main()
