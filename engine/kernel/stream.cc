#include "engine/kernel/stream.h"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "engine/base/check.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Word = std::uint64_t;
constexpr std::size_t kLineWords = 64 / sizeof(Word);
constexpr std::size_t kPageWords = 4096 / sizeof(Word);
constexpr std::size_t kEightPageWords = 8 * kPageWords;
constexpr std::size_t kFetchedWords = 1024 / sizeof(Word);

// At most a line, so that a line is a whole number of vectors everywhere.
using WordTag = hn::CappedTag<Word, kLineWords>;
using WordVector = hn::Vec<WordTag>;

HWY_INLINE void add_line(WordTag d, const Word* HWY_RESTRICT line, WordVector& sum) {
  for (std::size_t i = 0; i < kLineWords; i += hn::Lanes(d))
    sum = hn::Add(sum, hn::Load(d, line + i));
}

HWY_INLINE Word lane_sum(WordTag d, WordVector v) {
  HWY_ALIGN Word lanes[kLineWords];
  hn::StoreU(v, d, lanes);
  Word sum = 0;
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) sum += lanes[i];
  return sum;
}

HWY_INLINE Word tail_sum(const Word* words, std::size_t begin, std::size_t end) {
  Word sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += words[i];
  return sum;
}

// Eight streams `stride` words apart, each `words` long. Vectors without a fixed size (SVE, RVV)
// cannot stand in an array: the eight sums have names.
HWY_INLINE Word sum_eight(WordTag d, const Word* HWY_RESTRICT at, std::size_t stride,
                          std::size_t words, std::size_t step) {
  WordVector s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  for (std::size_t i = 0; i < words; i += step, at += step) {
    add_line(d, at, s0);
    add_line(d, at + stride, s1);
    add_line(d, at + 2 * stride, s2);
    add_line(d, at + 3 * stride, s3);
    add_line(d, at + 4 * stride, s4);
    add_line(d, at + 5 * stride, s5);
    add_line(d, at + 6 * stride, s6);
    add_line(d, at + 7 * stride, s7);
  }
  s0 = hn::Add(hn::Add(s0, s1), hn::Add(s2, s3));
  s4 = hn::Add(hn::Add(s4, s5), hn::Add(s6, s7));
  return lane_sum(d, hn::Add(s0, s4));
}

HWY_INLINE Word sum_linear(const Word* words, std::size_t count) {
  constexpr std::size_t kStep = 8 * kLineWords;
  const std::size_t whole = count / kStep * kStep;
  return sum_eight(WordTag(), words, kLineWords, whole, kStep) + tail_sum(words, whole, count);
}

Word SumLinear(const Word* words, std::size_t count) { return sum_linear(words, count); }

Word SumFetched(const Word* words, std::size_t count) {
  constexpr std::size_t kStep = 8 * kLineWords;
  const std::size_t whole = count < kFetchedWords ? 0 : (count - kFetchedWords) / kStep * kStep;
  const WordTag d;
  WordVector sum = hn::Zero(d);
  for (std::size_t i = 0; i < whole; i += kStep) {
    for (std::size_t line = i; line < i + kStep; line += kLineWords) {
      __builtin_prefetch(words + line + kFetchedWords);
      add_line(d, words + line, sum);
    }
  }
  return lane_sum(d, sum) + sum_linear(words + whole, count - whole);
}

Word SumPages(const Word* words, std::size_t count) {
  const std::size_t whole = count / kEightPageWords * kEightPageWords;
  Word sum = sum_linear(words + whole, count - whole);
  for (std::size_t block = 0; block < whole; block += kEightPageWords)
    sum += sum_eight(WordTag(), words + block, kPageWords, kPageWords, kLineWords);
  return sum;
}

template <StoreKind kStores>
HWY_INLINE void store_past(WordTag d, WordVector v, Word* HWY_RESTRICT at) {
  if constexpr (kStores == StoreKind::kNonTemporal) {
    hn::Stream(v, d, at);
  } else {
    hn::Store(v, d, at);
  }
}

template <StoreKind kStores>
HWY_INLINE void finish() {
  if constexpr (kStores == StoreKind::kNonTemporal) hwy::FlushStream();
}

template <StoreKind kStores>
HWY_INLINE void fill(Word* HWY_RESTRICT words, std::size_t count, Word value) {
  const WordTag d;
  const WordVector v = hn::Set(d, value);
  constexpr std::size_t kStep = 4 * kLineWords;
  const std::size_t whole = count / kStep * kStep;
  for (std::size_t i = 0; i < whole; i += kStep) {
    for (std::size_t j = 0; j < kStep; j += hn::Lanes(d)) store_past<kStores>(d, v, words + i + j);
  }
  for (std::size_t i = whole; i < count; ++i) words[i] = value;
  finish<kStores>();
}

void FillNormal(Word* words, std::size_t count, Word value) {
  fill<StoreKind::kNormal>(words, count, value);
}
void FillPast(Word* words, std::size_t count, Word value) {
  fill<StoreKind::kNonTemporal>(words, count, value);
}

// `lines` neighbouring lines.
template <StoreKind kStores>
HWY_INLINE void copy_lines(WordTag d, const Word* HWY_RESTRICT from, Word* HWY_RESTRICT to,
                           std::size_t lines) {
  for (std::size_t i = 0; i < lines * kLineWords; i += hn::Lanes(d))
    store_past<kStores>(d, hn::Load(d, from + i), to + i);
}

template <StoreKind kStores>
HWY_INLINE void copy_linear(const Word* HWY_RESTRICT from, Word* HWY_RESTRICT to,
                            std::size_t count) {
  constexpr std::size_t kLines = 4;
  const std::size_t whole = count / (kLines * kLineWords) * (kLines * kLineWords);
  for (std::size_t i = 0; i < whole; i += kLines * kLineWords)
    copy_lines<kStores>(WordTag(), from + i, to + i, kLines);
  for (std::size_t i = whole; i < count; ++i) to[i] = from[i];
}

template <StoreKind kStores>
HWY_INLINE void copy_pages(const Word* HWY_RESTRICT from, Word* HWY_RESTRICT to,
                           std::size_t count) {
  constexpr std::size_t kLines = 2;
  const std::size_t whole = count / kEightPageWords * kEightPageWords;
  for (std::size_t block = 0; block < whole; block += kEightPageWords) {
    for (std::size_t i = block; i < block + kPageWords; i += kLines * kLineWords) {
      for (std::size_t page = 0; page < kEightPageWords; page += kPageWords)
        copy_lines<kStores>(WordTag(), from + i + page, to + i + page, kLines);
    }
  }
  copy_linear<kStores>(from + whole, to + whole, count - whole);
}

void CopyNormal(const Word* from, Word* to, std::size_t count) {
  copy_linear<StoreKind::kNormal>(from, to, count);
}
void CopyPast(const Word* from, Word* to, std::size_t count) {
  copy_linear<StoreKind::kNonTemporal>(from, to, count);
  finish<StoreKind::kNonTemporal>();
}
void CopyPagesNormal(const Word* from, Word* to, std::size_t count) {
  copy_pages<StoreKind::kNormal>(from, to, count);
}
void CopyPagesPast(const Word* from, Word* to, std::size_t count) {
  copy_pages<StoreKind::kNonTemporal>(from, to, count);
  finish<StoreKind::kNonTemporal>();
}

}  // namespace
}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {
namespace {

HWY_EXPORT(SumLinear);
HWY_EXPORT(SumPages);
HWY_EXPORT(SumFetched);
HWY_EXPORT(FillNormal);
HWY_EXPORT(FillPast);
HWY_EXPORT(CopyNormal);
HWY_EXPORT(CopyPast);
HWY_EXPORT(CopyPagesNormal);
HWY_EXPORT(CopyPagesPast);

}  // namespace

std::uint64_t stream_sum(std::span<const std::uint64_t> words, StreamOrder order) {
  switch (order) {
    case StreamOrder::kLinear: return HWY_DYNAMIC_DISPATCH(SumLinear)(words.data(), words.size());
    case StreamOrder::kEightPages:
      return HWY_DYNAMIC_DISPATCH(SumPages)(words.data(), words.size());
    case StreamOrder::kFetched: return HWY_DYNAMIC_DISPATCH(SumFetched)(words.data(), words.size());
  }
  return 0;
}

void stream_fill(std::span<std::uint64_t> words, std::uint64_t value, StoreKind stores) {
  if (stores == StoreKind::kNormal) {
    HWY_DYNAMIC_DISPATCH(FillNormal)(words.data(), words.size(), value);
  } else {
    HWY_DYNAMIC_DISPATCH(FillPast)(words.data(), words.size(), value);
  }
}

void stream_copy(std::span<const std::uint64_t> from, std::span<std::uint64_t> to,
                 StreamOrder order, StoreKind stores) {
  const std::uint64_t* source = from.data();
  std::uint64_t* target = to.data();
  HDB_CHECK(order != StreamOrder::kFetched, "an order that copies have");
  const bool pages = order == StreamOrder::kEightPages;
  if (stores == StoreKind::kNormal) {
    pages ? HWY_DYNAMIC_DISPATCH(CopyPagesNormal)(source, target, from.size())
          : HWY_DYNAMIC_DISPATCH(CopyNormal)(source, target, from.size());
  } else {
    pages ? HWY_DYNAMIC_DISPATCH(CopyPagesPast)(source, target, from.size())
          : HWY_DYNAMIC_DISPATCH(CopyPast)(source, target, from.size());
  }
}

}  // namespace hdbench
#endif  // HWY_ONCE
