// The files of a database with sizes and times, to detect whether the database has changed.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/base/result.h"
#include "pmem/persistent/image_format.h"

namespace hdbench::pmem {

// Every regular file below the root, symbolic links followed for files only, by rising path: size,
// time and a hash of the first page (kdb+'s header and the first values). A file rewritten within
// one tick of the filesystem's clock, of the same size and first page, looks the same. Segments of
// a par.txt lie elsewhere and are not listed. Errors: kData, naming what cannot be read.
Result<std::vector<ImageFile>> list_database_files(const std::filesystem::path& root);

}  // namespace hdbench::pmem
