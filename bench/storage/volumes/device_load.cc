#include "bench/storage/volumes/device_load.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "engine/base/file_handle.h"

namespace hdbench {
namespace {

constexpr std::size_t kAlignBytes = 4096;

struct Shared {
  std::atomic<bool> over{false};
  std::atomic<std::uint64_t> ios{0};
  std::atomic<int> failed{0};
};

std::uint64_t next_random(std::uint64_t& state) {
  state = state * 6364136223846793005U + 1442695040888963407U;
  return state >> 24;
}

void read_on(const FileHandle& device, const DeviceLoad& load, std::uint64_t blocks,
             std::size_t thread, Shared& shared) {
  const std::unique_ptr<void, void (*)(void*)> buffer(
      std::aligned_alloc(kAlignBytes, load.block_bytes), std::free);
  std::uint64_t block = blocks / load.threads * thread;
  std::uint64_t state = thread + 1;
  while (!shared.over.load(std::memory_order_relaxed)) {
    const std::uint64_t chosen = load.random ? next_random(state) % blocks : block;
    const ssize_t bytes = pread(device.descriptor(), buffer.get(), load.block_bytes,
                                static_cast<off_t>(chosen * load.block_bytes));
    if (bytes != static_cast<ssize_t>(load.block_bytes)) {
      shared.failed.store(bytes < 0 ? errno : EIO);
      return;
    }
    shared.ios.fetch_add(1, std::memory_order_relaxed);
    block = block + 1 < blocks ? block + 1 : 0;
  }
}

}  // namespace

Result<DeviceRate> read_rate(const std::string& path, const DeviceLoad& load,
                             const std::atomic<bool>& stop) {
  const FileHandle device(open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC));
  if (!device.is_open()) return file_error(path, "cannot be opened", errno);
  const off_t end = lseek(device.descriptor(), 0, SEEK_END);
  const std::uint64_t blocks = static_cast<std::uint64_t>(end > 0 ? end : 0) / load.block_bytes;
  if (blocks < load.threads) {
    return data_error(
        fmt::format("{}: {} blocks, expected {} or more", path, blocks, load.threads));
  }
  Shared shared;
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < load.threads; ++k) {
    threads.emplace_back([&, k] { read_on(device, load, blocks, k, shared); });
  }
  const auto wait = [&](double seconds) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < until && !stop.load() && shared.failed.load() == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  };
  wait(load.warm_s);
  const auto begin = std::chrono::steady_clock::now();
  const std::uint64_t before = shared.ios.load();
  wait(load.seconds);
  const std::uint64_t ios = shared.ios.load() - before;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  shared.over.store(true);
  for (std::thread& thread : threads) thread.join();
  if (shared.failed.load() != 0) return file_error(path, "cannot be read", shared.failed.load());
  if (stop.load()) return usage_error("interrupted");
  const double rate = static_cast<double>(ios) / elapsed.count();
  return DeviceRate{rate * static_cast<double>(load.block_bytes), rate};
}

}  // namespace hdbench
