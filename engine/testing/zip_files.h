// For tests: the inverse of kx_zip.h, compressed files of every algorithm.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/testing/column_files.h"
#include "engine/zip/kx_zip_writer.h"

namespace hdbench {

// q IPC's encoder: the nearest earlier pair of bytes with the same xor, where it is the same pair.
inline std::vector<std::byte> ipc_compress(Bytes plain) {
  std::vector<std::byte> out;
  std::array<std::size_t, 256> table{};
  std::size_t at = 0;
  std::size_t hashed = 0;
  const auto key_at = [&](std::size_t p) {
    return std::to_integer<std::size_t>(plain[p] ^ plain[p + 1]);
  };
  while (at < plain.size()) {
    const std::size_t flag_at = out.size();
    out.push_back(std::byte{0});
    for (unsigned bit = 1; bit < 256 && at < plain.size(); bit <<= 1) {
      const std::size_t entry = at + 1 < plain.size() ? table[key_at(at)] : 0;
      const bool copies =
          entry != 0 && plain[entry - 8] == plain[at] && plain[entry - 7] == plain[at + 1];
      std::size_t end = at + (copies ? 2 : 1);
      const std::size_t first_end = end;
      if (copies) {
        out[flag_at] |= static_cast<std::byte>(bit);
        out.push_back(plain[at] ^ plain[at + 1]);
        std::size_t from = entry - 6;
        while (end < plain.size() && end - first_end < 255 && plain[from] == plain[end]) {
          ++from;
          ++end;
        }
        out.push_back(static_cast<std::byte>(end - first_end));
      } else {
        out.push_back(plain[at]);
      }
      for (; hashed + 1 < first_end; ++hashed) table[key_at(hashed)] = hashed + 8;
      at = end;
      if (copies) hashed = at;
    }
  }
  return out;
}

inline std::vector<std::byte> zip_block(int algorithm, Bytes plain) {
  if (algorithm == 0) return {plain.begin(), plain.end()};
  if (algorithm != 1) {
    constexpr std::array<std::int8_t, 6> kLevels = {0, 0, 6, 0, 1, 3};
    return compress_block({static_cast<std::uint8_t>(algorithm), kLevels[algorithm], 17}, plain);
  }
  std::vector<std::byte> stream = ipc_compress(plain);
  std::vector<std::byte> block;
  append_bytes(block, std::uint32_t{0x00010001});
  append_bytes(block, static_cast<std::uint32_t>(stream.size() + 12));
  append_bytes(block, static_cast<std::uint32_t>(plain.size() + 8));
  block.insert(block.end(), stream.begin(), stream.end());
  return block;
}

// `plain` as a kxzipped file; blocks that do not get smaller are stored, as kdb+ does.
inline std::vector<std::byte> zip_file(int algorithm, Bytes plain, std::size_t block_bytes) {
  std::vector<std::byte> file = bytes_of("kxzipped");
  std::vector<std::byte> table;
  std::int64_t blocks = 0;
  for (std::size_t at = 0; at < plain.size(); at += block_bytes, ++blocks) {
    const Bytes block = plain.subspan(at, std::min(block_bytes, plain.size() - at));
    std::vector<std::byte> stored = zip_block(algorithm, block);
    const bool smaller = stored.size() < block.size();
    if (!smaller) stored.assign(block.begin(), block.end());
    append_bytes(table, static_cast<std::uint32_t>(stored.size()));
    append_bytes(table, static_cast<std::uint32_t>(smaller ? algorithm : 0));
    file.insert(file.end(), stored.begin(), stored.end());
  }
  const auto trailer = static_cast<std::int64_t>(file.size());
  append_bytes(file, std::int32_t{3});
  append_bytes(file, static_cast<std::uint8_t>(algorithm));
  append_bytes(file, std::uint8_t{6});
  append_bytes(file, std::uint16_t{0});
  append_bytes(file, static_cast<std::int64_t>(plain.size()));
  append_bytes(file, trailer);
  append_bytes(file, static_cast<std::int64_t>(block_bytes));
  file.insert(file.end(), table.begin(), table.end());
  append_bytes(file, blocks);
  return file;
}

}  // namespace hdbench
