// The medium app-direct: the database copied into persistent memory through libpmem, or into an
// emulation of it.
//
// Bytes are in unnamed files, which disappear after a crash, and are written with non-temporal
// stores and drained; a database that is kept is in a named pool (image_pool.h). Every run is warm.
// Results can be placed here too.
#pragma once

#include <memory>

#include "pmem/media/medium.h"
#include "pmem/persistent/app_direct_place.h"

namespace hdbench {

Result<std::unique_ptr<Medium>> make_app_direct_medium(const MediumOptions& options);

// The medium in a place already found.
std::unique_ptr<Medium> make_app_direct_medium_at(const AppDirectPlace& place);

}  // namespace hdbench
