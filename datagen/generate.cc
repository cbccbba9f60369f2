#include "datagen/generate.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "datagen/column_values.h"
#include "datagen/layout.h"
#include "datagen/partition_files.h"
#include "datagen/staging_directory.h"
#include "datagen/synthetic_day.h"
#include "engine/base/file_handle.h"
#include "engine/base/thread_pool.h"
#include "engine/column/format_value.h"
#include "engine/storage/column_writer.h"

namespace hdbench::datagen {
namespace {

namespace fs = std::filesystem;

// The manifest that a resumed run goes on from: only the partitions that are there have sums.
Result<Manifest> manifest_of_rest(const DatabasePaths& paths, const Spec& spec) {
  std::error_code error;
  if (!fs::exists(paths.manifest, error)) return new_manifest(spec);
  HDB_ASSIGN(Manifest manifest, read_manifest(paths.manifest));
  HDB_TRY(check_same_spec(manifest.spec, spec, paths.manifest));
  for (PartitionEntry& entry : manifest.partitions) {
    const fs::path partition = paths.root / partition_name(QType::kDate, entry.day.date);
    if (!fs::exists(partition, error)) {
      entry.sum.reset();
      continue;
    }
    HDB_ASSIGN(const std::uint64_t bytes, check_lengths(partition, spec, entry.day));
    if (entry.sum && entry.sum->bytes == bytes) continue;
    if (entry.sum) {
      return data_error(
          fmt::format("{}: {} bytes of columns, but the manifest has {}: remove it "
                      "to have it made again",
                      partition.string(), bytes, entry.sum->bytes));
    }
    HDB_ASSIGN(entry.sum, read_partition_sum(partition, spec));
  }
  return manifest;
}

// "315.6 GB", "12.3 MB".
std::string size_text(std::uint64_t bytes) {
  constexpr double kGb = 1e9;
  constexpr double kMb = 1e6;
  const auto size = static_cast<double>(bytes);
  return size >= kGb ? fmt::format("{:.1f} GB", size / kGb) : fmt::format("{:.1f} MB", size / kMb);
}

Status check_room(const StagingDirectory& site, const Manifest& manifest,
                  const GenerateOptions& options) {
  // What repeats takes less than can be foretold of every algorithm: a full disk says so itself.
  if (manifest.spec.synthetic) return ok_status();
  const auto tables = table_plans(manifest.spec);
  std::uint64_t needed = 0;
  for (const PartitionEntry& entry : manifest.partitions) {
    if (!entry.sum) needed += day_bytes(tables, entry.day);
  }
  HDB_ASSIGN(const std::uint64_t room, site.free_bytes());
  if (needed <= room) return ok_status();
  std::string message = fmt::format("{}: needs {}, {} free", site.paths().root.string(),
                                    size_text(needed), size_text(room));
  // What is begun already has its scale.
  const bool is_new = manifest.partitions_complete() == 0;
  // Some space is left for indices, `sym` and the manifest.
  const auto scale = scale_of_bytes(manifest.spec, room - room / 50);
  if (is_new && scale) {
    message += fmt::format(": --scale {:.3g} would fit", *scale / options.scale_share);
  }
  return data_error(std::move(message));
}

// What a run of this spec makes in DB.partial.
std::vector<fs::path> files_of(const Spec& spec) {
  std::vector<fs::path> files{fs::path(kManifestName), fs::path(kDomainName)};
  const auto tables = table_plans(spec);
  for (const DayCount& day : day_counts(spec)) {
    const fs::path partition = partition_name(QType::kDate, day.date);
    files.push_back(partition);
    for (const TablePlan& plan : tables) {
      const fs::path table = partition / plan.name;
      files.insert(files.end(), {table, table / ".d"});
      for (const ColumnPlan& column : plan.columns) files.push_back(table / column.name);
    }
  }
  return files;
}

// What may be removed from DB.partial: what the manifest beside it, or for a run that ended before
// it was there, the one in it, says that this generator made.
Result<std::vector<fs::path>> claimed_files(const DatabasePaths& paths, const Spec& spec) {
  for (const fs::path& place : {paths.manifest, paths.partial / kManifestName}) {
    std::error_code error;
    if (!fs::is_regular_file(fs::symlink_status(place, error))) continue;
    HDB_ASSIGN(const Manifest manifest, read_manifest(place));
    HDB_TRY(check_same_spec(manifest.spec, spec, place));
    return files_of(spec);
  }
  return std::vector<fs::path>();
}

Result<StagingDirectory> site_for(const DatabasePaths& paths, const Spec& spec, bool resume) {
  if (!resume) return StagingDirectory::create(paths);
  HDB_ASSIGN(const std::vector<fs::path> claimed, claimed_files(paths, spec));
  return StagingDirectory::resume(paths, claimed);
}

// A killed run rereads the partitions that it finished since the manifest was last saved.
constexpr std::chrono::seconds kSaveEvery{1};

// Far above what any list of symbols takes that is made here.
constexpr std::size_t kSymbolFileBytesMax = std::size_t{64} << 20;

// One run of the generator: the columns of the missing partitions, spread over threads.
//
// A task is one column of one partition's table, so that few partitions occupy many threads too.
// The task that begins a table makes its directory (and its order, if parted); the one that ends
// the partition, all tables of it, publishes it. Tasks are taken in order, so about one partition a
// thread is open at most.
class Generation {
 public:
  // All three must outlive this. Partitions that have a sum in the manifest are kept as they are.
  Generation(StagingDirectory& site, Manifest& manifest, const GenerateOptions& options);

  // Generates what is missing, `sym` first, and updates the manifest in memory and on disk.
  Status run(std::size_t threads);

 private:
  // A column, and which of the tables it belongs to.
  struct Place {
    std::size_t table = 0;
    const ColumnPlan* column = nullptr;
  };
  struct PartTable {
    std::filesystem::path path;  // in DB.partial
    DayCount day;
    bool begun = false;
    std::optional<DayOrder> order;
    std::optional<SyntheticDay> synthetic;
    std::size_t columns_left = 0;
  };
  struct Part {
    PartitionEntry* entry = nullptr;
    std::filesystem::path path;  // in DB.partial
    std::mutex mutex;
    std::vector<PartTable> tables;
    std::vector<FileSum> columns;  // of all tables
    std::size_t columns_left = 0;
  };

  std::unique_ptr<Part> new_part(PartitionEntry& entry) const;
  Status make_root();  // the database's directory, and `sym` in it
  bool halted() const;
  void work(std::size_t task, std::span<std::byte> buffer);
  Status make_column(Part& part, std::size_t place, std::span<std::byte> buffer);
  Status begin(Part& part, std::size_t table);
  Status finish_column(Part& part, std::size_t place, const FileSum& sum);
  Status publish(Part& part);
  void fail(const Error& error);
  Error ending(const Error& reason) const;

  StagingDirectory& site_;
  Manifest& manifest_;
  const GenerateOptions& options_;
  std::vector<TablePlan> tables_;
  std::vector<Place> places_;  // the columns of all tables
  std::vector<std::string> symbols_;
  std::vector<std::unique_ptr<Part>> parts_;

  std::atomic<bool> failed_{false};
  std::mutex mutex_;  // of the manifest, the progress and the first error
  std::optional<Error> error_;
  Progress progress_;
  std::chrono::steady_clock::time_point saved_at_;
};

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
  Status saved = site_.save_manifest(manifest_text(manifest_));
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
  const ColumnPlan& column = *places_[place].column;
  const Spec& spec = manifest_.spec;
  const auto fill = [&](std::uint64_t first, std::size_t count, std::span<std::byte> out) {
    if (table.synthetic) return table.synthetic->fill(column, first, count, out);
    RowSlice slice{.first = first, .count = count};
    if (table.order) slice.order = table.order->rows.data() + first;
    fill_column(column, spec.seed, table.day, slice, out);
  };
  const bool is_parted = column.name == parted_column(spec);
  const ColumnJob job{column,
                      table.day.rows(),
                      !is_parted        ? nullptr
                      : table.synthetic ? &table.synthetic->index()
                                        : &table.order->index,
                      fill,
                      [this] { return halted(); },
                      spec.compression};
  HDB_ASSIGN(const FileSum sum, write_column(table.path, job, buffer));
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
  const Spec& spec = manifest_.spec;
  if (spec.synthetic) table.synthetic.emplace(spec.seed, table.day, spec.parted);
  for (const ColumnPlan& column : tables_[at].columns) {
    if (spec.synthetic || column.name != parted_column(spec)) continue;
    table.order = order_by_symbol(column, spec.seed, table.day, symbols_);
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
  return site_.save_manifest(manifest_text(manifest_));
}

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

}  // namespace

Result<Manifest> generate(const fs::path& db, const Spec& spec, const GenerateOptions& options) {
  HDB_TRY(validate(spec));
  HDB_ASSIGN(const DatabasePaths paths, database_paths(db));
  HDB_ASSIGN(StagingDirectory site, site_for(paths, spec, options.resume));
  HDB_ASSIGN(Manifest manifest, manifest_of_rest(paths, spec));
  if (options.check_free_space) HDB_TRY(check_room(site, manifest, options));
  HDB_TRY(site.save_manifest(manifest_text(manifest)));
  Generation generation(site, manifest, options);
  HDB_TRY(generation.run(spec.threads == 0 ? usable_cpus().size() : spec.threads));
  return manifest;
}

std::uint64_t expected_bytes(const Spec& spec) {
  const auto tables = table_plans(spec);
  std::uint64_t bytes = 0;
  for (const DayCount& day : day_counts(spec)) bytes += day_bytes(tables, day);
  return bytes;
}

std::optional<double> scale_of_bytes(const Spec& spec, std::uint64_t bytes) {
  const auto fits = [&](double scale) {
    Spec scaled = spec;
    scaled.scale = scale;
    return expected_bytes(scaled) <= bytes;
  };
  constexpr double kScaleMin = 1e-6;
  if (!fits(kScaleMin)) return std::nullopt;
  if (fits(kScaleMax)) return kScaleMax;
  double low = kScaleMin;
  double high = kScaleMax;
  constexpr int kSteps = 60;
  for (int step = 0; step < kSteps; ++step) {
    const double middle = std::sqrt(low * high);
    (fits(middle) ? low : high) = middle;
  }
  // Rounded down to three digits.
  const double unit = std::pow(10, std::floor(std::log10(low)) - 2);
  return std::stod(fmt::format("{:.3g}", std::floor(low / unit + 1e-9) * unit));
}

}  // namespace hdbench::datagen
