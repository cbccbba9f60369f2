// Helpers of tests: small files in the form of Daily TAQ, made up here.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace hdbench::datagen {

constexpr std::string_view kTradeHeader =
    "Time|Exchange|Symbol|Sale Condition|Trade Volume|Trade Price|Trade Stop Stock Indicator|"
    "Trade Correction Indicator|Sequence Number|Trade Id|Source of Trade|Trade Reporting Facility|"
    "Participant Timestamp|Trade Reporting Facility TRF Timestamp|Trade Through Exempt Indicator";
constexpr std::string_view kQuoteHeader =
    "Time|Exchange|Symbol|Bid_Price|Bid_Size|Offer_Price|Offer_Size|Quote_Condition|"
    "Sequence_Number|National_BBO_Ind|FINRA_BBO_Indicator|FINRA_ADF_MPID_Indicator|"
    "Quote_Cancel_Correction|Source_Of_Quote|Retail_Interest_Indicator|"
    "Short_Sale_Restriction_Indicator|LULD_BBO_Indicator|SIP_Generated_Message_Identifier|"
    "National_BBO_LULD_Indicator|Participant_Timestamp|FINRA_ADF_Timestamp|"
    "FINRA_ADF_Market_Participant_Quote_Indicator|Security_Status_Indicator";

// Of the other columns something that a file may have.
inline std::string trade_line(std::string_view time, std::string_view sym, std::string_view price,
                              std::string_view seq = "1") {
  std::string line(time);
  line += "|D|";
  line += sym;
  line += "|@F I|100|";
  line += price;
  line += "||00|";
  line += seq;
  return line + "|52983|N|Q|093000000100000|093000000200000|0";
}

inline std::string quote_line(std::string_view time, std::string_view sym, std::string_view bid,
                              std::string_view ask, std::string_view seq = "1") {
  std::string line(time);
  line += "|P|";
  line += sym;
  line += "|";
  line += bid;
  line += "|2|";
  line += ask;
  line += "|3|R|";
  line += seq;
  return line + "|A||||C||A||||093000000100000|||";
}

inline std::filesystem::path write_lines(const std::filesystem::path& path,
                                         const std::vector<std::string>& lines) {
  std::ofstream file(path, std::ios::binary);
  for (const std::string& line : lines) file << line << '\n';
  return path;
}

}  // namespace hdbench::datagen
