#include "bench/report/views/report_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace hdbench::bench {
namespace {

std::string machine_of(const Host& host) {
  return host.host_name.empty() ? describe(host) : host.host_name + ": " + describe(host);
}

template <typename T>
std::size_t place_in(std::vector<T>& list, const T& value) {
  const auto found = std::find(list.begin(), list.end(), value);
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  list.push_back(value);
  return list.size() - 1;
}

std::string dataset_name_of(const DatasetContext& dataset) {
  if (!dataset.name.empty()) return dataset.name;
  std::filesystem::path path(dataset.database);
  if (!path.has_filename()) path = path.parent_path();
  return path.filename().string();
}

class Merger {
 public:
  void add(SavedRun run) {
    const std::size_t machine =
        place_in(machines_, std::pair(machine_of(run.context.host), run.context.host.kernel));
    input_.machine_of_run.push_back(machine);
    std::map<std::string, std::size_t> datasets;
    for (const DatasetContext& one : run.context.datasets) datasets[one.name] = dataset_place(one);
    for (CellResult& cell : run.cells) {
      const auto dataset = datasets.find(cell.setting.dataset);
      const std::size_t place =
          dataset == datasets.end() ? dataset_place(run.context.datasets.front()) : dataset->second;
      add_cell({std::move(cell), input_.runs.size(), 0, place, machine}, run);
    }
    run.cells.clear();
    input_.runs.push_back(std::move(run));
  }

  ReportInput finish() {
    label_queries();
    describe_machines();
    if (replaced_ > 0) {
      input_.notes.push_back(
          fmt::format("{} cell{} in more than one file: the last file's {} shown.", replaced_,
                      replaced_ == 1 ? " is" : "s are", replaced_ == 1 ? "is" : "are"));
    }
    const bool several =
        std::any_of(input_.cells.begin(), input_.cells.end(),
                    [&](const auto& one) { return one.run != input_.cells.front().run; });
    if (several) {
      input_.notes.push_back(
          "The cells are of several runs: a ratio between two of them includes how much faster the "
          "machine was in one (hdbench compare shows that).");
    }
    return std::move(input_);
  }

 private:
  // With its kernel where another machine is described alike.
  void describe_machines() {
    for (const auto& [text, kernel] : machines_) {
      const auto alike =
          std::ranges::count(machines_, text, [](const auto& one) { return one.first; });
      input_.machines.push_back(alike > 1 ? fmt::format("{}, {}", text, kernel) : text);
    }
  }

  std::size_t dataset_place(const DatasetContext& dataset) {
    for (std::size_t i = 0; i < input_.datasets.size(); ++i) {
      ReportDataset& known = input_.datasets[i];
      if (known.partitions != dataset.partitions || known.table_rows != dataset.table_rows ||
          known.compression != dataset.compression)
        continue;
      if (!dataset.columns.empty()) known.columns = dataset.columns;
      return i;
    }
    input_.datasets.push_back({dataset_name_of(dataset), dataset.database, dataset.partitions,
                               dataset.table_rows, dataset.columns, dataset.compression,
                               dataset.stored_share});
    return input_.datasets.size() - 1;
  }

  std::size_t query_place(const CellResult& cell, const std::string& file) {
    for (std::size_t i = 0; i < input_.queries.size(); ++i) {
      if (input_.queries[i].id == cell.query && input_.queries[i].text == cell.text) return i;
    }
    input_.queries.push_back({cell.query, cell.text, {}, cell.name_of_query});
    query_files_.push_back(file);
    return input_.queries.size() - 1;
  }

  void check(const ReportCell& cell, const std::string& file) {
    if (!cell.result.checksum) return;
    const auto [known, is_new] =
        first_.try_emplace({cell.query, cell.dataset}, First{*cell.result.checksum, file});
    if (is_new || known->second.checksum == *cell.result.checksum) return;
    input_.conflicts.push_back(fmt::format(
        "{} over {}: checksum {:016x} in {} ({}), but {:016x} in {}",
        query_label(cell.result.query), input_.datasets[cell.dataset].name, *cell.result.checksum,
        file, cell.result.name(), known->second.checksum, known->second.file));
  }

  // A setting's own word for its dataset says nothing across files.
  static bool is_same(const ReportCell& a, const ReportCell& b) {
    if (a.query != b.query || a.dataset != b.dataset || a.machine != b.machine) return false;
    if (a.result.peer.has_value() != b.result.peer.has_value()) return false;
    if (a.result.peer && a.result.peer->engine != b.result.peer->engine) return false;
    Setting of_a = a.result.setting;
    Setting of_b = b.result.setting;
    of_a.dataset.clear();
    of_b.dataset.clear();
    return of_a == of_b;
  }

  void add_cell(ReportCell cell, const SavedRun& run) {
    cell.query = query_place(cell.result, run.context.query_file);
    check(cell, run.file);
    std::vector<ReportCell>& cells = cell.result.peer ? input_.peers : input_.cells;
    // Within one file cells are different by construction.
    const auto known = std::find_if(cells.begin(), cells.end(), [&](const ReportCell& other) {
      return other.run != cell.run && is_same(other, cell);
    });
    if (known == cells.end()) {
      cells.push_back(std::move(cell));
    } else {
      *known = std::move(cell);
      ++replaced_;
    }
  }

  void label_queries() {
    for (std::size_t i = 0; i < input_.queries.size(); ++i) {
      ReportQuery& query = input_.queries[i];
      query.label = query_label(query.id);
      const auto same =
          std::count_if(input_.queries.begin(), input_.queries.end(),
                        [&](const ReportQuery& other) { return other.id == query.id; });
      if (same > 1) query.label += fmt::format(" ({})", query_files_[i]);
    }
  }

  struct First {
    std::uint64_t checksum = 0;
    std::string file;
  };
  ReportInput input_;
  std::vector<std::pair<std::string, std::string>> machines_;  // described, and the kernel
  std::vector<std::string> query_files_;  // of each query: where it was first seen
  std::map<std::pair<std::size_t, std::size_t>, First> first_;
  std::size_t replaced_ = 0;
};

}  // namespace

std::uint64_t ReportDataset::rows() const {
  std::uint64_t total = 0;
  for (const auto& one : table_rows) total += one.second;
  return total;
}

std::string ReportInput::labels_of(const std::vector<std::size_t>& chosen) const {
  if (chosen.empty()) return "none";
  std::string text;
  for (const std::size_t query : chosen) text += (text.empty() ? "" : ", ") + queries[query].label;
  return text;
}

Result<ReportInput> merge_runs(std::vector<SavedRun> runs) {
  Merger merger;
  std::string files;
  for (SavedRun& run : runs) {
    files += (files.empty() ? "" : ", ") + run.file;
    merger.add(std::move(run));
  }
  ReportInput input = merger.finish();
  if (input.cells.empty()) return data_error(files + ": no cells: nothing to report");
  return input;
}

}  // namespace hdbench::bench
