#include "datagen/import/text_lines.h"

#include <sys/stat.h>
#include <zlib.h>

#include <fstream>
#include <string>
#include <vector>

#include "datagen/testing/scratch.h"
#include "engine/base/catch.h"

namespace hdbench::datagen {
namespace {

std::filesystem::path write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_gzip(const std::filesystem::path& path, const std::string& text) {
  const gzFile file = gzopen(path.c_str(), "wb");
  REQUIRE(file != nullptr);
  REQUIRE(gzwrite(file, text.data(), static_cast<unsigned>(text.size())) ==
          static_cast<int>(text.size()));
  REQUIRE(gzclose(file) == Z_OK);
}

// The lines; "<long>" for those that are too long.
Result<std::vector<std::string>> lines_of(const std::filesystem::path& path) {
  HDB_ASSIGN(TextLines lines, TextLines::open(path));
  std::vector<std::string> texts;
  TextLine line;
  for (;;) {
    HDB_ASSIGN(const bool is_there, lines.next(line));
    if (!is_there) break;
    texts.emplace_back(line.is_too_long ? "<long>" : line.text);
    CHECK(line.number == texts.size());
  }
  return texts;
}

using Texts = std::vector<std::string>;

// Of more than one buffer, each line unlike the others.
std::string many_lines() {
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

}  // namespace

TEST_CASE("what is packed otherwise than by gzip is called what it is") {
  const Scratch scratch;
  const auto file = scratch.path() / "text";
  const auto message_of = [&](const std::string& bytes) {
    const auto lines = TextLines::open(write_bytes(file, bytes));
    return lines.ok() ? std::string() : lines.error().message;
  };
  CHECK(message_of("PK\3\4rest") == file.string() + ": a zip archive: unzip it");
  CHECK(message_of("\x28\xb5\x2f\xfd") == file.string() + ": packed by zstd: unpack it");
  CHECK(message_of(std::string("\xfd\x37zXZ\0", 6)) == file.string() + ": packed by xz: unpack it");
  CHECK(message_of("BZh9") == file.string() + ": packed by bzip2: unpack it");
  CHECK(message_of("PK").empty());
}

TEST_CASE("lines end with LF or CRLF, the last one with the file") {
  const Scratch scratch;
  const auto file = scratch.path() / "text";
  CHECK(lines_of(write_bytes(file, "")).value().empty());
  CHECK(lines_of(write_bytes(file, "\n")).value() == Texts{""});
  CHECK(lines_of(write_bytes(file, "a\n")).value() == Texts{"a"});
  CHECK(lines_of(write_bytes(file, "a\nb")).value() == Texts{"a", "b"});
  CHECK(lines_of(write_bytes(file, "a\r\n\r\nb\r\n")).value() == Texts{"a", "", "b"});
  CHECK(lines_of(write_bytes(file, std::string("a\0b\n", 4))).value() ==
        Texts{std::string("a\0b", 3)});
}

TEST_CASE("lines that are too long are reported without their text, wherever they end") {
  const Scratch scratch;
  const auto file = scratch.path() / "text";
  const std::string most(kLineBytesMax, 'x');
  CHECK(lines_of(write_bytes(file, most + "\nb\n")).value() == Texts{most, "b"});
  CHECK(lines_of(write_bytes(file, most + "x\nb\n")).value() == Texts{"<long>", "b"});
  CHECK(lines_of(write_bytes(file, "a\n" + most + "x")).value() == Texts{"a", "<long>"});
  const std::string huge(5'000'000, 'y');
  CHECK(lines_of(write_bytes(file, "a\n" + huge + "\nb\n" + huge)).value() ==
        Texts{"a", "<long>", "b", "<long>"});
}

TEST_CASE("lines of many buffers are whole, plain and compressed") {
  const Scratch scratch;
  const std::string text = many_lines();
  const auto plain = lines_of(write_bytes(scratch.path() / "text", text)).value();
  REQUIRE(plain.size() == 300'000);
  CHECK(plain[123'456] == "line 123456");
  write_gzip(scratch.path() / "packed", text);
  CHECK(lines_of(scratch.path() / "packed").value() == plain);
}

TEST_CASE("what is compressed and cut, or damaged, is an error with the file's name") {
  const Scratch scratch;
  const auto file = scratch.path() / "packed.gz";
  write_gzip(file, many_lines());
  const std::string whole = read_bytes(file);
  const auto cut = lines_of(write_bytes(file, whole.substr(0, whole.size() / 2)));
  REQUIRE_FALSE(cut.ok());
  CHECK(cut.error().message == file.string() + ": ends within what gzip compressed");
  std::string damaged = whole;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x55);
  const auto refused = lines_of(write_bytes(file, damaged));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find(file.string() + ": damaged in what gzip compressed") == 0);
}

TEST_CASE("only regular files are read") {
  const Scratch scratch;
  CHECK(TextLines::open(scratch.path() / "none").error().message.find("cannot open") !=
        std::string::npos);
  CHECK(TextLines::open(scratch.path()).error().message.find("not a regular file") !=
        std::string::npos);
  REQUIRE(::mkfifo((scratch.path() / "pipe").c_str(), 0600) == 0);
  CHECK_FALSE(TextLines::open(scratch.path() / "pipe").ok());
}

}  // namespace hdbench::datagen
