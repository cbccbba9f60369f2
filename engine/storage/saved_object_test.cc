#include "engine/storage/saved_object.h"

#include "engine/base/catch.h"
#include "engine/testing/saved_objects.h"
#include "engine/testing/zip_files.h"

namespace hdbench {
namespace {

// Reads one object that takes all of the bytes.
ObjectHead head_of(const Object& object) {
  ObjectReader reader(object, 0, "f");
  const auto head = reader.next();
  REQUIRE(head.ok());
  return *head;
}

std::string error_of(const Object& object) {
  ObjectReader reader(object, 0, "f");
  const auto status = reader.skip(1);
  return status.ok() ? "" : status.error().message;
}

Object function_object(int type, const Object& rest) {
  Object object{static_cast<std::byte>(type)};
  append_object(object, rest);
  return object;
}

TEST_CASE("a vector's and an atom's head has its elements") {
  const ObjectHead empty = head_of(vector_object<std::int64_t>(QType::kLong, {}));
  CHECK((empty.type == 7 && empty.count == 0 && empty.items.empty() && !empty.is_atom()));
  const Object longs = vector_object<std::int64_t>(QType::kLong, {1, -2}, Attribute::kSorted);
  const ObjectHead head = head_of(longs);
  CHECK((head.count == 2 && head.attribute == Attribute::kSorted && head.inside == 0));
  CHECK(load_at<std::int64_t>(head.items, 8) == -2);
  const Object atom = atom_object<double>(QType::kFloat, 2.5);
  const ObjectHead one = head_of(atom);
  CHECK((one.type == -9 && one.count == 1 && one.is_atom()));
  CHECK(load_at<double>(one.items, 0) == 2.5);
}

TEST_CASE("every plain type is read by its width") {
  for (int type = 1; type < 20; ++type) {
    if (!is_plain_type(type)) continue;
    INFO(type);
    const auto width = type_width(static_cast<QType>(type));
    Object object = object_head(type, 3);
    object.resize(object.size() + std::size_t{3} * width);
    CHECK(head_of(object).items.size() == std::size_t{3} * width);
    CHECK(error_of(object).empty());
    object.pop_back();
    CHECK_FALSE(error_of(object).empty());
  }
}

TEST_CASE("symbols end with NULs") {
  const Object object = symbols_object({"a", "", "long name"});
  CHECK(symbol_texts(head_of(object)) == std::vector<std::string_view>{"a", "", "long name"});
  const Object atom = symbol_object("x");
  CHECK(symbol_texts(head_of(atom)) == std::vector<std::string_view>{"x"});
}

TEST_CASE("an object with everything in it is passed over, functions too") {
  const Object table = table_object({"a"}, {vector_object<std::int64_t>(QType::kLong, {1})});
  const Object text = string_object("{x+1}");
  Object lambda{std::byte{0}};
  append_object(lambda, text);
  Object projection;
  append_bytes<std::int32_t>(projection, 2);
  append_object(projection, function_object(102, {std::byte{1}}));
  append_object(projection, atom_object<std::int64_t>(QType::kLong, 5));
  const Object all =
      list_object({table, dictionary_object(symbols_object({"k"}), list_object({text})),
                   dictionary_object(table, table), function_object(100, lambda),
                   function_object(101, {std::byte{0}}), function_object(104, projection),
                   function_object(105, projection),
                   function_object(106, function_object(102, {std::byte{1}})), list_object({})});
  ObjectReader reader(all, 0, "f");
  CHECK(reader.skip(1).ok());
  CHECK(reader.at() == all.size());
}

TEST_CASE("a list of lists of any depth is passed over without recursion") {
  Object deep;
  for (int level = 0; level < 1'000'000; ++level) append_object(deep, object_head(0, 1));
  append_object(deep, object_head(0, 0));
  CHECK(error_of(deep).empty());
}

TEST_CASE("what is broken is named with its byte") {
  CHECK(error_of({}) == "f: byte 0: 1 bytes of an object are expected, but 0 are left");
  CHECK(error_of({std::byte{7}, std::byte{9}}) == "f: byte 1: attribute 9, but 0 to 4 are known");
  Object negative = object_head(7, 0);
  negative[5] = std::byte{0xff};
  CHECK(error_of(negative) == "f: byte 2: a count of -16777216, but 0 bytes are left");
  CHECK(error_of(object_head(7, 1)) == "f: byte 2: a count of 1, but 0 bytes are left");
  CHECK(error_of(object_head(0, 9)) == "f: byte 2: a count of 9, but 0 bytes are left");
  Object open = object_head(11, 1);
  open.push_back(std::byte{'a'});
  CHECK(error_of(open) == "f: byte 6: a symbol that no NUL ends");
  CHECK(error_of(object_head(20, 0)) == "f: byte 0: an object of type 20: not supported");
  CHECK(error_of({std::byte{0x80}}) == "f: byte 0: an object of type -128: not supported");
}

std::string summary_of(const ScratchDirectory& scratch, const Object& file) {
  write_bytes(scratch / "f", file);
  const auto summary = summarize_saved(scratch / "f");
  if (!summary.has_value()) return "";
  return std::to_string(static_cast<int>(summary->kind)) + " " + summary->name;
}

TEST_CASE("a file is reported by its first bytes, compressed or not") {
  const ScratchDirectory scratch;
  const Object table = table_object({"a"}, {vector_object<std::int64_t>(QType::kLong, {1})});
  const Object keyed = dictionary_object(table, table);
  CHECK(summary_of(scratch, saved(symbols_object({"a"}))) == "0 a list of symbols");
  CHECK(summary_of(scratch, saved(table)) == "1 a table");
  CHECK(summary_of(scratch, zip_file(2, saved(table), 4096)) == "1 a table");
  CHECK(summary_of(scratch, saved(keyed)) == "2 a keyed table");
  const Object dictionary = dictionary_object(symbols_object({"a"}), symbols_object({"b"}));
  CHECK(summary_of(scratch, saved(dictionary)) == "3 a dictionary");
  CHECK(summary_of(scratch, saved(function_object(101, {std::byte{0}}))) == "3 a function");
  CHECK(summary_of(scratch, column_header_bytes(column_spec(QType::kLong))) == "3 a list of longs");
  CHECK(summary_of(scratch, column_header_bytes(symbol_spec())) == "3 an enumeration");
  CHECK(summary_of(scratch, bytes_of("a text")).empty());
  CHECK(summary_of(scratch, {}).empty());
  CHECK(summary_of(scratch, bytes_of("kxzippEd and more")) ==
        "4 " + (scratch / "f").string() + ": encrypted (kxzippEd): not supported");
}

TEST_CASE("of the files at the root those are listed that hold an object and have no dot") {
  const ScratchDirectory scratch;
  const Object table = table_object({"a"}, {vector_object<std::int64_t>(QType::kLong, {1})});
  for (const char* name : {"t", "t.bak", "t$", ".t", "folder/t"}) {
    save_object(scratch / name, table);
  }
  save_object(scratch / "sym", symbols_object({"a"}));
  write_bytes(scratch / "readme", bytes_of("a text"));
  const auto found = list_saved(scratch.path()).value();
  REQUIRE(found.size() == 2);
  CHECK(found.at("sym").kind == SavedKind::kSymbolList);
  CHECK(found.at("t").kind == SavedKind::kTable);
  CHECK_FALSE(list_saved(scratch / "none").ok());
}

}  // namespace
}  // namespace hdbench
