// A splayed table of two columns, sorted by its symbols on disk and given `p#`, each flushed apart.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <numeric>

#include "bench/storage/io_test.h"
#include "engine/storage/parted_index.h"

namespace hdbench {
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

// Where each symbol's rows begin once they are sorted; one more at the end.
std::vector<std::uint64_t> offsets_of(std::span<const std::uint64_t> codes) {
  std::vector<std::uint64_t> offsets(kIoDomainSymbols + 1, 0);
  for (const std::uint64_t code : codes) ++offsets[code % kIoDomainSymbols + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

// Each row's place in the sorted table; rows of one symbol keep their order.
std::vector<std::uint64_t> order_of(std::span<const std::uint64_t> codes) {
  std::vector<std::uint64_t> next = offsets_of(codes);
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
  if (::rename(beside.c_str(), column.path.c_str()) != 0) {
    return file_error(column.path, "cannot rename over it", errno);
  }
  return ok_status();
}

Status sort_table(const Splayed& table) {
  std::vector<std::uint64_t> order;
  {
    HDB_ASSIGN(const MappedWords symbols, map_words(table.symbols, kSymbolHeaderBytes));
    order = order_of(symbols.words);
  }
  HDB_TRY(rewrite(table.symbols, kSymbolHeaderBytes, order));
  return rewrite(table.values, kVectorHeaderBytes, order);
}

Status sync_file(const std::filesystem::path& path) {
  HDB_ASSIGN(const FileHandle file, open_for(path, O_RDWR));
  return flush(file, path, SyncCall::kSync);
}

Status sync_table(const Splayed& table) {
  HDB_TRY(sync_file(table.symbols.path));
  return sync_file(table.values.path);
}

// `@[`:table/;`sym;`p#]`: the index behind the column, the attribute in its header.
Status apply_parted(const MadeColumn& column) {
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
  HDB_TRY(write_fully_at(file, column.bytes, behind, column.path));
  const std::byte parted{static_cast<std::uint8_t>(Attribute::kParted)};
  return write_fully_at(file, kAttributeOffset, {&parted, 1}, column.path);
}

// Sorted, with every value where its symbol is: sums that know the order.
Status check_sorted(Worker& worker, const Splayed& table) {
  HDB_ASSIGN(const MappedWords symbols, map_words(table.symbols, kSymbolHeaderBytes));
  for (std::size_t row = 1; row < symbols.words.size(); ++row) {
    if (symbols.words[row] < symbols.words[row - 1]) {
      return data_error(table.symbols.path.string() + ": not sorted");
    }
  }
  HDB_TRY(worker.check_sum(sum_of(std::span<const std::byte>(symbols.mapped->bytes())),
                           table.symbols.sum, table.symbols.path.c_str()));
  HDB_ASSIGN(const std::uint64_t values, sum_of_file(table.values.path));
  return worker.check_sum(values, table.values.sum, table.values.path.c_str());
}

enum class Step : std::uint8_t { kSort, kSyncSorted, kPart, kSyncParted };

Status run_step(Worker& worker, const IoTask& task, Step step) {
  HDB_ASSIGN(const Splayed table, make_table(task));
  std::uint64_t bytes = table.symbols.bytes + table.values.bytes;
  if (step != Step::kSort) HDB_TRY(sort_table(table));
  if (step == Step::kPart || step == Step::kSyncParted) {
    HDB_TRY(sync_table(table));
    bytes = table.symbols.bytes;
  }
  if (step == Step::kSyncParted) HDB_TRY(apply_parted(table.symbols));
  if (step == Step::kSyncSorted || step == Step::kSyncParted) {
    bytes = 0;  // how many are left to be flushed is not known
  }
  HDB_TRY(worker.begin());
  if (step == Step::kSort) HDB_TRY(sort_table(table));
  if (step == Step::kSyncSorted) HDB_TRY(sync_table(table));
  if (step == Step::kPart) HDB_TRY(apply_parted(table.symbols));
  if (step == Step::kSyncParted) HDB_TRY(sync_file(table.symbols.path));
  worker.lap(bytes);
  worker.end();
  if (step == Step::kSort || step == Step::kSyncSorted) return check_sorted(worker, table);
  HDB_ASSIGN(const MappedWords symbols, map_words(table.symbols, kSymbolHeaderBytes));
  std::uint64_t sum = 0;
  for (const std::uint64_t code : symbols.words) sum += code;
  const std::uint64_t expected = table.symbols.sum - sum_of(header_of(table.symbols.spec));
  return worker.check_sum(sum, expected, table.symbols.path.c_str());
}

struct StepTest {
  Step step;
  const char* name;
  const char* unit;
  const char* what;
  const char* sync;
  IoCeilingKind ceiling;
};

constexpr StepTest kSteps[] = {
    {Step::kSort, "sort", "MB/s", "a table of two columns sorted by sym on disk: map, sort, write",
     "none", IoCeilingKind::kMemoryWrite},
    {Step::kSyncSorted, "sync-sorted", "ms",
     "fsync of both columns after the sort (a rename may have flushed them before)", "fsync",
     IoCeilingKind::kNone},
    {Step::kPart, "apply-parted", "MB/s", "`p#` on the sorted sym column: map, index, write",
     "none", IoCeilingKind::kMemoryRead},
    {Step::kSyncParted, "sync-parted", "ms", "fsync of the sym column after `p#`", "fsync",
     IoCeilingKind::kNone},
};

}  // namespace

void add_table_tests(std::vector<IoTest>& tests) {
  for (const StepTest& step : kSteps) {
    IoTest test;
    test.test = step.name;
    test.group = "table";
    test.unit = step.unit;
    test.what = step.what;
    test.engine = "table";
    test.vector = IoVector::kLarge;
    test.type = QType::kSymbol;
    test.sync = step.sync;
    test.ceiling = step.ceiling;
    test.work = [step](Worker& worker, const IoTask& task) {
      return run_step(worker, task, step.step);
    };
    tests.push_back(std::move(test));
  }
}

}  // namespace hdbench
