// This process's place in an MPI job: `mpirun -n N hdbench ...` starts it N times, as ranks.
//
// Bytes go between rank 0 and the others. Who waits for them looks often at first and then sleeps
// in between, so that a rank without work leaves its CPU to others.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "engine/base/bytes.h"
#include "engine/base/result.h"

namespace hdbench::bench {

class RankJob {
 public:
  // Null: mpirun did not start this process, or started it alone. Once, before there are other
  // threads. Errors: kUsage: this program was built without MPI.
  static Result<std::unique_ptr<RankJob>> join();
  // What join() gave, while it lives.
  static RankJob* of_process();
  // Waits for the other ranks to end, too: after an error of this one for kEndSeconds, after which
  // all are killed.
  virtual ~RankJob();
  static constexpr double kEndSeconds = 5;
  bool ends_well = false;

  virtual std::size_t rank() const = 0;
  virtual std::size_t count() const = 0;
  // "host-b", and "rank 2 on host-b".
  virtual const std::string& host(std::size_t rank) const = 0;
  std::string name(std::size_t rank) const;
  // From rank `first` on, those that run on this one's host.
  std::size_t count_on_host(std::size_t first) const;

  // Messages of one sender to one receiver arrive in their order. Both know how long they are. A
  // message that has not gone through after `timeout_s` (to or from rank 0: twice that) ends the
  // job, with a line that names the other rank: by then it has died without mpirun's notice, was
  // stopped, or cannot be reached.
  virtual void send(std::size_t to, Bytes bytes) = 0;
  virtual void receive(std::size_t from, std::span<std::byte> bytes) = 0;
  static constexpr double kTimeoutSeconds = 600;
  double timeout_s = kTimeoutSeconds;

  // The same of bytes whose number the receiver does not know.
  void send_sized(std::size_t to, Bytes bytes);
  std::vector<std::byte> receive_sized(std::size_t from);

  // What a rank ends with that rank 0 does not know: told where rank 0 does not end, too.
  std::string last_words;

  // How many databases the ranks have opened together (rank_opening.h).
  std::size_t openings = 0;
};

}  // namespace hdbench::bench
