#include "bench/privileges/root_helpers.h"

#include <linux/capability.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "bench/base/layers.h"
#include "pmem/base/capabilities.h"
#include "pmem/memory/cache_state.h"

namespace hdbench::bench {
namespace {

// Of texts that hold no zero byte: each ends with one.
std::string zero_ended(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += text + '\0';
  return joined;
}

std::vector<std::string> texts_of(std::string_view joined) {
  std::vector<std::string> texts;
  for (std::size_t end = 0; (end = joined.find('\0')) != std::string_view::npos;) {
    texts.emplace_back(joined.substr(0, end));
    joined.remove_prefix(end + 1);
  }
  return texts;
}

bool has_word(int argc, const char* const* argv, std::string_view begin) {
  return std::any_of(argv, argv + argc,
                     [&](const char* word) { return std::string_view(word).starts_with(begin); });
}

bool asks_for_caches(int argc, const char* const* argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  return command == "run" || command == "limit" ||
         (command == "query" && has_word(argc, argv, "--cache"));
}

Result<std::string> drop_on_request(std::string_view) {
  drop_page_cache();
  return std::string();
}

}  // namespace

Result<RootHelpers> RootHelpers::start(int argc, const char* const* argv) {
  RootHelpers helpers;
  if (read_capabilities().permitted == 0) return helpers;
  if (has_word(argc, argv, "--drop-caches")) {
    HDB_ASSIGN(helpers.caches_, PrivilegedHelper::start("hdbench-caches", 0, drop_on_request));
    privileged_tasks().drop_page_cache = [helper = helpers.caches_.get()] {
      (void)helper->ask("drop").ok();  // what remains resident is told by its proof
    };
  }
  if (asks_for_caches(argc, argv)) {
    const auto find = [own = ::getpid()](std::string_view names) -> Result<std::string> {
      return zero_ended(processes_that_map(texts_of(names), own));
    };
    HDB_ASSIGN(helpers.holders_,
               PrivilegedHelper::start("hdbench-holders", capability_bit(CAP_SYS_PTRACE), find));
    privileged_tasks().find_holders = [helper = helpers.holders_.get()](const auto& names) {
      const Result<std::string> found = helper->ask(zero_ended(names));
      return found.ok() ? texts_of(*found) : std::vector<std::string>();
    };
  }
  return helpers;
}

RootHelpers::~RootHelpers() {
  if (caches_) privileged_tasks().drop_page_cache = nullptr;
  if (holders_) privileged_tasks().find_holders = nullptr;
}

}  // namespace hdbench::bench
