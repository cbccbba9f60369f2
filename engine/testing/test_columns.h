// Columns of results for tests.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <utility>
#include <vector>

#include "engine/base/thread_pool.h"
#include "engine/column/result_table.h"
#include "engine/operator/query_context.h"

namespace hdbench::testing {

inline std::pmr::memory_resource& heap() { return *std::pmr::new_delete_resource(); }

inline ThreadPool& pool() {
  static ThreadPool threads(2);
  return threads;
}

// Without a meter.
inline QueryContext& context() {
  static const ExecuteSettings settings;
  static QueryContext made(settings, pool(), heap());
  return made;
}

template <typename T>
ResultColumn result_column(QType type, const std::vector<T>& values,
                           std::shared_ptr<const Domain> domain = nullptr) {
  ResultColumn column{"x", type, sizeof(T), {}, std::move(domain)};
  column.buffer = Buffer(heap(), values.size() * sizeof(T));
  std::memcpy(column.buffer.data(), values.data(), values.size() * sizeof(T));
  return column;
}

template <typename T>
std::vector<T> elements_of(const ResultColumn& column, std::size_t rows) {
  std::vector<T> values(rows);
  std::memcpy(values.data(), column.buffer.data(), rows * sizeof(T));
  return values;
}

}  // namespace hdbench::testing
