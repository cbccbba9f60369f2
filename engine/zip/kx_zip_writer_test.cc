#include "engine/zip/kx_zip_writer.h"

#include <cstring>
#include <string>
#include <vector>

#include "engine/base/catch.h"
#include "engine/zip/kx_zip.h"

namespace hdbench {
namespace {

std::vector<std::byte> words(std::size_t bytes) {
  std::vector<std::byte> plain(bytes);
  for (std::size_t i = 0; i < bytes; ++i) plain[i] = static_cast<std::byte>(i % 251 * (i / 4096));
  return plain;
}

std::vector<std::byte> written(const Compression& compression, Bytes plain, std::size_t piece) {
  std::vector<std::byte> file;
  const ZipStream::Write write = [&](Bytes bytes) {
    file.insert(file.end(), bytes.begin(), bytes.end());
    return ok_status();
  };
  ZipStream stream(compression);
  for (std::size_t at = 0; at < plain.size(); at += piece)
    CHECK(stream.append(plain.subspan(at, std::min(piece, plain.size() - at)), write).ok());
  CHECK(stream.finish(write).ok());
  return file;
}

TEST_CASE("what is written in pieces reads back, whatever the algorithm and the pieces") {
  for (const char* text : {"gzip:1:12", "gzip:9", "snappy", "lz4:12:13", "zstd", "zstd:-3:12"}) {
    const auto compression = parse_compression("--compress", text);
    REQUIRE(compression.ok());
    for (const std::size_t bytes : {0, 1, 4096, 300'000}) {
      const std::vector<std::byte> plain = words(bytes);
      for (const std::size_t piece : {1000, 4096, 1 << 20}) {
        const std::vector<std::byte> file = written(*compression, plain, piece);
        const auto zipped = ZippedFile::open(file, "made");
        REQUIRE(zipped.ok());
        CHECK(zipped->plain_bytes() == bytes);
        CHECK(zipped->block_bytes() == compression->block_bytes());
        CHECK(*zipped->prefix(bytes) == plain);
      }
    }
  }
}

TEST_CASE("blocks that do not get smaller are stored") {
  std::vector<std::byte> noise(8192);
  std::uint32_t state = 1;
  for (std::byte& byte : noise)
    byte = static_cast<std::byte>((state = state * 1664525 + 1013904223) >> 24);
  const auto file = written(*parse_compression("", "snappy:0:12"), noise, noise.size());
  const auto zipped = ZippedFile::open(file, "made");
  REQUIRE(zipped.ok());
  CHECK(zipped->stored_block(1).size() == 4096);
  CHECK(*zipped->prefix(noise.size()) == noise);
}

TEST_CASE("an algorithm's level and block are checked, with what is expected") {
  CHECK(to_text(*parse_compression("--compress", "gzip")) == "gzip:6:17");
  CHECK(to_text(*parse_compression("--compress", "lz4:5:20")) == "lz4:5:20");
  CHECK(to_text(*parse_compression("--compress", "none")) == "none");
  for (const auto& [text, what] : std::vector<std::pair<std::string, std::string>>{
           {"lzma", "unknown algorithm 'lzma'"},
           {"", "unknown algorithm ''"},
           {"gzip:10", "gzip's level '10' is not a number from 0 to 9"},
           {"gzip:", "gzip's level '' is not a number from 0 to 9"},
           {"snappy:1", "snappy's level '1' is not a number from 0 to 0"},
           {"zstd:3:21", "the block's power of two '21' is not a number from 12 to 20"},
           {"zstd:3:17:1", "the block's power of two '17:1'"}}) {
    const auto parsed = parse_compression("--compress", text);
    REQUIRE_FALSE(parsed.ok());
    CHECK(parsed.error().kind == ErrorKind::kUsage);
    CHECK(parsed.error().message.starts_with("--compress: " + what));
  }
}

}  // namespace
}  // namespace hdbench
