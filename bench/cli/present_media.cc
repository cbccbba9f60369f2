#include "bench/cli/present_media.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "bench/base/lines.h"
#include "bench/base/report_error.h"

namespace hdbench::bench {
namespace {

// The words of a comma list, each resolved; empty ones stay for the list's own parser.
std::string resolved_list(const std::string& list, const MediumResolver& resolve) {
  std::string resolved;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (begin > 0) resolved += ',';
    resolved += resolve(list.substr(begin, end - begin)).word;
    begin = end + 1;
  }
  return resolved;
}

}  // namespace

std::vector<std::string> resolve_media(AxisFlags& flags, const MediumResolver& resolve) {
  std::vector<std::string> notes;
  const MediumResolver noting = [&](const std::string& word) {
    PresentMedium present = resolve(word);
    if (!present.note.empty()) add_once(notes, present.note);
    return present;
  };
  std::string& media = flags.words["medium"];
  media = resolved_list(media, noting);
  for (std::string& place : flags.places) {
    // A medium's options have `=` too, columns have none.
    const std::size_t equals = place.find('=');
    if (equals == std::string::npos) continue;
    place = place.substr(0, equals + 1) + noting(place.substr(equals + 1)).word;
  }
  if (!flags.result_medium.empty()) flags.result_medium = noting(flags.result_medium).word;
  return notes;
}

std::vector<std::string> resolve_media(AxisFlags& flags) {
  MediumOptions options;
  options.pmem_dir = flags.pmem_dir;
  return resolve_media(flags,
                       [&](const std::string& word) { return present_medium(word, options); });
}

void resolve_media_and_tell(AxisFlags& flags) {
  for (const std::string& note : resolve_media(flags)) tell(note);
  if (const std::string note = ceiling_size_note(flags); !note.empty()) tell(note);
}

}  // namespace hdbench::bench
