// app-direct: the database copied into persistent memory through libpmem, or into an emulation of
// it.
//
// Bytes lie in unnamed files, so that a crash leaves nothing behind, and are written with
// non-temporal stores, then drained; a database that is to be kept lies in a pool with a name
// (image_pool.h). Every run is warm. Results can be put here too.
#pragma once

#include <memory>

#include "pmem/media/medium.h"
#include "pmem/persistent/app_direct_place.h"

namespace hdbench {

Result<std::unique_ptr<Medium>> make_app_direct_medium(const MediumOptions& options);

// The same in a place already found.
std::unique_ptr<Medium> make_app_direct_medium_at(const AppDirectPlace& place);

}  // namespace hdbench
