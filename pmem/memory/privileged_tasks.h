// What only root may do for this folder, done by others where this process has given up root's
// capabilities (bench/privileges/privileged_helper.h). Nothing is set: this process does it itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace hdbench::pmem {

struct PrivilegedTasks {
  // Drops the page cache of the whole machine.
  std::function<void()> drop_page_cache;
  // processes_that_map_names() of page_holders.h, with the processes of all users.
  std::function<std::vector<std::string>(const std::vector<std::string>& names)> find_holders;
};

// Set before the first thread starts.
PrivilegedTasks& privileged_tasks();

}  // namespace hdbench::pmem
