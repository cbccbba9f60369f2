// The texts of cells that are shown only: each once, as long as the column lives.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>

namespace hdbench {

// Thread-safe. The views stay valid as long as this object.
class CellTexts {
 public:
  std::string_view keep(std::string text) {
    const std::lock_guard lock(mutex_);
    return *texts_.insert(std::move(text)).first;
  }

 private:
  std::mutex mutex_;
  std::unordered_set<std::string> texts_;
};

}  // namespace hdbench
