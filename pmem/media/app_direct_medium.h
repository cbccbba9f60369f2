// The media app-direct and tmpfs: the database copied through libpmem into files in persistent
// memory, or into files in this machine's memory, which are never reported as persistent.
//
// Bytes are in unnamed files, which disappear after a crash, and are written with non-temporal
// stores and drained; a database that is kept is in a named pool (image_pool.h). Every run is warm.
// Results can be placed here too.
#pragma once

#include <memory>

#include "pmem/media/medium.h"
#include "pmem/persistent/app_direct_place.h"

namespace hdbench::pmem {

Result<std::unique_ptr<Medium>> make_app_direct_medium(const MediumOptions& options);
Result<std::unique_ptr<Medium>> make_tmpfs_medium(const MediumOptions& options);

// The medium in a place already found: app-direct or tmpfs, as the place is.
std::unique_ptr<Medium> make_app_direct_medium_at(const AppDirectPlace& place);

}  // namespace hdbench::pmem
