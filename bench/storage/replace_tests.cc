// Replacing: a fifth of a column's elements in a mapped file, in random or in rising order, then
// msync.
#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <numeric>
#include <random>

#include "bench/storage/io_test.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kOneIn = 5;
constexpr std::uint64_t kAdded = 0x0123456789abcdefu;

// Distinct ones: one of each five neighbours.
std::vector<std::uint64_t> places_of(std::uint64_t elements, std::uint64_t seed, bool in_order) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> places(elements / kOneIn);
  for (std::uint64_t k = 0; k < places.size(); ++k) places[k] = k * kOneIn + random() % kOneIn;
  if (!in_order) std::shuffle(places.begin(), places.end(), random);
  return places;
}

Status replace(Worker& worker, const IoTask& task) {
  const DataSpec spec{QType::kLong, task.vectors.large, task.seed};
  HDB_ASSIGN(const MadeColumn column, make_column(task.directory / "replaced", spec));
  const std::vector<std::uint64_t> places =
      places_of(spec.elements, task.seed, task.test->test == "replace-sorted");
  HDB_ASSIGN(const FileHandle file, open_for(column.path, O_RDWR));
  HDB_TRY(worker.repeat(places.size() * 8, 1, [&](std::uint64_t) -> Status {
    HDB_ASSIGN(const std::unique_ptr<MappedMemory> mapped,
               map_shared(file, column.bytes, PROT_READ | PROT_WRITE, column.path));
    auto* values = reinterpret_cast<std::uint64_t*>(mapped->bytes().data()) + 2;
    for (const std::uint64_t place : places) values[place] += kAdded;
    if (::msync(mapped->bytes().data(), column.bytes, MS_SYNC) != 0) {
      return file_error(column.path, "cannot msync", errno);
    }
    return ok_status();
  }));
  return check_file(worker, column.path, column.sum + places.size() * kAdded);
}

}  // namespace

void add_replace_tests(std::vector<IoTest>& tests) {
  for (const char* name : {"replace-random", "replace-sorted"}) {
    add_test(tests, "replace", name, "mmap",
             "a fifth of a column's elements: map, assign, msync, unmap", replace,
             {{IoVector::kLarge}, "msync", IoCeilingKind::kDeviceWrite});
  }
}

}  // namespace hdbench::bench
