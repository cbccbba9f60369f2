// The bytes seam: where the bytes of a column live.
//
// The engine sees spans and a keep-alive; a Store decides the medium behind them (page cache, DRAM
// with huge pages, persistent memory, ...). The file format does not know which. Stores are safe to
// call from several threads, and hold no lock while they copy: a database is loaded by as many
// threads as call map().
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace hdbench {

// Read-only bytes, valid as long as keep_alive is held.
struct Mapping {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> keep_alive;
};

// Writable bytes of a medium, zero-filled, 4096-byte aligned, valid as long as keep_alive is held.
struct Region {
  std::span<std::byte> bytes;
  std::shared_ptr<const void> keep_alive;
};

// What a pass over columns will read: blocks of mappings and regions in the order in which they
// will be wanted, how many of them its readers hold at a time, and whether what was read stays in
// memory until the pass is destroyed, because a later pass reads it again.
struct PassOrder {
  std::vector<std::span<const std::byte>> blocks;
  std::size_t at_once = 1;
  bool keep = false;
};

// A pass that the store reads ahead of its readers, at the blocks' own addresses. It reads on as
// blocks are released, so that its memory is bounded (but for one that keeps what it reads). The
// bytes are right at any time, for who does not await them too: such a reader waits for the device
// itself. Ends, with every address as it was before, when it is destroyed. Passes over the same
// bytes nest: one that keeps is begun first, has been awaited whole before the next one begins, and
// is destroyed last. await() and release() are thread-safe.
class PassReader {
 public:
  virtual ~PassReader() = default;

  // Returns when the block has been read, and at once where its turn has not come yet: so nobody
  // waits for what others must release first. Nothing fails here, as in Store::will_need().
  virtual void await(std::size_t block) = 0;

  // Everybody who will read the block has. Requires: once a block at most.
  virtual void release(std::size_t block) = 0;
};

class Store {
 public:
  virtual ~Store() = default;

  // The whole file as the medium holds it. An empty file gives empty bytes. Errors: kData, naming
  // the path.
  virtual Result<Mapping> map(const std::filesystem::path& path) = 0;

  // Room for tables that are made here (a flat join, a decompressed column).
  virtual Result<Region> allocate(std::size_t bytes) = 0;

  // The same for one column, which a store that places columns apart wants to know: named, or by
  // its file.
  virtual Result<Region> allocate_for(const std::filesystem::path& /*column*/, std::size_t bytes) {
    return allocate(bytes);
  }

  // Copies into a region of this store in the medium's own way (pmem: non-temporal, then drained).
  // Requires: the destination lies in a region of this store and has room for the source.
  virtual void copy_in(std::byte* destination, std::span<const std::byte> source) = 0;

  // These bytes of one mapping or region will be read soon: a medium with a device behind it has
  // the device read them now and does not wait for them (but perhaps for room in the device's
  // queue). False: they are in memory already, as far as a cheap look tells. Nothing fails here:
  // what could not be read will be found out by who reads it.
  virtual bool will_need(std::span<const std::byte> /*bytes*/) { return false; }

  // Whether will_need() would find them in memory; asks for nothing.
  virtual bool is_in_memory(std::span<const std::byte> /*bytes*/) { return true; }

  // Passes will be read on these processors (none: on any): makes ready what takes long, outside of
  // what is timed. Gives a line that says why passes cannot be read past caches here, or nothing.
  virtual std::string expect_passes(std::span<const int> /*cpus*/) { return {}; }

  // Begins to read a pass ahead, for media with a device whose bytes come faster when no cache
  // keeps them. Null: not here, not these blocks, or no room to keep them; will_need() is the way
  // then. Requires: the blocks' mappings are held, and their bytes not written, until the pass has
  // ended.
  virtual std::unique_ptr<PassReader> read_pass(const PassOrder& /*order*/) { return nullptr; }
};

}  // namespace hdbench
