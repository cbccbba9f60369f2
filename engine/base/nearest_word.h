// "Did you mean": the known word that is nearest to one that is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hdbench {

// The known word with the fewest letters to insert, remove, replace or swap with their neighbours,
// or one that begins with `word`. Empty: none is near (at most a third of the letters differ).
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

// "; did you mean 'dram'?", or nothing where no known word is near: the end of an error.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace hdbench
