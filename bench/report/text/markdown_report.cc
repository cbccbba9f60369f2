#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "bench/report/answers/answers.h"
#include "bench/report/answers/headline.h"
#include "bench/report/answers/quality.h"
#include "bench/report/published/published.h"
#include "bench/report/text/text_reports.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/machine_view.h"
#include "bench/report/views/thread_view.h"
#include "bench/report/views/verdict.h"

namespace hdbench::bench {
namespace {

using Lines = std::vector<std::string>;

// What Markdown or HTML would take for markup, escaped.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool is_special = std::string_view("\\`*_|[]<>#").find(c) != std::string_view::npos;
    if (is_special) out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

std::string markdown_list(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += "- " + escaped(line) + "\n";
  return text;
}

// Cells are as they are, the first row is the header; columns whose title ends with a colon are
// flush right, and lose it.
std::string table_text(const TextRows& rows) {
  std::string text;
  std::string rule = "|";
  for (const std::vector<std::string>& row : rows) {
    const bool is_header = &row == rows.data();
    text += "|";
    for (std::string cell : row) {
      const bool is_right = is_header && cell.ends_with(':');
      if (is_right) cell.pop_back();
      if (is_header) rule += is_right ? "--:|" : ":--|";
      text += " " + cell + " |";
    }
    text += is_header ? "\n" + rule + "\n" : "\n";
  }
  return text;
}

std::string markdown_figure(const VerdictCell& cell, TableMarks& marks) {
  if (cell.cell == nullptr) return "";
  if (!cell.ms) return "0N";
  std::string text = format_ms(*cell.ms);
  if (cell.interval) text += " [" + interval_text(*cell.interval) + "]";
  if (cell.gain) text += ", " + format_ratio(cell.gain->value);
  const char mark = marks.of(cell);
  return mark == ' ' ? text : fmt::format("{} {}", text, mark);
}

std::string verdict_text(const ReportPivot& pivot, const VerdictTable& table, TableMarks& marks) {
  TextRows rows{{"query", "rows:"}};
  for (const std::size_t at : table.columns) {
    const ReportColumn& column = pivot.column(at);
    rows.front().push_back(fmt::format(
        "{}{}{}:", escaped(column.label), pivot.stands_in(table.block, at) ? " (no p)" : "",
        column.emulated ? " (" + escaped(column.emulation) + ")" : ""));
  }
  for (const VerdictRow& row : table.rows) {
    rows.push_back({escaped(pivot.label(row.query)), row.rows});
    for (const VerdictCell& cell : row.cells) rows.back().push_back(markdown_figure(cell, marks));
  }
  std::string text = "\n### " + escaped(block_text(pivot, table.block)) + "\n\n" + table_text(rows);
  for (const std::string& reason : table.reasons) text += "\n0N: " + escaped(reason) + "\n";
  return text;
}

std::string verdict_part(const ReportPivot& pivot) {
  TableMarks marks;
  std::string tables;
  for (const ReportBlock& block : pivot.blocks())
    tables += verdict_text(pivot, verdict_table(pivot, block), marks);
  const std::string legend = marks.legend();
  return fmt::format(
             "\n## Verdict\n\nMedian in ms, its 95 % interval, how many times as fast as the "
             "reference ({}){}{}.\n",
             escaped(pivot.columns().front().label), legend.empty() ? "" : "; ", escaped(legend)) +
         tables;
}

std::string threads_part(const ReportPivot& pivot) {
  std::string text;
  for (const ThreadGroup& group : thread_groups(pivot)) {
    TextRows rows{{"query"}};
    for (std::size_t i = 1; i < group.threads.size(); ++i)
      rows.front().push_back(threads_text(group.threads[i]) + ":");
    rows.front().insert(rows.front().end(),
                        {"law", "what binds at " + threads_text(group.threads.back()), "enough:"});
    for (const ThreadLine& line : group.lines) {
      rows.push_back({escaped(pivot.label(line.query))});
      for (std::size_t i = 1; i < line.points.size(); ++i)
        rows.back().push_back(speedup_text(line.points[i]));
      rows.back().insert(rows.back().end(),
                         {escaped(law_text(line)), escaped(line.binding_text),
                          line.enough ? std::to_string(*line.enough) : "not reached"});
    }
    text += "\n### " + escaped(group.label) + "\n\n" + table_text(rows);
  }
  if (text.empty()) return {};
  return "\n## Threads\n\nSpeed-up over the fewest threads, and efficiency; the law that is fitted "
         "to the times; enough: every greater count's gain is 5 % at most, by its whole "
         "interval.\n" +
         text;
}

// "flat 1.2 of 1.2 GB: every page on node 1 (move_pages)". Of each layout and codes by itself: one
// after another lay there.
std::string proof_text(const std::vector<ReportCell>& cells, const std::string& medium) {
  std::set<std::pair<Layout, Codes>> seen;
  Lines sizes;
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

Lines media_lines(const ReportPivot& pivot) {
  Lines lines;
  for (const ReportCell& cell : pivot.input().cells) {
    const std::string& medium = cell.result.setting.medium;
    const std::string proof = proof_text(pivot.input().cells, medium);
    add_once(lines, fmt::format("{}: {}{}", medium, cell.result.medium_label,
                                proof.empty() ? "" : "; where its bytes lay: " + proof));
  }
  return lines;
}

std::string figure_text(const CeilingFigure& figure) {
  return fmt::format("{:.3g} ({:.3g})", figure.high, figure.median);
}

std::string memory_part(const MemoryCeilings& memory) {
  if (memory.by_threads.empty()) return markdown_list({"memory: none: " + memory.reason});
  TextRows rows{{"threads:", "read:", "write:", "write past the caches:", "copy past the caches:",
                 "gather:", "gather, ns a line:", "chase, ns a line:"}};
  for (const ThreadCeilings& one : memory.by_threads) {
    rows.push_back({std::to_string(one.threads)});
    for (const CeilingFigure& figure :
         {one.read_gb_s, one.write_gb_s, one.stream_gb_s, one.copy_gb_s, one.gather_gb_s,
          one.gather_ns, one.chase_ns})
      rows.back().push_back(figure_text(figure));
  }
  return fmt::format(
             "Memory: GB/s, 90th percentile (median) of {} rounds, 2 buffers of {} MiB{}; copy: "
             "bytes read and written; gather, chase: 64-byte lines in random order, independent "
             "and dependent; ns on one thread.\n\n",
             memory.by_threads.front().rounds, memory.buffer_bytes >> 20,
             memory.may_be_cached() ? ", of which the last-level caches may hold a part" : "") +
         table_text(rows) + "\n";
}

void add_saturation(const MemoryCeilings& memory, Lines& lines) {
  const auto read = [](const ThreadCeilings& one) { return one.read_gb_s.high; };
  const auto& counts = memory.by_threads;
  if (counts.empty()) return;
  const double best = read(*std::ranges::max_element(counts, {}, read));
  const auto enough = std::ranges::find_if(
      counts, [&](const ThreadCeilings& one) { return read(one) >= 0.95 * best; });
  lines.push_back(fmt::format("memory {} at {}: {:.1f} GB/s read",
                              enough + 1 == counts.end()
                                  ? "is not known to saturate, but reads most"
                                  : "saturates (within 5 % of the best)",
                              threads_text(enough->threads), read(*enough)));
}

void add_device(const std::string& whose, const DeviceCeilings& device, Lines& lines) {
  if (!device.known()) {
    if (!device.reason.empty()) lines.push_back(fmt::format("{}: none: {}", whose, device.reason));
    return;
  }
  const auto read = [](const DeviceRead& one) {
    return fmt::format("{} GB/s, {} KiB, {} at a time", figure_text(one.figure()),
                       one.block_bytes >> 10, one.in_flight);
  };
  lines.push_back(fmt::format(
      "{}, past the page cache ({}), 90th percentile (median): in order {}; in random places {}{}",
      whose, device.device, read(device.sequential), read(device.random),
      device.summed.gb_s.empty()
          ? ""
          : fmt::format("; in order, each byte then summed by a CPU: {} GB/s",
                        figure_text(device.summed.figure()))));
}

std::string ceilings_part(const RunCeilings& ceilings) {
  Lines lines;
  add_saturation(ceilings.memory, lines);
  add_device("the device", ceilings.device, lines);
  if (ceilings.scratch_device)
    add_device("the scratch files' device", *ceilings.scratch_device, lines);
  for (const PlacementCeilings& one : ceilings.placements) {
    if (one.device_sequential.gb_s.empty()) continue;
    lines.push_back(fmt::format(
        "the device beside the cold cells of {} {}{}{}: in order {} GB/s, {} rounds", one.medium,
        word(one.layout), one.codes == Codes::kNarrow ? " narrow" : "",
        one.dataset.empty() ? "" : ", " + one.dataset, figure_text(one.device_sequential.figure()),
        one.device_sequential.gb_s.size()));
  }
  return memory_part(ceilings.memory) + markdown_list(lines);
}

// What went beyond -w lies on another medium than the results, or in files. The most of a query
// under a limit, by where it went, whatever its other settings.
void add_spilled(const ReportPivot& pivot, Lines& notes) {
  std::map<std::tuple<std::size_t, std::size_t, std::uint64_t, std::string>, std::uint64_t> most;
  for (const ReportCell& cell : pivot.input().cells) {
    if (cell.result.spilled_bytes == 0) continue;
    const Setting& at = cell.result.setting;
    std::uint64_t& bytes = most[{cell.dataset, cell.query, at.limit_mib, at.spill}];
    bytes = std::max(bytes, cell.result.spilled_bytes);
  }
  for (const auto& [of, bytes] : most) {
    const auto& [dataset, query, limit_mib, spill] = of;
    const bool is_file = spill.empty() || spill == kSpillFile;
    notes.push_back(fmt::format(
        "spilled: {}{}, -w {}: up to {} of its workspace went to {}, not to the results' medium",
        pivot.label(query), dataset_note(pivot, dataset), limit_mib, bytes_text(bytes),
        is_file ? "files" : spill));
  }
}

// Of a run with --precision: the cells that do not have it.
void add_precision(const ReportPivot& pivot, std::size_t run, Lines& notes) {
  const double wanted = pivot.input().runs[run].context.precision.value_or(0);
  std::size_t wide = 0;
  std::size_t all = 0;
  for (const ReportCell& cell : pivot.input().cells) {
    const auto width = cell.run == run ? pivot.half_width(cell) : std::nullopt;
    all += width ? 1 : 0;
    wide += width && *width > wanted ? 1 : 0;
  }
  if (wanted > 0 && wide > 0) {
    notes.push_back(fmt::format("precision: {} of {} intervals are wider than +-{:g} %", wide, all,
                                100 * wanted));
  }
}

Lines note_lines(const ReportPivot& pivot) {
  Lines notes;
  for (const ReportCell& cell : pivot.input().cells) {
    const auto ceiling = pivot.ceiling(cell);
    if (median_ms(cell.result) && !ceiling.ok())
      add_once(notes, "no ceiling: " + ceiling.error().message);
  }
  add_spilled(pivot, notes);
  for (std::size_t run = 0; run < pivot.input().runs.size(); ++run) {
    const RunContext& context = pivot.input().runs[run].context;
    if (context.visits > 1)
      notes.push_back(fmt::format("repetitions are of {} visits", context.visits));
    add_precision(pivot, run, notes);
    for (const std::string& one : context.codes_saved) notes.push_back(one);
    for (const std::string& one : context.host_limits) notes.push_back("host limit: " + one);
    for (const std::string& one : context.left_out) notes.push_back("not run: " + one);
  }
  return notes;
}

// As a quotation, which stands out.
std::string doubts_text(const ReportPivot& pivot) {
  const auto found = doubts(pivot);
  if (found.empty()) return {};
  std::string text = fmt::format("> **{}**\n", kDoubtsTitle);
  for (const Doubt& doubt : found)
    text += ">\n> " + escaped(doubt.what) + " " + escaped(doubt.remedy) + "\n";
  return text + "\n";
}

std::string head_part(const ReportPivot& pivot) {
  std::string text = "# What each memory tier is worth\n\n" + doubts_text(pivot);
  for (const std::string& machine : pivot.input().machines) text += escaped(machine) + "\n\n";
  const ViewTable machines = machines_view(pivot.input());
  if (!machines.rows.empty()) text += markdown_table(machines) + "\n";
  for (const ReportDataset& dataset : pivot.input().datasets) {
    text += fmt::format("{}: {} rows, {} partitions\n\n", escaped(dataset.name),
                        with_commas(dataset.rows()), dataset.partitions);
  }
  const Headline head = headline(pivot);
  for (const std::string& sentence :
       {head.sentence, head.emulated_sentence, head.is_partial ? head.basis : ""}) {
    if (!sentence.empty()) text += escaped(sentence) + "\n\n";
  }
  return text;
}

}  // namespace

std::string markdown_escaped(const std::string& text) { return escaped(text); }

std::string markdown_table(const ViewTable& table) {
  TextRows rows{{}};
  for (const ViewColumn& column : table.columns)
    rows.front().push_back(escaped(column.title) + (column.is_text ? "" : ":"));
  for (const std::vector<ViewCell>& row : table.rows) {
    rows.emplace_back();
    for (const ViewCell& cell : row) {
      rows.back().push_back(
          escaped(cell.text) +
          (cell.beside.empty() ? "" : fmt::format(" ({})", escaped(cell.beside))));
    }
  }
  return "\n" + escaped(table.caption) + ":\n\n" + table_text(rows);
}

std::string markdown_report(const ReportPivot& pivot) {
  const ReportInput& input = pivot.input();
  std::string text = head_part(pivot) + "## Answers\n";
  for (const Answer& answer : answers(pivot, has_study_queries(pivot))) {
    text += fmt::format("\n**{}** {}\n\n", escaped(answer.question), escaped(answer.summary)) +
            markdown_list(answer.sentences);
  }
  text += verdict_part(pivot) + threads_part(pivot);
  if (const std::string peers = peer_text(pivot, 120); !peers.empty())
    text += "\n## Other engines\n\n```" + peers + "```\n";
  if (const std::string users = users_part(input, {120}); !users.empty())
    text += "\n## Several users\n\n```\n" + users + "```\n";
  if (const std::string ranks = ranks_part(input, {120}); !ranks.empty())
    text += "\n## Several machines\n\n```\n" + ranks + "```\n";
  text += "\n## Media\n\n" + markdown_list(media_lines(pivot));
  for (const SavedRun& run : input.runs) {
    text += fmt::format("\n## Ceilings{}\n\n",
                        input.runs.size() > 1 ? " of " + escaped(run.file) : "") +
            ceilings_part(run.context.ceilings);
  }
  if (const Lines notes = note_lines(pivot); !notes.empty())
    text += "\n## Notes\n\n" + markdown_list(notes);
  text += "\n## Queries\n\n";
  for (const std::size_t query : pivot.queries())
    text += markdown_list({pivot.label(query) + ": " + input.queries[query].text});
  text += "\n## How to reproduce\n\n```\n";
  for (const SavedRun& run : input.runs) text += run.context.command + "\n";
  return text + "```\n";
}

}  // namespace hdbench::bench
