#include "engine/storage/plain_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/storage/page_cache_store.h"
#include "engine/zip/kx_zip.h"

namespace hdbench {
namespace {

constexpr std::uint64_t kHeaderPageBytes = 4096;

Store& page_cache() {
  static const std::shared_ptr<Store> store = make_page_cache_store();
  return *store;
}

Error encrypted(const std::filesystem::path& path) {
  return unsupported_error(path.string() + ": encrypted (kxzippEd): not supported");
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

Result<PlainFile> read_plain_file(const std::filesystem::path& path, Store& store) {
  // Seen through the page cache first: a compressed file is of no use in any other medium.
  HDB_ASSIGN(Mapping stored, page_cache().map(path));
  if (is_kx_encrypted(stored.bytes)) return encrypted(path);
  if (!is_kx_zipped(stored.bytes)) {
    HDB_ASSIGN(Mapping mapping, store.map(path));
    return PlainFile{mapping.bytes, std::move(mapping.keep_alive), true};
  }
  HDB_ASSIGN(const ZippedFile zipped, ZippedFile::open(stored.bytes, path.string()));
  HDB_ASSIGN(Region region, zipped.unzip(store));
  return PlainFile{region.bytes, std::move(region.keep_alive), false};
}

Result<StoredForm> read_stored_form(const std::filesystem::path& path) {
  HDB_ASSIGN(const Mapping stored, page_cache().map(path));
  if (is_kx_encrypted(stored.bytes)) return encrypted(path);
  if (!is_kx_zipped(stored.bytes)) return StoredForm{stored.bytes.size(), stored.bytes.size()};
  HDB_ASSIGN(const ZippedFile zipped, ZippedFile::open(stored.bytes, path.string()));
  return StoredForm{stored.bytes.size(), zipped.plain_bytes(), zipped.compression()};
}

Result<PlainBeginning> read_plain_beginning(const std::filesystem::path& path) {
  HDB_ASSIGN(Mapping stored, page_cache().map(path));
  if (is_kx_encrypted(stored.bytes)) return encrypted(path);
  if (!is_kx_zipped(stored.bytes)) {
    const std::uint64_t bytes = std::min<std::uint64_t>(stored.bytes.size(), kHeaderPageBytes);
    return PlainBeginning{stored.bytes.first(bytes), stored.bytes.size(),
                          std::move(stored.keep_alive)};
  }
  HDB_ASSIGN(const ZippedFile zipped, ZippedFile::open(stored.bytes, path.string()));
  HDB_ASSIGN(std::vector<std::byte> plain, zipped.prefix(kHeaderPageBytes));
  auto owned = std::make_shared<const std::vector<std::byte>>(std::move(plain));
  const Bytes bytes = *owned;
  return PlainBeginning{bytes, zipped.plain_bytes(), std::move(owned)};
}

}  // namespace hdbench
