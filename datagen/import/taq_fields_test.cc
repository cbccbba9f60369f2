#include "datagen/import/taq_fields.h"

#include <cmath>
#include <string>

#include "engine/base/catch.h"
#include "engine/column/type.h"

namespace hdbench::datagen {

TEST_CASE("a time has three, six or nine digits behind the second") {
  constexpr std::int64_t kHalfPastNineNs = 34'200'000'000'000;
  CHECK(taq_time("093000000000001") == kHalfPastNineNs + 1);
  CHECK(taq_time("093000000001") == kHalfPastNineNs + 1000);
  CHECK(taq_time("093000001") == kHalfPastNineNs + 1'000'000);
  CHECK(taq_time(" 093000000000001 ") == kHalfPastNineNs + 1);
  CHECK(taq_time("000000000") == 0);
  CHECK(taq_time("235959999999999") == 86'399'999'999'999);
  CHECK(taq_time("") == kNullLong);
  CHECK(taq_time("  ") == kNullLong);
}

TEST_CASE("what is no time of a day is none") {
  for (const auto* text :
       {"240000000", "096000000", "093060000", "093000", "0930000", "09300000000",
        "093000000000000000", "09300000000000x", "-93000000", "9:30:00.000"}) {
    INFO(text);
    CHECK_FALSE(taq_time(text));
  }
}

TEST_CASE("a number is one from 0 up that its type holds") {
  CHECK(taq_int("0") == 0);
  CHECK(taq_int("0000100") == 100);
  CHECK(taq_int(" 7 ") == 7);
  CHECK(taq_int("2147483647") == 2147483647);
  CHECK(taq_int("") == kNullInt);
  CHECK(taq_short("00") == 0);
  CHECK(taq_short("12") == 12);
  CHECK(taq_short("32767") == 32767);
  CHECK(taq_short("") == kNullShort);
  CHECK(taq_long("2147483648") == 2147483648);
  CHECK(taq_long("") == kNullLong);
  CHECK(taq_int("100.000000") == 100);
  for (const auto* text : {"-1", "-0", "+1", "2147483648", "1.5", "1e3", "x", "1 2", "0x1", ".",
                           ".0", "7.", "7.0.0"}) {
    INFO(text);
    CHECK_FALSE(taq_int(text));
    CHECK_FALSE(taq_short(text));
  }
  CHECK_FALSE(taq_short("32768"));
}

TEST_CASE("a price is the nearest real of decimal digits") {
  CHECK(taq_price<float>("0") == 0.0F);
  CHECK(taq_price<float>("10.01") == 10.01F);
  CHECK(taq_price<float>("10") == 10.0F);
  CHECK(taq_price<float>("00000123.4500") == 123.45F);
  CHECK(taq_price<float>(".5") == 0.5F);
  // Halfway between two reals but for the last digit: rounding twice would lose it.
  CHECK(taq_price<float>("16777217.000000001") == 16777218.0F);
  CHECK(std::isnan(taq_price<float>("").value()));
  for (const auto* text : {"-1", "-0", "-0.0", "nan", "inf", "infinity", "1e5", "1.2.3", "1,5", "x",
                           "+1", ".", "1 2", "0x1p3"}) {
    INFO(text);
    CHECK_FALSE(taq_price<float>(text));
  }
  CHECK_FALSE(taq_price<float>(std::string(60, '9')));
  CHECK(taq_price<double>("523456.78") == 523456.78);
}

TEST_CASE("a price loses digits where its real is not told from its neighbours") {
  const auto is_lost = [](const std::string& text) {
    INFO(text);
    return loses_digits(text, taq_price<float>(text).value());
  };
  for (const auto* text : {"", "0", "187.4300", "00000523456.0", "123.4567", "8388607", "16777216",
                           "33554432", "99999.98", ".000001"}) {
    CHECK_FALSE(is_lost(text));
  }
  for (const auto* text : {"16777217", "131072.01", "523456.78", " 523456.7800 ", "627000.4999"})
    CHECK(is_lost(text));
}

TEST_CASE("a letter is one printable character, and nothing the null char") {
  CHECK(taq_letter("N") == 'N');
  CHECK(taq_letter(" N") == 'N');
  CHECK(taq_letter("") == ' ');
  CHECK(taq_letter(" ") == ' ');
  CHECK_FALSE(taq_letter("NN"));
  CHECK_FALSE(taq_letter("\t"));
  CHECK_FALSE(taq_letter(std::string_view("\0", 1)));
  CHECK_FALSE(taq_letter("\x80"));
}

TEST_CASE("a text keeps the blanks within it and loses those around it") {
  CHECK(taq_text("BRK A") == "BRK A");
  CHECK(taq_text("@  T ") == "@  T");
  CHECK(taq_text("") == "");
  CHECK(taq_text("    ") == "");
  CHECK(taq_text(std::string(kTextBytesMax, 'A')));
  CHECK_FALSE(taq_text(std::string(kTextBytesMax + 1, 'A')));
  CHECK_FALSE(taq_text("A\x1b[2J"));
  CHECK_FALSE(taq_text(std::string_view("A\0B", 3)));
  CHECK_FALSE(taq_text("caf\xc3\xa9"));
}

TEST_CASE("a date is one of the calendar, of the years of such files") {
  CHECK(taq_date("20000101") == 0);
  CHECK(taq_date("20200107") == 7311);
  CHECK(taq_date("20200229") == 7364);
  for (const auto* text :
       {"", "2020010", "202001071", "20201301", "20200230", "20190229", "20200100", "00010101",
        "19891231", "21000101", "2020010x", "-2020107"}) {
    INFO(text);
    CHECK_FALSE(taq_date(text));
  }
}

}  // namespace hdbench::datagen
