#include "pmem/persistent/image_format.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>

#include "engine/base/catch.h"
#include "pmem/persistent/libpmem_mapping.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("what is written and drained through libpmem is in the file") {
  if (persistent_absence() != nullptr) return;
  const testing::TemporaryDirectory directory;
  const auto path = directory.path() / "pool";
  const auto bytes = testing::known_bytes(5000, 1);
  {
    const auto made = open_persistent(path, 8192);
    REQUIRE(made.ok());
    LibpmemWriter persist;
    REQUIRE(persist.write(made->region.bytes.data() + 8, {}).ok());
    REQUIRE(persist.write(made->region.bytes.data() + 8, bytes).ok());
    REQUIRE(persist.write_word(made->region.bytes.data(), 0x0102030405060708).ok());
    REQUIRE(persist.drain().ok());
  }
  const auto opened = open_persistent(path);
  REQUIRE(opened.ok());
  REQUIRE(opened->region.bytes.size() == 8192);
  std::uint64_t word = 0;
  std::memcpy(&word, opened->region.bytes.data(), sizeof(word));
  CHECK(word == 0x0102030405060708);
  CHECK(testing::equal_bytes(opened->region.bytes.subspan(8, 5000), bytes));
}

struct PowerCut {};

// A medium behind a cache that loses power: what was written since the last drain has reached the
// medium or not, each 8 bytes by themselves.
class CutPersist final : public DurableWriter {
 public:
  static constexpr std::size_t kNever = ~std::size_t{0};

  CutPersist(std::span<std::byte> seen, std::size_t cut_after)
      : seen_(seen), durable_(seen.begin(), seen.end()), left_(cut_after) {}

  Status write(std::byte* to, std::span<const std::byte> from) override {
    store(to, from);
    return step();
  }
  Status write_word(std::byte* to, std::uint64_t word) override {
    CHECK(static_cast<std::size_t>(to - seen_.data()) % sizeof(word) == 0);
    store(to, std::as_bytes(std::span(&word, 1)));
    return step();
  }
  Status drain() override {
    for (const Pending& one : pending_) land(one, durable_);
    pending_.clear();
    return step();
  }

  std::size_t steps() const { return steps_; }
  // What is found after the power has come back: all that was drained, and of the rest what
  // `survives` says, word by word.
  std::vector<std::byte> after_cut(const std::function<bool(std::size_t at)>& survives) const {
    std::vector<std::byte> found = durable_;
    for (const Pending& one : pending_) {
      if (survives(one.at)) land(one, found);
    }
    return found;
  }

 private:
  struct Pending {
    std::size_t at = 0;
    std::size_t bytes = 0;  // within one aligned word
    std::uint64_t value = 0;
  };

  void store(std::byte* to, std::span<const std::byte> from) {
    std::size_t at = static_cast<std::size_t>(to - seen_.data());
    REQUIRE(at + from.size() <= seen_.size());
    if (!from.empty()) std::memcpy(to, from.data(), from.size());
    while (!from.empty()) {
      Pending one{at, std::min(from.size(), 8 - at % 8), 0};
      std::memcpy(&one.value, from.data(), one.bytes);
      pending_.push_back(one);
      from = from.subspan(one.bytes);
      at += one.bytes;
    }
  }
  static void land(const Pending& one, std::vector<std::byte>& bytes) {
    std::memcpy(bytes.data() + one.at, &one.value, one.bytes);
  }
  Status step() {
    if (++steps_ > left_) throw PowerCut();
    return ok_status();
  }

  std::span<std::byte> seen_;
  std::vector<std::byte> durable_;
  std::vector<Pending> pending_;
  std::size_t steps_ = 0;
  std::size_t left_;
};

bool nothing(std::size_t) { return false; }

// A database of files that are empty, smaller than a line, and of several pages.
struct Sample {
  std::vector<ImageFile> files;
  std::vector<std::vector<std::byte>> data;
  std::size_t pool_bytes = 0;

  explicit Sample(std::size_t seed) {
    std::size_t number = 0;
    for (const std::size_t bytes : {0, 1, 255, 256, 4096, 4097, 20000}) {
      data.push_back(testing::known_bytes(bytes, seed + ++number));
      ImageFile file;
      file.path = "2024.01.02/quote/column" + std::to_string(number);
      file.bytes = bytes;
      file.modified_ns = static_cast<std::int64_t>(seed);
      file.head_hash = hash_of(data.back());
      files.push_back(file);
    }
    pool_bytes = lay_out(files);
  }

  ImageSource source() const {
    return {[this](const ImageFile& file, std::uint64_t offset, std::span<std::byte> piece) {
              for (std::size_t i = 0; i < files.size(); ++i) {
                if (files[i].path != file.path) continue;
                std::memcpy(piece.data(), data[i].data() + offset, piece.size());
              }
              return ok_status();
            },
            [] { return ok_status(); }};
  }

  // Whether the pool holds exactly this, to the byte.
  bool is_in(std::span<const std::byte> pool) const {
    const auto image = read_image(pool);
    if (!image.ok() || !same_files(image->files, files)) return false;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const ImageFile& file = image->files[i];
      const auto bytes = pool.subspan(file.offset, file.bytes);
      if (!testing::equal_bytes(bytes, data[i]) || hash_of(bytes) != file.data_hash) return false;
    }
    return true;
  }
};

std::vector<std::byte> pool_with(const Sample& sample, std::uint64_t generation) {
  std::vector<std::byte> pool(sample.pool_bytes);
  CutPersist persist(pool, CutPersist::kNever);
  REQUIRE(write_image(pool, sample.files, generation, sample.source(), persist).ok());
  return persist.after_cut(nothing);
}

struct CutCounts {
  std::size_t cuts = 0;
  std::size_t none = 0;
  std::size_t whole = 0;
};

// Writes the sample into copies of `before`, cut after every step, and hands what is left to the
// check.
template <typename Check>
CutCounts cut_everywhere(const std::vector<std::byte>& before, const Sample& sample,
                         const Check& check) {
  CutCounts counts;
  std::mt19937 toss(7);
  for (std::size_t cut_after = 0;; ++cut_after) {
    auto pool = before;
    CutPersist persist(pool, cut_after);
    bool was_cut = false;
    try {
      const Status written = write_image(pool, sample.files, 2, sample.source(), persist);
      REQUIRE(written.ok());
    } catch (const PowerCut&) {
      was_cut = true;
    }
    const auto look = [&](const std::vector<std::byte>& left) {
      ++counts.cuts;
      ++(sample.is_in(left) ? counts.whole : counts.none);
      check(left);
    };
    look(persist.after_cut(nothing));
    look(persist.after_cut([](std::size_t) { return true; }));
    for (int i = 0; i < 50; ++i) {
      look(persist.after_cut([&](std::size_t) { return toss() % 2 == 1; }));
    }
    if (!was_cut) return counts;
  }
}

TEST_CASE("nothing, zeros, noise and a pool that lost its end are no image") {
  CHECK_FALSE(read_image({}).ok());
  CHECK(testing::contains(read_image(std::vector<std::byte>(8192)).error().message, "no seal"));
  CHECK_FALSE(read_image(testing::known_bytes(8192)).ok());
  const auto pool = pool_with(Sample(1), 1);
  CHECK_FALSE(read_image(std::span(pool).first(pool.size() - 4096)).ok());
}

TEST_CASE("a file of several pieces is read back whole") {
  const auto data = testing::known_bytes((std::size_t{9} << 20) + 5);
  std::vector<ImageFile> files(1);
  files.front().path = "bid";
  files.front().bytes = data.size();
  std::vector<std::byte> pool(lay_out(files));
  CutPersist persist(pool, CutPersist::kNever);
  const ImageSource source{[&](const ImageFile&, std::uint64_t offset, std::span<std::byte> piece) {
                             std::memcpy(piece.data(), data.data() + offset, piece.size());
                             return ok_status();
                           },
                           [] { return ok_status(); }};
  REQUIRE(write_image(pool, files, 1, source, persist).ok());
  const auto image = read_image(persist.after_cut(nothing));
  REQUIRE(image.ok());
  const auto bytes = std::span(pool).subspan(image->files.front().offset, data.size());
  CHECK(testing::equal_bytes(bytes, data));
  CHECK(image->files.front().data_hash == hash_of(data));
}

TEST_CASE("any changed byte of head or contents is found") {
  const Sample sample(1);
  auto pool = pool_with(sample, 1);
  std::uint64_t contents_bytes = 0;
  std::memcpy(&contents_bytes, pool.data() + 24, sizeof(contents_bytes));
  for (std::size_t at = 0; at < 4096 + contents_bytes; ++at) {
    if (at >= 72 && at < 4096) continue;  // nothing lies there
    if (at >= 40 && at < 64) continue;
    pool[at] ^= std::byte{1};
    CHECK_FALSE(read_image(pool).ok());
    pool[at] ^= std::byte{1};
  }
  CHECK(sample.is_in(pool));
}

TEST_CASE("a load that is cut at any step leaves nothing or the whole new image") {
  const Sample sample(1);
  const auto counts = cut_everywhere(std::vector<std::byte>(sample.pool_bytes), sample,
                                     [&](const std::vector<std::byte>& left) {
                                       CHECK((sample.is_in(left) || !read_image(left).ok()));
                                     });
  // 13 steps and the end, each looked at 52 times.
  CHECK(counts.cuts == 14 * 52);
  CHECK(counts.none > 0);
  CHECK(counts.whole > 0);
}

TEST_CASE("over an old image in the same pool, a cut leaves the old, nothing, or the new") {
  const Sample old_one(1);
  const Sample new_one(2);
  const auto counts =
      cut_everywhere(pool_with(old_one, 1), new_one, [&](const std::vector<std::byte>& left) {
        CHECK((new_one.is_in(left) || old_one.is_in(left) || !read_image(left).ok()));
      });
  CHECK(counts.whole > 0);
}

TEST_CASE("a medium that ignores drains is caught by these cuts") {
  class Careless final : public DurableWriter {
   public:
    explicit Careless(CutPersist& inner) : inner_(inner) {}
    Status write(std::byte* to, std::span<const std::byte> from) override {
      return inner_.write(to, from);
    }
    Status write_word(std::byte* to, std::uint64_t word) override {
      return inner_.write_word(to, word);
    }
    Status drain() override { return ok_status(); }

   private:
    CutPersist& inner_;
  };
  const Sample sample(1);
  std::vector<std::byte> pool(sample.pool_bytes);
  CutPersist inner(pool, CutPersist::kNever);
  Careless careless(inner);
  REQUIRE(write_image(pool, sample.files, 1, sample.source(), careless).ok());
  // Head, contents and seal arrived, of the data nothing.
  const auto left =
      inner.after_cut([&](std::size_t at) { return at < sample.files.front().offset; });
  REQUIRE(read_image(left).ok());
  CHECK_FALSE(sample.is_in(left));
}

TEST_CASE("a database that changed while it was loaded leaves no image") {
  const Sample sample(1);
  std::vector<std::byte> pool(sample.pool_bytes);
  CutPersist persist(pool, CutPersist::kNever);
  ImageSource source = sample.source();
  source.unchanged = []() -> Status { return data_error("changed"); };
  CHECK_FALSE(write_image(pool, sample.files, 1, source, persist).ok());
  CHECK_FALSE(read_image(pool).ok());
}

}  // namespace
}  // namespace hdbench::pmem
