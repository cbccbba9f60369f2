// kdb+'s allocator, counted: which blocks a query would hold there, and what -w they need.
//
// Every vector takes the next power of two of its header and elements. Blocks of up to 64 MiB are
// cut from slabs of that size by halves; larger ones are requested from the system one by one.
// docs/kdb-memory.md says where each rule comes from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hdbench::bench {

inline constexpr std::uint64_t kKdbSlabBytes = std::uint64_t{64} << 20;

// The block of a vector of so many bytes of elements.
std::uint64_t kdb_block_bytes(std::uint64_t elements_bytes);

// The most that one heap, or all heaps of a process, held at once, in bytes.
struct KdbPeaks {
  std::uint64_t used = 0;  // blocks in use
  std::uint64_t heap = 0;  // slabs and large blocks, freed ones that are kept included
  // The least -w: a collection comes before -w ends the process, so this is slabs that have blocks
  // in use, filled without gaps, and large blocks in use.
  std::uint64_t least_limit = 0;

  bool operator==(const KdbPeaks&) const = default;
};

// Blocks of one label that are in use together.
struct KdbHolding {
  std::string what;
  std::uint64_t blocks = 0;
  std::uint64_t bytes = 0;
};

struct KdbEvent {
  bool is_free = false;
  std::string what;
  std::uint64_t elements_bytes = 0;
  std::uint64_t block_bytes = 0;
  std::uint64_t used_after = 0;
  std::uint64_t heap_after = 0;
};

class KdbHeap;

// A vector in use until it is destroyed. The heap must outlive it.
class KdbVector {
 public:
  KdbVector() = default;
  KdbVector(KdbVector&& other) noexcept { *this = std::move(other); }
  KdbVector& operator=(KdbVector&& other) noexcept;
  KdbVector(const KdbVector&) = delete;
  KdbVector& operator=(const KdbVector&) = delete;
  ~KdbVector() { release(); }

  explicit operator bool() const { return heap_ != nullptr; }
  void release();

 private:
  friend class KdbHeap;
  KdbHeap* heap_ = nullptr;
  std::size_t label_ = 0;
  std::uint64_t elements_bytes_ = 0;
};

// The heap of one thread.
class KdbHeap {
 public:
  // keeps_large: -g 0, freed large blocks stay for later ones of their size; -g 1: they go back at
  // once.
  explicit KdbHeap(bool keeps_large) : keeps_large_(keeps_large) {}
  KdbHeap(const KdbHeap&) = delete;
  KdbHeap& operator=(const KdbHeap&) = delete;

  KdbVector vector(std::uint64_t count, std::uint64_t width, const std::string& what);

  const KdbPeaks& peaks() const { return peaks_; }
  // What was in use when most was, by label, the largest first.
  std::vector<KdbHolding> held_at_peak() const;

  // Events are kept from now on, or no longer.
  void record(bool on) { records_ = on; }
  const std::vector<KdbEvent>& events() const { return events_; }

 private:
  friend class KdbVector;
  struct Held {
    std::uint64_t blocks = 0;
    std::uint64_t bytes = 0;
  };
  void take(std::uint64_t block);
  void give_back(std::uint64_t block);
  void release(const KdbVector& vector);
  void note(bool is_free, std::size_t label, std::uint64_t elements_bytes, std::uint64_t block);
  std::uint64_t heap_bytes() const;

  bool keeps_large_;
  bool records_ = false;
  std::array<std::uint64_t, 64> free_{};  // blocks that are kept, by the power of two
  std::uint64_t slabs_ = 0;
  std::uint64_t large_ = 0;  // bytes, kept ones included
  std::uint64_t small_used_ = 0;
  std::uint64_t large_used_ = 0;
  KdbPeaks peaks_;
  std::map<std::string, std::size_t> labels_;
  std::vector<Held> held_;  // by label
  std::vector<Held> held_at_peak_;
  std::vector<KdbEvent> events_;
};

}  // namespace hdbench::bench
