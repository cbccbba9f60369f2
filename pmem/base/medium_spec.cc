#include "pmem/base/medium_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/base/text.h"

namespace hdbench::pmem {
namespace {

struct KnownMedium {
  std::string_view name;
  bool has_profiles;
  std::array<std::string_view, 3> options;  // empty: none
};

// What a medium takes is decided here, and nowhere else.
constexpr std::array<KnownMedium, 7> kKnown = {{{"nvme", true, {}},
                                                {"dram", false, {}},
                                                {"tmpfs", false, {}},
                                                {"app-direct", true, {}},
                                                {"memory-mode", true, {"near", ""}},
                                                {"cxl", true, {"interleave", "local", "near"}},
                                                {"numa", false, {}}}};

std::string joined_names() { return fmt::format("{}", fmt::join(medium_names(), ", ")); }

Error wrong_spec(std::string_view text, const std::string& why) {
  return usage_error(fmt::format("medium '{}': {}", text, why));
}

bool takes(const KnownMedium& medium, std::string_view option) {
  return !option.empty() &&
         std::find(medium.options.begin(), medium.options.end(), option) != medium.options.end();
}

// numa's argument is its node.
Result<MediumSpec> parse_node(MediumSpec word, std::string_view text, std::string_view argument) {
  const bool digits =
      !argument.empty() && argument.size() <= 4 &&
      std::all_of(argument.begin(), argument.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) return wrong_spec(text, "name a node: numa:0");
  word.options["node"] = std::string(argument);
  return word;
}

Status check_value(std::string_view text, std::string_view key, std::string_view value) {
  const auto named = [&](const Error& error) { return wrong_spec(text, error.message); };
  if (key == "interleave" && value != kSearchedInterleave) {
    const auto ratio = parse_interleave(value);
    if (!ratio.ok()) return named(ratio.error());
  }
  if (key == "near") {
    const auto size = parse_near(value);
    if (!size.ok()) return named(size.error());
  }
  return ok_status();
}

Status add_part(const KnownMedium& medium, std::string_view text, std::string_view part,
                MediumSpec& word) {
  const auto equals = part.find('=');
  if (part.empty()) return wrong_spec(text, "an empty part");
  if (equals == part.npos) {
    if (!medium.has_profiles) return wrong_spec(text, fmt::format("{} has no profiles", word.name));
    if (!word.profile.empty()) return wrong_spec(text, "two profiles");
    word.profile = std::string(part);
    return ok_status();
  }
  const std::string_view key = part.substr(0, equals);
  const std::string_view value = part.substr(equals + 1);
  if (!takes(medium, key)) {
    std::string known;
    for (const std::string_view option : medium.options) {
      if (!option.empty()) known += fmt::format("{}{}", known.empty() ? "; it has " : ", ", option);
    }
    return wrong_spec(text, fmt::format("{} has no option '{}'{}", word.name, key, known));
  }
  HDB_TRY(check_value(text, key, value));
  if (!word.options.emplace(key, value).second) {
    return wrong_spec(text, fmt::format("{} is said twice", key));
  }
  return ok_status();
}

}  // namespace

Result<MediumSpec> parse_medium_spec(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const auto* const medium = std::find_if(
      kKnown.begin(), kKnown.end(), [&](const KnownMedium& known) { return known.name == name; });
  if (medium == kKnown.end()) {
    return usage_error(fmt::format("unknown medium '{}'; known are {}{}", name, joined_names(),
                                   did_you_mean(name, medium_names())));
  }
  MediumSpec word;
  word.name = std::string(name);
  if (name == "numa") {
    return parse_node(word, text, colon == text.npos ? std::string_view() : text.substr(colon + 1));
  }
  if (colon == text.npos) return word;
  for (std::string_view rest = text.substr(colon + 1);;) {
    const auto plus = rest.find('+');
    HDB_TRY(add_part(*medium, text, rest.substr(0, plus), word));
    if (plus == rest.npos) break;
    rest.remove_prefix(plus + 1);
  }
  if (word.options.contains("local") &&
      (word.profile.empty() || !word.options.contains("interleave"))) {
    return wrong_spec(text,
                      "local is of an emulated interleave, such as "
                      "cxl:cxl-cz122+interleave=3:1+local=ddr5-6400-12ch");
  }
  if (name == "cxl" && word.options.contains("near") && word.profile.empty()) {
    return wrong_spec(text, "near is a profile's, such as cxl:cxl-dram-cache-nand+near=2GiB");
  }
  return word;
}

std::vector<std::string> medium_names() {
  std::vector<std::string> names;
  for (const KnownMedium& medium : kKnown) names.emplace_back(medium.name);
  return names;
}

std::vector<std::string> media_with_profiles() {
  std::vector<std::string> names;
  for (const KnownMedium& medium : kKnown) {
    if (medium.has_profiles) names.emplace_back(medium.name);
  }
  return names;
}

bool searches_interleave(const MediumSpec& word) {
  const auto interleave = word.options.find("interleave");
  return interleave != word.options.end() && interleave->second == kSearchedInterleave;
}

std::string to_text(const MediumSpec& word) {
  if (const auto node = word.options.find("node"); node != word.options.end()) {
    return fmt::format("{}:{}", word.name, node->second);
  }
  std::vector<std::string> parts;
  if (!word.profile.empty()) parts.push_back(word.profile);
  for (const auto& [key, value] : word.options) parts.push_back(fmt::format("{}={}", key, value));
  return parts.empty() ? word.name : fmt::format("{}:{}", word.name, fmt::join(parts, "+"));
}

Result<InterleaveRatio> parse_interleave(std::string_view text) {
  InterleaveRatio ratio;
  const char* const end = text.data() + text.size();
  const auto local = std::from_chars(text.data(), end, ratio.local);
  if (local.ec == std::errc() && local.ptr < end && *local.ptr == ':') {
    const auto far = std::from_chars(local.ptr + 1, end, ratio.far);
    const auto fits = [](int weight) { return weight >= 1 && weight <= 255; };
    if (far.ec == std::errc() && far.ptr == end && fits(ratio.local) && fits(ratio.far)) {
      return ratio;
    }
  }
  return usage_error(fmt::format(
      "interleave is LOCAL:FAR, both 1 to 255, such as 3:1, not '{}'{}", text,
      text == kSearchedInterleave ? ", which query and run search for their --medium" : ""));
}

Result<std::uint64_t> parse_size(std::string_view text) {
  struct Unit {
    std::string_view name;
    std::uint64_t bytes;
  };
  constexpr std::array<Unit, 9> kUnits = {{{"", 1},
                                           {"KiB", 1ULL << 10},
                                           {"MiB", 1ULL << 20},
                                           {"GiB", 1ULL << 30},
                                           {"TiB", 1ULL << 40},
                                           {"KB", 1'000},
                                           {"MB", 1'000'000},
                                           {"GB", 1'000'000'000},
                                           {"TB", 1'000'000'000'000}}};
  double figure = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, figure, std::chars_format::fixed);
  const std::string_view name(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr));
  const auto* const unit =
      std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& one) { return one.name == name; });
  constexpr double kBytesMax = 9e18;
  if (parsed.ec == std::errc() && unit != kUnits.end()) {
    const double bytes = figure * static_cast<double>(unit->bytes);
    if (bytes >= 1 && bytes <= kBytesMax) return static_cast<std::uint64_t>(bytes);
  }
  return usage_error(
      fmt::format("a size is a number with KiB, MiB, GiB, TiB, KB, MB, GB or TB, not '{}'", text));
}

Result<NearSize> parse_near(std::string_view text) {
  NearSize size;
  if (!text.ends_with('%')) {
    HDB_ASSIGN(size.bytes, parse_size(text));
    return size;
  }
  double percent = 0;
  const char* const end = text.data() + text.size() - 1;
  const auto parsed = std::from_chars(text.data(), end, percent, std::chars_format::fixed);
  if (parsed.ec != std::errc() || parsed.ptr != end || !(percent > 0) || percent > 100) {
    return usage_error(
        fmt::format("a share of the data is above 0% and at most 100%, not '{}'", text));
  }
  size.share = percent / 100;
  return size;
}

}  // namespace hdbench::pmem
