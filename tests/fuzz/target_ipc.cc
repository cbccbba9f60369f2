// q IPC's decompression; the first two bytes are the plain bytes. Then the input's own way there
// and back.
#include <algorithm>

#include "engine/testing/zip_files.h"
#include "engine/zip/kx_zip.h"
#include "tests/fuzz/fuzz_input.h"

namespace hdbench::fuzz {

void run_ipc(Bytes input) {
  constexpr std::size_t kSizeBytes = 2;
  if (input.size() < kSizeBytes) return;
  const std::vector<std::byte> stream(input.begin() + kSizeBytes, input.end());
  std::vector<std::byte> plain(load_at<std::uint16_t>(input, 0));
  static_cast<void>(ipc_decompress(stream, plain));

  std::vector<std::byte> again(stream.size());
  require(ipc_decompress(ipc_compress(stream), again), "what was compressed decompresses");
  require(again == stream, "to the same bytes");
}

}  // namespace hdbench::fuzz
