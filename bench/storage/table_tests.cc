// A splayed table of two columns, sorted by its symbols on disk and given `p#`, each flushed apart.
#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <numeric>

#include "bench/storage/io_tests.h"
#include "engine/storage/parted_index.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kSymbolHeaderBytes = 4096;
constexpr std::size_t kVectorHeaderBytes = 16;
constexpr std::size_t kAttributeOffset = 4083;

struct Splayed {
  MadeColumn symbols;
  MadeColumn values;
};

Result<Splayed> make_table(const IoTask& task) {
  const auto directory = task.directory / "table";
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed) return file_error(directory, "cannot make", failed.value());
  HDB_ASSIGN(MadeColumn symbols,
             make_column(directory / "sym", {QType::kSymbol, task.vectors.large, task.seed}));
  HDB_ASSIGN(MadeColumn values,
             make_column(directory / "value", {QType::kLong, task.vectors.large, task.seed}));
  return Splayed{std::move(symbols), std::move(values)};
}

// A column's words that follow its header.
struct MappedWords {
  FileHandle file;
  std::unique_ptr<MappedMemory> mapped;
  std::span<const std::uint64_t> words;
};

Result<MappedWords> map_words(const MadeColumn& column, std::size_t header_bytes) {
  MappedWords all;
  HDB_ASSIGN(all.file, open_for(column.path, O_RDONLY));
  HDB_ASSIGN(all.mapped, map_shared(all.file, column.bytes, PROT_READ, column.path));
  all.words = {reinterpret_cast<const std::uint64_t*>(all.mapped->bytes().data() + header_bytes),
               column.spec.elements};
  return all;
}

// The rows in the order of the sorted table; rows of one symbol keep theirs.
std::vector<std::uint64_t> order_of_codes(std::span<const std::uint64_t> codes) {
  std::vector<std::uint64_t> next(kIoDomainSymbols + 1, 0);  // where a symbol's next row goes
  for (const std::uint64_t code : codes) ++next[code % kIoDomainSymbols + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint64_t> order(codes.size());
  for (std::uint64_t row = 0; row < codes.size(); ++row) {
    order[next[codes[row] % kIoDomainSymbols]++] = row;
  }
  return order;
}

// Written beside the column and renamed over it.
Status rewrite(const MadeColumn& column, std::size_t header_bytes,
               std::span<const std::uint64_t> order) {
  HDB_ASSIGN(const MappedWords old, map_words(column, header_bytes));
  std::vector<std::uint64_t> sorted(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) sorted[k] = old.words[order[k]];
  const std::string beside = column.path.string() + "$";
  HDB_ASSIGN(const FileHandle file, open_for(beside, O_WRONLY | O_CREAT | O_TRUNC));
  HDB_TRY(write_fully(file, std::span<const std::byte>(old.mapped->bytes()).first(header_bytes),
                      beside));
  HDB_TRY(write_fully(file, std::as_bytes(std::span(sorted)), beside));
  return rename_over(beside, column.path);
}

Status sort_table(const Splayed& table) {
  HDB_ASSIGN(const MappedWords symbols, map_words(table.symbols, kSymbolHeaderBytes));
  const std::vector<std::uint64_t> order = order_of_codes(symbols.words);
  HDB_TRY(rewrite(table.symbols, kSymbolHeaderBytes, order));
  return rewrite(table.values, kVectorHeaderBytes, order);
}

Status sync_symbols(const Splayed& table) {
  HDB_ASSIGN(const FileHandle file, open_for(table.symbols.path, O_RDWR));
  return flush(file, table.symbols.path, "fsync");
}

Status sync_table(const Splayed& table) {
  HDB_TRY(sync_symbols(table));
  HDB_ASSIGN(const FileHandle file, open_for(table.values.path, O_RDWR));
  return flush(file, table.values.path, "fsync");
}

// `@[`:table/;`sym;`p#]`: the index behind the column, the attribute in its header.
Status apply_parted(const Splayed& table) {
  const MadeColumn& column = table.symbols;
  HDB_ASSIGN(const MappedWords symbols, map_words(column, kSymbolHeaderBytes));
  PartedIndex index;
  for (std::uint64_t row = 0; row < symbols.words.size(); ++row) {
    if (row > 0 && symbols.words[row] == symbols.words[row - 1]) continue;
    index.keys.push_back(static_cast<std::int64_t>(symbols.words[row]));
    index.offsets.push_back(static_cast<std::int64_t>(row));
  }
  index.offsets.push_back(static_cast<std::int64_t>(symbols.words.size()));
  const std::vector<std::byte> behind =
      encode_parted_index(index, sizeof(std::uint64_t), symbols.words.size_bytes());
  HDB_ASSIGN(const FileHandle file, open_for(column.path, O_WRONLY));
  HDB_TRY(write_fully(file, behind, column.path, column.bytes));
  const std::byte parted{static_cast<std::uint8_t>(Attribute::kParted)};
  return write_fully(file, {&parted, 1}, column.path, kAttributeOffset);
}

// Sorted, with every value where its symbol is: sums that know the order. `p#` has changed the
// symbols' header.
Status check_sorted(Worker& worker, const Splayed& table, bool is_parted) {
  HDB_ASSIGN(const MappedWords symbols, map_words(table.symbols, kSymbolHeaderBytes));
  const std::string path = table.symbols.path.string();
  if (!std::is_sorted(symbols.words.begin(), symbols.words.end())) {
    return data_error(path + ": not sorted");
  }
  const std::uint64_t header = sum_of(header_of(table.symbols.spec));
  const std::uint64_t sum = std::accumulate(symbols.words.begin(), symbols.words.end(), header);
  if (is_parted) return worker.check_sum(sum - header, table.symbols.sum - header, path.c_str());
  HDB_TRY(worker.check_sum(sum, table.symbols.sum, path.c_str()));
  return check_file(worker, table.values.path, table.values.sum);
}

struct Step {
  const char* name;
  const char* unit;
  const char* what;
  const char* sync;
  IoCeilingKind ceiling;
  Status (*run)(const Splayed& table);
};

// Each after those before it. How many bytes are left to be flushed is not known.
constexpr Step kSteps[] = {
    {"sort", "MB/s", "a table of two columns sorted by sym on disk: map, sort, write", "none",
     IoCeilingKind::kMemoryWrite, sort_table},
    {"sync-sorted", "ms",
     "fsync of both columns after the sort (a rename may have flushed them before)", "fsync",
     IoCeilingKind::kNone, sync_table},
    {"apply-parted", "MB/s", "`p#` on the sorted sym column: map, index, write", "none",
     IoCeilingKind::kMemoryRead, apply_parted},
    {"sync-parted", "ms", "fsync of the sym column after `p#`", "fsync", IoCeilingKind::kNone,
     sync_symbols},
};

Status run_step(Worker& worker, const IoTask& task, const Step& step) {
  HDB_ASSIGN(const Splayed table, make_table(task));
  for (const Step* before = kSteps; before != &step; ++before) HDB_TRY(before->run(table));
  HDB_TRY(worker.begin());
  HDB_TRY(step.run(table));
  worker.lap(step.run == sort_table     ? table.symbols.bytes + table.values.bytes
             : step.run == apply_parted ? table.symbols.bytes
                                        : 0);
  worker.end();
  return check_sorted(worker, table, step.run == apply_parted || step.run == sync_symbols);
}

}  // namespace

void add_table_tests(std::vector<IoTest>& tests) {
  for (const Step& step : kSteps) {
    add_test(tests, "table", step.name, "table", step.what,
             [&step](Worker& worker, const IoTask& task) { return run_step(worker, task, step); },
             {{IoVector::kLarge, QType::kSymbol}, step.sync, step.ceiling, 0, step.unit});
  }
}

}  // namespace hdbench::bench
