#include "bench/cli/axis_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "bench/base/lines.h"
#include "bench/base/report_error.h"
#include "bench/machine/setting_notes.h"
#include "bench/model/column_places.h"
#include "bench/predict/interleave_search.h"
#include "engine/kernel/cpu_tuning.h"
#include "pmem/base/medium_spec.h"

namespace hdbench::bench {
namespace {

// An axis' flag: its defaults and help where one word is given and where a list is.
struct AxisHelp {
  const char* axis;
  const char* flags;
  const char* usual;
  const char* usual_list;
  std::string about;
  std::string about_list = about;
};

const AxisHelp kAxisHelp[] = {
    {"medium", "--medium", "nvme", "nvme,dram",
     "where the columns are: nvme, dram, tmpfs, app-direct, memory-mode, cxl or numa:N; emulated "
     "with a profile (cxl:cxl-asic-ddr5; hdbench topo --profiles lists them), or with the default "
     "one where this machine lacks it (hdbench topo). Options: cxl:interleave=3:1 and "
     "cxl:PROFILE+interleave=3:1 (three pages in DRAM for each on CXL; auto: the weights at "
     "which the queries take the least time, which are searched first), cxl:PROFILE+near=2GiB and "
     "memory-mode:near=25% (the near cache: a size, or a share of the database's bytes)"},
    {"layout", "--layout", "partitioned", "",
     "partitioned (as on disk) or flat (all partitions joined to one table)",
     "partitioned (as on disk), flat (one table); default: partitioned on nvme, both in memory"},
    {"codes", "--codes", "stored", "stored",
     "symbols' codes: stored (kdb+'s 8 bytes), narrow (loaded at 1, 2 or 4, flat's date as offsets "
     "of 1 or 2; says what that saves)"},
    {"attr", "--attr", "parted", "none,parted",
     "parted: conditions use p# indexes; none: they scan"},
    {"mode", "--mode", "4.0", "3.6,4.0",
     "3.6: partitions in parallel; 4.0: also inside primitives (kdb+'s versions)"},
    {"threads", "-s,--threads", "all", "1,all",
     "secondary threads as kdb+ counts them (0 and 1: one thread), or all",
     "secondary threads as kdb+ counts them (0 and 1: one thread), all, or a range: 1..4 every "
     "count, 1..all powers of two and all"},
    {"limit", "-w,--limit", "", "",
     "workspace limit in MiB, 0 for none; default: what the machine, its control group and rlimits "
     "leave"},
    {"cache", "--cache", "", "cold,warm",
     "make a disk's pages cold or warm first, and prove it; default: as they are",
     "of a disk's pages, proved before each cold run: cold, warm"},
    {"prefetch", "--prefetch", "off", "off",
     "on: a disk's columns are read ahead of the queries, through 32 MiB of memory or more, and "
     "what a query reads twice through the page cache; off: when they are touched, as kdb+ does"},
    {"compressed", "--compressed", "asis", "asis",
     "columns that are compressed: asis (left so on the medium, unpacked in a query's time as it "
     "touches them, as kdb+ does), unpacked (before it, onto the medium)"}};

bool takes_axis(AxisForm form, std::string_view axis) {
  const bool is_of_run = axis == "limit" || axis == "cache" || axis == "prefetch";
  if (form == AxisForm::kRecord) return !is_of_run && axis != "medium";
  return form != AxisForm::kSearch || !is_of_run;
}

void add_axis(FlagSet& command, AxisForm form, const AxisHelp& help, AxisFlags& flags) {
  const bool lists = form == AxisForm::kLists;
  std::string& words = flags.words[help.axis];
  words = lists ? help.usual_list : help.usual;
  const bool is_mib = !lists && std::string_view(help.axis) == "limit";
  command.add(help.flags,
              lists    ? "LIST"
              : is_mib ? "MIB"
                       : "WORD",
              words, lists ? help.about_list : help.about);
}

void add_place_flag(FlagSet& command, AxisForm form, AxisFlags& flags) {
  std::string about =
      "columns that lie on another medium than --medium says, say bid,ask=cxl (all: every column); "
      "may be repeated. Cold, those in memory stay there";
  if (form == AxisForm::kLists)
    about += ". A list of placements: 'none; bid,ask=cxl; all=cxl & bid=dram'";
  command.add("--place", "COL,..=MEDIUM", flags.places, about).one_value_each();
}

void add_rank_flags(FlagSet& command, AxisFlags& flags) {
  command.group("Several machines (mpirun -n N hdbench ...)");
  command.add(
      "--share", "WORD", flags.share,
      "how ranks share out the partitions: round-robin (so that all have some of each month), "
      "contiguous (runs of neighbours), bytes (runs of as many bytes)");
  command.add_path("--shards", PathUse::kReadsFile, flags.shards,
                   "each rank's DB holds its own partitions: lines of a rank, or a host that has "
                   "one, and partitions, such as 0 2024.01.02..2024.03.29");
  add_rank_timeout(command, flags.rank_timeout_s);
}

// 0: not given.
Result<std::size_t> ceiling_bytes_of(const std::string& text) {
  constexpr std::uint64_t kLeast = 1 << 20;
  if (text.empty()) return std::size_t{0};
  const auto bytes = parse_size(text);
  if (bytes.ok() && *bytes >= kLeast) return static_cast<std::size_t>(*bytes);
  return usage_error(fmt::format("--ceiling-size: '{}' is not a size of at least 1MiB", text));
}

// The words of a comma list, each resolved; empty ones stay for the list's own parser.
std::string resolved_list(const std::string& list, const MediumResolver& resolve) {
  std::string resolved;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (begin > 0) resolved += ',';
    resolved += resolve(list.substr(begin, end - begin)).word;
    begin = end + 1;
  }
  return resolved;
}

}  // namespace

void add_axis_flags(FlagSet& command, AxisForm form, AxisFlags& flags) {
  command
      .add_path("DB", PathUse::kReadsDirectory, flags.database,
                "a kdb+ database: its root directory")
      .required();
  command.group(form == AxisForm::kRecord ? "Settings" : "Media");
  for (const AxisHelp& help : kAxisHelp) {
    if (!takes_axis(form, help.axis)) continue;
    if (form != AxisForm::kRecord && std::string_view(help.axis) == "attr")
      command.group("Settings");
    add_axis(command, form, help, flags);
  }
  command.add("--missing", "WORD", flags.missing,
              "a column that an older partition's .d does not name: error (where a query "
              "touches it there, as kdb+), null (nulls there)");
  const bool runs = form == AxisForm::kOne || form == AxisForm::kLists;
  if (runs) {
    command.add("--on-limit", "WORD", flags.on_limit,
                "what a query does at -w: abort (0N; the next one runs), exit (status 1), "
                "spill (what goes beyond it lies in files on a disk, as spill=file) or "
                "spill=MEDIUM (on memory: cxl, cxl:PROFILE, numa:N, app-direct, ...)");
    command.add_flag("--drop-caches", flags.drop_caches,
                     "cold, where another process maps the columns: drop the whole machine's page "
                     "cache (root)");
  }
  if (form != AxisForm::kRecord) {
    command.add(
        "--tiering", "WORD", flags.tiering,
        "what the kernel does with pages by itself meanwhile (root; set back however this "
        "ends): off (no NUMA balancing, no demotion) or numa-balancing (its memory tiering); "
        "default: as it is");
  }
  command
      .add("--param", "NAME=FILE|VALUE", flags.params,
           "a name in the queries that is no column: the lines of a file (symbols, numbers "
           "or dates), or a value as q writes it; may be given again")
      .one_value_each();
  command.add_flag("--lenient", flags.lenient,
                   "symbol indices beyond their domain are read as the empty symbol, as kdb+ does, "
                   "and counted; default: an error");
  if (runs) add_rank_flags(command, flags);
  command.group(form == AxisForm::kRecord ? "Settings" : "Media");
  command.add("--ceiling-size", "SIZE", flags.ceiling_size,
              "bytes of each of the two buffers over which this machine's memory is measured, "
              "for ceilings and for the emulator; default: what no cache holds");
  if (form == AxisForm::kRecord) return;
  add_place_flag(command, form, flags);
  command.add("--result-medium", "WORD", flags.result_medium,
              "where results are built, no disk; default: dram, for memory-mode its own memory");
  command.add("--emulation", "WORD", flags.emulation,
              "how a medium with a profile is emulated: wall (waits as long as the device "
              "would), model (works the time out)");
  command.add_path(
      "--pmem-dir", PathUse::kWritesIntoDirectory, flags.pmem_dir,
      "a directory on a DAX mount for app-direct, or device DAX (/dev/daxX.Y, which is "
      "overwritten), default: a mount that is found; a directory on a tmpfs for tmpfs, "
      "default: /dev/shm");
  command.add_flag("--pmem-keep", flags.pmem_keep,
                   "app-direct and tmpfs, partitioned: load the whole database into a file there "
                   "(hdbench-*.pool) and use it again next time, until the database changes");
  command.add_path("--scratch-dir", PathUse::kWritesIntoDirectory, flags.scratch_dir,
                   "where flat tables on nvme and spilled bytes go; default: beside DB, else the "
                   "temporary directory");
}

std::string ceiling_size_note(const AxisFlags& flags) {
  if (flags.ceiling_size.empty()) return {};
  return fmt::format(
      "this machine's memory is measured over {} (--ceiling-size): where a cache holds that, "
      "ceilings and emulated times are the cache's",
      flags.ceiling_size);
}

void add_rank_timeout(FlagSet& command, double& seconds) {
  command.add("--rank-timeout", "S", seconds,
              "the job ends where a rank does not answer another for so long");
}

Status set_rank_timeout(double seconds) {
  if (!(seconds >= 1))
    return usage_error(fmt::format("--rank-timeout: {}, expected at least 1", seconds));
  if (RankJob* const job = RankJob::of_process()) job->timeout_s = seconds;
  return ok_status();
}

Result<SessionOptions> session_options(const AxisFlags& flags) {
  SessionOptions options;
  options.database = flags.database;
  HDB_TRY(check_word("--missing", flags.missing, {"error", "null"}));
  options.reading.missing_as_null = flags.missing == "null";
  options.media.pmem_dir = flags.pmem_dir;
  options.pmem_keep = flags.pmem_keep;
  options.media.scratch_dir = flags.scratch_dir;
  options.media.drop_caches = flags.drop_caches;
  options.result_medium = flags.result_medium;
  options.lenient = flags.lenient;
  options.job = RankJob::of_process();
  HDB_ASSIGN(options.sharing.share, parse_share(flags.share));
  options.sharing.shards = flags.shards;
  HDB_TRY(set_rank_timeout(flags.rank_timeout_s));
  HDB_ASSIGN(options.params, read_query_params(flags.params));
  HDB_ASSIGN(options.ceiling_bytes, ceiling_bytes_of(flags.ceiling_size));
  HDB_ASSIGN(options.places, parse_places(flags.places));
  HDB_ASSIGN(options.media.emulation.mode, parse_emulation_mode(flags.emulation));
  const auto limit = flags.words.find("limit");
  options.is_limit_what_is_left = limit == flags.words.end() || limit->second.empty();
  HDB_ASSIGN(options.limit_rule, parse_limit_rule(flags.on_limit));
  return options;
}

Result<Setting> one_setting(const AxisFlags& flags, std::size_t all_threads) {
  Setting setting;
  for (const auto& [name, words] : flags.words) {
    const Axis& axis = axis_of(name);
    if (words.empty() && (name == "cache" || name == "limit")) continue;
    HDB_ASSIGN(const std::string word, only(axis.flag, parse_axis(axis, words, all_threads)));
    HDB_TRY(axis.set(axis, setting, word));
  }
  return setting;
}

Result<std::unique_ptr<HeldTiering>> hold_tiering(const AxisFlags& flags) {
  if (flags.tiering.empty()) return std::unique_ptr<HeldTiering>();
  if (RankJob::of_process() != nullptr)
    return usage_error("--tiering: several ranks may share a machine: in one process alone");
  HDB_ASSIGN(auto held, HeldTiering::hold(flags.tiering));
  tell(fmt::format("the kernel's tiering is set: {}; what was there comes back at the end",
                   flags.tiering));
  return held;
}

void warn_of_threads(const Setting& setting, std::size_t cpus) {
  if (const auto note = threads_note(setting.threads, cpus))
    tell(fmt::format("preflight: {}: {}", note->name, note->seen()));
}

std::vector<std::string> resolve_media(AxisFlags& flags, const MediumResolver& resolve) {
  std::vector<std::string> notes;
  const MediumResolver noting = [&](const std::string& word) {
    PresentMedium present = resolve(word);
    if (!present.note.empty()) add_once(notes, present.note);
    return present;
  };
  std::string& media = flags.words["medium"];
  media = resolved_list(media, noting);
  for (std::string& place : flags.places) {
    // A medium's options have `=` too, columns have none.
    const std::size_t equals = place.find('=');
    if (equals == std::string::npos) continue;
    place = place.substr(0, equals + 1) + noting(place.substr(equals + 1)).word;
  }
  if (!flags.result_medium.empty()) flags.result_medium = noting(flags.result_medium).word;
  if (const auto rule = parse_limit_rule(flags.on_limit); rule.ok() && !rule->spill.empty())
    flags.on_limit = "spill=" + noting(rule->spill).word;
  return notes;
}

std::vector<std::string> resolve_media(AxisFlags& flags) {
  MediumOptions options;
  options.pmem_dir = flags.pmem_dir;
  return resolve_media(flags,
                       [&](const std::string& word) { return present_medium(word, options); });
}

void resolve_media_and_tell(AxisFlags& flags) {
  for (const std::string& note : resolve_media(flags)) tell(note);
  if (const std::string note = ceiling_size_note(flags); !note.empty()) tell(note);
}

bool searches_interleaves(const AxisFlags& flags) {
  // A list or a word that is malformed is reported by its own parser.
  const auto words = parse_words("--medium", flags.words.at("medium"));
  return words.ok() && std::ranges::any_of(*words, [](const std::string& text) {
           const auto word = parse_medium_spec(text);
           return word.ok() && searches_interleave(*word);
         });
}

Status search_interleaves(AxisFlags& flags, const std::vector<ListedQuery>& queries) {
  if (!searches_interleaves(flags)) return ok_status();
  if (RankJob::of_process() != nullptr)
    return usage_error("--medium: interleave=auto is searched for by one process alone");
  AxisFlags recorded = flags;
  recorded.words["medium"] = "dram";
  recorded.words["cache"].clear();
  recorded.words["limit"].clear();
  recorded.words["prefetch"] = "off";
  recorded.places.clear();
  recorded.result_medium.clear();
  recorded.on_limit = "abort";
  HDB_ASSIGN(SessionOptions options, session_options(recorded));
  HDB_ASSIGN(const std::unique_ptr<Session> session, Session::open(std::move(options)));
  const std::size_t cpus = session->pools().all_threads();
  for (auto& [name, words] : recorded.words) {
    if (name == "layout" && words.empty()) words = "partitioned";
    if (words.empty()) continue;
    HDB_ASSIGN(const auto list, parse_axis(axis_of(name), words, cpus));
    words = name == "threads" ? list.back() : list.front();
  }
  HDB_ASSIGN(const Setting setting, one_setting(recorded, cpus));
  HDB_ASSIGN(std::vector<std::string> words, parse_words("--medium", flags.words["medium"]));
  for (std::string& text : words) {
    HDB_ASSIGN(const MediumSpec word, parse_medium_spec(text));
    if (!searches_interleave(word)) continue;
    HDB_ASSIGN(const std::string found, with_best_interleave(*session, queries, setting, word));
    tell(fmt::format("{}: the queries take the least time by {}", text, found));
    text = found;
  }
  set_cpu_tuning(
      kCpuTunings[0]);  // recordings choose theirs; what follows does as without a search
  flags.words["medium"] = fmt::format("{}", fmt::join(words, ","));
  return ok_status();
}

}  // namespace hdbench::bench
