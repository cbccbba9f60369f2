#include "engine/exec/query_error.h"

#include <new>
#include <stdexcept>

#include "engine/base/catch.h"
#include "engine/exec/workspace.h"
#include "engine/operator/query_context.h"

namespace hdbench {
namespace {

template <typename Thrown>
Error error_of(const Thrown& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return error_of_exception();
  }
}

TEST_CASE("what ends a query becomes its error, and what no query throws goes on") {
  CHECK(error_of(QueryStop{data_error("broken")}).message == "broken");
  const Error limit = error_of(WorkspaceLimit(10, 95, 100));
  CHECK(limit.kind == ErrorKind::kLimit);
  CHECK(limit.message == "-w abort: 10 bytes requested with 95 in use, limit 100 bytes");
  CHECK(error_of(std::bad_alloc()).message == "no space for the result: out of memory");
  CHECK_THROWS_AS(error_of(std::logic_error("a fault")), std::logic_error);
}

}  // namespace
}  // namespace hdbench
