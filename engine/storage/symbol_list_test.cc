#include "engine/storage/symbol_list.h"

#include "engine/base/catch.h"
#include "engine/testing/column_files.h"
#include "engine/testing/saved_objects.h"

namespace hdbench {
namespace {

std::string message(std::string_view bytes) {
  const auto list = parse_symbol_list(bytes_of(bytes), "db/sym");
  return list.ok() ? "" : list.error().message;
}

TEST_CASE("an empty list has no symbols") {
  const auto list =
      parse_symbol_list(bytes_of(std::string_view("\xff\x01\x0b\0\0\0\0\0", 8)), "sym");
  REQUIRE(list.ok());
  CHECK(list->empty());
}

TEST_CASE("names run to the end of the file, whatever the header counts") {
  const auto bytes = bytes_of(std::string_view("\xff\x01\x0b\0\1\0\0\0a\0\0bc\0", 14));
  const auto list = parse_symbol_list(bytes, "sym");
  REQUIRE(list.ok());
  CHECK(*list == std::vector<std::string_view>{"a", "", "bc"});
}

TEST_CASE("what is no symbol list is reported with place and figures") {
  CHECK(message("\xff\x01\x0b") == "db/sym: 3 bytes, but a symbol list has at least 8");
  CHECK(message(std::string_view("\xfe\x20\x07\0\0\0\0\0", 8)) ==
        "db/sym: byte 0: fe 20 07, but a symbol list starts with ff 01 0b");
  CHECK(message("\xff\x01\x0b\x01\xff\xff\xff\xff") == "db/sym: byte 4: a count of -1");
  CHECK(message(std::string_view("\xff\x01\x0b\0\1\0\0\0ab", 10)) ==
        "db/sym: byte 10: the file ends within a symbol, but a NUL ends each");
}

TEST_CASE("column names must be file names, each once") {
  const ScratchDirectory scratch;
  const auto names_error = [&](const std::vector<std::string>& names) {
    std::filesystem::remove(scratch / ".d");
    REQUIRE(write_symbol_list(scratch / ".d", names).ok());
    const auto read = read_column_names(scratch / ".d");
    return read.ok() ? "" : read.error().message;
  };
  const std::string file = (scratch / ".d").string();
  CHECK(names_error({"time", "bid"}).empty());
  CHECK(names_error({}) == file + ": no columns in it");
  CHECK(names_error({"../sym"}) == file + ": \"../sym\" is no column's name");
  CHECK(names_error({""}) == file + ": \"\" is no column's name");
  CHECK(names_error({"bid", "bid"}) == file + ": column bid is named twice");
}

TEST_CASE("a domain is read once, and a missing one names its file and who asked") {
  const ScratchDirectory scratch;
  const std::vector<std::string> symbols{"x", "y"};
  REQUIRE(write_symbol_list(scratch / "exchange", symbols).ok());
  Domains domains(scratch.path());
  const auto first = domains.get("exchange", "quote/ex");
  REQUIRE(first.ok());
  CHECK((*first)->name() == "exchange");
  CHECK((*first)->text(1) == "y");
  CHECK(domains.get("exchange", "quote/ex").value() == *first);
  CHECK(domains.get("sym", "quote/sym").error().message ==
        "quote/sym: enumerated over domain sym, but there is no file " +
            (scratch / "sym").string());
  std::filesystem::create_directories(scratch / "sym");
  CHECK(domains.get("sym", "quote/sym").error().message ==
        "quote/sym: enumerated over domain sym, but " + (scratch / "sym").string() +
            " is a directory, without the .d of a table");
  std::filesystem::create_symlink("/absent/sym", scratch / "other");
  CHECK(domains.get("other", "quote/sym").error().message ==
        "quote/sym: enumerated over domain other, but " + (scratch / "other").string() +
            ": a link to /absent/sym, which is not there");
  std::filesystem::create_symlink("/absent/.d", scratch / ".d");
  CHECK(read_column_names(scratch / ".d").error().message ==
        (scratch / ".d").string() + ": a link to /absent/.d, which is not there");
}

TEST_CASE("a name is a table's where a splayed or a saved one has it") {
  const ScratchDirectory scratch;
  const Object table = table_object({"a"}, {vector_object<std::int64_t>(QType::kLong, {1})});
  save_object(scratch / "saved", table);
  save_object(scratch / "keyed", dictionary_object(table, table));
  save_object(scratch / "sym", symbols_object({"a"}));
  save_object(scratch / "splayed/.d", symbols_object({"a"}));
  std::filesystem::create_directories(scratch / "folder");
  Domains domains(scratch.path());
  for (const char* name : {"saved", "keyed", "splayed", "splayed"}) CHECK(domains.is_table(name));
  for (const char* name : {"sym", "folder", "none"}) CHECK_FALSE(domains.is_table(name));
}

}  // namespace
}  // namespace hdbench
