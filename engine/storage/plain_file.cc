#include "engine/storage/plain_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/store.h"
#include "engine/zip/kx_zip.h"

namespace hdbench {
namespace {

constexpr std::uint64_t kHeaderPageBytes = 4096;

Store& page_cache() {
  static const std::shared_ptr<Store> store = make_page_cache_store();
  return *store;
}

// A file as it is stored, seen through the page cache.
struct StoredFile {
  Mapping mapping;
  std::optional<ZippedFile> zipped;  // nothing: not compressed
};

Result<StoredFile> open_stored(const std::filesystem::path& path) {
  StoredFile file;
  HDB_ASSIGN(file.mapping, page_cache().map(path));
  if (is_kx_encrypted(file.mapping.bytes)) {
    return unsupported_error(path.string() + ": encrypted (kxzippEd): not supported");
  }
  if (is_kx_zipped(file.mapping.bytes)) {
    HDB_ASSIGN(file.zipped, ZippedFile::open(file.mapping.bytes, path.string()));
  }
  return file;
}

}  // namespace

std::optional<std::string> dangling_link(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const bool is_link = fs::is_symlink(fs::symlink_status(path, ignored));
  if (!is_link || fs::status(path, ignored).type() != fs::file_type::not_found) return std::nullopt;
  return fmt::format("{}: a link to {}, which is not there", path.string(),
                     fs::read_symlink(path, ignored).string());
}

Result<PlainFile> read_plain_file(const std::filesystem::path& path, Store& store,
                                  Compressed compressed) {
  // A compressed file that is unpacked here is of no use in any other medium than the page cache.
  HDB_ASSIGN(const StoredFile file, open_stored(path));
  if (!file.zipped || compressed == Compressed::kAsStored) {
    HDB_ASSIGN(Mapping mapping, store.map(path));
    if (!file.zipped) return PlainFile{mapping.bytes, std::move(mapping.keep_alive), true};
    HDB_ASSIGN(std::shared_ptr<PackedFile> packed,
               PackedFile::open(std::move(mapping), path.string()));
    return PlainFile{packed->bytes(), packed, true, packed};
  }
  HDB_ASSIGN(Region region, file.zipped->unzip(store));
  return PlainFile{region.bytes, std::move(region.keep_alive), false};
}

Result<StoredForm> read_stored_form(const std::filesystem::path& path) {
  HDB_ASSIGN(const StoredFile file, open_stored(path));
  const std::uint64_t bytes = file.mapping.bytes.size();
  if (!file.zipped) return StoredForm{bytes, bytes};
  return StoredForm{bytes, file.zipped->plain_bytes(), file.zipped->compression()};
}

Result<PlainBeginning> read_plain_beginning(const std::filesystem::path& path) {
  HDB_ASSIGN(StoredFile file, open_stored(path));
  if (!file.zipped) {
    const Bytes bytes = file.mapping.bytes;
    return PlainBeginning{bytes.first(std::min<std::uint64_t>(bytes.size(), kHeaderPageBytes)),
                          bytes.size(), std::move(file.mapping.keep_alive)};
  }
  HDB_ASSIGN(std::vector<std::byte> plain, file.zipped->prefix(kHeaderPageBytes));
  auto owned = std::make_shared<const std::vector<std::byte>>(std::move(plain));
  const Bytes bytes = *owned;
  return PlainBeginning{bytes, file.zipped->plain_bytes(), std::move(owned)};
}

}  // namespace hdbench
