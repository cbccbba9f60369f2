// Specifies the database to generate: all inputs of its bytes, and the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/zip/kx_zip_writer.h"

namespace hdbench::datagen {

// paper: the published table's 62 days. paper-3y: the same days after 722 earlier ones. taq: 20
// days of trades and quotes of 8000 symbols, popular ones far more often.
enum class Profile : std::uint8_t { kPaper, kPaper3y, kTaq };

constexpr std::string_view kDomainName = "sym";
constexpr std::uint32_t kColumnsMin = 2;
constexpr std::uint32_t kColumnsMax = 200;
constexpr std::uint32_t kColumnsUsual = 9;
constexpr double kScaleMax = 100.0;

struct Spec {
  Profile profile = Profile::kPaper;
  double scale = 1.0;                     // of each day's row counts
  std::uint32_t columns = kColumnsUsual;  // paper only; the virtual date is one of them
  std::string parted{};  // the symbol column each day is ordered by; empty: parted_column()
  std::uint64_t seed = 1;
  Compression compression{};  // of column files
  bool synthetic = false;     // paper only, compressed: rows repeat (synthetic_day.h)
  std::size_t threads = 0;    // 0: one a usable CPU. The bytes do not depend on it
};

// The column that each day is ordered by; empty: time order. taq is always ordered by sym.
std::string parted_column(const Spec& spec);

std::string_view profile_name(Profile profile);

// Errors: kUsage, listing the profiles.
Result<Profile> parse_profile(std::string_view name);

// Errors: kUsage, naming the field and its valid values.
Status validate(const Spec& spec);

}  // namespace hdbench::datagen
