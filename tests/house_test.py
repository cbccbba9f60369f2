"""What the rules of the house refuse and what they let pass, on made-up names and texts."""

import graphlib
import pathlib
import tempfile
import unittest

import clang_tidy
import documents
import include_direction as arrows
import source_rules

WRONG = """
engine/exec/execute.cc -> queries/x.h
engine/exec/execute.cc -> bench/x.h
pmem/x.cc -> bench/x.h
queries/query.cc -> datagen/spec.h
datagen/spec.cc -> pmem/media/medium.h
pmem/media/medium_test.cc -> engine/storage/database.h
engine/base/store.h -> engine/column/type.h
engine/storage/database.cc -> engine/kernel/scan.h
pmem/memory/cache_state.h -> pmem/media/medium.h
bench/model/query_list.h -> bench/run/table_placement.h
bench/results/comparison.cc -> bench/report/views/report_pivot.h
bench/storage/io_run.cc -> bench/storage/volumes/throttle.h
bench/report/views/verdict.cc -> bench/report/answers/answers.h
pmem/machine/mount.cc -> pmem/testing/test_files.h
pmem/emulator/near_cache_test.cc -> pmem/media/nvme_store.h
engine/column/column.cc -> column.h
engine/column/column.cc -> ../base/store.h
engine/attic/x.cc -> engine/base/store.h
pmem/medium.cc -> pmem/base/free_room.h
"""
RIGHT = """
engine/column/column.h -> engine/base/store.h
engine/exec/execute.cc -> engine/kernel/scan.h
pmem/media/medium.h -> pmem/memory/cache_state.h
bench/storage/filesystems/filesystem_image.h -> bench/storage/io_run.h
bench/main.cc -> bench/cli/command_line.h
pmem/base/free_room_test.cc -> pmem/testing/test_files.h
bench/machine/host_test.cc -> pmem/testing/test_files.h
pmem/readahead/read_ahead_buffers_test.cc -> pmem/media/nvme_store.h
engine/kernel/scan.cc -> hwy/highway.h
queries/query.h -> engine/operator/plan.h
bench/main.cc -> datagen/x/y.h
"""
FIGURES = {
    "a rate": ["gives 3.1 to 3.3 GB/s", "170 MB/s", "2 GiB per second", "1.2 ns a row"],
    "a ratio": ["1.8 to 2.0 times as fast", "3 times slower", "is 2.5x here", "0.91 to 0.97"],
    "a percentage": ["costs 3 % more", "costs some per cent"],
    "a measured time": ["took 94 ms"],
    "a CPU's name": ["on Zen 3", "Granite Rapids"],
    None: ["GB/s are 10^9 bytes a second", "GB/s are 1e9 bytes a second", "pages of 4096",
           "kdb+ 3.6 and 4.0", "2020.01.03 to 2020.01.31", "0x9E3779B1 and 0x",
           "looked at every 100 ms", "per cent of the ceiling", "the zenith",
           '"Intel(R) Xeon(R), 131.1 MB/s"', "`7 %`"],
}


def pairs(text):
    return [line.split(" -> ") for line in text.split("\n") if line]


class Arrows(unittest.TestCase):
    def test_wrong_and_right_ones(self):
        for source, target in pairs(WRONG):
            self.assertIsNotNone(arrows.wrong_arrow(source, target), f"{source} -> {target}")
        for source, target in pairs(RIGHT):
            self.assertIsNone(arrows.wrong_arrow(source, target), f"{source} -> {target}")

    def test_rooms_have_an_order(self):
        for rooms in arrows.ROOMS.values():
            self.assertCountEqual(graphlib.TopologicalSorter(rooms).static_order(), rooms)

    def test_angle_brackets_hide_no_arrow_and_a_comment_is_none(self):
        text = ('#include <vector>\n#include "engine/base/check.h"\n'
                '  #  include <pmem/media/medium.h>\n// #include "bench/x.h"\n')
        self.assertEqual(arrows.project_includes(text),
                         ["engine/base/check.h", "pmem/media/medium.h"])

    def test_a_wrong_include_is_named_with_its_file(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name, "engine", "base")
            folder.mkdir(parents=True)
            (folder / "x.h").write_text('#include "bench/run/matrix.h"\n', encoding="utf-8")
            self.assertEqual(list(arrows.complaints(pathlib.Path(name))),
                             ['engine/base/x.h: #include "bench/run/matrix.h": '
                              "engine does not know bench"])


class Sources(unittest.TestCase):
    def test_sizes_pass_up_to_their_limits(self):
        self.assertEqual(list(source_rules.too_large("x.cc", "a\n" * 600)), [])
        self.assertEqual(list(source_rules.too_large("x.cc", "a\n" * 601)),
                         ["x.cc: 601 lines, at most 600"])
        self.assertEqual(list(source_rules.too_large("x.cc", "\n" + "a" * 101)),
                         ["x.cc:2: 101 columns, at most 100"])
        self.assertEqual(list(source_rules.full_folders(["a/x"] * 61 + ["b/x"] * 60)),
                         ["a: 61 files, at most 60"])

    def test_comments_are_found(self):
        for text, found in (("int x = 1;\n", []),
                            ("\n// 1.5\n// times as\nint x;\n", [(2, "1.5 times as")]),
                            ("int a;  // one\nint b;  // two\n", [(1, "one"), (2, "two")]),
                            ("/* one\n   two */ int x;", [(1, "one two")]),
                            ('auto s = "http://x";  // url', [(1, "url")]),
                            ("auto s = R\"(// no)\";", []),
                            ("auto n = 1'000'000;  // n", [(1, "n")]),
                            ("char c = '\"';  // quote", [(1, "quote")])):
            self.assertEqual(source_rules.comments(text), found, text)

    def test_figures_are_known_by_their_kind(self):
        for kind, texts in FIGURES.items():
            for text in texts:
                found = [kind for kind, _ in source_rules.figures(text)]
                self.assertIn(kind, found or [None], text)

    def test_an_allowed_phrase_passes_alone_and_in_its_own_file_only(self):
        entry, used = ("x.h", "at most 5 %", "the threshold"), set()
        for name, text, count in (("a/x.h", "// at most 5 % here\n", 0),
                                  ("a/x.h", "// at most 5 %, seen 6 %\n", 1),
                                  ("a/y.h", "// at most 5 %\n", 1),
                                  ("a/x.h", 'print("3 GB/s");\n', 0)):
            self.assertEqual(len(list(source_rules.complaints(name, text, [entry], used))), count)
        self.assertEqual(used, {entry})
        self.assertEqual([source_rules.is_judged(name) for name in ("x.h", "x_test.cc", "x.py")],
                         [True, False, False])

    def test_no_call_can_mean_another_sources_function_or_one_of_std(self):
        own = ("namespace {\nstruct Sums {\n};\nstruct Later;\nconstexpr int kBytes = 1;\n"
               "}  // namespace\n")
        sources = {"bench/a.cc": own, "bench/b.cc": own.replace("kBytes", "kRows"),
                   "pmem/c.cc": own + "namespace {\nint bind(int mode) { return mode; }\n"
                                      "}  // namespace\n"}
        self.assertEqual(list(source_rules.ambiguous_names(sources)),
                         ["bench/b.cc: Sums, which bench/a.cc has, too: their layer is compiled "
                          "together",
                          "pmem/c.cc: bind: a call can mean std::bind; choose another name"])


class Documents(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="hdbench-documents-")
        self.addCleanup(place.cleanup)
        self.root = pathlib.Path(place.name)
        (self.root / "docs").mkdir()
        (self.root / "README.md").write_text("# A title, long\n", encoding="utf-8")
        (self.root / "docs" / "a.md").write_text("", encoding="utf-8")

    def test_citations_are_files(self):
        for name, text, count in (("x.h", "", 0), ("docs/b.md", "(a.md) ../README.md", 0),
                                  ("engine/x.h", "// See docs/a.md, README.md.", 0),
                                  ("engine/x.h", "// See a.md.", 1),
                                  ("x.md", "every *.md, https://example.org/b.md", 0),
                                  ("x.md", "docs/YYYY-MM-DD-subject.md", 0),
                                  ("x.md", "[a.md](docs/a.md)", 0),
                                  ("x.md", "[a.md](docs/b.md)", 1)):
            found = list(documents.missing_citations(self.root, name, text))
            self.assertEqual(len(found), count, text)
        self.assertEqual(documents.is_looked_at("engine/x_test.cc"), False)

    def test_links_lead_to_files_and_headings(self):
        for text, found in (("[r](../README.md#a-title-long) [w](https://x)", []),
                            ("[b](b.md)", ["docs/a.md:1: the link b.md leads nowhere"]),
                            ("[r](../README.md#other)",
                             ["docs/a.md:1: ../README.md#other: there is no such heading"])):
            self.assertEqual(list(documents.broken_links(self.root, "docs/a.md", text)), found)
        self.assertEqual(list(documents.headings("## query, run: limit `x`\n")),
                         ["query-run-limit-x"])


class ChangedIn(unittest.TestCase):
    MOVED = ("diff --git a/bench/b.cc b/bench/run/b.cc\nrename from bench/b.cc\n"
             "rename to bench/run/b.cc\n--- a/bench/b.cc\n+++ b/bench/run/b.cc\n"
             "@@ -1 +1 @@\n-#include \"bench/b.h\"\n+#include \"bench/run/b.h\"\n+// new\n")
    BEFORE = ("diff --git a/bench/b.cc b/bench/b.cc\n--- a/bench/b.cc\n+++ b/bench/b.cc\n"
              "@@ -5 +5 @@\n-int b = 1;\n+int b = 2;\n")

    def test_moves_includes_and_comments_change_no_code(self):
        self.assertEqual(clang_tidy.changed_in(self.MOVED), set())
        self.assertEqual(clang_tidy.changed_in(self.MOVED + self.BEFORE), {"bench/run/b.cc"})
        self.assertEqual(clang_tidy.changed_in(self.BEFORE), {"bench/b.cc"})


if __name__ == "__main__":
    unittest.main()
