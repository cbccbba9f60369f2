#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "bench/report/answers/answers.h"
#include "bench/report/published/published.h"
#include "bench/report/text/text_reports.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/paper_charts.h"
#include "bench/report/views/verdict.h"

namespace hdbench::bench {
namespace {

// Narrower than this, a table leaves out what the page and the CSV have.
constexpr std::size_t kWholeWidth = 120;

// A line of the text, folded.
struct FullLine {
  std::size_t width;

  std::string operator()(const std::string& text) const { return folded(text, width, "  "); }
};

std::string head_text(const SavedRun& run, bool is_one_of_many, const FullLine& line) {
  const RunContext& context = run.context;
  std::string text =
      line(fmt::format("{}hdbench {} ({}), {}", is_one_of_many ? run.file + ": " : "",
                       context.version, context.commit, describe(context.host)));
  for (const DatasetContext& dataset : context.datasets) {
    std::string rows;
    for (const auto& [name, count] : dataset.table_rows)
      rows += fmt::format("{} {} rows, ", name, with_commas(count));
    text += line(fmt::format("{}{}: {}{} partition{}; {}",
                             dataset.name.empty() ? "" : dataset.name + ": ", dataset.database,
                             rows, dataset.partitions, dataset.partitions == 1 ? "" : "s",
                             context.query_file));
  }
  return text;
}

std::string answers_text(const ReportPivot& pivot, const FullLine& line) {
  std::string text;
  for (const Answer& answer : answers(pivot, has_study_queries(pivot))) {
    text += "\n" + line(answer.question) + "  " + folded(answer.summary, line.width - 2, "  ");
    for (const std::string& sentence : answer.sentences)
      text += "  - " + folded(sentence, line.width - 4, "    ");
  }
  return text;
}

// Axes come first; one that is the same in all cells stands above the list instead, and those from
// the codes on share a column.
struct ListTitles {
  TextRows::value_type titles{"query"};
  std::size_t others = 0;  // where the codes are
  std::size_t axes = 0;    // behind the last one
};

ListTitles list_titles() {
  const std::map<std::string_view, std::string> kShort{{"threads", "-s"},     {"limit", "-w"},
                                                       {"prefetch", "ahead"}, {"results", "on"},
                                                       {"emulation", "by"},   {"data", "database"}};
  ListTitles list;
  for (const Axis& axis : axes()) {
    if (axis.name == "codes") {
      list.titles.emplace_back("reps");
      list.others = list.titles.size();
    }
    const auto known = kShort.find(axis.name);
    list.titles.push_back(known == kShort.end() ? std::string(axis.name) : known->second);
  }
  list.titles.emplace_back("machine");
  list.axes = list.titles.size();
  list.titles.insert(list.titles.end(), {"rows", "ms", "+-%", "GB/s", "ceiling", "times"});
  return list;
}

// What the list has in the axis' column.
std::string axis_text(const ReportPivot& pivot, const ReportCell& cell, const Axis& axis,
                      TableMarks& marks) {
  const CellResult& result = cell.result;
  const std::string word = axis.word(result.setting);
  if (axis.name == "data") return pivot.input().datasets[cell.dataset].name;
  if (axis.name == "limit" && word == "0") return {};
  const std::size_t cpus = pivot.input().runs[cell.run].context.host.cpus;
  if (axis.name == "threads" && cpus != 0 && result.setting.threads > cpus) {
    marks.add(kCrowdedMark);
    return fmt::format("{}>{}", word, cpus);
  }
  if (axis.name == "medium" && result.emulated) marks.add(kEmulatedMark);
  if (axis.name == "medium")
    return result.peer ? result.peer->engine : word + (result.emulated ? "*" : "");
  return result.peer && (axis.is_own || axis.name == "attr") ? "" : word;
}

std::string ceiling_mark(const ReportPivot& pivot, const ReportCell& cell) {
  const auto ceiling = pivot.ceiling(cell);
  if (pivot.is_cached(cell)) return "cached ";
  if (!ceiling.ok()) return "-  ";
  return fmt::format("{:.{}f}% {}{}", ceiling->percent, ceiling->percent < 9.95 ? 1 : 0,
                     word(ceiling->kind).front(), ceiling->above() ? '!' : ' ');
}

// "=1.01x"; the reference's cell has its own mark alone.
std::string gain_mark(const ReportPivot& pivot, const ReportCell& cell, TableMarks& marks) {
  VerdictCell verdict{&cell, median_ms(cell.result), {}, pivot.gain(cell)};
  verdict.is_above_ceiling = pivot.is_impossible(cell);
  verdict.is_cached = pivot.is_cached(cell);
  const char mark = marks.of(verdict);
  return (mark == ' ' ? "" : std::string(1, mark)) +
         (verdict.gain ? format_ratio(verdict.gain->value) : "");
}

std::vector<std::string> cell_row(const ReportPivot& pivot, const ReportCell& cell,
                                  TableMarks& marks) {
  const CellResult& result = cell.result;
  const std::string reps = std::to_string(result.real_ms.size());
  std::vector<std::string> row{pivot.label(cell.query)};
  for (const Axis& axis : axes()) {
    if (axis.name == "codes")
      row.push_back(result.visits.size() > 1 ? fmt::format("{}/{}", reps, result.visits.size())
                                             : reps);
    row.push_back(axis_text(pivot, cell, axis, marks));
  }
  row.push_back(std::to_string(cell.machine + 1));
  row.push_back(result.rows_out ? with_commas(*result.rows_out) : "0N");
  const auto ms = median_ms(result);
  if (!ms) return row;
  const auto width = pivot.half_width(cell);
  row.push_back(format_ms(*ms));
  constexpr double kWidest = 9.995;
  row.push_back(!width ? "" : *width > kWidest ? ">999" : fmt::format("{:.0f}", 100 * *width));
  if (result.peer) return row;
  const auto rate = gb_per_s(result);
  row.push_back(rate ? fmt::format("{:.2f}", *rate) : "");
  row.push_back(ceiling_mark(pivot, cell));
  row.push_back(gain_mark(pivot, cell, marks));
  return row;
}

// Of a line, with columns `gap` apart.
std::size_t width_of(const TextRows& rows, std::size_t gap) {
  const std::vector<std::size_t> widths = widths_of(rows);
  return std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1));
}

// Takes columns out of a table that is wider than a narrow terminal, then cuts the longest axis
// until lines fit.
void fit(TextRows& rows, std::size_t& axes, std::size_t width) {
  for (const char* const title : {"GB/s", "rows", "reps", "+-%"}) {
    const auto found = std::find(rows.front().begin(), rows.front().end(), title);
    if (width >= kWholeWidth || width_of(rows, 1) <= width || found == rows.front().end()) continue;
    const auto at = found - rows.front().begin();
    for (auto& row : rows) {
      if (at < std::ssize(row)) row.erase(row.begin() + at);
    }
    axes -= at < static_cast<std::ptrdiff_t>(axes) ? 1 : 0;
  }
  constexpr std::size_t kLeast = 8;
  while (width_of(rows, 1) > width) {
    const std::vector<std::size_t> widths = widths_of(rows);
    const auto most = std::max_element(widths.begin(), widths.begin() + static_cast<long>(axes));
    if (*most <= kLeast) return;
    for (auto& row : rows) {
      std::string& text = row[static_cast<std::size_t>(most - widths.begin())];
      text = cut_to(text, *most - 1, "~");
    }
  }
}

// Every cell, one line each.
std::string cells_text(const ReportPivot& pivot, const FullLine& line) {
  const auto [titles, others, all_axes] = list_titles();
  TextRows rows{titles};
  TableMarks marks;
  for (const ReportCell& cell : pivot.input().cells) rows.push_back(cell_row(pivot, cell, marks));
  const auto own = static_cast<std::ptrdiff_t>(rows.size());
  for (const ReportCell& cell : pivot.input().peers) rows.push_back(cell_row(pivot, cell, marks));
  std::vector<std::string> same;
  std::size_t axes = all_axes;
  for (std::size_t i = all_axes; i-- > 1;) {
    const bool differs = std::any_of(rows.begin() + 1, rows.begin() + own,
                                     [&](const auto& row) { return row[i] != rows[1][i]; });
    const bool is_kept = differs || (i == 1 && own < std::ssize(rows));
    if (is_kept && i <= others) continue;
    if (!is_kept && !rows[1][i].empty()) same.insert(same.begin(), rows[0][i] + " " + rows[1][i]);
    for (auto& row : rows) {
      if (is_kept && !row[i].empty()) row[others] += (row[others].empty() ? "" : " ") + row[i];
      row.erase(row.begin() + static_cast<std::ptrdiff_t>(i));
    }
    --axes;
  }
  const std::size_t gap = width_of(rows, 2) > line.width ? 1 : 2;
  fit(rows, axes, line.width);
  const std::string legend = marks.legend();
  return "\n" +
         line(fmt::format(
             "every cell{}; reps: repetitions/visits; +-%: of the median, by its 95 % interval; "
             "ceiling: mostly r read, w write, c copy, d device; times: as fast as {}{}{}",
             same.empty() ? "" : fmt::format(" ({})", fmt::join(same, ", ")),
             pivot.columns().front().label, legend.empty() ? "" : ", ", legend)) +
         aligned(rows, axes, gap);
}

// "flat 1.2 of 1.2 GB: every page on node 1 (move_pages)". Of each layout and codes by itself: one
// after another lay there.
std::string proof_text(const std::vector<ReportCell>& cells, const std::string& medium) {
  std::set<std::pair<Layout, Codes>> seen;
  std::vector<std::string> sizes;
  const PlacementProof* last = nullptr;
  for (const ReportCell& cell : cells) {
    const Setting& setting = cell.result.setting;
    if (setting.medium != medium || !cell.result.placement_proof) continue;
    if (!seen.insert({setting.layout, setting.codes}).second) continue;
    last = &*cell.result.placement_proof;
    sizes.push_back(fmt::format("{}{} {:.3g} of {:.3g} GB", word(setting.layout),
                                setting.codes == Codes::kNarrow ? " with narrow codes" : "",
                                static_cast<double>(last->bytes_where_promised) / 1e9,
                                static_cast<double>(last->bytes_total) / 1e9));
  }
  if (last == nullptr) return {};
  if (!last->unknown.empty() && last->bytes_total == 0) return "not seen: " + last->unknown;
  if (last->claim.empty()) return "nothing promised of it";
  return fmt::format("{}: {} ({})", fmt::join(sizes, ", "), last->claim, last->how);
}

std::string media_text(const ReportPivot& pivot, const FullLine& line) {
  std::vector<std::string> lines;
  for (const ReportCell& cell : pivot.input().cells) {
    const std::string& medium = cell.result.setting.medium;
    const std::string proof = proof_text(pivot.input().cells, medium);
    add_once(lines, fmt::format("{}{}: {}{}", cell.result.emulated ? "* " : "", medium,
                                cell.result.medium_label,
                                proof.empty() ? "" : "; where it lay: " + proof));
  }
  std::string text = "\n";
  for (const std::string& one : lines) text += line(one);
  return text;
}

std::string figure_text(const CeilingFigure& figure) {
  return fmt::format("{:.3g} ({:.3g})", figure.high, figure.median);
}

std::string saturation_text(const MemoryCeilings& memory, const FullLine& line) {
  const auto read = [](const ThreadCeilings& one) { return one.read_gb_s.high; };
  const auto& counts = memory.by_threads;
  double best = 0;
  for (const ThreadCeilings& one : counts) best = std::max(best, read(one));
  const auto enough = std::find_if(counts.begin(), counts.end(), [&](const ThreadCeilings& one) {
    return read(one) >= 0.95 * best;
  });
  return line(fmt::format("memory {} at {}: {:.1f} GB/s read",
                          enough + 1 == counts.end() ? "is not known to saturate, but reads most"
                                                     : "saturates (within 5 % of the best)",
                          threads_text(enough->threads), read(*enough)));
}

TextRows memory_rows(const MemoryCeilings& memory, bool has_median) {
  TextRows rows{{"threads", "read", "write", "write*", "copy*", "gather", "gather ns", "chase ns"}};
  for (const ThreadCeilings& one : memory.by_threads) {
    rows.push_back({std::to_string(one.threads)});
    for (const CeilingFigure& figure :
         {one.read_gb_s, one.write_gb_s, one.stream_gb_s, one.copy_gb_s, one.gather_gb_s,
          one.gather_ns, one.chase_ns})
      rows.back().push_back(has_median ? figure_text(figure) : fmt::format("{:.3g}", figure.high));
  }
  return rows;
}

std::string memory_text(const MemoryCeilings& memory, const FullLine& line) {
  if (memory.by_threads.empty()) return line("ceilings of memory: none: " + memory.reason);
  TextRows rows = memory_rows(memory, true);
  const bool has_median = width_of(rows, 2) <= line.width;
  if (!has_median) rows = memory_rows(memory, false);
  return line(fmt::format(
             "ceilings of memory: GB/s, 90th percentile{} of {} rounds, 2 buffers of {} MiB{}; *: "
             "past "
             "the "
             "caches; copy: bytes read and written; gather, chase: 64-byte lines in random order, "
             "independent and dependent; ns a line on one thread",
             has_median ? " (median)" : "", memory.by_threads.front().rounds,
             memory.buffer_bytes >> 20,
             memory.may_be_cached() ? ", of which the last-level caches may hold a part" : "")) +
         aligned(rows, 0) + saturation_text(memory, line);
}

std::string device_text(const std::string& whose, const DeviceCeilings& device,
                        const FullLine& line) {
  if (!device.known()) return line(fmt::format("ceiling of {}: none: {}", whose, device.reason));
  const auto read = [](const DeviceRead& one) {
    return fmt::format("{} GB/s, {} KiB, {} at a time", figure_text(one.figure()),
                       one.block_bytes >> 10, one.in_flight);
  };
  return line(fmt::format(
      "ceiling of {}, past the page cache ({}), 90th percentile (median): in order {}; in "
      "random places {}{}",
      whose, device.device, read(device.sequential), read(device.random),
      device.summed.gb_s.empty()
          ? ""
          : fmt::format("; in order, each byte then summed by a CPU: {} GB/s",
                        figure_text(device.summed.figure()))));
}

std::string ceilings_text(const RunCeilings& ceilings, const FullLine& line) {
  std::string text = "\n" + memory_text(ceilings.memory, line);
  if (ceilings.device.known() || !ceilings.device.reason.empty())
    text += device_text("the device", ceilings.device, line);
  if (ceilings.scratch_device)
    text += device_text("the scratch files' device", *ceilings.scratch_device, line);
  for (const PlacementCeilings& one : ceilings.placements) {
    if (one.device_sequential.gb_s.empty()) continue;
    text += line(fmt::format(
        "beside the cold cells of {} {}{}{}: in order {} GB/s, {} rounds", one.medium,
        word(one.layout), one.codes == Codes::kNarrow ? " narrow" : "",
        one.dataset.empty() ? "" : ", " + one.dataset, figure_text(one.device_sequential.figure()),
        one.device_sequential.gb_s.size()));
  }
  return text;
}

// What was written to files lies on none of the media. The most of a query under a limit, whatever
// its other settings.
void add_spilled(const ReportPivot& pivot, std::vector<std::string>& notes) {
  std::map<std::tuple<std::size_t, std::size_t, std::uint64_t>, std::uint64_t> most;
  for (const ReportCell& cell : pivot.input().cells) {
    if (cell.result.spilled_bytes == 0) continue;
    std::uint64_t& bytes = most[{cell.dataset, cell.query, cell.result.setting.limit_mib}];
    bytes = std::max(bytes, cell.result.spilled_bytes);
  }
  for (const auto& [of, bytes] : most) {
    const auto& [dataset, query, limit_mib] = of;
    notes.push_back(fmt::format(
        "spilled: {}{}, -w {}: up to {} of its workspace went to files, not to the results' medium",
        pivot.input().datasets.size() < 2 ? "" : pivot.input().datasets[dataset].name + ": ",
        pivot.label(query), limit_mib, bytes_text(bytes)));
  }
}

// Of a run that asked for a precision: the cells that do not have it.
void add_precision(const ReportPivot& pivot, std::size_t run, std::vector<std::string>& notes) {
  const double asked = pivot.input().runs[run].context.precision.value_or(0);
  std::size_t wide = 0;
  std::size_t all = 0;
  for (const ReportCell& cell : pivot.input().cells) {
    const auto width = cell.run == run ? pivot.half_width(cell) : std::nullopt;
    all += width ? 1 : 0;
    wide += width && *width > asked ? 1 : 0;
  }
  if (asked > 0 && wide > 0) {
    notes.push_back(
        fmt::format("precision: {} of {} intervals are wider than the +-{:g} % that were asked for",
                    wide, all, 100 * asked));
  }
}

std::string queries_list(const ReportPivot& pivot, const FullLine& line) {
  std::string text = "\n";
  for (const std::size_t query : pivot.queries()) {
    std::string words = pivot.input().queries[query].text;
    std::replace(words.begin(), words.end(), '\n', ' ');
    text += line(pivot.label(query) + ": " + words);
  }
  return text;
}

std::string notes_text(const ReportPivot& pivot, const FullLine& line) {
  std::vector<std::string> notes;
  for (const ReportCell& cell : pivot.input().cells) {
    const auto ceiling = pivot.ceiling(cell);
    const std::string& query = pivot.label(cell.query);
    if (cell.result.error) add_once(notes, fmt::format("0N: {}: {}", query, *cell.result.error));
    if (median_ms(cell.result) && !ceiling.ok())
      add_once(notes, "no ceiling: " + ceiling.error().message);
  }
  add_spilled(pivot, notes);
  for (std::size_t run = 0; run < pivot.input().runs.size(); ++run) {
    const RunContext& context = pivot.input().runs[run].context;
    add_precision(pivot, run, notes);
    for (const std::string& one : context.codes_saved) notes.push_back(one);
    for (const std::string& one : context.host_limits) notes.push_back("host limit: " + one);
    for (const std::string& one : context.left_out) notes.push_back("not run: " + one);
    notes.push_back("again: " + command_of(pivot, run));
  }
  std::string text = "\n";
  for (const std::string& note : notes) text += line(note);
  return text;
}

}  // namespace

std::string full_report(const ReportPivot& pivot, const TextLook& look) {
  const FullLine line{look.columns};
  const std::vector<SavedRun>& runs = pivot.input().runs;
  std::string text = doubts_strip(pivot, look);
  for (const SavedRun& run : runs) text += head_text(run, runs.size() > 1, line);
  text += answers_text(pivot, line) + cells_text(pivot, line) + queries_list(pivot, line) +
          thread_text(pivot, look.columns) + peer_text(pivot, look.columns) +
          media_text(pivot, line);
  for (const SavedRun& run : runs) text += ceilings_text(run.context.ceilings, line);
  return text + notes_text(pivot, line);
}

}  // namespace hdbench::bench
