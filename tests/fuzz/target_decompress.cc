// Each decompressor alone: one block of any bytes in a compressed file that is whole otherwise.
//
// The first byte is the algorithm, the next three the plain bytes, the others the block.
#include "engine/testing/zip_files.h"
#include "engine/zip/kx_zip.h"
#include "tests/fuzz/fuzz_input.h"

namespace hdbench::fuzz {
namespace {

constexpr std::size_t kHeadBytes = 4;
constexpr int kAlgorithms = 6;
constexpr std::int64_t kBlockBytes = 1 << 17;

std::vector<std::byte> file_of(std::uint8_t algorithm, std::int64_t plain_bytes, Bytes block) {
  std::vector<std::byte> file = bytes_of("kxzipped");
  file.insert(file.end(), block.begin(), block.end());
  const auto trailer = static_cast<std::int64_t>(file.size());
  append_bytes(file, std::int32_t{3});
  append_bytes(file, algorithm);
  append_bytes(file, std::uint8_t{6});
  append_bytes(file, std::uint16_t{0});
  append_bytes(file, plain_bytes);
  append_bytes(file, trailer);
  append_bytes(file, kBlockBytes);
  append_bytes(file, static_cast<std::uint32_t>(block.size()));
  append_bytes(file, static_cast<std::uint32_t>(algorithm));
  append_bytes(file, std::int64_t{1});
  return file;
}

}  // namespace

void run_decompress(Bytes input) {
  if (input.size() < kHeadBytes) return;
  const auto algorithm = static_cast<std::uint8_t>(load_at<std::uint8_t>(input, 0) % kAlgorithms);
  const std::int64_t plain = 1 + (load_at<std::uint32_t>(input, 0) >> 8) % kBlockBytes;
  const std::vector<std::byte> file = file_of(algorithm, plain, input.subspan(kHeadBytes));
  const auto zipped = ZippedFile::open(file, "fuzz");
  if (!zipped.ok()) return;
  const auto store = make_exact_store();
  const auto whole = zipped->unzip(*store);
  const auto prefix = zipped->prefix(16);
  require(whole.ok() == prefix.ok(), "the prefix is there where the whole is");
}

}  // namespace hdbench::fuzz
