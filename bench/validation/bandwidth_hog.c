// Reads memory at a chosen rate on one CPU until it is ended: the other work beside which
// predictions are checked (bench/validation/predictions).
//
//   bandwidth_hog CPU GB_PER_S [MIB]
//
// Prints the rate that it reached, each second. GB are 10^9 bytes; MIB (512) is its buffer.
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: bandwidth_hog CPU GB_PER_S [MIB]\n");
    return 2;
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(atoi(argv[1]), &one);
  if (sched_setaffinity(0, sizeof(one), &one) != 0) {
    perror("sched_setaffinity");
    return 3;
  }
  const double rate = atof(argv[2]) * 1e9;
  const size_t bytes = (size_t)(argc > 3 ? atoi(argv[3]) : 512) << 20;
  uint64_t* const words = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (words == MAP_FAILED) {
    perror("mmap");
    return 3;
  }
  madvise(words, bytes, MADV_HUGEPAGE);
  memset(words, 1, bytes);
  const size_t unit = 64 << 10;
  const size_t unit_words = unit / sizeof(*words);
  uint64_t sum = 0;
  double begin = now();
  double shown = begin;
  double moved = 0;
  double moved_before = 0;
  for (size_t at = 0;; at = (at + unit_words) % (bytes / sizeof(*words))) {
    for (size_t k = 0; k < unit_words; k += 8) {
      sum += words[at + k] + words[at + k + 1] + words[at + k + 2] + words[at + k + 3] +
             words[at + k + 4] + words[at + k + 5] + words[at + k + 6] + words[at + k + 7];
    }
    moved += (double)unit;
    while (now() - begin < moved / rate) {
    }
    const double t = now();
    if (t - shown < 1) continue;
    printf("%.3f GB/s (%llu)\n", (moved - moved_before) / (t - shown) / 1e9,
           (unsigned long long)(sum & 1));
    fflush(stdout);
    moved_before = moved;
    shown = t;
    // What could not be reached is not made up for.
    if (t - begin > moved / rate + 0.01) {
      begin = t;
      moved = moved_before = 0;
    }
  }
}
