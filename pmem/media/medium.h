// A medium: a kind of place for bytes (docs/glossary.md); real, emulated, or absent with the
// reason.
//
// A medium provides a Store for columns and a memory resource for results, and proves how much of
// its content is resident, and where. make_medium() creates media. They are not thread-safe, but
// their stores are.
#pragma once

#include <filesystem>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/store.h"
#include "pmem/emulator/emulated_meter.h"
#include "pmem/memory/cache_state.h"
#include "pmem/memory/placement_proof.h"

namespace hdbench::pmem {

class Medium {
 public:
  virtual ~Medium() = default;

  virtual std::string name() const = 0;  // "nvme", "dram", "tmpfs", "numa:1"
  virtual bool emulated() const { return false; }
  // For tables and reports: "real (ext4 on /dev/vda)", "emulated (optane-100-6dimm, wall)",
  // ... nvme's depends on where the files that it has mapped lie: ask after the database is open.
  virtual std::string label() const = 0;
  // A note for the user about how the medium was made; mostly empty.
  virtual std::string note() const { return {}; }
  // Whether cold and warm differ here (nvme only; elsewhere every run is warm).
  virtual bool has_cache() const { return false; }

  // Whether its bytes take this machine's ordinary memory; persistent memory has its own.
  virtual bool copies_into_memory() const { return emulated() || !has_cache(); }

  // The media that its bytes lie on: itself, or several where columns are placed apart
  // (placed_medium.h), the one of all other columns first.
  virtual std::vector<Medium*> parts() { return {this}; }

  virtual std::shared_ptr<Store> store() = 0;
  // Memory of this medium for results. Lives as long as the medium.
  virtual std::pmr::memory_resource& results() = 0;

  // Brings everything that the store has mapped into the state requested, and proves it: cold =
  // written back, evicted, nothing resident; warm = every page resident and mapped. Errors: kData
  // when the proof fails (the state could not be reached), with both figures; kUsage: cold, where
  // has_cache() is false. Requires: no query is running.
  virtual Result<CacheProof> prepare(Cache cache) = 0;

  // Lets go of what this process has in the page cache of everything mapped, as far as no other
  // process has it mapped, too: so one of several makes its next query cold. Proves nothing.
  virtual void let_pages_go() {}

  // Where the bytes lie, looked at page by page: after prepare(), and again after the runs. Media
  // that promise a place (a node, persistent memory) hold themselves to it. Errors: kData: bytes
  // lie elsewhere, with counts.
  virtual Result<PlacementProof> verify_placement() { return PlacementProof{}; }
};

struct MediumOptions {
  // Where nvme puts a flat table's bytes: a directory on the disk under test (bench names the
  // database's parent). Empty: TMPDIR, else /tmp.
  std::filesystem::path scratch_dir;
  // app-direct: a directory on a DAX mount (`--pmem-dir`), or device DAX. Empty: found by topology.
  // tmpfs: a directory on one. Empty: /dev/shm.
  std::filesystem::path pmem_dir;
  // Of both: the root of the database whose files are kept there for the next run
  // (`--pmem-keep`). Empty: nothing is left behind.
  std::filesystem::path keep_database = {};
  // The names of the database's partitions, rising: for columns of its newest ones.
  std::vector<std::string> partitions = {};
  // Options of media with a profile.
  EmulationOptions emulation = {};
  // nvme, cold: where its own pages cannot be evicted, the whole machine's page cache may be
  // dropped (`--drop-caches`; root).
  bool drop_caches = false;
};

// word: `name[:argument]`, see medium_spec.h. kUsage: an unknown name (the message lists the media
// that this machine has) or argument; kData: a known medium that is absent here, with the reason.
Result<std::unique_ptr<Medium>> make_medium(const std::string& word, const MediumOptions& options);

// One line a medium for `hdbench topo`.
struct MediumStatus {
  std::string name;
  std::string state;   // "real", "emulated", "absent"
  std::string reason;  // why: what was found, or what is missing and what would bring it
};
std::vector<MediumStatus> list_media(const MediumOptions& options);

}  // namespace hdbench::pmem
