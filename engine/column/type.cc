#include "engine/column/type.h"

namespace hdbench {

std::string_view type_name(QType type) {
  switch (type) {
    case QType::kNested: return "list";
    case QType::kBoolean: return "boolean";
    case QType::kGuid: return "guid";
    case QType::kByte: return "byte";
    case QType::kShort: return "short";
    case QType::kInt: return "int";
    case QType::kLong: return "long";
    case QType::kReal: return "real";
    case QType::kFloat: return "float";
    case QType::kChar: return "char";
    case QType::kTimestamp: return "timestamp";
    case QType::kMonth: return "month";
    case QType::kDate: return "date";
    case QType::kDatetime: return "datetime";
    case QType::kTimespan: return "timespan";
    case QType::kMinute: return "minute";
    case QType::kSecond: return "second";
    case QType::kTime: return "time";
    case QType::kSymbol: return "symbol";
  }
  return "unknown";
}

char type_letter(QType type) {
  switch (type) {
    case QType::kNested: return ' ';
    case QType::kBoolean: return 'b';
    case QType::kGuid: return 'g';
    case QType::kByte: return 'x';
    case QType::kShort: return 'h';
    case QType::kInt: return 'i';
    case QType::kLong: return 'j';
    case QType::kReal: return 'e';
    case QType::kFloat: return 'f';
    case QType::kChar: return 'c';
    case QType::kTimestamp: return 'p';
    case QType::kMonth: return 'm';
    case QType::kDate: return 'd';
    case QType::kDatetime: return 'z';
    case QType::kTimespan: return 'n';
    case QType::kMinute: return 'u';
    case QType::kSecond: return 'v';
    case QType::kTime: return 't';
    case QType::kSymbol: return 's';
  }
  return '?';
}

bool is_plain_type(int number) {
  return number == 1 || number == 2 || (number >= 4 && number <= 10) ||
         (number >= 12 && number <= 19);
}

}  // namespace hdbench
