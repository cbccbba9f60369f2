"""When a source has to be looked at again."""

import pathlib
import tempfile
import unittest

from clang_tidy import Sources, changed_in, fingerprint


class Fingerprint(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "engine" / "base").mkdir(parents=True)
        self.write("a.cc", '#include "engine/base/a.h"\n')
        self.write("a.h", '#include "engine/base/b.h"\n')
        self.write("b.h", '#include "engine/base/a.h"\n')
        self.write("c.h", "")

    def write(self, name, text):
        (self.root / "engine" / "base" / name).write_text(text, encoding="utf-8")

    def now(self, command="g++", settings="-*"):
        return fingerprint(Sources(self.root), "engine/base/a.cc", command, settings)

    def test_headers_that_include_each_other_are_followed_once(self):
        found = Sources(self.root).closure("engine/base/a.cc")
        self.assertEqual(found, ["engine/base/a.cc", "engine/base/a.h", "engine/base/b.h"])

    def test_it_changes_with_an_indirect_header_the_command_and_the_settings(self):
        before = self.now()
        self.assertNotEqual(before, self.now(command="g++ -O3"))
        self.assertNotEqual(before, self.now(settings="bugprone-*"))
        self.write("b.h", "int x;\n")
        self.assertNotEqual(before, self.now())

    def test_it_does_not_change_with_a_stranger(self):
        before = self.now()
        self.write("c.h", "int x;\n")
        self.assertEqual(before, self.now())


NEWEST = """diff --git a/bench/a.cc b/bench/run/a.cc
rename from bench/a.cc
rename to bench/run/a.cc
--- a/bench/a.cc
+++ b/bench/run/a.cc
@@ -1 +1 @@
-#include "bench/a.h"
+#include "bench/run/a.h"
diff --git a/bench/b.cc b/bench/run/b.cc
rename from bench/b.cc
rename to bench/run/b.cc
"""
BEFORE = """diff --git a/bench/b.cc b/bench/b.cc
--- a/bench/b.cc
+++ b/bench/b.cc
@@ -5 +5 @@
-int b = 1;
+int b = 2;
"""


class ChangedIn(unittest.TestCase):
    def test_what_was_only_moved_is_not_changed(self):
        self.assertEqual(changed_in(NEWEST), set())

    def test_new_comments_and_includes_change_no_code(self):
        log = ("diff --git a/bench/b.cc b/bench/b.cc\n--- a/bench/b.cc\n+++ b/bench/b.cc\n"
               "@@ -1 +1 @@\n-// old\n+// new\n+#include <map>\n")
        self.assertEqual(changed_in(log), set())
        self.assertEqual(changed_in(log + "+int a;\n"), {"bench/b.cc"})

    def test_what_was_changed_and_moved_has_todays_name(self):
        self.assertEqual(changed_in(NEWEST + BEFORE), {"bench/run/b.cc"})
        self.assertEqual(changed_in(BEFORE), {"bench/b.cc"})


if __name__ == "__main__":
    unittest.main()
