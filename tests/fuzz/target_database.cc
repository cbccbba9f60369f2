// A whole database of a few files: directories' names, par.txt, `.d`, columns; opened, verified,
// joined and queried.
#include <cstdio>
#include <optional>

#include "bench/base/layers.h"
#include "bench/query_output/print_result.h"
#include "engine/exec/execute.h"
#include "engine/inspect/verify.h"
#include "engine/storage/database.h"
#include "engine/storage/flat_table.h"
#include "queries/query.h"
#include "tests/fuzz/fuzz_input.h"

namespace hdbench::fuzz {
using namespace bench;
using namespace pmem;
using namespace queries;
namespace {

ThreadPool& one_thread() {
  static ThreadPool pool(1);
  return pool;
}

// The answer's checksum; nothing where there is none.
std::optional<std::uint64_t> answer(const Table& table, const char* text) {
  const auto query = parse_query(text);
  require(query.ok(), "the target's own query parses");
  const FindTable find = [&](const std::string&) -> Result<const Table*> { return &table; };
  const auto bound = bind(*query, {find});
  if (!bound.ok()) return std::nullopt;
  Workspace workspace(std::uint64_t{64} << 20, *std::pmr::new_delete_resource());
  const auto result = execute(table, *bound->plan, {}, one_thread(), workspace);
  if (!result.ok()) return std::nullopt;
  TextSink sink([](std::string_view) -> Result<bool> { return true; });
  print_csv(*result, sink);
  return checksum(*result);
}

void read_all(const Table& table) {
  for (std::size_t part = 0; part < table.part_count(); ++part) {
    static_cast<void>(table.rows(part).ok());
    for (std::size_t field = 0; field < table.schema().fields.size(); ++field) {
      if (table.schema().partitioned && field == 0) continue;
      static_cast<void>(table.column(part, field).ok());
    }
  }
}

void ask(const Database& database, const std::string& name) {
  static_cast<void>(database.column_files(name).ok());
  const auto table = database.table(name, make_exact_store());
  if (!table.ok()) return;
  read_all(**table);
  const auto all = answer(**table, "select from t");
  answer(**table, "select n:count i by sym from t");
  answer(**table, "select from t where x>1");
  answer(**table, "select last x, med x, avg x by sym from t where sym in `a`b");

  // Compressed files as they are stored: what a query unpacks is what was unpacked before.
  const auto packed =
      database.table(name, make_exact_store(), Codes::kStored, Compressed::kAsStored);
  if (packed.ok()) {
    const auto unpacked = answer(**packed, "select from t");
    require(!all || !unpacked || *all == *unpacked, "unpacking later gives the same answer");
    answer(**packed, "select last x, med x, avg x by sym from t where sym in `a`b");
  }
  const auto narrow = database.table(name, make_exact_store(), Codes::kNarrow);
  if (narrow.ok()) {
    read_all(**narrow);
    const auto narrowed = answer(**narrow, "select from t");
    require(!all || !narrowed || *all == *narrowed, "narrow codes give the same answer");
  }
  const auto store = make_exact_store();
  const auto flat = make_flat_table(**table, store, one_thread());
  if (flat.ok()) {
    const auto joined = answer(**flat, "select from t");
    require(!all || !joined || *all == *joined, "the flat table gives the same answer");
  }
}

}  // namespace

void run_database(Bytes input) {
  const std::filesystem::path root = scratch() / "database";
  write_tree(root, input);
  const auto database = Database::open(root);
  if (!database.ok()) {
    require(!database.error().message.empty(), "an error has a message");
    return;
  }
  static_cast<void>(verify(**database));
  for (const std::string& name : (*database)->table_names()) ask(**database, name);
}

}  // namespace hdbench::fuzz
