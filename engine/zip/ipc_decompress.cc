#include "engine/zip/ipc_decompress.h"

#include <array>
#include <cstdint>

namespace hdbench {
namespace {

// Positions count a header of 8 bytes in, which is not part of the output.
constexpr std::size_t kHeaderBytes = 8;

class IpcStream {
 public:
  IpcStream(std::span<const std::byte> input, std::span<std::byte> output)
      : input_(input), output_(output) {}

  bool decompress() {
    unsigned flags = 0;
    unsigned bit = 0;
    while (written_ < output_.size()) {
      if (bit == 0) {
        if (!next(flags)) return false;
        bit = 1;
      }
      const bool copied = (flags & bit) != 0;
      if (!(copied ? copy() : literal())) return false;
      bit = bit << 1 & 0xff;
    }
    return read_ == input_.size();
  }

 private:
  bool next(unsigned& value) {
    if (read_ >= input_.size()) return false;
    value = std::to_integer<unsigned>(input_[read_++]);
    return true;
  }

  bool literal() {
    unsigned value = 0;
    if (!next(value)) return false;
    output_[written_++] = static_cast<std::byte>(value);
    remember();
    return true;
  }

  bool copy() {
    unsigned key = 0;
    unsigned more = 0;
    if (!next(key) || output_.size() - written_ < 2) return false;
    const std::size_t position = table_[key];
    // Two bytes at least must lie there; 0 is an empty entry.
    if (position < kHeaderBytes || position - kHeaderBytes + 2 > written_) return false;
    std::size_t from = position - kHeaderBytes;
    output_[written_++] = output_[from++];
    output_[written_++] = output_[from++];
    remember();
    if (!next(more) || output_.size() - written_ < more) return false;
    for (unsigned i = 0; i < more; ++i) output_[written_++] = output_[from++];
    hashed_ = written_;
    return true;
  }

  // Notes the position of every pair of bytes that is complete.
  void remember() {
    for (; hashed_ + 1 < written_; ++hashed_) {
      const std::byte key = output_[hashed_] ^ output_[hashed_ + 1];
      table_[std::to_integer<std::size_t>(key)] = hashed_ + kHeaderBytes;
    }
  }

  std::span<const std::byte> input_;
  std::span<std::byte> output_;
  std::size_t read_ = 0;
  std::size_t written_ = 0;
  std::size_t hashed_ = 0;
  std::array<std::size_t, 256> table_{};
};

}  // namespace

bool ipc_decompress(std::span<const std::byte> input, std::span<std::byte> output) {
  return IpcStream(input, output).decompress();
}

}  // namespace hdbench
