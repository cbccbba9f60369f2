#include "engine/zip/kx_zip.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/testing/zip_files.h"

namespace hdbench {
namespace {

// Bytes as a column's are: small steps, repeats, some noise.
std::vector<std::byte> plain_bytes(std::size_t count) {
  std::mt19937_64 random(7);
  std::vector<std::byte> bytes;
  std::int64_t value = 1000;
  while (bytes.size() < count) {
    value += static_cast<std::int64_t>(random() % 5);
    append_bytes(bytes, value);
  }
  bytes.resize(count);
  return bytes;
}

std::vector<std::byte> unzip(Bytes file) {
  const auto zipped = ZippedFile::open(file, "bid");
  if (!zipped.ok()) return bytes_of(zipped.error().message);
  const auto region = zipped->unzip(*make_page_cache_store());
  if (!region.ok()) return bytes_of(region.error().message);
  return {region->bytes.begin(), region->bytes.end()};
}

std::string message(Bytes file) { return std::string(as_text(unzip(file))); }

TEST_CASE("a compressed file of nothing is nothing") {
  const auto file = zip_file(2, {}, 4096);
  CHECK(file.size() == 48);
  CHECK(unzip(file).empty());
}

TEST_CASE("every algorithm gives back what went in") {
  for (int algorithm = 0; algorithm <= 5; ++algorithm) {
    for (std::size_t count : {1, 2, 3, 7, 4096, 4097, 100000}) {
      INFO("algorithm " << algorithm << ", " << count << " bytes");
      const auto plain = plain_bytes(count);
      CHECK((unzip(zip_file(algorithm, plain, 4096)) == plain));
      CHECK((unzip(zip_file(algorithm, plain, 1 << 20)) == plain));
    }
  }
}

TEST_CASE("a prefix takes no more than it needs") {
  const auto plain = plain_bytes(50000);
  const auto file = zip_file(2, plain, 4096);
  const auto zipped = ZippedFile::open(file, "bid");
  REQUIRE(zipped.ok());
  for (std::size_t count : {0, 1, 4096, 4097, 50000, 60000}) {
    const auto prefix = zipped->prefix(count);
    REQUIRE(prefix.ok());
    REQUIRE(prefix->size() == std::min<std::size_t>(count, plain.size()));
    CHECK(std::equal(prefix->begin(), prefix->end(), plain.begin()));
  }
}

TEST_CASE("a broken trailer is an error with offset, found and expected") {
  const auto good = zip_file(2, plain_bytes(10000), 4096);
  const std::size_t trailer = good.size() - 8 - 3 * 8 - 32;
  const auto with = [&](std::size_t at, auto value) {
    auto bytes = good;
    std::memcpy(bytes.data() + at, &value, sizeof value);
    return message(bytes);
  };
  CHECK(message(Bytes(good).first(20)) ==
        "bid: byte 0 (kxzipped): 20 bytes, but a compressed file has at least 48");
  CHECK(with(good.size() - 8, std::int64_t{1} << 40)
            .starts_with(fmt::format("bid: byte {} (kxzipped): 1099511627776 blocks, but a file",
                                     good.size() - 8)));
  CHECK(with(trailer, std::int32_t{9}) ==
        fmt::format("bid: byte {} (kxzipped): version 9, but 2 or 3 is expected", trailer));
  CHECK(with(trailer + 4, std::uint8_t{6}) ==
        fmt::format("bid: byte {} (kxzipped): algorithm 6, but 0 to 5 are known", trailer + 4));
  CHECK(with(trailer + 8, std::int64_t{1} << 50)
            .starts_with(fmt::format("bid: byte {} (kxzipped): 1125899906842624 bytes plain, which "
                                     "3 blocks of 4096 bytes",
                                     trailer + 8)));
  CHECK(
      with(trailer + 16, std::int64_t{5}) ==
      fmt::format("bid: byte {} (kxzipped): trailer at 5, but it is at {}", trailer + 16, trailer));
  CHECK(with(trailer + 24, std::int64_t{0})
            .starts_with(fmt::format("bid: byte {} (kxzipped): blocks of 0 bytes", trailer + 24)));
  CHECK(with(trailer + 32, std::uint32_t{0xffffffff})
            .starts_with(fmt::format("bid: byte {} (kxzipped): block 0 has 4294967295 bytes, but",
                                     trailer + 32)));
  CHECK(with(trailer + 36, std::uint32_t{7}) ==
        fmt::format("bid: byte {} (kxzipped): block 0 has algorithm 7, but 0 to 5 are known",
                    trailer + 36));
}

TEST_CASE("a block that does not decompress is named with its algorithm") {
  constexpr const char* kNames[] = {"none", "q IPC", "gzip", "snappy", "lz4", "zstd"};
  const std::vector<std::byte> plain(10000);
  for (int algorithm = 1; algorithm <= 5; ++algorithm) {
    auto file = zip_file(algorithm, plain, 1 << 16);
    const std::size_t trailer = file.size() - 8 - 8 - 32;
    const auto wrong = std::int64_t{9999};
    std::memcpy(file.data() + trailer + 8, &wrong, sizeof wrong);
    CHECK(message(file) == fmt::format("bid: byte 8 (kxzipped): block 0 of {} bytes ({}) does not "
                                       "decompress to 9999 bytes",
                                       trailer - 8, kNames[algorithm]));
  }
}

TEST_CASE("no broken compressed file crashes or passes unnoticed in its length") {
  std::mt19937 random(11);
  for (int algorithm = 0; algorithm <= 5; ++algorithm) {
    const auto good = zip_file(algorithm, plain_bytes(3000), 1024);
    for (std::size_t size = 0; size < good.size(); size += 7) {
      CHECK_FALSE(ZippedFile::open(Bytes(good).first(size), "bid").ok());
    }
    for (int i = 0; i < 3000; ++i) {
      auto bytes = good;
      bytes[random() % bytes.size()] ^= static_cast<std::byte>(1U << random() % 8);
      const auto zipped = ZippedFile::open(bytes, "bid");
      if (!zipped.ok()) continue;
      const auto region = zipped->unzip(*make_page_cache_store());
      if (region.ok()) CHECK(region->bytes.size() == zipped->plain_bytes());
    }
  }
}

bool decompresses(std::string_view stream, std::size_t output_bytes) {
  std::vector<std::byte> output(output_bytes);
  return ipc_decompress(bytes_of(stream), output);
}

TEST_CASE("an empty stream gives an empty output") {
  CHECK(decompresses("", 0));
  CHECK_FALSE(decompresses("", 1));
}

TEST_CASE("literals and a copy that overlaps itself") {
  // "ab", then the pair at position 8 again and four bytes more: "ab" "ab" "abab".
  const auto stream =
      bytes_of(std::string_view("\x04"
                                "ab"
                                "\x03\x04",
                                5));
  std::vector<std::byte> output(8);
  REQUIRE(ipc_decompress(stream, output));
  CHECK(as_text(output) == "abababab");
}

TEST_CASE("a bad stream is refused") {
  using namespace std::string_view_literals;
  struct Case {
    std::string_view stream;
    std::size_t output_bytes;
    const char* why;
  };
  for (const Case& bad :
       {Case{"\0\x61"sv, 2, "ends early"}, Case{"\0\x61\x62"sv, 1, "input left"},
        Case{"\1\0\0"sv, 2, "nothing written yet"},
        Case{"\4\x61\x62\3\x09"sv, 8, "beyond the output"},
        Case{"\4\x61\x62\7\4"sv, 8, "no such pair"}, Case{"\4\x61\x62\3\4"sv, 3, "half a pair"}}) {
    INFO(bad.why);
    CHECK_FALSE(decompresses(bad.stream, bad.output_bytes));
  }
}

TEST_CASE("what the encoder packs comes back") {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += std::to_string(i % 37) + ",";
  const auto packed = ipc_compress(bytes_of(text));
  CHECK(packed.size() < text.size());
  std::vector<std::byte> output(text.size());
  REQUIRE(ipc_decompress(packed, output));
  CHECK((as_text(output) == text));
}

}  // namespace
}  // namespace hdbench
