// Mutations that know what an input is, so that most of what they make gets past the parser.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace hdbench::fuzz {

// Changes bytes in place, at most `room` of them afterwards: libFuzzer's own mutations.
using MutateBytes = std::function<void(std::string& text, std::size_t room)>;

// A q-SQL query: nine times in ten the result is the grammar's, a new query or one whose phrases
// were exchanged; else any bytes are changed.
void mutate_query(std::string& text, std::size_t room, unsigned seed, const MutateBytes& mutate);

// The pieces of fuzz_input.h: mostly the bytes of one of them are changed, the marks left whole;
// also shapes are put on and taken off, pieces doubled and dropped.
void mutate_pieces(std::string& text, std::size_t room, unsigned seed, const MutateBytes& mutate);

}  // namespace hdbench::fuzz
