#include "bench/storage/io_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "bench/base/json_fields.h"
#include "bench/base/lines.h"
#include "engine/base/byte_stream.h"

namespace hdbench::bench {

constexpr int kClockMessages = 20;

void fields(JsonFields& a, IoRankPlan& plan) { HDB_FIELDS(plan, rank, tests); }

namespace {

// Paths may be no UTF-8.
std::string message_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<Json> exchange_json(IoRanks& ranks, const Json& mine) {
  const std::string message = message_of(mine);
  std::vector<Json> all;
  for (const auto& bytes : ranks.exchange(std::as_bytes(std::span(message))))
    all.push_back(Json::parse(as_text(bytes)));
  return all;
}

}  // namespace

std::string IoRanks::name(std::size_t rank) const {
  return ranks_ == nullptr ? std::string() : ranks_->name(rank);
}

std::string IoRanks::said_by(std::size_t rank, const std::string& message) const {
  return ranks_ == nullptr ? message : name(rank) + ": " + message;
}

IoRanks::Messages IoRanks::gather(Bytes mine) {
  Messages all{{mine.begin(), mine.end()}};
  if (ranks_ == nullptr) return all;
  if (rank() != 0) ranks_->send_sized(mine);
  for (std::size_t from = 1; rank() == 0 && from < count(); ++from)
    all.push_back(ranks_->receive_sized(from));
  return all;
}

IoRanks::Messages IoRanks::exchange(Bytes mine) {
  Messages all = gather(mine);
  if (ranks_ == nullptr) return all;
  if (rank() == 0) {
    ByteSink told;
    for (const auto& one : all) told.put_all(one);
    ranks_->tell(told.bytes());
    return all;
  }
  const std::vector<std::byte> heard = ranks_->hear();
  ByteSource in(heard);
  all.resize(count());
  for (auto& one : all) one = in.take_all<std::byte>();
  return all;
}

Status IoRanks::agree(const Status& mine) {
  if (ranks_ == nullptr) return mine;
  const Json said = mine.ok() ? Json() : Json::array({mine.error().kind, mine.error().message});
  const std::vector<Json> all = exchange_json(*this, said);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].is_null()) continue;
    const std::string message = all[rank][1];
    const bool all_say_it = std::ranges::count(all, all[rank]) == std::ssize(all);
    return Error{all[rank][0].get<ErrorKind>(), all_say_it ? message : said_by(rank, message)};
  }
  return ok_status();
}

Result<std::size_t> IoRanks::meet(const std::string& what, const std::string& host) {
  const std::vector<Json> all = exchange_json(*this, Json::array({what, host}));
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank][0] == all[0][0]) continue;
    return usage_error(
        said_by(rank, fmt::format("it runs {}, rank 0 {}", all[rank][0].dump(), all[0][0].dump())));
  }
  const auto is_here = [&](const Json& one) { return one[1] == host; };
  return static_cast<std::size_t>(std::ranges::count_if(all, is_here));
}

std::vector<IoRankPlan> IoRanks::exchange_plans(IoRankPlan mine) {
  Json said = Json::object();
  JsonFields writer(said, JsonFields::Way::kWrite);
  fields(writer, mine);
  std::vector<IoRankPlan> plans;
  for (Json& one : exchange_json(*this, said)) {
    JsonFields reader(one, JsonFields::Way::kRead);
    fields(reader, plans.emplace_back());
  }
  return plans;
}

std::vector<std::string> IoRanks::exchange_lines(const std::vector<std::string>& mine) {
  const std::vector<Json> all = exchange_json(*this, mine);
  std::vector<std::string> lines;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    for (const Json& line : all[rank]) {
      const bool all_say_it = std::ranges::all_of(
          all, [&](const Json& one) { return std::ranges::find(one, line) != one.end(); });
      add_once(lines, all_say_it ? line.get<std::string>() : said_by(rank, line));
    }
  }
  return lines;
}

std::int64_t IoRanks::clock_offset_ns() {
  if (ranks_ == nullptr) return 0;
  const auto now_ns = [] { return static_cast<std::int64_t>(monotonic_ns()); };
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  // Least times from clock to clock: of rank 0's messages here, and of each rank's there.
  std::int64_t from_first = kNone;
  std::vector<std::int64_t> to_first(count(), kNone);
  for (int time = 0; time < kClockMessages; ++time) {
    ByteSink clock;
    if (rank() != 0) {
      clock.put(now_ns());
      ranks_->send(clock.bytes());
      const std::vector<std::byte> heard = ranks_->hear();
      from_first = std::min(from_first, now_ns() - ByteSource(heard).take<std::int64_t>());
      continue;
    }
    for (std::size_t from = 1; from < count(); ++from) {
      std::int64_t sent_ns = 0;
      ranks_->receive(from, std::as_writable_bytes(std::span(&sent_ns, 1)));
      to_first[from] = std::min(to_first[from], now_ns() - sent_ns);
    }
    clock.put(now_ns());
    ranks_->tell(clock.bytes());
  }
  if (rank() == 0) {
    ByteSink all;
    all.put_all(to_first);
    ranks_->tell(all.bytes());
    return 0;
  }
  const std::vector<std::byte> heard = ranks_->hear();
  return (from_first - ByteSource(heard).take_all<std::int64_t>()[rank()]) / 2;
}

Result<std::vector<ProcessFigures>> IoRanks::run(std::size_t processes, double seconds,
                                                 const ProcessWork& work) {
  std::optional<std::int64_t> offset_ns;
  auto mine = run_processes(processes, seconds, work, [&](const Status& ready) -> Status {
    const std::int64_t offset = clock_offset_ns();
    HDB_TRY(agree(ready));
    offset_ns = offset;
    return ok_status();
  });
  if (!offset_ns) return mine;  // so it is on all ranks
  HDB_ASSIGN(std::vector<ProcessFigures> figures, agree(std::move(mine)));
  for (ProcessFigures& one : figures) {
    one.begin_ns -= static_cast<std::uint64_t>(*offset_ns);
    one.end_ns -= static_cast<std::uint64_t>(*offset_ns);
  }
  const Messages all = gather(std::as_bytes(std::span(figures)));
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    for (std::size_t k = 0; k < processes; ++k) {
      ByteSource in(Bytes(all[rank]).subspan(k * sizeof(ProcessFigures)));
      figures.push_back(in.take<ProcessFigures>());
    }
  }
  return figures;
}

}  // namespace hdbench::bench
