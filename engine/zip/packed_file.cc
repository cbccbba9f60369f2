#include "engine/zip/packed_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "engine/base/check.h"

namespace hdbench {
namespace {

constexpr std::uint64_t kWordElements = 64;

// Debug builds take the access to blocks that no query has needed, so that a missing need() is a
// fault and not a result made of zeros.
#ifdef NDEBUG
constexpr bool kIsGuarded = false;
#else
constexpr bool kIsGuarded = true;
#endif

std::size_t system_page_bytes() {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

Result<std::shared_ptr<PackedFile>> PackedFile::open(Mapping stored, std::string source) {
  HDB_ASSIGN(ZippedFile zipped, ZippedFile::open(stored.bytes, source));
  std::span<std::byte> plain;
  if (zipped.plain_bytes() != 0) {
    void* const address = ::mmap(nullptr, zipped.plain_bytes(), PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED) {
      return Error{ErrorKind::kLimit,
                   fmt::format("{}: no addresses for its {} plain bytes: {}", source,
                               zipped.plain_bytes(), std::generic_category().message(errno))};
    }
    plain = {static_cast<std::byte*>(address), zipped.plain_bytes()};
  }
  return std::shared_ptr<PackedFile>(new PackedFile(std::move(stored), std::move(zipped), plain));
}

PackedFile::PackedFile(Mapping stored, ZippedFile zipped, std::span<std::byte> plain)
    : stored_(std::move(stored)),
      zipped_(std::move(zipped)),
      plain_(plain),
      states_(zipped_.block_count()) {
  if (kIsGuarded && !plain_.empty()) ::mprotect(plain_.data(), plain_.size(), PROT_NONE);
}

PackedFile::~PackedFile() {
  if (!plain_.empty()) ::munmap(plain_.data(), plain_.size());
}

void PackedFile::attach(UnpackAccount* account) {
  const std::lock_guard lock(lock_);
  ++attached_;
  account_.store(account);
}

void PackedFile::detach(const UnpackAccount* account) {
  const std::lock_guard lock(lock_);
  HDB_CHECK(attached_ != 0, "detached as often as attached");
  if (account_.load() == account) account_.store(nullptr);
  // The pages stay until memory is short, as kdb+'s heap keeps what a query has freed.
  if (--attached_ == 0) pack_all(MADV_FREE);
}

std::uint64_t PackedFile::give_up() {
  const std::lock_guard lock(lock_);
  return attached_ == 1 ? pack_all(MADV_DONTNEED) : 0;
}

// Gives the plain bytes that were there. Requires: lock_.
std::uint64_t PackedFile::pack_all(int advice) {
  std::uint64_t bytes = 0;
  for (std::size_t block = 0; block < states_.size(); ++block) {
    if (states_[block].exchange(kPacked) != kPacked) bytes += zipped_.plain_bytes_of(block);
  }
  if (bytes == 0) return 0;
  ::madvise(plain_.data(), plain_.size(), advice);
  if (kIsGuarded) ::mprotect(plain_.data(), plain_.size(), PROT_NONE);
  return bytes;
}

PackedFile::Blocks PackedFile::blocks_of(Bytes range) const {
  if (range.empty()) return {};
  const auto offset = static_cast<std::uint64_t>(range.data() - plain_.data());
  HDB_DCHECK(offset + range.size() <= plain_.size(), "a range of the file");
  return {offset / zipped_.block_bytes(), (offset + range.size() - 1) / zipped_.block_bytes() + 1};
}

Result<std::uint64_t> PackedFile::need(Bytes range) {
  std::uint64_t stored_bytes = 0;
  const Blocks blocks = blocks_of(range);
  for (std::size_t block = blocks.begin; block < blocks.end; ++block) {
    if (states_[block].load(std::memory_order_acquire) == kThere) continue;
    HDB_ASSIGN(const std::uint64_t read, need_block(block));
    stored_bytes += read;
  }
  return stored_bytes;
}

Result<std::uint64_t> PackedFile::need(const std::byte* first, std::uint32_t width,
                                       std::span<const std::uint64_t> bits,
                                       std::uint64_t elements) {
  std::uint64_t stored_bytes = 0;
  for (std::size_t word = 0; word < bits.size(); ++word) {
    if (bits[word] == 0) continue;
    // A run of words that have bits, at once.
    std::size_t end = word + 1;
    while (end < bits.size() && bits[end] != 0) ++end;
    const std::uint64_t begin_element = word * kWordElements;
    const std::uint64_t end_element = std::min(end * kWordElements, elements);
    HDB_ASSIGN(const std::uint64_t read,
               need({first + begin_element * width, (end_element - begin_element) * width}));
    stored_bytes += read;
    word = end;
  }
  return stored_bytes;
}

Result<std::uint64_t> PackedFile::need_block(std::size_t block) {
  std::atomic<std::uint8_t>& state = states_[block];
  for (;;) {
    std::uint8_t found = kPacked;
    if (state.compare_exchange_strong(found, kAtWork)) break;
    if (found == kThere) return std::uint64_t{0};
    state.wait(kAtWork);
  }
  const auto leave_as = [&](State now) {
    state.store(now, std::memory_order_release);
    state.notify_all();
  };
  try {
    const Status done = unpack(block);
    leave_as(done.ok() ? kThere : kPacked);
    if (!done.ok()) return done.error();
  } catch (...) {
    leave_as(kPacked);
    throw;
  }
  return std::uint64_t{zipped_.stored_block(block).size()};
}

Status PackedFile::unpack(std::size_t block) {
  UnpackAccount* const account = account_.load();
  HDB_CHECK(account != nullptr, "a query is attached");
  const std::uint64_t begin = block * zipped_.block_bytes();
  const std::span<std::byte> plain = plain_.subspan(begin, zipped_.plain_bytes_of(block));
  account->add_block(zipped_.stored_block(block), plain.size());
  if (kIsGuarded) {
    const std::uint64_t page_begin = begin / system_page_bytes() * system_page_bytes();
    ::mprotect(plain_.data() + page_begin, begin + plain.size() - page_begin,
               PROT_READ | PROT_WRITE);
  }
  return zipped_.unzip_block(block, plain);
}

Bytes PackedFile::stored_of(Bytes range) const {
  const Blocks blocks = blocks_of(range);
  if (blocks.begin == blocks.end) return {};
  const Bytes first = zipped_.stored_block(blocks.begin);
  const Bytes last = zipped_.stored_block(blocks.end - 1);
  return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

}  // namespace hdbench
