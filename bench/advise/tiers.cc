#include "bench/advise/tiers.h"

#include <algorithm>

#include "bench/base/toml_reader.h"
#include "engine/base/file_handle.h"
#include "pmem/base/medium_spec.h"
#include "pmem/media/emulated_medium.h"

namespace hdbench::bench {
namespace {

constexpr double kPriceMax = 1e9;
constexpr std::size_t kTiersBytesMax = std::size_t{1} << 20;
constexpr std::size_t kTiersMax = 16;

Tier read_tier(const TomlReader& reader, const toml::table& table) {
  reader.check_names(table, {"name", "medium", "capacity", "price_per_gb", "price_once", "source"});
  Tier tier;
  for (const auto& [name, text] : {std::pair{"name", &tier.name}, {"medium", &tier.medium}}) {
    *text = reader.text(table, name, "");
    if (text->empty()) reader.fail(table, fmt::format("a [[tier]] without '{}'", name));
  }
  const auto word = parse_medium_spec(tier.medium);
  if (!word.ok()) reader.fail(*table.get("medium"), word.error().message);
  if (tier.medium != "dram") {
    if (!is_emulated(*word)) {
      reader.fail(*table.get("medium"),
                  fmt::format("'medium': {}: expected dram, or a medium with a profile, such as "
                              "cxl:cxl-cz122",
                              tier.medium));
    }
    const Status fits = check_emulated(*word);
    if (!fits.ok()) reader.fail(*table.get("medium"), fits.error().message);
  }
  if (const std::string capacity = reader.text(table, "capacity", ""); !capacity.empty()) {
    const auto bytes = parse_size(capacity);
    if (!bytes.ok()) reader.fail(*table.get("capacity"), bytes.error().message);
    tier.capacity_bytes = *bytes;
  }
  const auto price = reader.number(table, "price_per_gb", 0, kPriceMax);
  if (!price) reader.fail(table, fmt::format("tier '{}' without 'price_per_gb'", tier.name));
  tier.price_per_gb = *price;
  tier.price_once = reader.number(table, "price_once", 0, kPriceMax).value_or(0);
  tier.source = reader.text(table, "source", "");
  return tier;
}

std::vector<Tier> tiers_of(const TomlReader& reader, const toml::table& file) {
  reader.check_names(file, {"tier"});
  std::vector<Tier> tiers;
  for (const toml::table* const table : reader.tables(file, "tier")) {
    Tier tier = read_tier(reader, *table);
    const auto same = [&](const Tier& other) {
      return other.name == tier.name || other.medium == tier.medium;
    };
    if (std::any_of(tiers.begin(), tiers.end(), same))
      reader.fail(*table, fmt::format("tier '{}': its name or medium is there twice", tier.name));
    tiers.push_back(std::move(tier));
  }
  if (tiers.empty()) reader.fail(file, "no [[tier]]");
  if (tiers.size() > kTiersMax)
    reader.fail(file, fmt::format("{} tiers, expected {} at most", tiers.size(), kTiersMax));
  const bool has_dram = std::any_of(tiers.begin(), tiers.end(),
                                    [](const Tier& tier) { return tier.medium == "dram"; });
  if (!has_dram) reader.fail(file, "no tier whose medium is dram: times are compared with it");
  return tiers;
}

}  // namespace

Result<std::vector<Tier>> parse_tiers(std::string_view text, const std::string& file) {
  return read_toml<std::vector<Tier>>(text, file, tiers_of);
}

Result<std::vector<Tier>> read_tiers(const std::filesystem::path& file) {
  HDB_ASSIGN(const std::string text, read_text(file, kTiersBytesMax));
  return parse_tiers(text, file.filename().string());
}

double price_of(const Tier& tier, std::uint64_t bytes) {
  if (bytes == 0) return 0;
  return tier.price_once + tier.price_per_gb * static_cast<double>(bytes) * 1e-9;
}

}  // namespace hdbench::bench
