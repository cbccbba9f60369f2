// Ranks (ranks.h) that are threads of a test.
#pragma once

#include <condition_variable>
#include <cstring>
#include <deque>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/thread_pool.h"
#include "engine/exec/execute.h"
#include "engine/exec/ranks.h"

namespace hdbench::testing {

// Messages from one rank to another, in their order.
class Mailbox {
 public:
  void put(Bytes bytes) {
    const std::lock_guard lock(mutex_);
    messages_.emplace_back(bytes.begin(), bytes.end());
    changed_.notify_one();
  }
  std::vector<std::byte> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !messages_.empty(); });
    std::vector<std::byte> message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }
  bool is_empty() {
    const std::lock_guard lock(mutex_);
    return messages_.empty();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::vector<std::byte>> messages_;
};

// How partitions are shared out: by value, round robin; or all below a value to the first ranks.
enum class Sharing { kRoundRobin, kLastOnly };

struct Mailboxes {
  explicit Mailboxes(std::size_t ranks) : told(ranks), sent(ranks) {}
  std::deque<Mailbox> told;  // by who hears
  std::deque<Mailbox> sent;  // by who sends
};

class ThreadRank final : public Ranks {
 public:
  ThreadRank(Mailboxes& boxes, std::size_t rank, Sharing sharing)
      : boxes_(boxes), rank_(rank), sharing_(sharing) {}

  std::size_t count() const override { return boxes_.told.size(); }
  std::size_t rank() const override { return rank_; }
  std::string name(std::size_t rank) const override { return "rank " + std::to_string(rank); }
  bool owns(std::int64_t partition_value) const override {
    if (sharing_ == Sharing::kLastOnly) return rank_ + 1 == count();
    return static_cast<std::uint64_t>(partition_value) % count() == rank_;
  }
  void tell(Bytes message) override {
    for (std::size_t to = 1; to < count(); ++to) boxes_.told[to].put(message);
  }
  std::vector<std::byte> hear() override { return boxes_.told[rank_].take(); }
  void send(Bytes bytes) override { boxes_.sent[rank_].put(bytes); }
  void receive(std::size_t from, std::span<std::byte> bytes) override {
    const std::vector<std::byte> message = boxes_.sent[from].take();
    if (message.size() != bytes.size())
      throw QueryStop{data_error("a message of another length was expected")};
    if (!bytes.empty()) std::memcpy(bytes.data(), message.data(), bytes.size());
  }

 private:
  Mailboxes& boxes_;
  std::size_t rank_;
  Sharing sharing_;
};

// A plan run by so many ranks: rank 0's result, in `workspace`. `limit_bytes`: of the others' -w.
inline Result<ResultTable> execute_by_ranks(const Table& table, const Plan& plan,
                                            ExecuteSettings settings, std::size_t count,
                                            Sharing sharing, Workspace& workspace,
                                            ExecuteStats* stats = nullptr,
                                            std::uint64_t limit_bytes = 0) {
  Mailboxes boxes(count);
  std::vector<std::thread> others;
  for (std::size_t rank = 1; rank < count; ++rank) {
    others.emplace_back([&boxes, &table, &plan, settings, rank, sharing, limit_bytes]() mutable {
      ThreadRank ranks(boxes, rank, sharing);
      ThreadPool pool(1);
      Workspace own(limit_bytes, *std::pmr::new_delete_resource());
      settings.ranks = &ranks;
      static_cast<void>(execute(table, plan, settings, pool, own));
    });
  }
  ThreadRank ranks(boxes, 0, sharing);
  ThreadPool pool(1);
  settings.ranks = &ranks;
  auto result = execute(table, plan, settings, pool, workspace, stats);
  for (std::thread& one : others) one.join();
  for (auto* const all : {&boxes.told, &boxes.sent}) {
    for (Mailbox& box : *all) HDB_CHECK(box.is_empty(), "no message is left over");
  }
  return result;
}

}  // namespace hdbench::testing
