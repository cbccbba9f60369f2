// q's `like`: text against a pattern.
//
// `?` is any one character, `*` any run of them (also none), `[abc]` one of these, `[^abc]` one of
// the others, `[a-z]` one of a range; everything else is itself, so `[*]` is a star. A character is
// a byte. A class ends at the first `]` that is not its first item: `[]]` is a `]`, as one outside
// of a class is.
// kdb+ refuses ('nyi) some patterns with several stars and classes; here they all work.
#pragma once

#include <string_view>

namespace hdbench {

// Whether the whole text matches the pattern. A class that is never closed matches nothing.
// Allocates nothing and does not recurse; takes at most text x pattern steps, and one pass where
// the pattern has no star.
bool like(std::string_view text, std::string_view pattern);

// Whether every class of the pattern is closed.
bool is_like_pattern(std::string_view pattern);

}  // namespace hdbench
