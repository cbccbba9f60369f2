#include "tests/fuzz/fuzz_input.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "engine/base/result.h"
#include "engine/testing/zip_files.h"

namespace hdbench::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr Target kTargets[] = {
    {"column", run_column},         {"decompress", run_decompress}, {"ipc", run_ipc},
    {"symbols", run_symbols},       {"database", run_database},     {"query", run_query},
    {"query_file", run_query_file}, {"experiment", run_experiment}, {"profile", run_profile},
    {"results", run_results},       {"io_results", run_io_results}, {"image", run_image},
    {"forecasts", run_forecasts},   {"words", run_words},           {"saved", run_saved},
    {"taq_file", run_taq_file},
};

constexpr std::string_view kPieceMark = "@@ ";
constexpr std::size_t kFilesMax = 64;
constexpr std::size_t kPageTrailer = 4080;
constexpr std::size_t kPageDomain = 16;
constexpr std::size_t kZipBlock = 4096;

class Scratch {
 public:
  Scratch() {
    const bool in_memory = ::access("/dev/shm", W_OK) == 0;
    std::string name =
        (in_memory ? fs::path("/dev/shm") : fs::temp_directory_path()) / "hdbench-fuzz-XXXXXX";
    const char* made = ::mkdtemp(name.data());
    require(made != nullptr, "a scratch directory can be made");
    path = made;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  fs::path path;
};

class ExactStore final : public Store {
 public:
  Result<Mapping> map(const fs::path& path) override {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return data_error(path.string() + ": no such file");
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const Region region = exact(text.size());
    if (!text.empty()) std::memcpy(region.bytes.data(), text.data(), text.size());
    return Mapping{region.bytes, region.keep_alive};
  }
  Result<Region> allocate(std::size_t bytes) override { return exact(bytes); }
  void copy_in(std::byte* destination, Bytes source) override {
    if (!source.empty()) std::memcpy(destination, source.data(), source.size());
  }

 private:
  static Region exact(std::size_t bytes) {
    constexpr std::size_t kAlignment = 4096;
    void* memory = nullptr;
    require(::posix_memalign(&memory, kAlignment, std::max<std::size_t>(bytes, 1)) == 0,
            "memory for a file");
    std::memset(memory, 0, bytes);
    std::shared_ptr<void> owned(memory, ::free);
    return {{static_cast<std::byte*>(memory), bytes}, std::move(owned)};
  }
};

std::vector<std::byte> header_page(Bytes bytes, std::string_view domain) {
  std::vector<std::byte> page(kPageTrailer);
  page[0] = std::byte{0xfd};
  page[1] = std::byte{0x20};
  const std::size_t length = std::min(domain.size(), kPageTrailer - kPageDomain - 1);
  std::memcpy(page.data() + kPageDomain, domain.data(), length);
  page.insert(page.end(), bytes.begin(), bytes.end());
  return page;
}

std::vector<std::byte> shaped(Bytes bytes, std::string_view words) {
  std::vector<std::byte> result(bytes.begin(), bytes.end());
  constexpr std::string_view kPage = "page:";
  constexpr std::string_view kZip = "zip";
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find('|'));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    if (word.starts_with(kPage)) result = header_page(result, word.substr(kPage.size()));
    if (word.starts_with(kZip) && word.size() == kZip.size() + 1) {
      result = zip_file(word.back() - '0', result, kZipBlock);
    }
  }
  return result;
}

Piece make_piece(std::string_view line, Bytes bytes) {
  const std::size_t bar = std::min(line.find('|'), line.size());
  const std::string_view words = line.substr(std::min(bar + 1, line.size()));
  return {std::string(line.substr(0, bar)), shaped(bytes, words)};
}

// Where the next piece's mark is, at the beginning of a line; or npos.
std::size_t next_mark(std::string_view text, std::size_t from) {
  while (true) {
    const std::size_t at = text.find(kPieceMark, from);
    if (at == text.npos || at == 0 || text[at - 1] == '\n') return at;
    from = at + 1;
  }
}

// A name as a path below a root: no part of it leads upwards.
fs::path below(std::string_view name) {
  fs::path path;
  while (!name.empty()) {
    const std::string_view part = name.substr(0, name.find('/'));
    name.remove_prefix(std::min(name.size(), part.size() + 1));
    const bool leads_away = part.empty() || part == "." || part == "..";
    if (!leads_away && part.find('\0') == part.npos) path /= part;
  }
  return path;
}

// The lines of a par.txt, none of which leads out of `root`.
std::vector<std::byte> held_below(const fs::path& root, Bytes bytes) {
  std::string lines;
  std::string_view text = as_text(bytes);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const bool whole = line.size() < text.size();
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.find("..") != line.npos) continue;
    if (line.starts_with('/')) lines += root.string();
    lines += line;
    if (whole) lines += '\n';
  }
  return bytes_of(lines);
}

}  // namespace

std::span<const Target> targets() { return kTargets; }

const Target* find_target(std::string_view name) {
  const auto* found = std::ranges::find(kTargets, name, &Target::name);
  return found == std::end(kTargets) ? nullptr : found;
}

void require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

const fs::path& scratch() {
  static const Scratch made;
  return made.path;
}

void write_file(const fs::path& path, Bytes bytes) {
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

std::vector<Piece> pieces_of(Bytes input) {
  const std::string_view text = as_text(input);
  std::vector<Piece> pieces;
  std::size_t mark = next_mark(text, 0);
  if (mark != 0) {
    const std::size_t end = mark == text.npos ? text.size() : mark - 1;
    pieces.push_back({"", {input.begin(), input.begin() + static_cast<std::ptrdiff_t>(end)}});
  }
  while (mark != text.npos && pieces.size() < kFilesMax) {
    const std::size_t begin = mark + kPieceMark.size();
    const std::size_t line_end = std::min(text.find('\n', begin), text.size());
    const std::size_t data = std::min(line_end + 1, text.size());
    mark = next_mark(text, data);
    const std::size_t data_end = mark == text.npos ? text.size() : std::max(data, mark - 1);
    pieces.push_back(
        make_piece(text.substr(begin, line_end - begin), input.subspan(data, data_end - data)));
  }
  return pieces;
}

void write_tree(const fs::path& root, Bytes input) {
  std::error_code ignored;
  fs::remove_all(root, ignored);
  fs::create_directories(root, ignored);
  for (const Piece& piece : pieces_of(input)) {
    const fs::path name = below(piece.name);
    if (name.empty()) continue;
    if (piece.name.back() == '/') {
      fs::create_directories(root / name, ignored);
    } else if (name == "par.txt") {
      write_file(root / name, held_below(root, piece.bytes));
    } else {
      write_file(root / name, piece.bytes);
    }
  }
}

std::shared_ptr<Store> make_exact_store() { return std::make_shared<ExactStore>(); }

}  // namespace hdbench::fuzz
