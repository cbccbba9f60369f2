#include <algorithm>
#include <array>
#include <random>
#include <string_view>
#include <vector>

#include "tests/fuzz/mutators.h"

namespace hdbench::fuzz {
namespace {

constexpr std::string_view kMark = "@@ ";
constexpr std::array<std::string_view, 12> kShapes = {
    "|zip0",     "|zip1",  "|zip2",          "|zip3",          "|zip4",          "|zip5",
    "|page:sym", "|page:", "|page:sym|zip1", "|page:sym|zip2", "|page:sym|zip5", "|page:none"};

// A piece with its line, as it stands in the input.
std::vector<std::string> pieces_in(std::string_view text) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    std::size_t next = text.find("\n@@ ", 1);
    next = next == text.npos ? text.size() : next + 1;
    pieces.emplace_back(text.substr(0, next));
    text.remove_prefix(next);
  }
  return pieces;
}

// Where a piece's bytes begin: behind its line.
std::size_t data_of(const std::string& piece) {
  if (!piece.starts_with(kMark)) return 0;
  return std::min(piece.find('\n'), piece.size() - 1) + 1;
}

// The line break before the next mark is no part of a piece's bytes, and stays.
void change_bytes(std::string& piece, std::size_t room, const MutateBytes& mutate) {
  const std::size_t at = data_of(piece);
  const bool has_break = piece.size() > at && piece.back() == '\n';
  std::string bytes = piece.substr(at, piece.size() - at - (has_break ? 1 : 0));
  mutate(bytes, std::max<std::size_t>(room, bytes.size() + 1));
  piece = piece.substr(0, at) + bytes + (has_break ? "\n" : "");
}

void change_shape(std::string& piece, std::string_view shape) {
  const std::size_t end = data_of(piece);
  if (end == 0) return;
  const std::size_t bar = std::min(piece.find('|'), end - 1);
  piece = piece.substr(0, bar) + std::string(shape) + piece.substr(end - 1);
}

}  // namespace

void mutate_pieces(std::string& text, std::size_t room, unsigned seed, const MutateBytes& mutate) {
  std::mt19937_64 random(seed);
  std::vector<std::string> pieces = pieces_in(text);
  if (pieces.empty() || random() % 10 == 0) return mutate(text, room);
  const std::size_t at = random() % pieces.size();
  const std::size_t left = room - std::min(room, text.size());
  switch (random() % 12) {
    case 0: change_shape(pieces[at], ""); break;
    case 1: change_shape(pieces[at], kShapes[random() % kShapes.size()]); break;
    case 2: pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(at)); break;
    case 3: pieces.push_back("\n" + pieces[random() % pieces.size()]); break;
    default: change_bytes(pieces[at], pieces[at].size() + left, mutate);
  }
  std::string made;
  for (const std::string& piece : pieces) made += piece;
  if (made.size() <= room) text = std::move(made);
}

}  // namespace hdbench::fuzz
