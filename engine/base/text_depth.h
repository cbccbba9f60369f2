// How deep a text's values are nested, counted before it is parsed: parsers and the trees that they
// make recurse, and a text of brackets would take all of the stack.
#pragma once

#include <cstddef>
#include <string_view>

namespace hdbench {

// Far deeper than any document that hdbench writes or reads.
constexpr std::size_t kJsonDepthMax = 100;

// The deepest nesting of brackets and braces outside of strings in quotes. What is no JSON gives
// any number, up to what a parser reads of it the right one.
std::size_t json_depth(std::string_view text);

}  // namespace hdbench
