// Every scan kernel on every instruction set that this machine has, against plain loops.
#include "engine/kernel/scan.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/column.h"
#include "engine/kernel/bits.h"
#include "engine/testing/targets.h"

using namespace hdbench;

namespace {

struct Typed {
  ScanType scan;
  QType type;
  std::uint32_t width;
};
constexpr Typed kScanTypes[] = {
    {ScanType::kU8, QType::kByte, 1},  {ScanType::kI16, QType::kShort, 2},
    {ScanType::kI32, QType::kInt, 4},  {ScanType::kI64, QType::kLong, 8},
    {ScanType::kF32, QType::kReal, 4}, {ScanType::kF64, QType::kFloat, 8}};

template <typename T>
void put(std::vector<std::byte>& bytes, std::size_t i, T value) {
  std::memcpy(bytes.data() + 1 + i * sizeof(T), &value, sizeof(T));
}

// Random values with nulls, infinities and both zeros, one byte off alignment.
std::vector<std::byte> random_values(Typed typed, std::size_t rows, std::mt19937_64& random) {
  std::vector<std::byte> bytes(rows * typed.width + 1);
  constexpr double kOdd[] = {-0.0, 0.0, std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()};
  for (std::size_t i = 0; i < rows; ++i) {
    const auto small = static_cast<std::int64_t>(random() % 7) - 3;
    const double number = random() % 4 == 0 ? kOdd[random() % 5] : static_cast<double>(small) / 2;
    switch (typed.scan) {
      case ScanType::kU8:
        put(bytes, i, static_cast<std::uint8_t>(random() % 7 + 250 * (random() % 2)));
        break;
      case ScanType::kI16:
        put(bytes, i, static_cast<std::int16_t>(random() % 9 == 0 ? INT16_MIN : small));
        break;
      case ScanType::kI32:
        put(bytes, i, static_cast<std::int32_t>(random() % 9 == 0 ? INT32_MIN : small));
        break;
      case ScanType::kI64: put(bytes, i, random() % 9 == 0 ? INT64_MIN : small); break;
      case ScanType::kF32: put(bytes, i, static_cast<float>(number)); break;
      case ScanType::kF64: put(bytes, i, number); break;
    }
  }
  return bytes;
}

// What a kernel must leave, row by row.
template <typename Passes>
std::vector<std::uint64_t> expected_bits(const std::vector<std::uint64_t>& before, std::size_t rows,
                                         bool narrow, bool negated, const Passes& passes) {
  std::vector<std::uint64_t> bits(words_for(rows), 0);
  for (std::size_t row = 0; row < rows; ++row) {
    const bool was = !narrow || (before[row / 64] >> (row % 64) & 1) != 0;
    if (was && passes(row) != negated) bits[row / 64] |= std::uint64_t{1} << (row % 64);
  }
  return bits;
}

template <typename Kernel, typename Passes>
void check_kernel(std::size_t rows, std::mt19937_64& random, const Kernel& kernel,
                  const Passes& passes) {
  for (const bool narrow : {false, true}) {
    for (const bool negated : {false, true}) {
      std::vector<std::uint64_t> bits(words_for(rows), 0);
      for (auto& word : bits) word = random() % 3 == 0 ? 0 : random();
      if (!bits.empty()) bits.back() &= tail_mask(rows);
      const auto expected = expected_bits(bits, rows, narrow, negated, passes);
      INFO("rows " << rows << (narrow ? ", narrow" : "") << (negated ? ", negated" : ""));
      kernel(ScanTarget{bits.data(), rows, narrow, negated});
      REQUIRE(bits == expected);
    }
  }
}

std::int64_t random_bound(Typed typed, std::mt19937_64& random) {
  if (random() % 6 == 0) return random() % 2 == 0 ? INT64_MIN : INT64_MAX;
  const double number =
      (static_cast<double>(random() % 9) - 4) / 2 + (random() % 3 == 0 ? 1e-12 : 0);
  const bool floating = typed.scan == ScanType::kF32 || typed.scan == ScanType::kF64;
  return floating ? float_order_key(number) : static_cast<std::int64_t>(random() % 300) - 8;
}

}  // namespace

TEST_CASE("range scans keep both ends, nulls first, on every instruction set") {
  on_every_target([] {
    std::mt19937_64 random(1);
    for (const Typed typed : kScanTypes) {
      for (const std::size_t rows : kRowCounts) {
        for (int round = 0; round < 12; ++round) {
          const auto values = random_values(typed, rows, random);
          const std::int64_t low = random_bound(typed, random);
          const std::int64_t high = random_bound(typed, random);
          const auto key = [&](std::size_t row) {
            return element_order_key(typed.type, typed.width,
                                     values.data() + 1 + row * typed.width);
          };
          check_kernel(
              rows, random,
              [&](const ScanTarget& t) { scan_range(typed.scan, values.data() + 1, low, high, t); },
              [&](std::size_t row) { return low <= key(row) && key(row) <= high; });
        }
      }
    }
  });
}

TEST_CASE("neither zero is below zero, on every instruction set") {
  on_every_target([] {
    const double doubles[] = {-0.0, 0.0, -0.5, 0.5, std::numeric_limits<double>::quiet_NaN()};
    const float floats[] = {-0.0F, 0.0F, -0.5F, 0.5F, std::numeric_limits<float>::quiet_NaN()};
    const std::int64_t below = float_order_key(0.0) - 1;  // as x<0 asks
    std::uint64_t bits = 0;
    const ScanTarget target{&bits, 5, false, false};
    scan_range(ScanType::kF64, reinterpret_cast<const std::byte*>(doubles), INT64_MIN, below,
               target);
    CHECK(bits == 0b10100);
    scan_range(ScanType::kF32, reinterpret_cast<const std::byte*>(floats), INT64_MIN, below,
               target);
    CHECK(bits == 0b10100);
    scan_range(ScanType::kF64, reinterpret_cast<const std::byte*>(doubles), below, below, target);
    CHECK(bits == 0);
  });
}

TEST_CASE("set scans, small and large, find exactly their members on every instruction set") {
  on_every_target([] {
    std::mt19937_64 random(2);
    for (const Typed typed : kScanTypes) {
      for (const std::size_t rows : kRowCounts) {
        for (const std::size_t size : {1, 2, 8, 9, 20}) {
          const auto values = random_values(typed, rows, random);
          std::vector<std::int64_t> keys;
          for (std::size_t i = 0; i < size; ++i) keys.push_back(random_bound(typed, random));
          std::sort(keys.begin(), keys.end());
          keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
          check_kernel(
              rows, random,
              [&](const ScanTarget& t) { scan_set(typed.scan, values.data() + 1, keys, t); },
              [&](std::size_t row) {
                const auto key = element_order_key(typed.type, typed.width,
                                                   values.data() + 1 + row * typed.width);
                return std::find(keys.begin(), keys.end(), key) != keys.end();
              });
        }
      }
    }
  });
}

TEST_CASE("code scans find members, skip codes beyond the table and report the highest code") {
  on_every_target([] {
    std::mt19937_64 random(3);
    for (const std::uint32_t width : {1u, 2u, 4u, 8u}) {
      for (const std::size_t rows : kRowCounts) {
        for (const std::size_t members : {0, 1, 3, 8, 12}) {
          std::vector<std::uint64_t> codes(rows);
          for (auto& code : codes) code = random() % 20;
          std::vector<std::byte> values(rows * width + 1);
          for (std::size_t i = 0; i < rows; ++i)
            std::memcpy(values.data() + 1 + i * width, &codes[i], width);
          std::vector<std::uint8_t> member(16, 0);
          std::vector<std::uint64_t> member_codes;
          for (std::size_t m = 0; m < members; ++m) {
            member[m] = 1;
            member_codes.push_back(m);
          }
          std::uint64_t highest = 0;
          INFO("width " << width << ", members " << members);
          check_kernel(
              rows, random,
              [&](const ScanTarget& t) {
                const auto seen = scan_codes(width, values.data() + 1, member_codes, member, t);
                if (!t.narrow) highest = seen;
              },
              [&](std::size_t row) {
                return codes[row] < member.size() && member[codes[row]] != 0;
              });
          const std::uint64_t expected =
              rows == 0 ? 0 : *std::max_element(codes.begin(), codes.end());
          REQUIRE(highest == expected);
          REQUIRE(max_code(width, values.data() + 1, rows) == expected);
        }
      }
    }
  });
}

TEST_CASE("a code with its highest bit set is the highest") {
  const std::int64_t codes[] = {1, -1, 2};
  on_every_target(
      [&] { REQUIRE(max_code(8, reinterpret_cast<const std::byte*>(codes), 3) == UINT64_MAX); });
}

TEST_CASE("codes with high bits are members as others are") {
  on_every_target([] {
    for (const std::uint32_t width : {1u, 2u, 4u, 8u}) {
      const std::uint64_t top = std::uint64_t{1} << (8 * width - 1);
      const std::uint64_t all[] = {0, 1, top, top + 1, 2 * top - 1, top - 1};
      for (const std::size_t members : {1, 2, 3, 4, 5}) {
        const std::vector<std::uint64_t> wanted(all, all + members);
        constexpr std::size_t kRows = 1100;
        std::vector<std::byte> values(kRows * width);
        for (std::size_t i = 0; i < kRows; ++i)
          std::memcpy(values.data() + i * width, &all[i % std::size(all)], width);
        std::vector<std::uint64_t> bits(words_for(kRows));
        ScanTarget target{bits.data(), kRows, false, false};
        REQUIRE(scan_codes(width, values.data(), wanted, {}, target) == 2 * top - 1);
        for (std::size_t i = 0; i < kRows; ++i) {
          const bool is_member = i % std::size(all) < members;
          REQUIRE((bits[i / kWordRows] >> (i % kWordRows) & 1) == std::uint64_t{is_member});
        }
      }
    }
  });
}

TEST_CASE("codes that the values are too narrow for are no member's") {
  const std::uint8_t codes[] = {0, 1, 255};
  const std::vector<std::uint64_t> wanted = {1, 256, 511};
  on_every_target([&] {
    std::uint64_t bits = 0;
    scan_codes(1, reinterpret_cast<const std::byte*>(codes), wanted, {}, {&bits, 3, false, false});
    REQUIRE(bits == 2);
  });
}
