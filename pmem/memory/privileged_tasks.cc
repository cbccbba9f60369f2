#include "pmem/memory/privileged_tasks.h"

namespace hdbench::pmem {

PrivilegedTasks& privileged_tasks() {
  static PrivilegedTasks tasks;
  return tasks;
}

}  // namespace hdbench::pmem
