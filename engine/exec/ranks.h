// Several processes that run the same plans, each over partitions of its own: the ranks of an MPI
// job, or whatever else carries bytes between them.
//
// All call execute() with the same plan. Rank 0 says what is run; each rank reads the partitions
// that it owns of every partitioned table; rank 0 merges what they have, in partition order, and
// has the result. Tables without partitions are read by rank 0 alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/result.h"

namespace hdbench {

class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual std::size_t count() const = 0;
  virtual std::size_t rank() const = 0;
  // For messages: "rank 2 on host-b".
  virtual std::string name(std::size_t rank) const = 0;
  // Whether this rank reads partitions with this value. Each value has one owner.
  virtual bool owns(std::int64_t partition_value) const = 0;

  // Messages from one rank to another arrive in their order. These may throw QueryStop.

  // From rank 0 to all others, and what it was.
  virtual void tell(Bytes message) = 0;
  virtual std::vector<std::byte> hear() = 0;
  // To rank 0, and from another rank: bytes of which both know how many there are.
  virtual void send(Bytes bytes) = 0;
  virtual void receive(std::size_t from, std::span<std::byte> bytes) = 0;

  // The same of bytes whose number the receiver does not know.
  void send_sized(Bytes bytes);
  std::vector<std::byte> receive_sized(std::size_t from);

  // To rank 0: how this rank fared. There: all others' words are taken; the first one's error,
  // which names the rank.
  void report(const Status& status);
  Status take_reports();

  // The same with bytes, which rank 0 has by rank, its own empty.
  void answer(const Status& status, Bytes bytes);
  using Answers = std::vector<std::vector<std::byte>>;
  Result<Answers> take_answers();
};

}  // namespace hdbench
