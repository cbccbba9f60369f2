// What ends a query, as an error.
#pragma once

#include "engine/base/result.h"

namespace hdbench {

// Of the exception that is being handled: QueryStop's own; kLimit for WorkspaceLimit ("-w abort:
// ...") and for other failures of allocation. Rethrows all else.
Error error_of_exception();

}  // namespace hdbench
