#include "bench/cli/axis_flags.h"

#include "bench/run/column_places.h"

namespace hdbench {
namespace {

void add_axes(FlagSet& command, AxisForm form, AxisFlags& flags) {
  const bool lists = form == AxisForm::kLists;
  const std::string list = lists ? "LIST" : "WORD";
  flags.medium = lists ? "nvme,dram" : "nvme";
  flags.attr = lists ? "none,parted" : "parted";
  flags.mode = lists ? "3.6,4.0" : "4.0";
  flags.threads = lists ? "1,all" : "all";
  command
      .add_option("--medium", flags.medium,
                  "where the columns are: nvme, dram, tmpfs, app-direct, memory-mode, cxl or "
                  "numa:N; emulated with a profile (cxl:cxl-asic-ddr5), or with the default one "
                  "where this machine lacks it (see hdbench topo)")
      .type_name(list)
      .capture_default_str();
  command
      .add_option("--layout", flags.layout,
                  lists ? "partitioned (as on disk), flat (one table); default: partitioned on "
                          "nvme, both in memory"
                        : "partitioned (as on disk) or flat (all partitions joined to one table)")
      .type_name(list);
  command
      .add_option("--codes", flags.codes,
                  "symbols' codes: stored (kdb+'s 8 bytes), narrow (loaded at 1, 2 or 4, flat's "
                  "date as offsets of 1 or 2; says what that saves)")
      .type_name(list)
      .capture_default_str();
  command.add_option("--attr", flags.attr, "parted: conditions use p# indexes; none: they scan")
      .type_name(list)
      .capture_default_str();
  command
      .add_option("--mode", flags.mode,
                  "3.6: partitions in parallel; 4.0: also inside primitives (kdb+'s versions)")
      .type_name(list)
      .capture_default_str();
  command
      .add_option("-s,--threads", flags.threads,
                  lists ? "secondary threads as kdb+ counts them (0 and 1: one thread), all, or a "
                          "range: 1..all"
                        : "secondary threads as kdb+ counts them (0 and 1: one thread), or all")
      .type_name(list)
      .capture_default_str();
}

void add_limit_flags(FlagSet& command, AxisForm form, AxisFlags& flags) {
  command.add_option("-w,--limit", flags.limit, "workspace limit in MiB, 0 for none")
      .type_name(form == AxisForm::kLists ? "LIST" : "MIB")
      .capture_default_str();
  command
      .add_option("--on-limit", flags.on_limit,
                  "what a query does at -w: abort (0N; the next one runs), exit (status 1), spill "
                  "(to files)")
      .type_name("WORD")
      .capture_default_str();
}

void add_cache_flag(FlagSet& command, AxisForm form, AxisFlags& flags) {
  const bool lists = form == AxisForm::kLists;
  flags.cache = lists ? "cold,warm" : "";
  command
      .add_option("--cache", flags.cache,
                  lists ? "of a disk's pages, proved before each cold run: cold, warm"
                        : "make a disk's pages cold or warm first, and prove it; default: as they "
                          "are")
      .type_name(lists ? "LIST" : "WORD")
      .capture_default_str();
  command.add_flag("--drop-caches", flags.drop_caches,
                   "cold, where another process maps the columns: drop the whole machine's page "
                   "cache (root)");
}

void add_place_flag(FlagSet& command, AxisFlags& flags) {
  command
      .add_option("--place", flags.places,
                  "columns that lie on another medium than --medium says, say bid,ask=cxl; may be "
                  "repeated. Cold, those in memory stay there")
      .type_name("COL,..=MEDIUM")
      .one_value_each();
}

void add_prefetch_flag(FlagSet& command, AxisForm form, AxisFlags& flags) {
  command
      .add_option("--prefetch", flags.prefetch,
                  "on: a disk's columns are read ahead of the queries, through 32 MiB of memory or "
                  "more, and what a query reads twice through the page cache; off: when they are "
                  "touched, as "
                  "kdb+ does")
      .type_name(form == AxisForm::kLists ? "LIST" : "WORD")
      .capture_default_str();
}

}  // namespace

void add_axis_flags(FlagSet& command, AxisForm form, AxisFlags& flags) {
  command.add_option("DB", flags.database, "a kdb+ database: its root directory")
      .path(PathUse::kReadsDirectory)
      .required();
  add_axes(command, form, flags);
  if (form != AxisForm::kLists) {
    flags.layout = "partitioned";
    command.get_option("--layout").capture_default_str();
  }
  if (form != AxisForm::kSearch) {
    add_limit_flags(command, form, flags);
    add_cache_flag(command, form, flags);
    add_prefetch_flag(command, form, flags);
  }
  add_place_flag(command, flags);
  command
      .add_option("--result-medium", flags.result_medium,
                  "where results are built, no disk; default: dram, for memory-mode its own memory")
      .type_name("WORD");
  command
      .add_option("--emulation", flags.emulation,
                  "how a medium with a profile is emulated: wall (waits as long as the device "
                  "would), model (works the time out), ratio (as far from this host's memory as "
                  "the device is from its own)")
      .type_name("WORD")
      .capture_default_str();
  command
      .add_option("--pmem-dir", flags.pmem_dir,
                  "a directory on a DAX mount for app-direct, or device DAX (/dev/daxX.Y, which is "
                  "overwritten), default: a mount that is found; a directory on a tmpfs for tmpfs, "
                  "default: /dev/shm")
      .path(PathUse::kWritesIntoDirectory);
  command.add_flag("--pmem-keep", flags.pmem_keep,
                   "app-direct and tmpfs, partitioned: load the whole database into a file there "
                   "(hdbench-*.pool) and use it again next time, until the database changes");
  command
      .add_option("--scratch-dir", flags.scratch_dir,
                  "where flat tables on nvme and spilled bytes go; default: beside DB, else the "
                  "temporary directory")
      .path(PathUse::kWritesIntoDirectory);
}

Result<SessionOptions> session_options(const AxisFlags& flags) {
  SessionOptions options;
  options.database = flags.database;
  options.media.pmem_dir = flags.pmem_dir;
  options.pmem_keep = flags.pmem_keep;
  options.media.scratch_dir = flags.scratch_dir;
  options.media.drop_caches = flags.drop_caches;
  options.result_medium = flags.result_medium;
  HDB_ASSIGN(options.places, parse_places(flags.places));
  HDB_ASSIGN(options.media.emulation.mode, parse_emulation_mode(flags.emulation));
  HDB_ASSIGN(options.on_limit, parse_on_limit(flags.on_limit));
  return options;
}

Result<Setting> one_setting(const AxisFlags& flags, std::size_t all_threads) {
  Setting setting;
  HDB_ASSIGN(setting.medium, only("--medium", parse_words("--medium", flags.medium)));
  HDB_ASSIGN(setting.layout, only("--layout", parse_layouts(flags.layout)));
  HDB_ASSIGN(setting.codes, only("--codes", parse_codes(flags.codes)));
  HDB_ASSIGN(setting.attr, only("--attr", parse_attrs(flags.attr)));
  HDB_ASSIGN(setting.mode, only("--mode", parse_modes(flags.mode)));
  HDB_ASSIGN(setting.threads, only("-s", parse_threads(flags.threads, all_threads)));
  HDB_ASSIGN(setting.limit_mib, only("-w", parse_limits(flags.limit)));
  HDB_ASSIGN(setting.prefetch, only("--prefetch", parse_prefetches(flags.prefetch)));
  if (!flags.cache.empty()) {
    HDB_ASSIGN(setting.cache, only("--cache", parse_caches(flags.cache)));
  }
  return setting;
}

Result<AxisLists> axis_lists(const AxisFlags& flags, std::size_t all_threads) {
  AxisLists lists;
  HDB_ASSIGN(lists.media, parse_words("--medium", flags.medium));
  if (!flags.layout.empty()) {
    HDB_ASSIGN(lists.layouts, parse_layouts(flags.layout));
  }
  HDB_ASSIGN(lists.codes, parse_codes(flags.codes));
  HDB_ASSIGN(lists.attrs, parse_attrs(flags.attr));
  HDB_ASSIGN(lists.modes, parse_modes(flags.mode));
  HDB_ASSIGN(lists.threads, parse_threads(flags.threads, all_threads));
  HDB_ASSIGN(lists.limits_mib, parse_limits(flags.limit));
  HDB_ASSIGN(lists.caches, parse_caches(flags.cache));
  HDB_ASSIGN(lists.prefetches, parse_prefetches(flags.prefetch));
  return lists;
}

}  // namespace hdbench
