#include "bench/run/needed_columns.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "bench/run/placement_notes.h"
#include "engine/exec/query_input.h"
#include "engine/shaping/result_schema.h"

namespace hdbench::bench {

namespace {
constexpr std::string_view kOthers = " and others";
}  // namespace

NeededColumns::NeededColumns(const Table& table, const Ranks* ranks)
    : table_(table), ranks_(ranks), fields_by_part_(table.part_count()) {}

void NeededColumns::add(const Table& table, const Plan& plan) {
  for (const PlanLeaf& leaf : leaves_of(table, plan)) {
    if (&leaf.table != &table_) continue;
    const std::vector<bool> needed = fields_read(table_.schema(), leaf.plan);
    for (const std::size_t part : parts_left(table_, leaf.plan)) {
      const bool is_shared = ranks_ != nullptr && table_.schema().partitioned;
      if (is_shared && !ranks_->owns(table_.partition_value(part))) continue;
      for (std::size_t field = 0; field < needed.size(); ++field) {
        if (needed[field]) fields_by_part_[part].insert(field);
      }
    }
  }
}

std::vector<NeededColumns::Place> NeededColumns::places() const {
  std::vector<Place> places;
  for (std::size_t part = 0; part < fields_by_part_.size(); ++part) {
    for (const std::size_t field : fields_by_part_[part]) places.push_back({part, field});
  }
  return places;
}

Result<std::uint64_t> NeededColumns::bytes(Codes codes) const {
  std::uint64_t bytes = 0;
  for (const Place& place : places()) {
    const QType type = table_.schema().fields[place.field].type;
    const bool is_narrow = codes == Codes::kNarrow && type == QType::kSymbol;
    HDB_ASSIGN(const std::uint64_t rows, table_.rows(place.part));
    bytes += rows * (is_narrow ? 1 : type_width(type));
  }
  return bytes;
}

Status NeededColumns::map_all(ThreadPool& pool, const std::atomic<bool>& stop,
                              const OnProgress& progress) const {
  const std::vector<Place> all = places();
  std::mutex mutex;
  std::optional<Error> first_error;
  std::atomic<std::size_t> done{0};
  std::atomic<bool> failed{false};
  pool.run(all.size(), [&](std::size_t task, std::size_t) {
    if (stop || failed) return;
    const Result<const Column*> column = table_.column(all[task].part, all[task].field);
    if (!column.ok()) {
      const std::lock_guard lock(mutex);
      if (!first_error) first_error = column.error();
      failed = true;
    }
    progress(++done, all.size());
  });
  if (first_error) return *first_error;
  if (stop) return usage_error("interrupted");
  return ok_status();
}

std::vector<ColumnNeed> column_needs(const Table& table, const NeededColumns& needed) {
  const Schema& schema = table.schema();
  const std::uint64_t rows = rows_of(table);
  std::vector<ColumnNeed> needs;
  for (const Field& field : schema.fields)
    needs.push_back({table.name(), field.name, rows * type_width(field.type), 0});
  std::vector<bool> is_packed(needs.size(), false);
  std::vector<double> plain_bytes(needs.size(), 0);
  for (const NeededColumns::Place& place : needed.places()) {
    const auto column = table.column(place.part, place.field);
    if (!column.ok()) continue;
    needs[place.field].needed_bytes += (*column)->stored_bytes() + (*column)->companion_bytes();
    plain_bytes[place.field] += static_cast<double>((*column)->bytes());
    is_packed[place.field] = is_packed[place.field] || (*column)->is_packed();
  }
  for (std::size_t field = 0; field < needs.size(); ++field) {
    ColumnNeed& need = needs[field];
    // Of compressed columns what is not needed was not looked at: as well compressed as the rest.
    if (is_packed[field] && plain_bytes[field] > 0) {
      need.bytes =
          static_cast<std::uint64_t>(static_cast<double>(need.bytes) *
                                     static_cast<double>(need.needed_bytes) / plain_bytes[field]);
    }
    need.bytes = std::max(need.bytes, need.needed_bytes);
  }
  for (std::size_t field = needs.size(); field > schema.own_fields(); --field) {
    if (needs[field - 1].needed_bytes == 0) needs.erase(needs.begin() + field - 1);
  }
  if (schema.partitioned) needs.erase(needs.begin());  // the partitions' own lies in no file
  return needs;
}

void note_compression(const Table& table, const NeededColumns& needed, DatasetContext& dataset) {
  std::uint64_t stored_bytes = 0;
  std::uint64_t plain_bytes = 0;
  for (const NeededColumns::Place& place : needed.places()) {
    const auto column = table.column(place.part, place.field);
    if (!column.ok() || (*column)->packed == nullptr) continue;
    const ZippedFile& file = (*column)->packed->zipped();
    stored_bytes += file.file_bytes();
    plain_bytes += file.plain_bytes();
    const std::string compression = file.compression();
    if (dataset.compression.empty()) dataset.compression = compression;
    const bool is_told =
        dataset.compression.starts_with(compression) || dataset.compression.ends_with(kOthers);
    if (!is_told) dataset.compression += kOthers;
  }
  if (plain_bytes != 0)
    dataset.stored_share = static_cast<double>(stored_bytes) / static_cast<double>(plain_bytes);
}

void merge_needs(std::vector<ColumnNeed>& all, const std::vector<ColumnNeed>& part) {
  for (const ColumnNeed& need : part) {
    const auto known = std::find_if(all.begin(), all.end(), [&](const ColumnNeed& one) {
      return one.table == need.table && one.column == need.column;
    });
    if (known == all.end()) {
      all.push_back(need);
      continue;
    }
    known->bytes = std::max(known->bytes, need.bytes);
    known->needed_bytes = std::max(known->needed_bytes, need.needed_bytes);
  }
}

}  // namespace hdbench::bench
