#include "bench/run/rank_commands.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "bench/run/session.h"

namespace hdbench::bench {
namespace {

enum class Command : std::uint8_t { kPlace, kBind, kPrepare, kRun, kEnd };

void put_setting(ByteSink& out, const Setting& setting) {
  out.put_text(setting.medium);
  out.put(setting.layout);
  out.put(setting.attr);
  out.put(setting.mode);
  out.put(setting.threads);
  out.put(setting.cache);
  out.put(setting.limit_mib);
  out.put(setting.codes);
  out.put(setting.prefetch);
  out.put(setting.compressed);
}

Setting take_setting(ByteSource& in) {
  Setting setting;
  setting.medium = in.take_text();
  setting.layout = in.take<Layout>();
  setting.attr = in.take<AttrUse>();
  setting.mode = in.take<Mode>();
  setting.threads = in.take<std::size_t>();
  setting.cache = in.take<Cache>();
  setting.limit_mib = in.take<std::uint64_t>();
  setting.codes = in.take<Codes>();
  setting.prefetch = in.take<Prefetch>();
  setting.compressed = in.take<Compressed>();
  return setting;
}

// A session that follows rank 0's.
class Follower {
 public:
  Follower(Session& session, SharedPartitions& ranks, const std::vector<ListedQuery>& queries)
      : session_(session), ranks_(ranks), queries_(queries) {}

  Status serve() {
    for (;;) {
      const std::vector<std::byte> told = ranks_.hear();
      ByteSource in(told);
      const auto command = in.take<Command>();
      if (command == Command::kEnd) return ok_status();
      const Status done = command == Command::kRun ? ok_status() : obey(command, in);
      ranks_.report(done);
      if (command == Command::kRun) run(in);
    }
  }

 private:
  Status obey(Command command, ByteSource& in) {
    if (command == Command::kPrepare) return prepare(in.take<Cache>());
    if (command == Command::kBind) return bind(in);
    bound_.clear();
    placement_.reset();
    std::vector<std::string> tables(in.take<std::size_t>());
    for (std::string& table : tables) table = in.take_text();
    PlacementChoice choice{in.take_text()};
    choice.layout = in.take<Layout>();
    choice.codes = in.take<Codes>();
    choice.compressed = in.take<Compressed>();
    HDB_ASSIGN(placement_, session_.place(tables, choice));
    return ok_status();
  }

  Status bind(ByteSource& in) {
    const bool maps = in.take<bool>();
    const std::vector<int> ids = in.take_all<int>();
    std::vector<ListedQuery> wanted;
    for (const ListedQuery& one : queries_) {
      if (std::ranges::find(ids, one.id) != ids.end()) wanted.push_back(one);
    }
    HDB_ASSIGN(bound_, bind_all(wanted, *placement_));
    return maps ? session_.map_needed(wanted, bound_, *placement_) : ok_status();
  }

  Status prepare(Cache cache) {
    HDB_ASSIGN(const CacheProof proof, placement_->medium().prepare(cache));
    static_cast<void>(proof);
    return ok_status();
  }

  // What fails here fails within execute(), which tells rank 0.
  void run(ByteSource& in) {
    const auto id = in.take<int>();
    const Setting setting = take_setting(in);
    static_cast<void>(session_.run(bound_.at(id), setting, placement_->medium()));
  }

  Session& session_;
  SharedPartitions& ranks_;
  const std::vector<ListedQuery>& queries_;
  std::unique_ptr<TablePlacement> placement_;
  BoundQueries bound_;
};

}  // namespace

RankCommands::~RankCommands() {
  ByteSink command;
  command.put(Command::kEnd);
  ranks_.tell(command.bytes());
}

Status RankCommands::place(const std::vector<std::string>& tables, const PlacementChoice& choice) {
  ByteSink command;
  command.put(Command::kPlace);
  command.put(tables.size());
  for (const std::string& table : tables) command.put_text(table);
  command.put_text(choice.medium);
  command.put(choice.layout);
  command.put(choice.codes);
  command.put(choice.compressed);
  ids_.clear();
  return ask(command);
}

Status RankCommands::bind(const BoundQueries& bound, bool maps) {
  ByteSink command;
  command.put(Command::kBind);
  command.put(maps);
  std::vector<int> ids;
  for (const auto& [id, query] : bound) {
    ids.push_back(id);
    ids_[query.plan.get()] = id;
  }
  command.put_all(ids);
  return ask(command);
}

Status RankCommands::prepare(Cache cache) {
  ByteSink command;
  command.put(Command::kPrepare);
  command.put(cache);
  return ask(command);
}

Status RankCommands::begin_run(const BoundQuery& query, const Setting& setting) {
  ByteSink command;
  command.put(Command::kRun);
  command.put(ids_.at(query.plan.get()));
  put_setting(command, setting);
  return ask(command);
}

Status RankCommands::ask(const ByteSink& command) {
  ranks_.tell(command.bytes());
  return ranks_.take_reports();
}

Status serve_rank_0(Session& session, SharedPartitions& ranks,
                    const std::vector<ListedQuery>& queries) {
  return Follower(session, ranks, queries).serve();
}

}  // namespace hdbench::bench
