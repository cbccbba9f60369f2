#include "bench/storage/filesystems/image_helper.h"

#include <string>
#include <string_view>

#include "pmem/base/capabilities.h"

namespace hdbench::bench {
namespace {

// A request: one letter; to mount, the index as a second byte.
constexpr char kMountWord = 'm';
constexpr char kUnmountWord = 'u';

Result<std::string> serve_image(FilesystemImage& image, const std::vector<FilesystemKind>& kinds,
                                std::string_view request) {
  if (request.size() == 1 && request[0] == kUnmountWord) {
    HDB_TRY(image.unmount());
    return std::string();
  }
  const std::size_t kind = request.size() == 2 ? static_cast<unsigned char>(request[1]) : 256;
  if (request.empty() || request[0] != kMountWord || kind >= kinds.size()) {
    return data_error("no such request");
  }
  HDB_ASSIGN(const std::filesystem::path place, image.mount(kinds[kind]));
  return place.string();
}

}  // namespace

Result<std::unique_ptr<ImageHelper>> ImageHelper::start(FilesystemImage& image,
                                                        const std::vector<FilesystemKind>& kinds) {
  // Those that this process has by now: of files' permissions, and of mounting.
  HDB_ASSIGN(auto helper, PrivilegedHelper::start("hdbench-mounts", read_capabilities().permitted,
                                                  [&image, kinds](std::string_view request) {
                                                    return serve_image(image, kinds, request);
                                                  }));
  return std::unique_ptr<ImageHelper>(new ImageHelper(std::move(helper)));
}

Result<std::filesystem::path> ImageHelper::mount(std::size_t kind) {
  HDB_ASSIGN(const std::string place,
             helper_->ask(std::string{kMountWord, static_cast<char>(kind)}));
  return std::filesystem::path(place);
}

Status ImageHelper::unmount() {
  HDB_TRY(helper_->ask(std::string(1, kUnmountWord)));
  return ok_status();
}

}  // namespace hdbench::bench
