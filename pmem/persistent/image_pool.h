// A database's image in a directory of persistent memory, kept between runs.
//
// A pool is one file, `hdbench-<hash of the database's path>-<generation>.pool`. A new image is
// written to a new file, and the older one is removed after the new one was sealed, so that the
// newest sealed generation is complete whenever the power fails. A pool without a seal is
// incomplete: it is removed, and the image is made again.
#pragma once

#include <filesystem>
#include <string>

#include "engine/base/result.h"
#include "pmem/persistent/app_direct_place.h"
#include "pmem/persistent/image_format.h"
#include "pmem/persistent/libpmem_mapping.h"

namespace hdbench::pmem {

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

}  // namespace hdbench::pmem
