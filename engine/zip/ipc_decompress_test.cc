#include "engine/zip/ipc_decompress.h"

#include "engine/base/catch.h"
#include "engine/testing/zip_files.h"

namespace hdbench {
namespace {

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
  CHECK_FALSE(decompresses(std::string_view("\x00"
                                            "a",
                                            2),
                           2));  // ends early
  CHECK_FALSE(decompresses(std::string_view("\x00"
                                            "ab",
                                            3),
                           1));                                       // input left over
  CHECK_FALSE(decompresses(std::string_view("\x01\x00\x00", 3), 2));  // nothing written yet
  CHECK_FALSE(decompresses(std::string_view("\x04"
                                            "ab"
                                            "\x03\x09",
                                            5),
                           8));  // beyond the output
  CHECK_FALSE(decompresses(std::string_view("\x04"
                                            "ab"
                                            "\x07\x04",
                                            5),
                           8));  // no such pair
  CHECK_FALSE(decompresses(std::string_view("\x04"
                                            "ab"
                                            "\x03\x04",
                                            5),
                           3));  // half a pair
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
