#include "pmem/persistent/durable_writer.h"

#include <atomic>

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

}  // namespace hdbench::pmem
