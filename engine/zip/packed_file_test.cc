#include "engine/zip/packed_file.h"

#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "engine/base/catch.h"
#include "engine/testing/zip_files.h"

namespace hdbench {
namespace {

constexpr std::size_t kBlock = 4096;

class CountedBlocks final : public UnpackAccount {
 public:
  void add_block(Bytes stored, std::uint64_t plain) override {
    if (plain_bytes + plain > most) throw std::length_error("no memory");
    stored_bytes += stored.size();
    plain_bytes += plain;
  }
  std::atomic<std::uint64_t> stored_bytes{0};
  std::atomic<std::uint64_t> plain_bytes{0};
  std::uint64_t most = UINT64_MAX;
};

std::vector<std::byte> long_bytes(std::size_t count) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < count; ++i) append_bytes(bytes, static_cast<std::int64_t>(i * 3));
  return bytes;
}

std::shared_ptr<PackedFile> packed(const std::vector<std::byte>& file) {
  const auto owned = std::make_shared<const std::vector<std::byte>>(file);
  auto made = PackedFile::open({*owned, owned}, "packed");
  REQUIRE(made.ok());
  return *made;
}

TEST_CASE("a range has its blocks unpacked, once, and the file gives them up at the end") {
  for (int algorithm = 0; algorithm <= 5; ++algorithm) {
    const std::vector<std::byte> plain = long_bytes(5000);
    const auto file = packed(zip_file(algorithm, plain, kBlock));
    REQUIRE(file->bytes().size() == plain.size());
    for (int query = 0; query < 2; ++query) {
      CountedBlocks account;
      file->attach(&account);
      const Bytes part = file->bytes().subspan(kBlock + 100, 8);
      const auto read = file->need(part);
      REQUIRE(read.ok());
      CHECK(*read == file->zipped().stored_block(1).size());
      CHECK(account.plain_bytes == kBlock);
      CHECK(std::equal(part.begin(), part.end(), plain.begin() + kBlock + 100));
      CHECK(*file->need(part) == 0);
      REQUIRE(file->need(file->bytes()).ok());
      CHECK(account.plain_bytes == plain.size());
      CHECK(std::equal(plain.begin(), plain.end(), file->bytes().begin()));
      file->detach(&account);
    }
  }
}

TEST_CASE("what is unpacked is given up while one query reads the file, and not while two do") {
  const std::vector<std::byte> plain = long_bytes(5000);
  const auto file = packed(zip_file(4, plain, kBlock));
  CountedBlocks account;
  CountedBlocks other;
  file->attach(&account);
  CHECK(file->give_up() == 0);
  REQUIRE(file->need(file->bytes().subspan(kBlock, 8)).ok());
  REQUIRE(file->need(file->bytes().last(8)).ok());
  CHECK(file->give_up() == kBlock + plain.size() % kBlock);
  CHECK(file->give_up() == 0);
  REQUIRE(file->need(file->bytes()).ok());
  CHECK(std::equal(plain.begin(), plain.end(), file->bytes().begin()));
  file->attach(&other);
  CHECK(file->give_up() == 0);
  CHECK(*file->need(file->bytes()) == 0);
  file->detach(&other);
  file->detach(&account);
}

TEST_CASE("of selected elements, the blocks of their words of bits are unpacked") {
  const std::vector<std::byte> plain = long_bytes(4096);
  const auto file = packed(zip_file(4, plain, kBlock));
  CountedBlocks account;
  file->attach(&account);
  std::vector<std::uint64_t> bits(64);
  bits[20] = 1;  // elements 1280 to 1343: all in the third block of 512
  REQUIRE(file->need(file->bytes().data(), 8, bits, 4096).ok());
  CHECK(account.plain_bytes == kBlock);
  bits[63] = bits[62] = 2;
  REQUIRE(file->need(file->bytes().data(), 8, bits, 4096).ok());
  CHECK(account.plain_bytes == 2 * kBlock);
  CHECK(file->stored_of(file->bytes().subspan(0, 1)).data() ==
        file->zipped().stored_block(0).data());
  file->detach(&account);
}

TEST_CASE("threads that need the same block unpack it once") {
  const std::vector<std::byte> plain = long_bytes(200'000);
  const auto file = packed(zip_file(2, plain, kBlock));
  CountedBlocks account;
  file->attach(&account);
  std::vector<std::thread> threads;
  std::atomic<std::size_t> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      wrong += !file->need(file->bytes()).ok() ||
               !std::equal(plain.begin(), plain.end(), file->bytes().begin());
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(account.plain_bytes == plain.size());
  file->detach(&account);
}

TEST_CASE("a block that there is no memory for stays packed, and a broken one is an error") {
  const std::vector<std::byte> plain = long_bytes(2048);
  std::vector<std::byte> stored = zip_file(2, plain, kBlock);
  const auto file = packed(stored);
  CountedBlocks account;
  account.most = kBlock;
  file->attach(&account);
  CHECK_THROWS_AS(file->need(file->bytes()), std::length_error);
  account.most = UINT64_MAX;
  REQUIRE(file->need(file->bytes()).ok());
  CHECK(std::equal(plain.begin(), plain.end(), file->bytes().begin()));
  file->detach(&account);

  stored[20] ^= std::byte{0xff};
  const auto broken = packed(stored);
  broken->attach(&account);
  const auto refused = broken->need(broken->bytes());
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.starts_with("packed: byte 8 (kxzipped): block 0"));
  broken->detach(&account);
}

TEST_CASE("blocks stay while another query is attached") {
  const std::vector<std::byte> plain = long_bytes(2048);
  const auto file = packed(zip_file(3, plain, kBlock));
  CountedBlocks first;
  CountedBlocks second;
  file->attach(&first);
  REQUIRE(file->need(file->bytes()).ok());
  file->attach(&second);
  file->detach(&second);
  CHECK(std::equal(plain.begin(), plain.end(), file->bytes().begin()));
  file->detach(&first);
}

}  // namespace
}  // namespace hdbench
