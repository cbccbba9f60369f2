// Makes bytes cold or warm, and verifies it.
//
// Every state is verified page by page with mincore after it was reached. Published storage
// benchmarks without this check have reported "cold" reads faster than their drive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "pmem/base/machine_paths.h"
#include "pmem/memory/mapping_registry.h"

namespace hdbench::pmem {

enum class Cache { kCold, kWarm };

// The cache state just before a query ran.
struct CacheProof {
  std::uint64_t bytes_total = 0;     // of everything the medium's store holds
  std::uint64_t bytes_resident = 0;  // by mincore, page by page
  // Those in huge pages, for media that use them (dram) if the kernel shows it.
  std::optional<std::uint64_t> bytes_in_huge_pages;
};

using Held = std::vector<std::shared_ptr<const TrackedMapping>>;

// How many of these bytes are in memory, by mincore. Requires: bytes of one mapping.
std::uint64_t resident_bytes(std::span<const std::byte> bytes);

// Sums over everything held.
CacheProof count_resident(const Held& held);

// Writes back and evicts everything held, retrying for pages that sit in the kernel's per-CPU
// batches. The mappings stay valid. drop_all: where that does not do, the whole machine's page
// cache is dropped (root). Errors: kData when more than 0.1 % stays resident, with both figures and
// the processes that map the files.
Result<CacheProof> make_cold(const Held& held, bool drop_all = false);

// As make_cold(), once and without a proof: pages that other processes map stay, and are theirs.
void let_pages_go(const Held& held);

// Every clean page of the whole machine, for root; nothing where that is not permitted.
void drop_page_cache();

// Brings every page into memory and into the page table, and loads a byte of each page of a file
// (what a device has filled may not be mapped yet by a hypervisor). Errors: kData when less
// than 99.9 % is then resident, with both figures.
Result<CacheProof> make_warm(const Held& held);

// "q (process 4711)", one for each other process that maps one of the files, as far as this user
// may see; at most four, and then "and N more". Their pages cannot be evicted. names: as
// /proc/PID/maps shows them, whole, links resolved; none is opened. self: the process that does not
// count.
std::vector<std::string> processes_that_map(const std::vector<std::string>& names, int self,
                                            const MachinePaths& paths = {});

// What only root may do for this folder, done by others where this process has given up root's
// capabilities (bench/privileges/privileged_helper.h). Nothing is set: this process does it itself.
struct PrivilegedTasks {
  // Drops the page cache of the whole machine.
  std::function<void()> drop_page_cache;
  // processes_that_map(), with the processes of all users.
  std::function<std::vector<std::string>(const std::vector<std::string>& names)> find_holders;
};

// Set before the first thread starts.
PrivilegedTasks& privileged_tasks();

}  // namespace hdbench::pmem
