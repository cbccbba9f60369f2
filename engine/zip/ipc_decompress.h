// q IPC decompression, used by algorithm 1 of compressed files and by kdb+ on sockets
// (docs/hdb-format.md, "Compressed files").
#pragma once

#include <cstddef>
#include <span>

namespace hdbench {

// Fills `output` from the stream `input` (what follows a block's 12 bytes of header). False where
// the stream is bad: it ends early, refers beyond what is written, or holds more than the output
// takes.
bool ipc_decompress(std::span<const std::byte> input, std::span<std::byte> output);

}  // namespace hdbench
