// The layers below bench, whose names it uses as they are.
//
// Each layer has its own namespace, so that two of them may give one name to two things; a name of
// bench hides those of the layers below.
#pragma once

namespace hdbench::pmem {}
namespace hdbench::queries {}

namespace hdbench::bench {
using namespace pmem;
using namespace queries;
}  // namespace hdbench::bench
