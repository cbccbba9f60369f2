// How often each query is put, as `--mix FILE` says, and the order in which queries are dealt.
//
// The file has a line for each query: a whole number, and the query's label ("3 Q01"). A line that
// begins with / is a comment, as in q. Queries that it does not name are not put.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/model/query_list.h"
#include "engine/base/result.h"

namespace hdbench::bench {

using QueryMix = std::vector<std::pair<int, std::size_t>>;  // query, how often of a deck

constexpr std::size_t kMixWeightMax = 1000;

// Each query once.
QueryMix even_mix(const std::vector<ListedQuery>& queries);

// Errors: kUsage, naming the file and its line: an unknown query or one that is named twice, a
// number that is not from 1 to kMixWeightMax; a file that names none.
Result<QueryMix> parse_mix(std::string_view text, const std::string& file,
                           const std::vector<ListedQuery>& queries);
Result<QueryMix> read_mix(const std::filesystem::path& file,
                          const std::vector<ListedQuery>& queries);

// "Q01 3, Q02 1".
std::string to_text(const QueryMix& mix);

// XXH3 of the texts of its queries, as 16 hexadecimal digits.
std::string texts_of(const QueryMix& mix, const std::vector<ListedQuery>& queries);

// Deals queries from decks that hold each as often as the mix says, shuffled: so shares are exact
// after every deck, and two runs of one seed deal alike.
class QueryDeck {
 public:
  // Requires: the mix is not empty.
  QueryDeck(const QueryMix& mix, std::uint64_t seed);
  int next();

 private:
  std::vector<int> deck_;
  std::size_t dealt_;
  std::mt19937_64 random_;
};

}  // namespace hdbench::bench
