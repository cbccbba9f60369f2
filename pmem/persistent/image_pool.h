// A database's image kept in a directory of persistent memory, from one run to the next.
//
// A pool is one file, `hdbench-<hash of the database's path>-<generation>.pool`. A new image goes
// into a file of its own, and the older one is removed only after the new one was sealed: whenever
// the power fails, the newest sealed generation is whole. One without a seal was cut short: it is
// removed, and the image is made again.
#pragma once

#include <filesystem>
#include <string>

#include "engine/base/result.h"
#include "pmem/persistent/app_direct_place.h"
#include "pmem/persistent/image_format.h"
#include "pmem/persistent/persistent.h"

namespace hdbench {

struct KeptImage {
  Image image;
  Region region;
  std::filesystem::path pool;
  std::string note;  // "reused /mnt/pmem0/hdbench-....pool (...)", "loaded ...", "redone ...: why"
};

// The image of the database as it is now: the one that is there, or a new one. Errors: kData:
// another program is at it, there is too little room (with both figures), a file cannot be read, or
// changed while it was.
Result<KeptImage> keep_image(const AppDirectPlace& place, const std::filesystem::path& database);

}  // namespace hdbench
