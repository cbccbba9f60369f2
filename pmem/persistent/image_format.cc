#include "pmem/persistent/image_format.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>

#include "engine/base/check.h"
#include "pmem/base/region_source.h"
#include "pmem/persistent/libpmem_mapping.h"

namespace hdbench::pmem {

Status LibpmemWriter::write(std::byte* to, std::span<const std::byte> from) {
  copy_persistent(to, from);
  return ok_status();
}

Status LibpmemWriter::write_word(std::byte* to, std::uint64_t word) {
  auto& target = *reinterpret_cast<std::uint64_t*>(to);
  std::atomic_ref(target).store(word, std::memory_order_release);
  flush_persistent({to, sizeof(word)});
  return ok_status();
}

Status LibpmemWriter::drain() {
  drain_persistent();
  return ok_status();
}

namespace {

constexpr std::size_t kContentsOffset = 4096;
constexpr std::size_t kSealOffset = 64;  // a CPU line of its own
constexpr std::size_t kPieceBytes = std::size_t{4} << 20;
constexpr std::uint64_t kMagic = 0x314c4f4f50424448;  // "HDBPOOL1"

struct Head {
  std::uint64_t magic = kMagic;
  std::uint64_t generation = 0;
  std::uint64_t pool_bytes = 0;
  std::uint64_t contents_bytes = 0;
  std::uint64_t contents_hash = 0;
};

// A file's numbers in the contents; its path follows, padded to 8 bytes.
struct Entry {
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;
  std::uint64_t head_hash = 0;
  std::uint64_t offset = 0;
  std::uint64_t data_hash = 0;
  std::uint64_t path_bytes = 0;
};

std::uint64_t seal_of(const Head& head) {
  const std::uint64_t hash = hash_of(std::as_bytes(std::span(&head, 1)));
  return hash == 0 ? 1 : hash;  // zero is "none"
}

std::size_t entry_bytes(const ImageFile& file) {
  return sizeof(Entry) + round_up(file.path.size(), sizeof(std::uint64_t));
}

std::vector<std::byte> contents_of(const std::vector<ImageFile>& files) {
  std::vector<std::byte> contents;
  for (const ImageFile& file : files) {
    const Entry entry{file.bytes,  file.modified_ns, file.head_hash,
                      file.offset, file.data_hash,   file.path.size()};
    const std::size_t at = contents.size();
    contents.resize(at + entry_bytes(file));
    std::memcpy(contents.data() + at, &entry, sizeof(entry));
    std::memcpy(contents.data() + at + sizeof(entry), file.path.data(), file.path.size());
  }
  return contents;
}

Error damaged(const char* what) { return data_error(fmt::format("damaged: {}", what)); }

Result<std::vector<ImageFile>> parse_contents(std::span<const std::byte> contents,
                                              std::size_t pool_bytes) {
  std::vector<ImageFile> files;
  while (!contents.empty()) {
    Entry entry;
    if (contents.size() < sizeof(entry)) return damaged("the contents end in an entry");
    std::memcpy(&entry, contents.data(), sizeof(entry));
    contents = contents.subspan(sizeof(entry));
    if (entry.path_bytes > contents.size()) return damaged("the contents end in a path");
    if (entry.offset > pool_bytes || entry.bytes > pool_bytes - entry.offset) {
      return damaged("a file ends behind the pool");
    }
    files.push_back({std::string(reinterpret_cast<const char*>(contents.data()), entry.path_bytes),
                     entry.bytes, entry.modified_ns, entry.head_hash, entry.offset,
                     entry.data_hash});
    contents = contents.subspan(
        std::min(contents.size(), round_up(entry.path_bytes, sizeof(std::uint64_t))));
  }
  return files;
}

// Copies a file piece by piece and gives its hash; the last line is filled up with zeros.
Result<std::uint64_t> write_file(std::span<std::byte> pool, const ImageFile& file,
                                 const ReadPiece& read, DurableWriter& persist) {
  const std::size_t buffer_bytes = std::min<std::size_t>(kPieceBytes, file.bytes);
  std::vector<std::byte> buffer(round_up(buffer_bytes, kMediumLineBytes));
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                       &XXH3_freeState);
  if (state == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(state.get());
  for (std::uint64_t at = 0; at < file.bytes; at += buffer_bytes) {
    const std::size_t bytes = std::min<std::uint64_t>(buffer_bytes, file.bytes - at);
    HDB_TRY(read(file, at, std::span(buffer).first(bytes)));
    XXH3_64bits_update(state.get(), buffer.data(), bytes);
    const std::size_t whole_lines = round_up(bytes, kMediumLineBytes);
    std::fill(buffer.begin() + static_cast<std::ptrdiff_t>(bytes),
              buffer.begin() + static_cast<std::ptrdiff_t>(whole_lines), std::byte{0});
    HDB_TRY(persist.write(pool.data() + file.offset + at, std::span(buffer).first(whole_lines)));
  }
  return XXH3_64bits_digest(state.get());
}

}  // namespace

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

bool same_files(const std::vector<ImageFile>& a, const std::vector<ImageFile>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](const ImageFile& one, const ImageFile& other) {
        return one.path == other.path && one.bytes == other.bytes &&
               one.modified_ns == other.modified_ns && one.head_hash == other.head_hash;
      });
}

std::size_t lay_out(std::vector<ImageFile>& files) {
  std::size_t at = kContentsOffset;
  for (const ImageFile& file : files) at += entry_bytes(file);
  at = round_up(at, kRegionAlignment);
  for (ImageFile& file : files) {
    file.offset = at;
    at += round_up(file.bytes, kRegionAlignment);
  }
  return at;
}

Status write_image(std::span<std::byte> pool, std::vector<ImageFile> files,
                   std::uint64_t generation, const ImageSource& source, DurableWriter& persist) {
  HDB_CHECK(pool.size() >= kContentsOffset && generation >= 1, "no space for an image");
  HDB_TRY(persist.write_word(pool.data() + kSealOffset, 0));
  HDB_TRY(persist.drain());

  for (ImageFile& file : files) {
    HDB_ASSIGN(file.data_hash, write_file(pool, file, source.read, persist));
  }
  const std::vector<std::byte> contents = contents_of(files);
  HDB_TRY(persist.write(pool.data() + kContentsOffset, contents));
  Head head;
  head.generation = generation;
  head.pool_bytes = pool.size();
  head.contents_bytes = contents.size();
  head.contents_hash = hash_of(contents);
  HDB_TRY(persist.write(pool.data(), std::as_bytes(std::span(&head, 1))));
  HDB_TRY(persist.drain());

  HDB_TRY(source.unchanged());
  HDB_TRY(persist.write_word(pool.data() + kSealOffset, seal_of(head)));
  return persist.drain();
}

bool may_be_pool(std::span<const std::byte> pool) {
  std::uint64_t first_word = 0;
  if (pool.empty()) return true;
  std::memcpy(&first_word, pool.data(), std::min(pool.size(), sizeof(first_word)));
  return first_word == 0 || first_word == kMagic;
}

Result<Image> read_image(std::span<const std::byte> pool) {
  if (pool.size() < kContentsOffset) return data_error("cut short: it has no head");
  Head head;
  std::uint64_t seal = 0;
  std::memcpy(&head, pool.data(), sizeof(head));
  std::memcpy(&seal, pool.data() + kSealOffset, sizeof(seal));
  if (seal == 0) return data_error("cut short: it has no seal");
  if (seal != seal_of(head)) return damaged("the seal does not fit the head");
  if (head.magic != kMagic) return damaged("another kind of file");
  if (head.pool_bytes != pool.size()) return damaged("another size than its head says");
  if (head.contents_bytes > pool.size() - kContentsOffset) return damaged("the contents' size");
  const auto contents = pool.subspan(kContentsOffset, head.contents_bytes);
  if (hash_of(contents) != head.contents_hash) return damaged("the contents' hash");
  Image image;
  image.generation = head.generation;
  HDB_ASSIGN(image.files, parse_contents(contents, pool.size()));
  return image;
}

}  // namespace hdbench::pmem
