// The flags shared by query, run and limit: declared once, with help, and converted to axes and
// session options.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/cli/flag_set.h"
#include "bench/machine/kernel_tiering.h"
#include "bench/model/axes.h"
#include "bench/model/query_list.h"
#include "bench/ranks/rank_job.h"
#include "bench/run/matrix.h"
#include "bench/run/session.h"
#include "engine/base/result.h"
#include "pmem/media/media_list.h"

namespace hdbench::bench {

struct AxisFlags {
  std::string database;
  std::map<std::string, std::string> words;  // of each axis: a word, or a comma list
  std::string on_limit = "abort";
  std::vector<std::string> places;
  std::string result_medium;
  std::string emulation = "wall";
  std::string tiering;
  std::string pmem_dir;
  bool pmem_keep = false;
  std::string scratch_dir;
  bool drop_caches = false;
  bool lenient = false;
  std::string missing = "error";
  std::string ceiling_size;
  std::vector<std::string> params;
  std::string share = "round-robin";
  std::string shards;
  double rank_timeout_s = RankJob::kTimeoutSeconds;
};

// kOne: a value each, where queries are run. kLists: comma lists, where a matrix is. kSearch: as
// kOne without -w, --on-limit, --cache and --prefetch, where the limit is what is looked for.
// kRecord: as kSearch, of columns that lie in DRAM: without all that says where they or results
// lie.
enum class AxisForm { kOne, kLists, kSearch, kRecord };

// Adds the positional DB and the flags, each with its default and help, to a command.
void add_axis_flags(FlagSet& command, AxisForm form, AxisFlags& flags);

// Without -w a query is bounded by what memory is left.
Result<SessionOptions> session_options(const AxisFlags& flags);

// What --ceiling-size does to the figures, to be reported; "" without it.
std::string ceiling_size_note(const AxisFlags& flags);

// The setting given by flags of AxisForm::kOne or kSearch. Without --cache its cache is undefined.
Result<Setting> one_setting(const AxisFlags& flags, std::size_t all_threads);

// --tiering: the kernel's tiering is so as long as this lives, which is said on standard error;
// null without the flag. Call give_up_set_up() (privileges.h) afterwards. Errors:
// HeldTiering::hold()'s; kUsage under several ranks, which may share a machine.
Result<std::unique_ptr<HeldTiering>> hold_tiering(const AxisFlags& flags);

// Says on standard error where a setting has more threads than CPUs may be used all the time.
void warn_of_threads(const Setting& setting, std::size_t cpus);

// --rank-timeout, under the group of the flag before it. Errors: kUsage: below a second.
void add_rank_timeout(FlagSet& command, double& seconds);
Status set_rank_timeout(double seconds);

// Resolves the media that a command's flags name, before anything is named after them
// (pmem/media/present_medium.h).
using MediumResolver = std::function<PresentMedium(const std::string& word)>;

// Replaces each word of --medium, --place, --result-medium and --on-limit spill=MEDIUM by what it
// means here. Returns the notes for the user, each once. Values that are malformed stay as they
// are: their parsers report them.
std::vector<std::string> resolve_media(AxisFlags& flags, const MediumResolver& resolve);

// The same on this machine, with the flags' --pmem-dir.
std::vector<std::string> resolve_media(AxisFlags& flags);

// The same, with the notes on standard error.
void resolve_media_and_tell(AxisFlags& flags);

// Whether a word of --medium leaves the weights of an interleave to a search.
bool searches_interleaves(const AxisFlags& flags);

// Searches for the weights of each interleave=auto of --medium (bench/predict/interleave_search.h),
// and says which they are. Of axes that are lists, with their first word, and as many threads as
// the last one has. Nothing to search for: it does nothing. Errors: kUsage under several ranks;
// those of the search.
Status search_interleaves(AxisFlags& flags, const std::vector<ListedQuery>& queries);

}  // namespace hdbench::bench
