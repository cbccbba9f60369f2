#include "datagen/generation.h"

#include <fmt/format.h>

#include <new>

#include "datagen/domain_list.h"
#include "engine/base/file_handle.h"
#include "engine/base/thread_pool.h"
#include "engine/column/format_value.h"
#include "engine/storage/column_writer.h"

namespace hdbench::datagen {
namespace {

// A killed run rereads the partitions that it finished since the manifest was last saved.
constexpr std::chrono::seconds kSaveEvery{1};

// Far above what any list of symbols takes that is made here.
constexpr std::size_t kSymbolFileBytesMax = std::size_t{64} << 20;

}  // namespace

Generation::Generation(StagingDirectory& site, Manifest& manifest, const GenerateOptions& options)
    : site_(site),
      manifest_(manifest),
      options_(options),
      tables_(table_plans(manifest.spec)),
      symbols_(domain_list(manifest.spec.profile)) {
  for (std::size_t table = 0; table < tables_.size(); ++table) {
    for (const ColumnPlan& column : tables_[table].columns) places_.push_back({table, &column});
  }
  progress_.partitions = manifest.partitions.size();
  for (PartitionEntry& entry : manifest.partitions) {
    const std::uint64_t bytes = day_bytes(tables_, entry.day);
    progress_.bytes += bytes;
    if (entry.sum) {
      ++progress_.partitions_done;
      progress_.bytes_done += bytes;
      continue;
    }
    parts_.push_back(new_part(entry));
  }
}

std::unique_ptr<Generation::Part> Generation::new_part(PartitionEntry& entry) const {
  auto part = std::make_unique<Part>();
  part->entry = &entry;
  part->path = site_.paths().partial / partition_name(QType::kDate, entry.day.date);
  for (const TablePlan& plan : tables_) {
    PartTable& table = part->tables.emplace_back();
    table.path = part->path / plan.name;
    table.day = plan.day_of(entry.day);
    table.columns_left = plan.columns.size();
  }
  part->columns.resize(places_.size());
  part->columns_left = places_.size();
  return part;
}

Status Generation::run(std::size_t threads) {
  if (const Status root = make_root(); !root.ok()) return ending(root.error());
  saved_at_ = std::chrono::steady_clock::now();
  {
    ThreadPool pool(threads);
    std::vector<std::vector<std::byte>> buffers(pool.size(), std::vector<std::byte>(kPieceBytes));
    pool.run(parts_.size() * places_.size(),
             [&](std::size_t task, std::size_t worker) { work(task, buffers[worker]); });
  }
  Status saved = save_manifest();
  if (error_) return ending(*error_);
  if (!manifest_.complete()) return ending(data_error("stopped"));
  return saved;
}

Status Generation::make_root() {
  HDB_TRY(site_.make_root());
  const std::string name{kDomainName};
  const std::filesystem::path made = site_.paths().partial / name;
  const std::filesystem::path there = site_.paths().root / name;
  HDB_TRY(write_symbol_list(made, symbols_));
  std::error_code error;
  if (!std::filesystem::exists(std::filesystem::symlink_status(there, error))) {
    return site_.publish(name);
  }
  // A resumed run finds its own; another file under that name is of somebody else's database.
  HDB_ASSIGN(const std::string ours, read_text(made, kSymbolFileBytesMax));
  const Result<std::string> theirs = read_text(there, kSymbolFileBytesMax);
  if (theirs.ok() && *theirs == ours) return ok_status();
  return usage_error(
      fmt::format("{}: not what this generator writes: take another path for DB", there.string()));
}

bool Generation::halted() const {
  return failed_.load(std::memory_order_relaxed) ||
         (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed));
}

void Generation::work(std::size_t task, std::span<std::byte> buffer) {
  if (halted()) return;
  Part& part = *parts_[task / places_.size()];
  const std::size_t place = task % places_.size();
  try {
    const Status made = make_column(part, place, buffer);
    if (!made.ok() && !halted()) fail(made.error());
  } catch (const std::bad_alloc&) {
    const PartTable& table = part.tables[places_[place].table];
    fail(data_error(
        fmt::format("{}: no memory to order {} rows", table.path.string(), table.day.rows())));
  }
}

Status Generation::make_column(Part& part, std::size_t place, std::span<std::byte> buffer) {
  HDB_TRY(begin(part, places_[place].table));
  const PartTable& table = part.tables[places_[place].table];
  ColumnJob job;
  job.column = places_[place].column;
  job.spec = &manifest_.spec;
  job.day = table.day;
  if (table.order) job.order = &*table.order;
  HDB_ASSIGN(const FileSum sum, write_column(table.path, job, buffer, [this] { return halted(); }));
  return finish_column(part, place, sum);
}

Status Generation::begin(Part& part, std::size_t at) {
  const std::lock_guard lock(part.mutex);
  PartTable& table = part.tables[at];
  if (table.begun) return ok_status();
  std::error_code error;
  std::filesystem::create_directories(table.path, error);
  if (error) {
    return data_error(fmt::format("{}: cannot create: {}", table.path.string(), error.message()));
  }
  for (const ColumnPlan& column : tables_[at].columns) {
    if (column.name != parted_column(manifest_.spec)) continue;
    table.order = order_by_symbol(column, manifest_.spec.seed, table.day, symbols_);
  }
  table.begun = true;
  return ok_status();
}

Status Generation::finish_column(Part& part, std::size_t place, const FileSum& sum) {
  bool is_last = false;
  {
    const std::lock_guard lock(part.mutex);
    part.columns[place] = sum;
    PartTable& table = part.tables[places_[place].table];
    if (--table.columns_left == 0) table.order.reset();
    is_last = --part.columns_left == 0;
  }
  if (is_last) HDB_TRY(publish(part));

  const std::lock_guard lock(mutex_);
  progress_.partitions_done += is_last;
  progress_.bytes_done +=
      vector_file_bytes(*places_[place].column, part.tables[places_[place].table].day);
  if (options_.progress) options_.progress(progress_);
  return ok_status();
}

Status Generation::publish(Part& part) {
  for (std::size_t table = 0; table < tables_.size(); ++table) {
    HDB_TRY(finish_table(tables_[table], part.tables[table].path));
  }
  HDB_TRY(flush_to_device(part.path));
  HDB_TRY(site_.publish(part.path.filename().string()));

  const std::lock_guard lock(mutex_);
  part.entry->sum = partition_sum(part.columns);
  const auto now = std::chrono::steady_clock::now();
  if (now - saved_at_ < kSaveEvery) return ok_status();
  saved_at_ = now;
  return save_manifest();
}

Status Generation::save_manifest() { return site_.save_manifest(manifest_text(manifest_)); }

void Generation::fail(const Error& error) {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = error;
  failed_.store(true, std::memory_order_relaxed);
}

Error Generation::ending(const Error& reason) const {
  Error error = reason;
  if (manifest_.partitions_complete() == 0) {
    error.message += fmt::format(
        "; no partition of {} was finished: nothing is kept, --resume "
        "begins anew",
        site_.paths().root.string());
    return error;
  }
  error.message += fmt::format("; {} of {} partitions of {} are complete, --resume continues",
                               manifest_.partitions_complete(), manifest_.partitions.size(),
                               site_.paths().root.string());
  return error;
}

}  // namespace hdbench::datagen
