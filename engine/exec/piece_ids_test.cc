#include "engine/exec/piece_ids.h"

#include <algorithm>
#include <string>

#include "engine/base/catch.h"
#include "engine/exec/execute.h"
#include "engine/exec/narrow_days.h"

using namespace hdbench;

TEST_CASE("a code of one byte outside its domain is found out, and in an unselected row is not") {
  Workspace workspace = unlimited();
  ThreadPool pool(1);
  // 3 fits the bits of three symbols, 5 those of five venues; 4 and 8 do not, nor do they when the
  // other key's bits lie above.
  for (const bool is_sym : {true, false}) {
    for (const int code : {is_sym ? 3 : 5, is_sym ? 4 : 8, 255}) {
      for (const std::uint64_t bad : {std::uint64_t{7}, kDayRows - 1, kDayRows + 7}) {
        const auto table = two_narrow_days(
            [&](std::uint64_t i) {
              return static_cast<std::uint8_t>(is_sym && i == bad ? code : static_cast<int>(i % 3));
            },
            [&](std::uint64_t i) {
              return static_cast<std::uint8_t>(!is_sym && i == bad ? code
                                                                   : static_cast<int>(i % 5));
            });
        for (const auto& keys : narrow_keys()) {
          const bool reads_it = std::any_of(keys.begin(), keys.end(), [&](const GroupKey& key) {
            return key.field == (is_sym ? kSym : kVenue);
          });
          const auto size = static_cast<std::int64_t>(bad % kDayRows);
          INFO("code " << code << " in row " << bad << " by " << keys.back().name);
          for (const std::int64_t least_size : {std::int64_t{0}, size}) {
            const auto found = execute(*table, last_by(keys, least_size), {}, pool, workspace);
            REQUIRE(found.ok() != reads_it);
            if (!reads_it) continue;
            REQUIRE(found.error().kind == ErrorKind::kData);
            REQUIRE(found.error().message.find(std::to_string(code)) != std::string::npos);
          }
          for (const std::int64_t least_size : {size + 1, size + 1000}) {
            REQUIRE(execute(*table, last_by(keys, least_size), {}, pool, workspace).ok());
          }
        }
      }
    }
  }
}
