"""hdbench topo on machines with odd NUMA nodes: trees bound over the kernel's own, in a mount
namespace of the program's own.

    odd_nodes.py HDBENCH

Needs root; where there is no mount namespace the tests are skipped with the reason.
"""

import json
import pathlib
import tempfile

import program

BIND = 'mount --bind "$0" /sys/devices/system/node && exec "$@"'
GIB = 1 << 20  # of meminfo's kB
ORDINARY = {0: ("", 12), 2: ("0-1", 0)}
# Nodes with their CPUs and GiB, those that are online, and of media "state: reason".
MACHINES = [
    # By its tier where this kernel shows tiers, else as nothing tells of CXL.
    (ORDINARY, "0,2", {"cxl": "absent: node0 is not (told to be )?CXL",
                       "numa:0": "real: .*no CPUs: not (told to be )?CXL",
                       "numa:2": None, "dram": "real: .* on 1 node"}),
    # The kernel's own word: this process has node 0, whatever the tree shows.
    ({0: ("0", 16), 8: ("1", 16), **{gpu: ("", 16) for gpu in range(252, 256)}}, "0,8,252-255",
     {"cxl": "absent: ", "numa:0": "real: ",
      "numa:255": "absent: .*not allowed to this process .Mems_allowed_list: "}),
]


class OddNodes(program.Case):
    def tree(self, nodes, online):
        """What comes before the program that is to see these nodes."""
        tree = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        (tree / "online").write_text(f"{online}\n", encoding="utf-8")
        for number, (cpus, gibibytes) in nodes.items():
            folder = tree / f"node{number}"
            folder.mkdir()
            (folder / "cpulist").write_text(f"{cpus}\n", encoding="utf-8")
            (folder / "distance").write_text("10 20\n", encoding="utf-8")
            figures = "".join(f"Node {number} {name}: {gibibytes * GIB} kB\n"
                              for name in ("MemTotal", "MemFree"))
            (folder / "meminfo").write_text(figures, encoding="utf-8")
        return ["unshare", "--mount", "sh", "-c", BIND, tree]

    def test_media_of_odd_nodes(self):
        for nodes, online, expected in MACHINES:
            with self.subTest(online=online):
                done = self.fine("topo", "--json", before=self.tree(nodes, online))
                self.assertNotIn(b"256 nodes", done.out)
                told = json.loads(done.out)
                self.assertEqual([node["number"] for node in told["nodes"]], list(nodes))
                media = {medium["name"]: f"{medium['state']}: {medium['reason']}"
                         for medium in told["media"]}
                for name, wanted in expected.items():
                    if wanted is None:
                        self.assertNotIn(name, media)
                    else:
                        self.assertRegex(media[name], f"^{wanted}")
                if nodes is ORDINARY:
                    self.assertEqual(told["nodes"][1]["unusable"], "a node without memory")

    def test_a_query_runs_on_the_memory_of_such_a_machine(self):
        database = self.folder / "db"
        program.generate(self.binary, database, 0.0005)
        query = ["query", database, "select count i from quote", "--format", "csv"]
        plain = self.fine(*query)
        before = self.tree(ORDINARY, "0,2")
        for medium, expected in (("dram", ""), ("numa:0", ""), ("cxl", "emulated by the profile")):
            done = self.fine(*query, "--medium", medium, before=before)
            self.assertEqual(done.out, plain.out, medium)
            self.assertIn(expected, done.messages)


if __name__ == "__main__":
    program.main(program.why_not_mount())
