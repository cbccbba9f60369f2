#include "bench/report/views/table_marks.h"

#include <fmt/format.h>

#include <utility>

namespace hdbench::bench {

char TableMarks::of(const VerdictCell& cell) {
  char mark = ' ';
  if (cell.is_above_ceiling) {
    mark = kAboveMark;
  } else if (cell.is_cached) {
    mark = kCachedMark;
  } else if (cell.gain && cell.gain->is_same()) {
    mark = kSameMark;
  } else if (cell.gain && cell.gain->interval && !cell.gain->is_different()) {
    mark = kUnsaidMark;
  }
  if (mark != ' ') add(mark);
  return mark;
}

std::string TableMarks::legend() const {
  const std::string cached =
      fmt::format("c moves less than {} times the last-level caches (in no mean)", kCachesOfData);
  const std::pair<char, std::string_view> meanings[] = {
      {kSameMark, "= the same within 10 %"},
      {kUnsaidMark, "? no difference could be shown"},
      {kAboveMark, "! above its ceiling for no known reason (in no mean)"},
      {kCachedMark, cached},
      {kEmulatedMark, "* emulated"},
      {kCrowdedMark, "-s 8>2: 8 threads on 2 CPUs"}};
  std::string text;
  for (const auto& [mark, meaning] : meanings) {
    if (has(mark)) text += (text.empty() ? "" : ", ") + std::string(meaning);
  }
  return text;
}

}  // namespace hdbench::bench
