#include "engine/exec/query_error.h"

#include <fmt/format.h>

#include <new>
#include <string_view>

#include "engine/exec/workspace.h"
#include "engine/operator/query_context.h"

namespace hdbench {

Error error_of_exception() {
  try {
    throw;
  } catch (const QueryStop& stop) {
    return stop.error;
  } catch (const WorkspaceLimit& limit) {
    return {ErrorKind::kLimit,
            fmt::format("-w abort: {} bytes requested with {} in use, limit {} bytes",
                        limit.asked_bytes, limit.used_bytes, limit.limit_bytes)};
  } catch (const std::bad_alloc& failure) {
    // No -w: the machine, or the medium of the results, is full.
    const std::string_view what = failure.what();
    return {ErrorKind::kLimit, fmt::format("no space for the result: {}",
                                           what == "std::bad_alloc" ? "out of memory" : what)};
  }
}

}  // namespace hdbench
