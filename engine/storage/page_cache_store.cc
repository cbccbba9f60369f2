#include "engine/storage/page_cache_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace hdbench {
namespace {

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

Error system_error(const std::filesystem::path& path, std::string_view what, int error) {
  return data_error(fmt::format("{}: {}: {}", path.string(), what, std::strerror(error)));
}

std::shared_ptr<const void> unmap_later(void* address, std::size_t bytes) {
  return {address, [bytes](void* mapped) { ::munmap(mapped, bytes); }};
}

class PageCacheStore final : public Store {
 public:
  Result<Mapping> map(const std::filesystem::path& path) override {
    // Without O_NONBLOCK a stray FIFO would wait for its writer.
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0) return system_error(path, "cannot open", errno);
    struct stat status{};
    if (::fstat(file.get(), &status) != 0) return system_error(path, "cannot stat", errno);
    if (!S_ISREG(status.st_mode)) return data_error(path.string() + ": not a regular file");
    const auto bytes = static_cast<std::size_t>(status.st_size);
    if (bytes == 0) return Mapping{};
    void* address = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.get(), 0);
    if (address == MAP_FAILED) return system_error(path, "cannot map", errno);
    return Mapping{{static_cast<const std::byte*>(address), bytes}, unmap_later(address, bytes)};
  }

  Result<Region> allocate(std::size_t bytes) override {
    if (bytes == 0) return Region{};
    void* address =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (address == MAP_FAILED) {
      return data_error(fmt::format("cannot allocate {} bytes: {}", bytes, std::strerror(errno)));
    }
    return Region{{static_cast<std::byte*>(address), bytes}, unmap_later(address, bytes)};
  }

  void copy_in(std::byte* destination, std::span<const std::byte> source) override {
    if (!source.empty()) std::memcpy(destination, source.data(), source.size());
  }
};

}  // namespace

std::shared_ptr<Store> make_page_cache_store() { return std::make_shared<PageCacheStore>(); }

}  // namespace hdbench
