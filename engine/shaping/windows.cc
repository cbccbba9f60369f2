#include "engine/shaping/windows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "engine/column/format_value.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/order_keys.h"
#include "engine/kernel/selection.h"
#include "engine/operator/aggregator.h"
#include "engine/operator/gather.h"
#include "engine/shaping/moving_sum.h"
#include "engine/shaping/row_keys.h"

namespace hdbench {
namespace {

constexpr double kNullFloat = std::numeric_limits<double>::quiet_NaN();

bool is_span(QType type) {
  return type == QType::kTimespan || type == QType::kMinute || type == QType::kSecond ||
         type == QType::kTime;
}

bool is_plain_number(QType type) {
  return type >= QType::kBoolean && type <= QType::kFloat && type != QType::kGuid;
}

std::optional<QType> difference_type(QType type) {
  if (is_plain_number(type)) return type_width(type) <= 2 ? QType::kInt : type;
  if (is_span(type)) return type;
  if (type == QType::kTimestamp) return QType::kTimespan;
  if (type == QType::kDatetime) return QType::kFloat;
  if (is_instant(type)) return QType::kInt;
  return std::nullopt;
}

// Rows that one task takes, at least.
constexpr std::uint64_t kTaskRows = 65536;

// The elements of one segment, one behind the other, before and after.
struct Slice {
  std::size_t begin = 0;
  std::size_t end = 0;
};

using Longs = std::pmr::vector<std::int64_t>;
using Doubles = std::pmr::vector<double>;

std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t wrapping_subtract(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t wrapping_multiply(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

// All elements combined so far, nulls left out.
template <typename T, typename Combine, typename IsNull>
void accumulate(std::span<const T> in, std::span<T> out, T start, const Combine& combine,
                const IsNull& is_null) {
  T so_far = start;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (!is_null(in[i])) so_far = combine(so_far, in[i]);
    out[i] = so_far;
  }
}

// The greatest (least) of the last `length` keys: candidates, each beyond all that follow it.
template <typename Beyond>
void moving_extreme(std::span<const std::int64_t> in, std::span<std::int64_t> out,
                    std::int64_t length, const Beyond& beyond,
                    std::pmr::vector<std::size_t>& candidates) {
  candidates.clear();
  std::size_t first = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    while (candidates.size() > first && !beyond(in[candidates.back()], in[i]))
      candidates.pop_back();
    candidates.push_back(i);
    if (static_cast<std::int64_t>(i - candidates[first]) >= length) ++first;
    out[i] = in[candidates[first]];
  }
}

void copy_element(std::size_t width, const std::byte* from, std::byte* to) {
  switch (width) {
    case 1: *to = *from; return;
    case 4: std::memcpy(to, from, 4); return;
    case 8: std::memcpy(to, from, 8); return;
    default: std::memcpy(to, from, width);
  }
}

bool is_null_key(std::int64_t key) { return key == kNullLong; }
bool is_null_float(double value) { return value != value; }

class WindowMaker {
 public:
  WindowMaker(const Window& window, const ResultColumn& input, std::uint64_t rows,
              const RowSegments& segments, const QueryContext& context,
              std::vector<std::shared_ptr<const void>>& keep_alive)
      : window_(window),
        input_(input),
        rows_(static_cast<std::size_t>(rows)),
        segments_(segments),
        context_(context),
        keep_alive_(keep_alive) {}

  ResultColumn run() {
    const QType type = *window_type(window_.function, input_.type);
    result_.name = window_.name;
    result_.type = type;
    result_.domain = type == QType::kSymbol ? input_.domain : nullptr;
    result_.width = type_width(type);
    result_.buffer = Buffer(context_.memory, rows_ * result_.width);
    switch (window_.function) {
      case Uniform::kPrev: return shifted(1);
      case Uniform::kNext: return shifted(-1);
      case Uniform::kXprev: return shifted(window_.length);
      case Uniform::kFills: return filled();
      case Uniform::kDiffer: return differs();
      case Uniform::kRank: return ranks();
      case Uniform::kString: return texts();
      case Uniform::kMaxs:
      case Uniform::kMins:
      case Uniform::kMmax:
      case Uniform::kMmin: return extremes();
      case Uniform::kSums:
      case Uniform::kPrds:
      case Uniform::kDeltas:
      case Uniform::kMsum: return is_floating(input_.type) ? float_result() : integer_result();
      default: return float_result();
    }
  }

 private:
  // Calls work(slice) for each segment, a few together on one thread.
  void for_each_segment(const std::function<void(Slice)>& work) {
    std::vector<std::size_t> task_starts = {0};
    std::uint64_t begin = 0;
    for (std::size_t s = 0; s < segments_.ends.size(); ++s) {
      if (segments_.ends[s] - begin < kTaskRows) continue;
      task_starts.push_back(s + 1);
      begin = segments_.ends[s];
    }
    if (task_starts.back() != segments_.ends.size()) task_starts.push_back(segments_.ends.size());
    context_.pool.run(task_starts.size() - 1, [&](std::size_t task, std::size_t) {
      for (std::size_t s = task_starts[task]; s < task_starts[task + 1]; ++s) {
        const std::uint64_t first = s == 0 ? 0 : segments_.ends[s - 1];
        work({static_cast<std::size_t>(first), static_cast<std::size_t>(segments_.ends[s])});
      }
    });
  }

  std::size_t row_at(std::size_t place) const {
    return segments_.order.empty() ? place : segments_.order[place];
  }

  // From row order to the segments'.
  template <typename T>
  std::pmr::vector<T> in_segments(std::pmr::vector<T> by_row) {
    if (segments_.order.empty()) return by_row;
    std::pmr::vector<T> ordered(rows_, &context_.memory);
    for (std::size_t place = 0; place < rows_; ++place)
      ordered[place] = by_row[segments_.order[place]];
    return ordered;
  }

  Longs keys() {
    Longs keys(rows_, &context_.memory);
    to_order_keys(input_.type, input_.buffer.data(), rows_, keys.data());
    return in_segments(std::move(keys));
  }

  Doubles doubles() {
    Doubles values(rows_, &context_.memory);
    to_doubles(input_.type, input_.buffer.data(), rows_, values.data());
    return in_segments(std::move(values));
  }

  // What work(from, to) makes of each segment's elements, in the segments' order.
  template <typename T, typename Work>
  std::pmr::vector<T> made_of(const std::pmr::vector<T>& in, const Work& work) {
    std::pmr::vector<T> out(rows_, &context_.memory);
    for_each_segment([&](Slice slice) {
      const std::size_t count = slice.end - slice.begin;
      work(std::span(in).subspan(slice.begin, count), std::span(out).subspan(slice.begin, count));
    });
    return out;
  }

  // Elements of the result's type for keys in the segments' order.
  ResultColumn of_keys(const Longs& keys) {
    for (std::size_t place = 0; place < rows_; ++place)
      from_order_key(result_.type, keys[place],
                     result_.buffer.data() + row_at(place) * result_.width);
    return std::move(result_);
  }

  ResultColumn of_doubles(const Doubles& values) {
    std::byte* const out = result_.buffer.data();
    for (std::size_t place = 0; place < rows_; ++place) {
      if (result_.type == QType::kReal) {
        const auto real = static_cast<float>(values[place]);
        std::memcpy(out + row_at(place) * sizeof(real), &real, sizeof(real));
      } else {
        std::memcpy(out + row_at(place) * sizeof(double), &values[place], sizeof(double));
      }
    }
    return std::move(result_);
  }

  ResultColumn extremes() {
    const bool is_greatest =
        window_.function == Uniform::kMaxs || window_.function == Uniform::kMmax;
    const bool is_moving = window_.function == Uniform::kMmax || window_.function == Uniform::kMmin;
    const std::int64_t start =
        is_greatest ? negative_infinity_key(input_.type) : positive_infinity_key(input_.type);
    return of_keys(made_of(keys(), [&](auto from, auto to) {
      if (!is_moving) {
        const auto greater = [](std::int64_t a, std::int64_t b) { return std::max(a, b); };
        const auto lesser = [](std::int64_t a, std::int64_t b) { return std::min(a, b); };
        if (is_greatest) return accumulate<std::int64_t>(from, to, start, greater, is_null_key);
        return accumulate<std::int64_t>(from, to, start, lesser, is_null_key);
      }
      if (window_.length <= 0) {
        std::copy(from.begin(), from.end(), to.begin());
        return;
      }
      std::pmr::vector<std::size_t> candidates(&context_.memory);
      if (is_greatest) {
        return moving_extreme(from, to, window_.length, std::greater<>(), candidates);
      }
      moving_extreme(from, to, window_.length, std::less<>(), candidates);
    }));
  }

  ResultColumn integer_result() {
    return of_keys(made_of(keys(), [&](auto from, auto to) {
      switch (window_.function) {
        case Uniform::kSums:
          return accumulate<std::int64_t>(from, to, 0, wrapping_add, is_null_key);
        case Uniform::kPrds:
          return accumulate<std::int64_t>(from, to, 1, wrapping_multiply, is_null_key);
        case Uniform::kMsum: return moving_sums(from, to);
        default: return differences(from, to);
      }
    }));
  }

  void moving_sums(std::span<const std::int64_t> in, std::span<std::int64_t> out) const {
    const std::size_t length = window_length();
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (!is_null_key(in[i])) sum = wrapping_add(sum, in[i]);
      if (i >= length && !is_null_key(in[i - length])) sum = wrapping_subtract(sum, in[i - length]);
      out[i] = sum;
    }
  }

  static void differences(std::span<const std::int64_t> in, std::span<std::int64_t> out) {
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (i == 0) {
        out[i] = in[i];
      } else {
        const bool has_null = is_null_key(in[i]) || is_null_key(in[i - 1]);
        out[i] = has_null ? kNullLong : wrapping_subtract(in[i], in[i - 1]);
      }
    }
  }

  ResultColumn float_result() {
    const Doubles out = made_of(doubles(), [&](auto from, auto to) {
      switch (window_.function) {
        case Uniform::kSums: return accumulate<double>(from, to, 0.0, std::plus<>(), is_null_float);
        case Uniform::kPrds:
          return accumulate<double>(from, to, 1.0, std::multiplies<>(), is_null_float);
        case Uniform::kDeltas:
        case Uniform::kRatios: return neighbours(from, to);
        default: return moving_figures(from, to);
      }
    });
    if (window_.function != Uniform::kMcount) return of_doubles(out);
    Longs counts(rows_, &context_.memory);
    for (std::size_t place = 0; place < rows_; ++place)
      counts[place] = static_cast<std::int64_t>(out[place]);
    return of_keys(counts);
  }

  void neighbours(std::span<const double> in, std::span<double> out) const {
    const bool is_ratio = window_.function == Uniform::kRatios;
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (i == 0) {
        out[i] = in[i];
      } else {
        out[i] = is_ratio ? in[i] / in[i - 1] : in[i] - in[i - 1];
      }
    }
  }

  void moving_figures(std::span<const double> in, std::span<double> out) const {
    const std::size_t length = window_length();
    MovingSum sum;
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (length != 0 && i >= length) sum.remove(in[i - length]);
      if (length != 0) sum.add(in[i]);
      switch (window_.function) {
        case Uniform::kMavg: out[i] = sum.count() == 0 ? kNullFloat : sum.average(); break;
        case Uniform::kMdev: out[i] = sum.deviation(); break;
        case Uniform::kMsum: out[i] = sum.sum(); break;
        default: out[i] = static_cast<double>(sum.count());
      }
    }
  }

  std::size_t window_length() const {
    return static_cast<std::size_t>(std::max<std::int64_t>(0, window_.length));
  }

  // The input's elements in the result's width.
  const std::byte* elements() {
    if (input_.width == result_.width) return input_.buffer.data();
    codes_ = Buffer(context_.memory, rows_ * result_.width);
    to_words(input_.width, input_.buffer.data(), rows_,
             reinterpret_cast<std::uint64_t*>(codes_.data()));
    return codes_.data();
  }

  ResultColumn shifted(std::int64_t back) {
    const Element null_value = null_element(input_.type, input_.domain.get());
    const std::byte* const null = null_value.data();
    const std::byte* const from = elements();
    std::byte* const to = result_.buffer.data();
    const std::size_t width = result_.width;
    const std::uint64_t distance = back < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(back)
                                            : static_cast<std::uint64_t>(back);
    for_each_segment([&](Slice slice) {
      // The first places, or the last ones, get the null, the others an element each.
      const std::size_t places = slice.end - slice.begin;
      const auto gap = static_cast<std::size_t>(std::min<std::uint64_t>(distance, places));
      const std::size_t first = slice.begin + (back > 0 ? gap : 0);
      const std::size_t source = slice.begin + (back > 0 ? 0 : gap);
      if (segments_.order.empty()) {
        std::memcpy(to + first * width, from + source * width, (places - gap) * width);
      } else {
        for (std::size_t i = 0; i < places - gap; ++i)
          copy_element(width, from + row_at(source + i) * width, to + row_at(first + i) * width);
      }
      const std::size_t nulls = back > 0 ? slice.begin : slice.end - gap;
      for (std::size_t i = 0; i < gap; ++i)
        std::memcpy(to + row_at(nulls + i) * width, null, width);
    });
    return std::move(result_);
  }

  ResultColumn filled() {
    const Element null_value = null_element(input_.type, input_.domain.get());
    const std::byte* const null = null_value.data();
    const bool has_null = input_.type != QType::kBoolean && input_.type != QType::kByte;
    const std::byte* const from = elements();
    std::byte* const to = result_.buffer.data();
    const std::size_t width = result_.width;
    const auto is_null = [&](const std::byte* element) {
      if (!has_null) return false;
      if (input_.type == QType::kReal || is_floating(input_.type)) {
        double value = 0;
        to_doubles(input_.type, element, 1, &value);
        return value != value;
      }
      if (input_.type == QType::kNested) {
        NestedCell cell;
        std::memcpy(&cell, element, sizeof(cell));
        return cell.count == 0;
      }
      return std::memcmp(element, null, width) == 0;
    };
    for_each_segment([&](Slice slice) {
      const std::byte* last = null;
      for (std::size_t place = slice.begin; place < slice.end; ++place) {
        const std::byte* const element = from + row_at(place) * width;
        // What only nulls precede stays as it is.
        if (!is_null(element) || last == null) last = element;
        std::memcpy(to + row_at(place) * width, last, width);
      }
    });
    return std::move(result_);
  }

  // Rows as they are, a word each.
  ResultColumn differs_in_order() {
    constexpr std::size_t kWordsAtOnce = 1024;
    for_each_segment([&](Slice slice) {
      std::int64_t words[kWordsAtOnce];
      std::int64_t before = 0;
      for (std::size_t begin = slice.begin; begin < slice.end; begin += kWordsAtOnce) {
        const std::size_t count = std::min(kWordsAtOnce, slice.end - begin);
        equality_words(input_, begin, begin + count, words);
        std::uint64_t bits[words_for(kWordsAtOnce)] = {};
        note_changes(words, before, count, bits);
        if (begin == slice.begin) bits[0] |= 1;
        before = words[count - 1];
        bytes_of_bits(bits, count, result_.buffer.data() + begin);
      }
    });
    return std::move(result_);
  }

  ResultColumn differs() {
    if (segments_.order.empty() && input_.type != QType::kGuid) return differs_in_order();
    const std::vector<Words> words = equality_words(input_, rows_, context_);
    for_each_segment([&](Slice slice) {
      for (std::size_t place = slice.begin; place < slice.end; ++place) {
        bool is_other = place == slice.begin;
        for (const Words& half : words)
          is_other = is_other || half[row_at(place)] != half[row_at(place - 1)];
        result_.buffer.data()[row_at(place)] = static_cast<std::byte>(is_other);
      }
    });
    return std::move(result_);
  }

  // As q's string has it: the text, of floats seven digits.
  ResultColumn texts() {
    std::vector<std::shared_ptr<Buffer>> chunks((rows_ + kChunkRows - 1) / kChunkRows);
    for_each_chunk(context_.pool, rows_, [&](std::size_t begin, std::size_t end) {
      context_.stop_if_asked();
      std::string all;
      std::vector<std::size_t> ends;
      ends.reserve(end - begin);
      for (std::size_t row = begin; row < end; ++row) {
        append_shown(all, input_.type, input_.width, input_.buffer.data() + row * input_.width,
                     input_.domain.get(), Digits::kSeven);
        ends.push_back(all.size());
      }
      auto items = std::make_shared<Buffer>(context_.memory, all.size());
      if (!all.empty()) std::memcpy(items->data(), all.data(), all.size());
      std::size_t from = 0;
      for (std::size_t row = begin; row < end; ++row) {
        const std::size_t to = ends[row - begin];
        const NestedCell cell{items->data() + from, static_cast<std::uint32_t>(to - from),
                              static_cast<std::uint8_t>(QType::kChar), false, 0};
        std::memcpy(result_.buffer.data() + row * sizeof(cell), &cell, sizeof(cell));
        from = to;
      }
      chunks[begin / kChunkRows] = std::move(items);
    });
    keep_alive_.insert(keep_alive_.end(), chunks.begin(), chunks.end());
    return std::move(result_);
  }

  ResultColumn ranks() {
    const std::vector<Words> words = order_words(input_, rows_, context_);
    auto* const out = reinterpret_cast<std::int64_t*>(result_.buffer.data());
    for_each_segment([&](Slice slice) {
      std::pmr::vector<std::uint32_t> order(slice.end - slice.begin, &context_.memory);
      for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<std::uint32_t>(row_at(slice.begin + i));
      std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        for (const Words& some : words) {
          if (some[a] != some[b]) return some[a] < some[b];
        }
        return a < b;
      });
      for (std::size_t place = 0; place < order.size(); ++place)
        out[order[place]] = static_cast<std::int64_t>(place);
    });
    return std::move(result_);
  }

  const Window& window_;
  const ResultColumn& input_;
  std::size_t rows_;
  const RowSegments& segments_;
  const QueryContext& context_;
  std::vector<std::shared_ptr<const void>>& keep_alive_;  // what cells point into
  ResultColumn result_;
  Buffer codes_;
};

}  // namespace

std::optional<QType> window_type(Uniform function, QType type) {
  const bool is_word = type == QType::kSymbol || type == QType::kGuid || type == QType::kNested;
  const auto when = [](bool has_it, QType result) {
    return has_it ? std::optional<QType>(result) : std::nullopt;
  };
  switch (function) {
    case Uniform::kSums:
    case Uniform::kMsum:
      return when(is_plain_number(type) || is_span(type), aggregate_type(Aggregate::kSum, type));
    case Uniform::kPrds: return when(is_plain_number(type), aggregate_type(Aggregate::kSum, type));
    case Uniform::kMaxs:
    case Uniform::kMins:
    case Uniform::kMmax:
    case Uniform::kMmin: return when(!is_word, type);
    case Uniform::kMavg:
    case Uniform::kMdev: return when(is_plain_number(type) || is_span(type), QType::kFloat);
    case Uniform::kMcount: return when(is_plain_number(type) || is_span(type), QType::kInt);
    case Uniform::kDeltas: return difference_type(type);
    case Uniform::kRatios: return when(is_plain_number(type), QType::kFloat);
    case Uniform::kDiffer: return when(type != QType::kNested, QType::kBoolean);
    case Uniform::kRank: return when(type != QType::kNested, QType::kLong);
    case Uniform::kString: return when(type != QType::kNested, QType::kNested);
    case Uniform::kPrev:
    case Uniform::kNext:
    case Uniform::kXprev:
    case Uniform::kFills: return type;
  }
  return std::nullopt;
}

RowSegments make_segments(const ResultTable& table, std::span<const std::size_t> by,
                          QueryContext& context) {
  RowSegments segments(context.memory);
  if (table.rows == 0) return segments;
  if (by.empty()) {
    segments.ends.push_back(table.rows);
    return segments;
  }
  std::vector<Words> words;
  for (const std::size_t column : by) {
    for (Words& made : equality_words(table.columns[column], table.rows, context))
      words.push_back(std::move(made));
  }
  return make_segments(RowGroups(words, context), context);
}

ResultColumn make_window(const Window& window, const ResultColumn& input, std::uint64_t rows,
                         const RowSegments& segments, const QueryContext& context,
                         std::vector<std::shared_ptr<const void>>& keep_alive) {
  return WindowMaker(window, input, rows, segments, context, keep_alive).run();
}

}  // namespace hdbench
