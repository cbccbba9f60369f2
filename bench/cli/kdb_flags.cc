#include "bench/cli/kdb_flags.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "bench/base/number_text.h"
#include "bench/kdb/what_if.h"
#include "bench/model/query_list.h"
#include "engine/base/text.h"
#include "queries/query.h"

namespace hdbench::bench {
namespace {

// "100000", "1e8".
Result<std::uint64_t> row_count_of(std::string_view flag, const std::string& text,
                                   std::uint64_t least) {
  double value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr double kMost = 1e15;
  if (error != std::errc() || end != text.data() + text.size() || !(value <= kMost) ||
      value != std::floor(value) || value < static_cast<double>(least)) {
    return usage_error(
        fmt::format("{}: '{}', expected a number of rows such as 2000000 or 2e6", flag, text));
  }
  return static_cast<std::uint64_t>(value);
}

Result<KdbGuess> guess_of(const KdbFlags& flags) {
  KdbGuess guess;
  if (flags.table.empty() || flags.rows.empty())
    return usage_error("--what-if: needs --table 'time:n,sym:s,price:f' and --rows 1e8");
  HDB_ASSIGN(guess.rows, row_count_of("--rows", flags.rows, 0));
  guess.matches = guess.rows;
  if (!flags.partitions.empty()) {
    HDB_ASSIGN(guess.partitions, row_count_of("--partitions", flags.partitions, 1));
  }
  if (!flags.matches.empty()) {
    HDB_ASSIGN(guess.matches, row_count_of("--matches", flags.matches, 0));
  }
  if (!flags.distinct.empty()) {
    HDB_ASSIGN(guess.distinct, row_count_of("--distinct", flags.distinct, 1));
  }
  if (guess.matches > guess.rows) return usage_error("--matches: more rows than --rows");
  constexpr std::uint64_t kPartitionsMax = 100'000;
  if (guess.partitions > kPartitionsMax)
    return usage_error(fmt::format("--partitions: {} at most", kPartitionsMax));
  return guess;
}

// More that are freed one after the other are one line of a trace.
constexpr std::size_t kFreesShown = 4;

std::size_t frees_from(const std::vector<KdbEvent>& events, std::size_t at) {
  std::size_t end = at;
  while (end < events.size() && events[end].is_free) ++end;
  return end - at;
}

std::string peaks_line(const KdbPeaks& peaks) {
  return fmt::format("used {} ({} B), heap {}, least -w {}", memory_text(peaks.used),
                     with_commas(peaks.used), memory_text(peaks.heap),
                     memory_text(peaks.least_limit));
}

}  // namespace

void add_kdb_flags(FlagSet& command, KdbFlags& flags) {
  command.group("kdb+'s memory");
  command.add("--as", "WORD", flags.as,
              "whose memory: hdbench (the bytes of its own results), kdb (beside them what kdb+ "
              "would need, by a model of its allocator: docs/kdb-memory.md)");
  command.add("--kdb-version", "WORD", flags.version,
              "3.6, 4.0, 4.1, or 2.8 (for its published figures); default: as --mode");
  command.add("--gc", "WORD", flags.gc,
              "kdb+'s -g: 0 (freed blocks are kept) or 1 (large ones go back at once)");
  command.add("--processes", "N", flags.processes,
              "with --as kdb: the sum for so many processes, mapped columns once");
  command.add_flag("--what-if", flags.what_if,
                   "count for a table that is not there: a query's text stands where DB does, "
                   "--table and --rows tell the table");
  command.add("--table", "SCHEMA", flags.table,
              "with --what-if: 'time:n,sym:s:p,price:f', q's type letters, then an attribute; with "
              "--partitions the partition field first");
  command.add("--rows", "COUNT", flags.rows,
              "with --what-if: rows of the partitions that are read, such as 1e8");
  command.add("--partitions", "COUNT", flags.partitions,
              "with --what-if: partitions that are read; default: a table without any");
  command.add("--matches", "COUNT", flags.matches,
              "with --what-if: rows that the conditions leave; default: all");
  command.add("--distinct", "COUNT", flags.distinct, "with --what-if: groups of by; default: 1");
}

Result<bool> wants_kdb(const KdbFlags& flags) {
  HDB_TRY(check_word("--as", flags.as, {"hdbench", "kdb"}));
  const bool is_kdb = flags.as == "kdb" || flags.what_if;
  const std::string* const what_if_only[] = {&flags.table, &flags.rows, &flags.partitions,
                                             &flags.matches, &flags.distinct};
  for (const std::string* const word : what_if_only) {
    if (!word->empty() && !flags.what_if)
      return usage_error(
          "--table, --rows, --partitions, --matches, --distinct: only with --what-if");
  }
  if (!is_kdb && (!flags.version.empty() || flags.gc != "0" || flags.processes != 1))
    return usage_error("--kdb-version, --gc, --processes: only with --as kdb");
  if (flags.what_if && flags.processes != 1)
    return usage_error("--processes: not with --what-if, where no mapped columns are known");
  constexpr std::size_t kProcessesMax = 100'000;
  if (flags.processes == 0 || flags.processes > kProcessesMax)
    return usage_error(
        fmt::format("--processes: {}, expected 1 to {}", flags.processes, kProcessesMax));
  return is_kdb;
}

Status apply(const KdbFlags& flags, KdbSettings& settings) {
  HDB_TRY(check_word("--gc", flags.gc, {"0", "1"}));
  settings.keeps_large = flags.gc == "0";
  if (flags.version.empty()) return ok_status();
  HDB_ASSIGN(settings.version, parse_kdb_version("--kdb-version", flags.version));
  return ok_status();
}

std::string kdb_name(const KdbSettings& settings) {
  return fmt::format("kdb+ {}, -s {}, -g {}", word(settings.version), settings.secondary_threads,
                     settings.keeps_large ? 0 : 1);
}

std::string kdb_trace_text(const KdbMemory& memory, const KdbSettings& settings) {
  std::string text =
      fmt::format("{} (a model): {}\n", kdb_name(settings), peaks_line(memory.peaks));
  text += "held when most was:\n";
  for (const KdbHolding& holding : memory.held) {
    text += fmt::format("{:>12}  {:>6} x  {}\n", memory_text(holding.bytes),
                        with_commas(holding.blocks), printable_line(holding.what));
  }
  text +=
      fmt::format("{:>16}{:>16}{:>16}{:>16}  what{}\n", "bytes", "block", "used", "heap",
                  memory.parts > 1 ? fmt::format(" (the first of {} partitions, then all together)",
                                                 with_commas(memory.parts))
                                   : "");
  for (std::size_t at = 0; at < memory.events.size();) {
    const std::size_t freed = frees_from(memory.events, at);
    KdbEvent event = memory.events[at];
    if (freed > kFreesShown) {
      for (std::size_t f = 1; f < freed; ++f) {
        const KdbEvent& more = memory.events[at + f];
        event = {true,
                 fmt::format("{} blocks", with_commas(freed)),
                 event.elements_bytes + more.elements_bytes,
                 event.block_bytes + more.block_bytes,
                 more.used_after,
                 more.heap_after};
      }
    }
    text += fmt::format("{:>16}{:>16}{:>16}{:>16}  {}\n", with_commas(event.elements_bytes),
                        (event.is_free ? "-" : "+") + with_commas(event.block_bytes),
                        with_commas(event.used_after), with_commas(event.heap_after),
                        printable_line(event.what));
    at += freed > kFreesShown ? freed : 1;
  }
  return text;
}

std::string kdb_server_text(const KdbServer& server, const KdbSettings& settings) {
  return fmt::format(
      "A server of {} process{} of {}: {} x {} of heap + {} of mapped columns in the page cache = "
      "{}\n",
      server.processes, server.processes == 1 ? "" : "es", kdb_name(settings), server.processes,
      memory_text(server.process_bytes), memory_text(server.mapped_bytes),
      memory_text(server.total_bytes()));
}

Json kdb_json(const KdbMemory& memory) {
  return {{"least_w_mib", memory.least_w_mib()},
          {"peak_used_bytes", memory.peaks.used},
          {"peak_heap_bytes", memory.peaks.heap}};
}

Result<std::string> what_if_text(const KdbFlags& flags, const std::string& text,
                                 const KdbSettings& settings, bool is_json) {
  if (text.empty()) return usage_error("--what-if: the query's text is missing");
  HDB_ASSIGN(const KdbGuess guess, guess_of(flags));
  const bool is_partitioned = !flags.partitions.empty();
  HDB_ASSIGN(const std::vector<ListedQuery> listed, one_query(text));
  HDB_ASSIGN(const std::shared_ptr<const Table> table,
             what_if_table("--table", flags.table, is_partitioned, text));
  BindTables tables;
  tables.find = [&](const std::string&) -> Result<const Table*> { return table.get(); };
  Result<BoundQuery> bound = bind(listed.front().query, tables);
  if (!bound.ok()) return show_place(bound.error(), text);
  const KdbSteps steps = guess_steps(*bound->plan, is_partitioned, guess);
  const KdbMemory memory = kdb_memory(table.get(), *bound->plan, steps, settings);
  if (is_json) return kdb_json(memory).dump() + "\n";
  return kdb_trace_text(memory, settings) +
         fmt::format(
             "It completes with -w {} and not with less; were the table in memory, its columns "
             "would be {} besides.\n",
             memory.least_w_mib(), memory_text(kdb_table_bytes(table->schema(), guess.rows)));
}

}  // namespace hdbench::bench
