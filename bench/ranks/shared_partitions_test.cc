#include "bench/ranks/shared_partitions.h"

#include "bench/testing/thread_job.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("a rank owns the partitions that are its own, and rank 0 those of nobody") {
  ThreadJob::Boxes boxes;
  const Owners owners{{1, 0}, {2, 1}, {3, 1}};
  ThreadJob first(boxes, 0, {"a", "b"});
  ThreadJob second(boxes, 1, {"a", "b"});
  const SharedPartitions zero(first, owners);
  const SharedPartitions one(second, owners);
  CHECK(zero.owned() == 1);
  CHECK(one.owned() == 2);
  CHECK(zero.owns(1));
  CHECK(one.owns(3));
  CHECK(zero.owns(9));
  CHECK_FALSE(one.owns(9));
  CHECK(zero.name(1) == "rank 1 on b");
}

}  // namespace
}  // namespace hdbench::bench
