// The image of a database in persistent memory: any bytes, and any contents under a seal that fits.
#include <cstring>

#include "bench/base/layers.h"
#include "pmem/persistent/image_format.h"
#include "tests/fuzz/fuzz_input.h"

namespace hdbench::fuzz {
using namespace bench;
using namespace pmem;
using namespace queries;
namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kSealOffset = 64;

// Where the head's words stand in a pool.
enum HeadWord : std::size_t { kMagic, kGeneration, kPoolBytes, kContentsBytes, kContentsHash };
constexpr std::uint64_t kMagicWord = 0x314c4f4f50424448;

std::vector<std::byte> sealed_pool(Bytes contents) {
  std::vector<std::byte> pool(kPageBytes);
  pool.insert(pool.end(), contents.begin(), contents.end());
  pool.resize(pool.size() + kPageBytes);
  std::uint64_t head[5] = {};
  head[kMagic] = kMagicWord;
  head[kGeneration] = 1;
  head[kPoolBytes] = pool.size();
  head[kContentsBytes] = contents.size();
  head[kContentsHash] = hash_of(contents);
  std::memcpy(pool.data(), head, sizeof(head));
  const std::uint64_t seal = hash_of(std::as_bytes(std::span(head)));
  std::memcpy(pool.data() + kSealOffset, &seal, sizeof(seal));
  return pool;
}

}  // namespace

void run_image(Bytes input) {
  const std::vector<std::byte> exact(input.begin(), input.end());
  static_cast<void>(may_be_pool(exact));
  static_cast<void>(read_image(exact).ok());
  const std::vector<std::byte> pool = sealed_pool(input);
  require(may_be_pool(pool), "a pool");
  const auto image = read_image(pool);
  if (!image.ok()) return;
  for (const ImageFile& file : image->files) {
    require(within_bounds(file.offset, file.bytes, pool.size()), "a file lies in its pool");
  }
  require(same_files(image->files, image->files), "the same files");
}

}  // namespace hdbench::fuzz
