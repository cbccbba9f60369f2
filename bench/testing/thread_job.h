// Ranks of a job (rank_job.h) that are threads of a test.
#pragma once

#include <cstring>
#include <deque>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "bench/base/layers.h"
#include "bench/ranks/rank_job.h"
#include "engine/testing/thread_ranks.h"

namespace hdbench::bench {

class ThreadJob final : public RankJob {
 public:
  // boxes: by sender and receiver.
  using Boxes = std::deque<std::deque<testing::Mailbox>>;
  ThreadJob(Boxes& boxes, std::size_t rank, std::vector<std::string> hosts)
      : boxes_(boxes), rank_(rank), hosts_(std::move(hosts)) {}

  std::size_t rank() const override { return rank_; }
  std::size_t count() const override { return hosts_.size(); }
  const std::string& host(std::size_t rank) const override { return hosts_[rank]; }
  void send(std::size_t to, Bytes bytes) override { boxes_[rank_][to].put(bytes); }
  void receive(std::size_t from, std::span<std::byte> bytes) override {
    const std::vector<std::byte> message = boxes_[from][rank_].take();
    if (message.size() != bytes.size()) std::terminate();
    if (!bytes.empty()) std::memcpy(bytes.data(), message.data(), bytes.size());
  }

 private:
  Boxes& boxes_;
  std::size_t rank_;
  std::vector<std::string> hosts_;
};

// Runs `work` on every rank of a job of these hosts, on one each.
inline void run_job(const std::vector<std::string>& hosts,
                    const std::function<void(ThreadJob& job)>& work) {
  ThreadJob::Boxes boxes;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) boxes.emplace_back(hosts.size());
  std::vector<std::thread> others;
  for (std::size_t rank = 1; rank < hosts.size(); ++rank) {
    others.emplace_back([&, rank] {
      ThreadJob job(boxes, rank, hosts);
      work(job);
    });
  }
  ThreadJob first(boxes, 0, hosts);
  work(first);
  for (std::thread& one : others) one.join();
}

}  // namespace hdbench::bench
