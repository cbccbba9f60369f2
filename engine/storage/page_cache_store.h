// The simplest store: files mapped read-only through the page cache, as kdb+ maps them; regions are
// anonymous memory.
#pragma once

#include <memory>

#include "engine/base/store.h"

namespace hdbench {

std::shared_ptr<Store> make_page_cache_store();

}  // namespace hdbench
