#include "bench/users/query_mix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "bench/model/axes.h"
#include "engine/base/file_handle.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kMixBytesMax = std::size_t{1} << 20;
constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<std::size_t> weight_of(std::string_view word) {
  std::size_t weight = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), weight);
  const bool is_whole = error == std::errc{} && end == word.data() + word.size();
  if (!is_whole || weight < 1 || weight > kMixWeightMax) return std::nullopt;
  return weight;
}

// One line's query and weight, added to the mix.
Status add_line(std::string_view line, const std::string& place,
                const std::vector<ListedQuery>& queries, QueryMix& mix) {
  const std::size_t blank = line.find_first_of(kBlanks);
  const std::string_view number = line.substr(0, blank);
  const std::string_view label = blank == std::string_view::npos ? "" : trimmed(line.substr(blank));
  const auto weight = weight_of(number);
  if (!weight) {
    return usage_error(fmt::format("--mix: {}: '{}' is not a whole number from 1 to {}", place,
                                   number, kMixWeightMax));
  }
  const auto query = std::ranges::find_if(
      queries, [&](const ListedQuery& one) { return query_label(one.id) == label; });
  if (query == queries.end()) {
    std::vector<std::string> known;
    for (const ListedQuery& one : queries) known.push_back(query_label(one.id));
    return usage_error(fmt::format("--mix: {}: '{}' is no query of this run: known are {}", place,
                                   label, fmt::join(known, ", ")));
  }
  if (std::ranges::any_of(mix, [&](const auto& one) { return one.first == query->id; }))
    return usage_error(fmt::format("--mix: {}: {} is named a second time", place, label));
  mix.emplace_back(query->id, *weight);
  return ok_status();
}

}  // namespace

QueryMix even_mix(const std::vector<ListedQuery>& queries) {
  QueryMix mix;
  for (const ListedQuery& listed : queries) mix.emplace_back(listed.id, 1);
  return mix;
}

Result<QueryMix> parse_mix(std::string_view text, const std::string& file,
                           const std::vector<ListedQuery>& queries) {
  QueryMix mix;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('/')) continue;
    HDB_TRY(add_line(line, fmt::format("{}: line {}", file, number), queries, mix));
  }
  if (mix.empty())
    return usage_error(fmt::format("--mix: {}: names no query, expected lines such as '3 {}'", file,
                                   query_label(queries.empty() ? 1 : queries.front().id)));
  return mix;
}

Result<QueryMix> read_mix(const std::filesystem::path& file,
                          const std::vector<ListedQuery>& queries) {
  auto text = read_text(file, kMixBytesMax);
  if (!text.ok()) return usage_error("--mix: " + text.error().message);
  return parse_mix(*text, file.string(), queries);
}

std::string to_text(const QueryMix& mix) {
  std::vector<std::string> parts;
  for (const auto& [query, weight] : mix)
    parts.push_back(fmt::format("{} {}", query_label(query), weight));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string texts_of(const QueryMix& mix, const std::vector<ListedQuery>& queries) {
  std::string texts;
  for (const ListedQuery& one : queries) {
    const auto is_one = [&](const auto& of_mix) { return of_mix.first == one.id; };
    if (std::ranges::any_of(mix, is_one)) texts += one.query.text + '\n';
  }
  return fmt::format("{:016x}", XXH3_64bits(texts.data(), texts.size()));
}

QueryDeck::QueryDeck(const QueryMix& mix, std::uint64_t seed) : random_(seed) {
  for (const auto& [query, weight] : mix) deck_.insert(deck_.end(), weight, query);
  dealt_ = deck_.size();
}

int QueryDeck::next() {
  if (dealt_ == deck_.size()) {
    // The standard's shuffle is not the same everywhere.
    for (std::size_t left = deck_.size(); left > 1; --left)
      std::swap(deck_[left - 1], deck_[random_() % left]);
    dealt_ = 0;
  }
  return deck_[dealt_++];
}

}  // namespace hdbench::bench
