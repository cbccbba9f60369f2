// The bytes seam: a Store provides the bytes of columns.
//
// The engine uses spans and a keep-alive; the Store decides which medium holds the bytes (page
// cache, DRAM with huge pages, persistent memory, ...). The file format does not depend on it.
// Stores are thread-safe and hold no lock while they copy, so a database is loaded by as many
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

// What a pass over columns will read: blocks of mappings and regions in the order of use, and how
// many of them are in use at a time.
struct PassOrder {
  std::vector<std::span<const std::byte>> blocks;
  std::size_t at_once = 1;
};

// A pass that the store reads ahead of its readers, into the blocks' own addresses. Reading
// continues as blocks are released, which bounds its memory. The bytes are correct at any time; a
// reader that does not call await() waits for the device itself. The destructor ends the pass and
// restores every address. One pass at a time reads the same bytes. await() and release() are
// thread-safe.
class PassReader {
 public:
  virtual ~PassReader() = default;

  // Returns when the block has been read, or at once if reading it depends on releases that are
  // still to come, so that no deadlock arises. Cannot fail, like Store::will_need().
  virtual void await(std::size_t block) = 0;

  // All readers of the block are done. Requires: at most once a block.
  virtual void release(std::size_t block) = 0;
};

class Store {
 public:
  virtual ~Store() = default;

  // The whole file as the medium holds it. An empty file gives empty bytes. Errors: kData, naming
  // the path.
  virtual Result<Mapping> map(const std::filesystem::path& path) = 0;

  // Whether each file and each region takes one of the process's memory maps.
  virtual bool takes_maps() const { return false; }

  // Allocates bytes for tables that are built here (a flat join, a decompressed column).
  virtual Result<Region> allocate(std::size_t bytes) = 0;

  // As allocate(), for one column, given by its name or file: a store that places columns on
  // different media needs to know which.
  virtual Result<Region> allocate_for(const std::filesystem::path& /*column*/, std::size_t bytes) {
    return allocate(bytes);
  }

  // Copies into a region of this store in the medium's own way (pmem: non-temporal, then drained).
  // Requires: the destination lies in a region of this store and has space for the source.
  virtual void copy_in(std::byte* destination, std::span<const std::byte> source) = 0;

  // Announces that these bytes of one mapping or region will be read soon. A medium with a device
  // starts reading them and does not wait, except for space in the device's queue. Returns false if
  // a cheap check finds them in memory. Cannot fail: a reader sees the error of bytes that could
  // not be read.
  virtual bool will_need(std::span<const std::byte> /*bytes*/) { return false; }

  // Whether will_need() would find them in memory; asks for nothing.
  virtual bool is_in_memory(std::span<const std::byte> /*bytes*/) { return true; }

  // Announces that passes will be read on these processors (empty: on any), so that slow
  // preparations happen before anything is timed. Returns a line that says why passes cannot bypass
  // caches here, or nothing.
  virtual std::string expect_passes(std::span<const int> /*cpus*/) { return {}; }
  // Gives back what expect_passes() has made: processes that are forked do not share it. Requires:
  // no pass is being read.
  virtual void release_passes() {}

  // Begins to read a pass ahead, for media whose device is faster when no cache keeps its bytes.
  // Null: not supported here or for these blocks, or not enough memory; use will_need() then.
  // Requires: the blocks' mappings are held and their bytes not written until the pass has ended.
  virtual std::unique_ptr<PassReader> read_pass(const PassOrder& /*order*/) { return nullptr; }
};

// The simplest store: files mapped read-only through the page cache, as kdb+ maps them; regions are
// anonymous memory.
std::shared_ptr<Store> make_page_cache_store();

}  // namespace hdbench
