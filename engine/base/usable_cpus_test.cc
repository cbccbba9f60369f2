#include "engine/base/usable_cpus.h"

#include <fstream>

#include "engine/base/catch.h"
#include "engine/testing/test_files.h"

namespace hdbench {
namespace {

using testing::TemporaryDirectory;

void describe_cpu(const std::filesystem::path& cpus, int cpu, const std::string& socket,
                  const std::string& siblings) {
  const auto topology = cpus / ("cpu" + std::to_string(cpu)) / "topology";
  std::filesystem::create_directories(topology);
  std::ofstream(topology / "physical_package_id") << socket << "\n";
  std::ofstream(topology / "thread_siblings_list") << siblings << "\n";
}

TEST_CASE("CPUs that nothing describes stay in their order") {
  const TemporaryDirectory cpus;
  CHECK(by_core({}, cpus.path()).empty());
  CHECK(by_core({0, 2, 5}, cpus.path()) == std::vector<int>{0, 2, 5});
}

TEST_CASE("one hardware thread of every core comes first, socket by socket") {
  const TemporaryDirectory cpus;
  // Sockets have every second CPU.
  describe_cpu(cpus.path(), 0, "0", "0,4");
  describe_cpu(cpus.path(), 1, "1", "1,5");
  describe_cpu(cpus.path(), 2, "0", "2,6");
  describe_cpu(cpus.path(), 3, "1", "3,7");
  describe_cpu(cpus.path(), 4, "0", "0,4");
  describe_cpu(cpus.path(), 5, "1", "1,5");
  describe_cpu(cpus.path(), 6, "0", "2,6");
  describe_cpu(cpus.path(), 7, "1", "3,7");
  CHECK(by_core({0, 1, 2, 3, 4, 5, 6, 7}, cpus.path()) == std::vector<int>{0, 2, 1, 3, 4, 6, 5, 7});
  CHECK(by_core({4, 6}, cpus.path()) == std::vector<int>{4, 6});
}

TEST_CASE("senseless descriptions leave every CPU there") {
  const TemporaryDirectory cpus;
  describe_cpu(cpus.path(), 0, "", "");
  describe_cpu(cpus.path(), 1, "-1", "no list");
  describe_cpu(cpus.path(), 2, "99999999999999", "7");
  CHECK(by_core({0, 1, 2}, cpus.path()).size() == 3);
}

TEST_CASE("a CPU's node is that of its directory's nodeN entry, 0 where none is named so") {
  const TemporaryDirectory cpus;
  std::filesystem::create_directories(cpus.path() / "cpu3" / "node12");
  std::filesystem::create_directories(cpus.path() / "cpu4" / "nodes");
  CHECK(node_of_cpu(3, cpus.path()) == 12);
  CHECK(node_of_cpu(4, cpus.path()) == 0);
  CHECK(node_of_cpu(5, cpus.path()) == 0);
}

}  // namespace
}  // namespace hdbench
